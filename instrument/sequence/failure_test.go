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
		if got := failure(c.call, c.list); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
