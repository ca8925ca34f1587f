package fuzzmutrt

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// Of a group, those count as fired whose sites were evaluated, and of two at a site the first.
func TestMutantsOfAGroupFire(t *testing.T) {
	Active, Group, Fired = Many, make([]uint64, 1), make([]uint64, 1)
	defer func() { Active, Group, Fired = 0, nil, nil }()
	for _, m := range []uint32{2, 3, 5, 9} {
		set(Group, m)
	}
	alts, _ := packed(codes.Sub, codes.Mul, codes.Quo)
	if got := ArithI(1, alts, codes.Add, 7, 2); got != 14 {
		t.Errorf("7+2 gives %d, want that of the first in the group, 14", got)
	}
	if got := Alt(4, "original", "four", "five"); got != "five" {
		t.Errorf("got %q, want the alternative in the group", got)
	}
	if Do(9) || !Do(8) || On(8) {
		t.Error("of two statements, the one in the group is not the one left out")
	}
	if want := uint64(1<<2 | 1<<5 | 1<<9); Fired[0] != want {
		t.Errorf("fired %b, want %b", Fired[0], want)
	}
}
