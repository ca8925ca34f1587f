package races

import (
	"reflect"
	"strings"
	"testing"
)

// What the race detector writes, by the names of two accesses and of their functions and places.
func written(kinds, places [2]string) string {
	return "==================\nWARNING: DATA RACE\n" + kinds[0] + " at 0x00c0000140a8 by goroutine 9:\n" + places[0] +
		"\n" + kinds[1] + " at 0x00c0000140a8 by goroutine 8:\n" + places[1] +
		"\nGoroutine 9 (running) created at:\n  m.Sum()\n      /w/m/m.go:12 +0x1c4\n\n==================\n"
}

func TestRacesAreRead(t *testing.T) {
	const inner = "  runtime.mapassign()\n      /go/src/runtime/map.go:1 +0x0\n  m.(*T).add.func1()\n      /w/m/m.go:16 +0x44\n"
	const outer = "  m/sub.Get[...]()\n      /w/m/sub/s.go:9 +0x1\n  m.Sum()\n      /w/m/m.go:18 +0x1d4\n"
	const foreign = "  other.F()\n      /o/o.go:3 +0x1\n"
	first := written([2]string{"Write", "Previous read"}, [2]string{outer, inner})
	want := Race{Places: [2]string{"m.(*T).add.func1 /w/m/m.go:16", "m/sub.Get[...] /w/m/sub/s.go:9"}, Accesses: [2]string{"read", "write"}}
	for _, c := range []struct {
		name, text string
		want       []Race
	}{
		{"one", first, []Race{want}},
		{"the other way round is the same pair", written([2]string{"Read", "Previous write"}, [2]string{inner, outer}), []Race{want}},
		{"two", first + "some output\n" + first, []Race{want, want}},
		{"nothing of the user's on a side", written([2]string{"Write", "Previous read"}, [2]string{foreign, inner}), nil},
		{"no stack on a side", written([2]string{"Write", "Previous read"}, [2]string{"  [failed to restore the stack]\n", inner}), nil},
		{"none", "a text\n", nil},
	} {
		if got := read(c.text, []string{"m"}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	half := first + first[:len(first)/2]
	if n := complete(half); n != len(first)+strings.Index(first, reportBegin) || complete(first) != len(first) {
		t.Errorf("%d bytes of %d are whole", n, len(half))
	}
	o := want.Outcome()
	if o.Message != "read and write of the same memory by two goroutines, the other at s.go:9" || want.Key() != "race\n"+want.Places[0]+"\n"+want.Places[1] {
		t.Errorf("%+v", o)
	}
}

// Whatever is written, reading it ends.
func FuzzRead(f *testing.F) {
	f.Add(written([2]string{"Write", "Previous read"}, [2]string{"  m.F()\n      /m.go:1 +0x1\n", "  m.G()\n      /m.go:2 +0x1\n"}))
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range read(text, []string{"m"}) {
			if r.Places[0] > r.Places[1] || !strings.HasPrefix(r.Places[0], "m") {
				t.Errorf("%+v", r)
			}
		}
		if n := complete(text); n < 0 || n > len(text) {
			t.Error(n)
		}
	})
}
