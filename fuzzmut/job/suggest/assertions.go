package suggest

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// addAssertions reports the values that calls in the unit tests return and no test checks, by
// the survivors with which they differ. No search is needed for them.
func (s *session) addAssertions(p *instrument.Program, res *unittest.Result, known *memory.Memory) {
	var list []assertion
	for i := range res.Verdicts {
		v, _, _ := known.Verdict(res.Verdicts[i])
		was := s.survivors[keyOf(&p.Mutants[res.Verdicts[i].Mutant-1])]
		if v.Seen != nil && v.Seen.Weak == "" && was != nil {
			list = append(list, assertion{seen: v.Seen, mutant: s.mutant(was, v.Seen.Text)})
		}
	}
	s.report.Assertions = grouped(list)
	for i := range s.report.Assertions {
		s.report.Unasserted += len(s.report.Assertions[i].Closes)
	}
}

// assertion is what one survivor has differ in a test.
type assertion struct {
	seen   *report.Seen
	mutant suggestion.Mutant
}

// grouped makes one assertion of all that are about the same value of the same call. Those
// that close most come first.
func grouped(list []assertion) (out []suggestion.Assertion) {
	type place struct {
		file, value string
		line        int
	}
	at := make(map[place]int)
	for _, a := range list {
		p := place{a.seen.File, a.seen.Value, a.seen.Line}
		i, ok := at[p]
		if !ok {
			i = len(out)
			at[p] = i
			out = append(out, suggestion.Assertion{Test: a.seen.Test, File: a.seen.File, Line: a.seen.Line, Call: a.seen.Call, Value: a.seen.Value})
		}
		out[i].Closes = append(out[i].Closes, a.mutant)
	}
	slices.SortStableFunc(out, func(a, b suggestion.Assertion) int {
		return cmp.Or(cmp.Compare(len(b.Closes), len(a.Closes)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Value, b.Value))
	})
	return out
}
