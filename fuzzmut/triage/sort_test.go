package triage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// failingCases are inputs that show four bugs: 0, 1 and 5 one that has repairs, 2
// and 3 one in the same place as that, which others repair, 4 and 6 one that no
// mutant repairs, and 7 one that another message shows. Mutant 9 repairs all
// that can be repaired.
func failingCases() []triage.Case {
	at := func(token, frames string, covered bitset.Set, repaired ...int) triage.Case {
		c := triage.Case{Token: token, Stack: triage.Stack{Kind: "panic", Frames: strings.Fields(frames)}, Covered: covered}
		c.Repaired = bitset.Of(repaired...)
		return c
	}
	return []triage.Case{
		at("index at leaf", "leaf a", bitset.Of(1, 2), 1, 2, 9),
		at("index at leaf", "leaf b", bitset.Of(1, 3), 1, 2, 9),
		at("index at leaf", "leaf a", bitset.Of(1, 2), 5, 9),
		at("index at leaf", "leaf a", bitset.Of(1, 2, 4), 5, 9),
		at("nil at top", "top a", bitset.Of(7)),
		at("index at leaf", "leaf a", bitset.Of(1, 2), 1, 2, 9),
		at("nil at top", "top b", bitset.Of(7, 8)),
		at("bad at leaf", "leaf a", bitset.Of(1, 2), 6, 9),
	}
}

func TestSortTellsBugsApart(t *testing.T) {
	s := triage.Sort(failingCases(), triage.Options{First: -1})
	want := [][]int{{0, 5, 1}, {4, 6}, {7}, {2, 3}}
	if len(s.Buckets) != len(want) {
		t.Fatalf("buckets %v, want %v", s.Buckets, want)
	}
	for i, b := range s.Buckets {
		if got := slices.Sorted(slices.Values(b)); !slices.Equal(got, slices.Sorted(slices.Values(want[i]))) {
			t.Errorf("buckets %v, want %v", s.Buckets, want)
		}
	}
	// Another token, then other vectors, then other coverage: four bugs in the first four places.
	if got := items(s.Order[:4]); !slices.Equal(got, []int{0, 4, 7, 3}) {
		t.Errorf("order %v", s.Order)
	}
	if d := s.Order[1].Distance; d != 1 {
		t.Errorf("the second is %v from the first", d)
	}
	if last := s.Order[len(s.Order)-1]; last.Distance != 0 {
		t.Errorf("the last is %v", last)
	}
}

func TestSortBeginsWhereItIsTold(t *testing.T) {
	s := triage.Sort(failingCases(), triage.Options{First: 6, Merge: -1})
	if s.Order[0].Item != 6 || len(s.Buckets) != 5 {
		t.Errorf("order %v, buckets %v", s.Order, s.Buckets)
	}
	if s := triage.Sort(nil, triage.Options{First: -1}); s.Order != nil || s.Buckets != nil {
		t.Errorf("nothing is sorted as %v", s)
	}
}

// What repairs every input tells nothing apart, unless it is all there is.
func TestCausalMetric(t *testing.T) {
	cases := failingCases()
	m := triage.CausalMetric(cases)
	for _, c := range []struct {
		i, j int
		want float64
	}{
		{0, 1, 0},
		{0, 2, 1},
		{2, 7, 1},
		{4, 6, 0.25}, // half as far as their coverage
		{0, 4, 1},
	} {
		if got := m(c.i, c.j); got != c.want || m(c.j, c.i) != got {
			t.Errorf("%d and %d are %v apart, want %v", c.i, c.j, got, c.want)
		}
	}
	// As far as half of what they cover, if one of them has no repair.
	unrepaired := cases[1]
	unrepaired.Repaired = nil
	if got := triage.CausalMetric([]triage.Case{cases[0], cases[5], unrepaired})(0, 2); got != 1.0/3 {
		t.Errorf("an input that fails alike and is not repaired is %v away", got)
	}
	only := triage.Case{Token: "x", Outcomes: triage.Outcomes{Repaired: bitset.Of(9)}}
	if got := triage.CausalMetric([]triage.Case{only, only})(0, 1); got != 0 {
		t.Errorf("inputs with the same repair are %v apart", got)
	}
}

func TestClassesTakeTurns(t *testing.T) {
	if got := triage.InTurns([]string{"a", "a", "b", "a", "c", "b"}); !slices.Equal(got, []int{0, 2, 4, 1, 5, 3}) {
		t.Errorf("order %v", got)
	}
}

// That no mutant repairs an input, as each breaks something or was not tried, does not tell
// it from one that fails alike.
func TestWhatIsNotRepairedJoinsWhatFailsAlike(t *testing.T) {
	repaired := func(token string, more ...int) triage.Case {
		c := fails(token, append(more, 1), nil)
		c.Covered = bitset.Of(1, 2)
		return c
	}
	for _, c := range []struct {
		name    string
		other   triage.Case
		buckets int
	}{
		{"a repair ends the failure", fails("a", nil, []int{1}), 1},
		{"another change ends it", fails("a", nil, []int{3}), 1},
		{"nothing does", fails("a", nil, nil), 1},
		{"it fails in another place", fails("b", nil, nil), 2},
		{"others repair it", fails("a", []int{7, 8}, nil), 2},
	} {
		c.other.Covered = bitset.Of(1, 2, 3)
		cases := []triage.Case{repaired("a", 5), repaired("a", 5), c.other}
		if got := triage.Sort(cases, triage.Options{}).Buckets; len(got) != c.buckets {
			t.Errorf("%s: %v, want %d buckets", c.name, got, c.buckets)
		}
	}
}

