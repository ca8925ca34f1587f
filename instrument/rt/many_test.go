package fuzzmutrt

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// onTogether has mutants on until the test ends, or until it is called again.
func onTogether(t *testing.T, mutants ...uint32) {
	Active = Many
	SwitchOn(mutants, 0)
	t.Cleanup(func() {
		Active = 0
		SwitchOn(nil, 0)
	})
}

// It is counted how often each of a group takes effect, and while tracing how often its site is reached.
func TestTimes(t *testing.T) {
	Times = make([]uint32, 8)
	t.Cleanup(func() { Times = nil })
	onTogether(t, 2, 9)
	for range 3 {
		Do(2)
	}
	Do(4)
	Do(9) // there is no room for it
	if Times[2] != 3 || Times[4] != 0 {
		t.Errorf("%v", Times)
	}
	Active = 0
	SwitchOn(nil, 0)
	clear(Times)
	Tracing, Reached, Infected = true, make([]uint64, 1), make([]uint64, 1)
	t.Cleanup(func() { Tracing, Reached, Infected = false, nil, nil })
	for range 2 {
		Do(2)
		Alt(4, "a", "a", "b")
	}
	if Times[2] != 2 || Times[4] != 2 || Times[5] != 2 || Times[3] != 0 {
		t.Errorf("traced: %v", Times)
	}
}

// Of a group, those count as fired whose sites were evaluated, and of two at a site the first.
func TestMutantsOfAGroupFire(t *testing.T) {
	onTogether(t, 2, 3, 5, 9)
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
		{190, 192, 3},
		{190, 193, 9},
		{500, 500, 5},
		{500, 503, 9},
		{499, 500, 14},
		{0, 2, 3},
	} {
		onTogether(t, c.on)
		if got := ArithI(c.base, alts, codes.Add, 7, 2); got != c.want {
			t.Errorf("site of %d to %d, %d in the group: 7+2 gives %d, want %d", c.base, c.base+2, c.on, got, c.want)
		}
		if fired := has(Fired, c.on); fired != (c.want != 9) {
			t.Errorf("site of %d, %d in the group: fired is %v", c.base, c.on, fired)
		}
	}
}

// A site finds its mutant in the group wherever that stands among as many as there can be, and the
// sites around it find none.
func TestTheLastMutantOfASiteIsNear(t *testing.T) {
	var list []uint64
	for range siteMost {
		list = append(list, codes.Sub)
	}
	alts, _ := packed(list...)
	for on := uint32(100); on < 100+siteMost; on++ {
		onTogether(t, on)
		if chosen(100, alts) != codes.Sub || !has(Fired, on) {
			t.Errorf("mutant %d of a site of 100 to %d is not on", on, 100+siteMost-1)
		}
		onTogether(t, on)
		if chosen(on+1, alts) != 0 || chosen(on-siteMost, alts) != 0 || chosen(on+uint32(len(near)), alts) != 0 || has(Fired, on) {
			t.Errorf("mutant %d is on at a site before it or after it", on)
		}
	}
}

// The alternatives of a site are reached together, over the bounds of words too: the first is counted, for all of them. What
// is infected is not computed again.
func TestSitesOfSeveral(t *testing.T) {
	Times = make([]uint32, 70)
	Tracing, Reached, Infected = true, make([]uint64, 2), make([]uint64, 2)
	t.Cleanup(func() { Tracing, Times, Reached, Infected = false, nil, nil, nil })
	for range 3 {
		ArithI(62, 0xedc, codes.Sub, 4, 2) // 4 and -2 differ from 2, and 2 does not
	}
	Do(66)
	if got := Counted([]uint32{62, 63, 64, 66}); !slices.Equal(got, []uint32{3, 3, 3, 1}) {
		t.Errorf("counted %v", got)
	}
	if want := []uint64{3 << 62, 1 | 1<<2}; !slices.Equal(Reached, want) {
		t.Errorf("reached %x", Reached)
	}
	if open := visit(62, 0xedc); open != 0b010 {
		t.Errorf("open %b", open)
	}
}

// BenchmarkTraced is what five sites take while they are traced.
func BenchmarkTraced(b *testing.B) {
	Times = make([]uint32, 128)
	Tracing, Reached, Infected = true, make([]uint64, 2), make([]uint64, 2)
	b.Cleanup(func() { Tracing, Times, Reached, Infected = false, nil, nil, nil })
	alts := func(list ...uint64) (packed uint64) {
		for i, code := range list {
			packed |= code << (i * codes.Bits)
		}
		return packed
	}
	sums := alts(codes.Left, codes.Right, codes.Sub)
	compared := alts(codes.LessEqual, codes.Equal, codes.AlwaysTrue)
	numbers := alts(codes.Zero, codes.One, codes.OneMore)
	conditions := alts(codes.MadeTrue, codes.MadeFalse)
	x := 0
	for i := range b.N {
		x = ArithIInt(62, sums, codes.Add, x, 1)
		if CmpInt(80, compared, codes.Less, x, i) {
			x++
		}
		x = NumInt(90, numbers, x)
		Bool(100, conditions, i&1 == 0)
		Do(120)
	}
}
