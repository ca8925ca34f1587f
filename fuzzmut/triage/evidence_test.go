package triage

import (
	"math"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

func TestEvidenceWithoutMutants(t *testing.T) {
	of := func(token, kind string, covered ...int) *Case {
		return &Case{Token: token, Stack: Stack{Kind: kind, Frames: []string{"p.leaf", "p.Parse"}}, Covered: bitset.Of(covered...)}
	}
	base := of("a", "panic", 1, 2, 3, 4)
	half := Distance(base.Covered, bitset.Of(1, 2, 7, 8))
	if half <= 0 || half >= 1 {
		t.Fatalf("the coverages are %v apart", half)
	}
	for _, c := range []struct {
		name  string
		other *Case
		want  float64
	}{
		{"itself", base, 0},
		{"the same token", of("a", "panic", 1, 2, 7, 8), half / 2},
		{"the same token, another kind", of("a", "exit", 1, 2, 7, 8), half / 2},
		{"another kind", of("b", "exit", 1, 2, 3, 4), 1},
		{"the same stack", of("b", "panic", 1, 2, 7, 8), half / 2},
	} {
		if got := EvidenceDistance(base, c.other); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if EvidenceDistance(base, c.other) != EvidenceDistance(c.other, base) {
			t.Errorf("%s: the distance is not the same both ways", c.name)
		}
	}
	other := of("b", "panic", 1, 2, 3, 4)
	other.Stack.Frames = []string{"q.x", "q.y"}
	if got, want := EvidenceDistance(base, other), CASRDistance(base.Stack, other.Stack)/2; got != want || got == 0 {
		t.Errorf("another stack: %v, want %v", got, want)
	}
}

// Much that is wrong fails at one assertion: what no mutant repairs is not taken for what
// one does repair, as it is at the place of a panic.
func TestAnAssertionDoesNotJoinWhatIsRepairedWithWhatIsNot(t *testing.T) {
	repaired, not := Case{Token: "a", Covered: bitset.Of(1)}, Case{Token: "a", Covered: bitset.Of(1)}
	repaired.Repaired = bitset.Of(3)
	for _, asserted := range []bool{false, true} {
		repaired.Asserted, not.Asserted = asserted, asserted
		want := 1
		if asserted {
			want = 2
		}
		if got := Sort([]Case{repaired, not}, Options{}).Buckets; len(got) != want {
			t.Errorf("asserted %v: %v", asserted, got)
		}
	}
}

// Coverage orders what one guard repairs alike.
func TestCoverageOrdersWhatIsRepairedAlike(t *testing.T) {
	of := func(covered ...int) Case {
		return Case{Token: "a", Outcomes: Outcomes{Repaired: bitset.Of(3)}, Covered: bitset.Of(covered...)}
	}
	s := Sort([]Case{of(1, 2), of(1, 2), of(1, 2, 3), of(7, 8)}, Options{})
	var got []int
	for _, r := range s.Order {
		got = append(got, r.Item)
	}
	if want := []int{0, 3, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestOrders(t *testing.T) {
	list := []string{"bb", "a", "", "ab", "b", "aaa"}
	slices.SortFunc(list, BySize)
	if want := []string{"", "a", "b", "ab", "bb", "aaa"}; !slices.Equal(list, want) {
		t.Errorf("by size %q", list)
	}
	for _, c := range []struct {
		classes string
		want    []int
	}{{"", nil}, {"aaa", []int{0, 1, 2}}, {"aaabbc", []int{0, 3, 5, 1, 4, 2}}, {"abab", []int{0, 1, 2, 3}}} {
		if got := InTurns([]byte(c.classes)); !slices.Equal(got, c.want) {
			t.Errorf("%s in turns: %v, want %v", c.classes, got, c.want)
		}
	}
}
