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

// A site's mutants may stand in two words of the set, and the last ones in a word that is the last.
func TestGroupsAcrossWords(t *testing.T) {
	Active, Fired = Many, make([]uint64, 3)
	defer func() { Active, Group, Fired = 0, nil, nil }()
	alts, _ := packed(codes.Sub, codes.Mul, codes.Quo)
	for _, c := range []struct {
		base, on uint32
		want     int
	}{
		{62, 62, 5},
		{62, 63, 14},
		{62, 64, 3},
		{64, 64, 5},
		{61, 64, 9},
		{65, 64, 9},
		{62, 65, 9},
		{189, 191, 3},
		{191, 191, 5},
		{190, 192, 9},
		{500, 500, 9},
	} {
		Group = make([]uint64, 3)
		clear(Fired)
		set(Group, c.on)
		if got := ArithI(c.base, alts, codes.Add, 7, 2); got != c.want {
			t.Errorf("site of %d to %d, %d in the group: 7+2 gives %d, want %d", c.base, c.base+2, c.on, got, c.want)
		}
		if fired := has(Fired, c.on); fired != (c.want != 9) {
			t.Errorf("site of %d, %d in the group: fired is %v", c.base, c.on, fired)
		}
	}
}
