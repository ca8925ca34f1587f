package engine

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
)

// ended is a process that has ended, and it is to be found out which input or mutant has done it:
// the inputs are run in separate processes for that, and each of these may take seconds.
type ended struct {
	death   *worker.Death
	careful bool            // the worker has told what it ran
	damage  *worker.Damaged // or what the original no longer does
}

// explain finds out what has ended a process, in the time of fuzzing. What that is too short for
// is put off: see Search.Explain.
func (s *slot) explain(ctx context.Context, what *ended) error {
	within, cancel := context.WithoutCancel(ctx), context.CancelFunc(func() {}) // an interrupt loses nothing
	if end, timed := ctx.Deadline(); timed {
		within, cancel = context.WithDeadline(within, end)
	}
	defer cancel()
	err := s.explained(within, what)
	if within.Err() != nil && errors.Is(err, within.Err()) {
		s.rounds.putOff(what)
		return nil
	}
	return err
}

func (s *slot) explained(ctx context.Context, what *ended) error {
	if what.damage != nil {
		return s.damaged(ctx, what.damage)
	}
	return s.deathOf(ctx, what.death, what.careful)
}

func (r *rounds) putOff(what *ended) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.later = append(r.later, what)
}

// PutOff is how many processes have ended without it being known of what, since the time was over.
func (s *Search) PutOff() int {
	s.rounds.mu.Lock()
	defer s.rounds.mu.Unlock()
	return len(s.rounds.later)
}

// Explain finds out what ended these processes, after the last part of the search. When the time of ctx is over,
// it returns the inputs that were run by the others without a mutant.
func (s *Search) Explain(ctx context.Context) (left []*corpus.Input, err error) {
	r := s.rounds
	list := r.later
	r.later = nil
	by := &slot{rounds: r, e: r.e}
	defer by.giveUp()
	for _, what := range list {
		if ctx.Err() == nil {
			err = by.explained(ctx, what)
		}
		switch {
		case ctx.Err() != nil:
			if d := what.death; d != nil && d.State.Mutant == 0 {
				left = append(left, d.State.Input)
			}
		case err != nil:
			return left, err
		}
	}
	return left, nil
}