// A repair of one input that makes another failure of the next one ends the failure of
// both, which is the same.
func TestARepairThatEndsTheOtherFailureTellsNothingApart(t *testing.T) {
	guarded, other := fails("a", []int{1}, nil), fails("a", []int{2}, []int{1})
	for _, c := range []struct {
		name     string
		asserted bool
		b        triage.Case
		buckets  int
	}{
		{"one ends the other's", false, other, 1},
		{"neither does", false, fails("a", []int{2}, nil), 2},
		{"an assertion fails", true, other, 2},
		{"it fails in another place", false, fails("b", []int{2}, []int{1}), 2},
	} {
		a := guarded
		a.Asserted, c.b.Asserted = c.asserted, c.asserted
		if got := triage.Sort([]triage.Case{a, a, c.b, c.b}, triage.Options{}).Buckets; len(got) != c.buckets {
			t.Errorf("%s: %v, want %d buckets", c.name, got, c.buckets)
		}
	}
}

// What fails in two places, and what just the same mutants repair, is one bug. One mutant may
// be so by chance.
func TestTheSameRepairsJoinPlaces(t *testing.T) {
	asserted := fails("b", []int{1, 2}, nil)
	asserted.Asserted = true
	for _, c := range []struct {
		name    string
		a, b    triage.Case
		buckets int
	}{
		{"the same two", fails("a", []int{1, 2}, nil), fails("b", []int{1, 2}, nil), 1},
		{"one more repairs the second", fails("a", []int{1, 2}, nil), fails("b", []int{1, 2, 3}, nil), 2},
		{"one only", fails("a", []int{1}, nil), fails("b", []int{1}, nil), 2},
		{"none", fails("a", nil, nil), fails("b", nil, nil), 2},
		{"an assertion fails", fails("a", []int{1, 2}, nil), asserted, 2},
	} {
		c.a.Covered, c.b.Covered = bitset.Of(1, 2), bitset.Of(7, 8)
		c.a.Stack.Frames, c.b.Stack.Frames = []string{"a"}, []string{"b"}
		cases := []triage.Case{c.a, c.b, c.a, fails("c", []int{9}, nil)}
		if got := triage.Sort(cases, triage.Options{}).Buckets; len(got) != c.buckets+1 {
			t.Errorf("%s: %v, want %d buckets and another", c.name, got, c.buckets)
		}
	}
}

// Costly inputs are one bucket for each loop, whatever stops the growth, and apart from what fails.
func TestCostlyInputsGoByTheLoop(t *testing.T) {
	costly := func(loop string, repairs ...int) triage.Case {
		return triage.Case{Outcomes: triage.Outcomes{Repaired: bitset.Of(repairs...)}, Token: "cost\n" + loop, Costly: true}
	}
	cases := []triage.Case{
		costly("a", 1, 2), costly("b", 1, 2), costly("a"), costly("a", 7, 8, 9), costly("c"),
		{Outcomes: triage.Outcomes{Repaired: bitset.Of(1, 2)}, Token: "panic"},
	}
	var buckets [][]int
	for _, items := range triage.Sort(cases, triage.Options{First: -1}).Buckets {
		slices.Sort(items)
		buckets = append(buckets, items)
	}
	slices.SortFunc(buckets, func(a, b []int) int { return a[0] - b[0] })
	if want := [][]int{{0, 2, 3}, {1}, {4}, {5}}; !slices.EqualFunc(buckets, want, slices.Equal[[]int]) {
		t.Errorf("%v, want %v", buckets, want)
	}
}

// Hangs in one loop whose turns end in different calls are two bugs, unless the same
// mutants repair them.
func TestHangsInOneLoop(t *testing.T) {
	for _, c := range []struct {
		name     string
		a, b     []int
		loop     string
		together bool
	}{
		{"no repairs", nil, nil, "loop", false},
		{"repairs of one", []int{1, 2}, nil, "loop", false},
		{"other repairs", []int{1, 2}, []int{3, 4}, "loop", false},
		{"nearly the same repairs", []int{1, 2, 3, 4}, []int{2, 3, 4, 5, 6}, "loop", false},
		{"the same repairs but one", []int{1, 2, 3, 4}, []int{2, 3, 4}, "loop", true},
		{"the same repairs but one in two loops", []int{1, 2, 3, 4}, []int{2, 3, 4}, "", false},
	} {
		cases := []triage.Case{
			{Token: "loop\ncalls f", Loop: c.loop, Stack: triage.Stack{Kind: "hang"}, Covered: bitset.Of(1, 2)},
			{Token: "loop\ncalls g", Loop: c.loop, Stack: triage.Stack{Kind: "hang"}, Covered: bitset.Of(1, 2)},
			{Token: "another", Stack: triage.Stack{Kind: "panic"}, Covered: bitset.Of(1)}, // that nothing is universal
		}
		cases[0].Repaired, cases[1].Repaired, cases[2].Repaired = bitset.Of(c.a...), bitset.Of(c.b...), bitset.Of(9)
		if got := len(triage.Sort(cases, triage.Options{}).Buckets) == 2; got != c.together {
			t.Errorf("%s: together is %v", c.name, got)
		}
	}
}
