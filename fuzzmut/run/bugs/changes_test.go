package bugs

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// conditions makes a sorting of failing inputs with mutants a to h: five deletions at lines 3, 3, 5, 6
// and 7 of inner, which fails at line 7, its conditions at lines 2 and 4, and that of outer at line 11,
// which calls inner at line 12.
func conditions(results ...repair.Result) *Sorting {
	s := located(results...)
	p := s.trial.Package.Program
	p.Mutants = nil
	for i, m := range []struct {
		line, function int
		operator       string
	}{
		{3, 0, "statement-deletion"},
		{3, 0, "nil-guard"},
		{5, 0, "statement-deletion"},
		{6, 0, "statement-deletion"},
		{7, 0, "statement-deletion"},
		{2, 0, operator.ConditionNegation},
		{4, 0, operator.ConditionNegation},
		{11, 1, operator.ConditionNegation},
	} {
		p.Mutants = append(p.Mutants, instrument.Mutant{
			Index: i + 1, File: "/m/p.go", ID: string(rune('a' + i)), Line: m.line, FuncIndex: m.function, Operator: m.operator,
		})
	}
	for i := range s.Inputs {
		s.Inputs[i].Result.Outcome.Frames = []string{"p.inner /m/p.go:7", "p.outer /m/p.go:12"}
	}
	return s
}

func TestChangesAreAtDifferentPlaces(t *testing.T) {
	for _, c := range []struct {
		name           string
		results        []repair.Result
		breaks         []uint32
		most           int
		repairs, noisy string
		decides        string // of what breaks something
	}{
		{"one of a line", []repair.Result{repairedBy(1, 2, 3)}, nil, 5, "c a", "", ""},
		{"also of a line with a repair", []repair.Result{repairedBy(1, 2)}, []uint32{2}, 5, "a", "", ""},
		{"the condition above is the last of five", []repair.Result{repairedBy(1, 3, 4, 5, 7, 8)}, []uint32{7}, 5, "e d c a", "g", "g"},
		{"with few repairs it keeps its place", []repair.Result{repairedBy(4, 5, 7)}, []uint32{4, 7}, 5, "e", "d g", "g"},
		{"the nearest of two", []repair.Result{repairedBy(5, 6, 7)}, []uint32{6, 7}, 5, "e", "g f", "g"},
		{"if most inputs pass with it", []repair.Result{repairedBy(5, 6, 7), repairedBy(5, 6), repairedBy(5, 6)}, []uint32{6, 7}, 5, "e", "f g", "f"},
		{"that of the caller", []repair.Result{repairedBy(5, 8)}, []uint32{8}, 5, "e", "h", "h"},
		{"none above", []repair.Result{repairedBy(5, 3)}, []uint32{3}, 5, "e", "c", ""},
		{"it moves up among what breaks something", []repair.Result{repairedBy(1, 3, 4, 5, 6, 7)}, []uint32{1, 3, 4, 6, 7, 7}, 5, "e", "d c a g", "g"},
		{"the first ones alone", []repair.Result{repairedBy(1, 3, 4, 5)}, nil, 2, "e d", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := conditions(c.results...)
			for _, m := range c.breaks {
				s.mutants[m].breaks++
				s.mutants[m].reason = breaksInput
			}
			s.rank()
			l := NewLocaliser(s)
			items := make([]int, len(c.results))
			for i := range items {
				items[i] = i
			}
			repairs, noisy := l.Changes(items, l.Repairs(items), c.most)
			if a, b := ids(l, repairs), ids(l, noisy); a != c.repairs || b != c.noisy {
				t.Errorf("%q and %q, want %q and %q", a, b, c.repairs, c.noisy)
			}
			decides := slices.DeleteFunc(noisy, func(r report.RankedRepair) bool { return !r.Decides })
			if got := ids(l, decides); got != c.decides {
				t.Errorf("%q decides, want %q", got, c.decides)
			}
		})
	}
}

func TestChangesElsewhereBreakLittle(t *testing.T) {
	s := conditions(repairedBy(5, 6, 7, 8), repairedBy(5, 6, 7), repairedBy(5, 6, 7))
	p := s.trial.Package.Program
	for _, m := range []int{6, 7, 8} {
		p.Mutants[m-1].FuncIndex = -1
	}
	s.mutants[5].reason, s.mutants[5].breaks = breaksInput, 9
	s.mutants[6].reason, s.mutants[6].breaks = breaksInput, 1
	s.mutants[7].reason, s.mutants[7].test = breaksTest, "TestX"
	s.mutants[8].reason, s.mutants[8].breaks = breaksInput, 1 // makes one of three inputs pass
	s.rank()
	l := NewLocaliser(s)
	if _, noisy := l.Changes([]int{0, 1, 2}, l.Repairs([]int{0, 1, 2}), 5); ids(l, noisy) != "e g f" {
		t.Errorf("%s", ids(l, noisy))
	}
}

// What makes a few of the inputs pass has more to do with these than with the bug.
func TestRepairsOfFewInputsComeLater(t *testing.T) {
	s := conditions(repairedBy(1, 3, 5), repairedBy(3, 5), repairedBy(3, 5))
	s.mutants[3].reason, s.mutants[3].breaks = breaksInput, 1
	places := func() string {
		s.rank()
		l := NewLocaliser(s)
		repairs, noisy := l.Changes([]int{0, 1, 2}, l.Repairs([]int{0, 1, 2}), 5)
		b := report.Bucket{Repairs: repairs, Noisy: noisy}
		return ids(l, b.Reading())
	}
	if got := places(); got != "e c a" {
		t.Errorf("%s", got)
	}
	for i := range s.Inputs[1:] {
		s.Inputs[1+i].Repairs = repair.Result{} // there was no time to try them
	}
	if got := places(); got != "e a c" {
		t.Errorf("of one input that was tried: %s", got)
	}
}
