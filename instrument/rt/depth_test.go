package fuzzmutrt

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// descend makes n calls of itself, with the guard of mutants 2 and 3. It returns how many it has made.
func descend(n int) int {
	if d := Deeper(2, 2); d > 0 {
		defer Shallower(2, Run)
		if Deep(2, d) || Deep(3, d) {
			return 0
		}
	}
	if n == 1 {
		return 1
	}
	return 1 + descend(n-1)
}

func TestGuardsOfDepth(t *testing.T) {
	defer func() {
		Active, inProgress = 0, [len(inProgress)]calls{}
		SwitchOn(nil, 0)
	}()
	const deep = codes.MostDepth + 5
	for _, c := range []struct {
		name   string
		active uint32
		group  []uint32
		want   int
	}{
		{"no mutant", 0, nil, deep},
		{"another mutant", 4, nil, deep},
		{"the first", 2, nil, codes.MostDepth},
		{"the last", 3, nil, codes.MostDepth},
		{"one of several", Many, []uint32{3, 9}, codes.MostDepth},
		{"none of several", Many, []uint32{9}, deep},
	} {
		Active = c.active
		SwitchOn(c.group, 0)
		for range 3 {
			if got := descend(deep); got != c.want {
				t.Errorf("%s: %d calls, want %d", c.name, got, c.want)
			}
		}
	}
	for n, want := range map[int]uint64{codes.MostDepth: 0, codes.MostDepth + 1: 0b110} {
		if reached, infected := traced(t, func() { descend(n) }); reached != 0b110 || infected != want {
			t.Errorf("%d calls: reached %b, infected %b", n, reached, infected)
		}
	}
}

// What an execution has left in progress, in goroutines that wait, does not count in the next, and
// takes nothing from it when it ends.
func TestCallsOfEarlierExecutions(t *testing.T) {
	defer func() { Active, inProgress = 0, [len(inProgress)]calls{} }()
	Active = 2
	left := Run
	for range codes.MostDepth {
		Deeper(2, 2)
	}
	Run++
	if got := descend(codes.MostDepth); got != codes.MostDepth {
		t.Errorf("%d calls, want %d", got, codes.MostDepth)
	}
	Deeper(2, 2)
	Shallower(2, left)
	if got := Deeper(2, 2); got != 2 {
		t.Errorf("%d calls in progress, want 2", got)
	}
}

// Two guards that have one place do not count each other's calls.
func TestGuardsOfOnePlace(t *testing.T) {
	defer func() { Active, inProgress = 0, [len(inProgress)]calls{} }()
	const other = 2 + uint32(len(inProgress))
	Active = 2
	if got := Deeper(2, 2); got != 1 {
		t.Fatalf("%d calls in progress, want 1", got)
	}
	Active = other
	if got := Deeper(other, 1); got != 0 {
		t.Errorf("the other guard counts %d", got)
	}
	Active = 2
	if got := Deeper(2, 2); got != 2 {
		t.Errorf("%d calls in progress, want 2", got)
	}
	Run++
	Active = other
	if got := Deeper(other, 1); got != 1 {
		t.Errorf("in the next execution the other guard counts %d, want 1", got)
	}
}
