package suggest

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/witness"
)

// Choosing takes chooseTimes the time of the search at most, or chooseLeast: values may be large, and what one fuzz
// test takes for them the others don't have.
const (
	chooseTimes = 3
	chooseLeast = time.Second
)

// find chooses among the inputs that a search has left, for a part of the time after an interrupt as well.
func (s *session) find(ctx context.Context, t *trial.Trial, by *searching, part time.Duration) ([]witness.Witness, error) {
	t.Brief("choosing inputs")
	defer t.Watch()()
	soon, cancel := s.after(ctx, graceFind)
	defer cancel()
	later, cancel := s.after(ctx, graceSteady)
	defer cancel()
	judge, observe := s.unspoiled(soon, t), observed.Once
	if judge != t {
		observe = observed.Stable
	}
	if by.judged == nil {
		by.judged = make(map[string]bool)
	}
	c := witness.Choice{Trial: t, Judge: judge, Wanted: t.Focus.Mutant, Judged: by.judged, Fit: func(ctx context.Context, inputs []*corpus.Input) ([]*corpus.Input, error) {
		list, err := s.fitAs(ctx, judge, inputs, observe)
		by.more = append(by.more, list...)
		return list, err
	}}
	if part > 0 {
		c.Within = max(chooseTimes*part, chooseLeast)
	}
	found, left, err := witness.Find(soon, c)
	if err != nil {
		return nil, err
	}
	by.cut = left > 0
	return s.steady(later, judge, found)
}

// unspoiled is a trial of the same fuzz test that has run nothing, if that is one over sequences. All
// that such a fuzz test shows is one value. After one input whose value differs from run to run the
// engine leaves it out for all inputs, since it is the same place.
func (s *session) unspoiled(ctx context.Context, t *trial.Trial) *trial.Trial {
	if s.searched.Loaded.Sequence(t.Test.Name) == nil {
		return t
	}
	again := s.newTrial(t.Test, t.Focus)
	if err := again.Greet(ctx); err != nil {
		return t
	}
	return again
}
