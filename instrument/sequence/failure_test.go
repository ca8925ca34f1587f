package sequence

import "testing"

// What a message says of nil does not come from the type.
func TestMessagesOfFailures(t *testing.T) {
	value := compared{"got == nil", "got", "%v", notNil}
	for _, c := range []struct {
		call string
		list []compared
		want string
	}{
		{"zone.Location()", []compared{value}, "got == nil {\nt.Error(\"zone.Location() = nil, want not nil\")\n}\n"},
		{"zone.In(\"%\")", []compared{value}, "got == nil {\nt.Errorf(`zone.In(\"%%\") = nil, want not nil`)\n}\n"},
		{"Load()", []compared{value, {"err != nil", "err", "%v", "nil"}}, "got == nil || err != nil {\nt.Errorf(\"Load() = %v, %v, want not nil, nil\", got, err)\n}\n"},
		{"Rate()", []compared{{"got != 5", "got", "%v", "5"}}, "got != 5 {\nt.Errorf(\"Rate() = %v, want 5\", got)\n}\n"},
	} {
		if got := goesOn.failure(c.call, c.list); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Where later calls use a value that is not as wanted, the test ends: they would panic, or say something else.
func TestTheTestEndsWhereAValueIsUsedLater(t *testing.T) {
	list := []compared{{"len(got) != 2", "len(got)", "len %d", "len 2"}}
	parts := []compared{{"got[0].Level != 1", "got[0].Level", "%v", "1"}}
	want := "len(got) != 2 {\nt.Fatalf(\"Check() = len %d, want len 2\", len(got))\n} else if got[0].Level != 1 {\nt.Fatalf(\"Check(): got[0].Level = %v, want 1\", got[0].Level)\n}\n"
	if got := ends.failureAndParts("Check()", list, parts); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	notNil := []compared{{"got == nil", "got", "%v", notNil}}
	if got, want := ends.failure("Find()", notNil), "got == nil {\nt.Fatal(\"Find() = nil, want not nil\")\n}\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	calls := []compared{{"!got.All(func() {\nt.Errorf(\"odd\")\n})", "got", "%v", "all"}}
	if got, want := ends.failure("Find()", calls), "!got.All(func() {\nt.Errorf(\"odd\")\n}) {\nt.Fatalf(\"Find() = %v, want all\", got)\n}\n"; got != want {
		t.Errorf("%s, want %s: what is compared stays as it is", got, want)
	}
}
