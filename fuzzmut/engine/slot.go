package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// slot is the place of one worker: when the process dies, the next one takes
// over its knowledge.
type slot struct {
	e      *Engine
	rounds *rounds

	p       *worker.Process
	known   pool.Cursor // what p knows of the pool
	deaths  int         // of mutants, that p knows
	barren  int         // processes in a row that died without having done anything
	counted uint64
	fresh   bool          // p has had no round
	early   *worker.Found // that the worker is making smaller
	careful int           // rounds in which the worker tells what it runs, one input each
	lost    *lost         // a death that nothing has explained yet
	toll    toll          // of mutants that end their processes

	finds   []int // entries to study that s.p has found
	studies []int // entries that s.p was asked to study and has not finished
}

// barrenMost is how many processes in a row may die before they have run an input
// of a round: then something is wrong that a new process does not fix.
const barrenMost = 20

// carefulMost is how many rounds are careful after a death that does not say what was run:
// each costs as much as a message.
const carefulMost = 2000

func (s *slot) run(ctx context.Context) error {
	defer s.drop()
	defer s.giveUp()
	defer s.rest()
	for ctx.Err() == nil {
		if err := s.rounds.intake(ctx); err != nil {
			return err
		}
		req, ok := s.rounds.plan(s.careful > 0)
		if !ok {
			return nil
		}
		if s.p == nil {
			if err := s.start(ctx); err != nil {
				return err
			}
		}
		if err := s.round(ctx, req); err != nil {
			return err
		}
		s.e.cfg.OnRound()
	}
	return nil
}

func (s *slot) start(ctx context.Context) error {
	done := s.e.Kills.Done()
	p, err := s.e.Processes.Start(ctx, false, func(m uint32) bool { return done(m) || !s.e.cfg.Aim(m) })
	if err != nil {
		return err
	}
	s.p, s.known, s.counted, s.fresh = p, pool.Cursor{}, 0, true
	s.toll.replaced(time.Now())
	return nil
}

// rest leaves what is to be studied to the next part of the search.
func (s *slot) rest() { s.rounds.leaveUnstudied(append(s.finds, s.studies...)...) }

func (s *slot) drop() {
	if s.p != nil {
		s.e.Processes.Retire(s.p)
		s.p = nil
	}
}

// tell adds to a request what the process does not know yet.
func (s *slot) tell(req *wire.Fuzz) {
	if s.fresh {
		req.Ahead, s.fresh = s.rounds.ahead.take(), false
		req.Deadly = s.rounds.deadly.list()
	}
	if req.Timed {
		req.Rest = s.toll.rest(time.Now())
	}
	study := !s.e.cfg.NoStudy
	news := s.rounds.schedule.News(&s.known, study)
	req.Add, req.Seen = news.Entries, news.Seen
	req.Dead, s.deaths = s.e.Kills.Since(s.deaths)
	if study {
		req.Study = append(s.finds, news.Study...)
		s.finds = nil
		s.studies = append(s.studies, req.Study...)
	}
}

// round sends a request and takes in what comes back.
func (s *slot) round(ctx context.Context, req *wire.Fuzz) error {
	s.tell(req)
	var damage *worker.Damaged
	var flaky []worker.Flaky
	fuzzed, err := s.p.Fuzz(ctx, req, worker.FuzzEvents{
		Found: s.found,
		Failure: func(f *worker.Failure) {
			s.e.failed(failures.Failure{Input: f.Input, Key: f.Key, Outcome: f.Outcome, Cost: f.Cost}, f.Count)
		},
		Damaged: func(d *worker.Damaged) { damage = d },
		Costly:  s.e.Growth.Add,
		Flaky:   func(f *worker.Flaky) { flaky = append(flaky, *f) },
	})
	s.last()
	var death *worker.Death
	died := errors.As(err, &death)
	done := s.count(req, death)
	for _, f := range flaky {
		if err := s.e.alone.Sometimes(ctx, f, ""); err != nil {
			return err
		}
	}
	if err == nil {
		s.untried(req, fuzzed.Tried, nil)
		return s.finished(ctx, fuzzed)
	}
	if died {
		s.untried(req, -1, death.State.Input)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		s.untried(req, 0, nil)
		s.drop() // it was given up: the time is over
		return nil
	}
	if !died || death.Internal {
		return err
	}
	s.drop()
	if damage != nil || death.State.Mutant != 0 {
		s.toll.died(time.Now(), death.Waited)
	}
	if done > 0 {
		s.barren = 0
	} else if s.barren++; s.barren > barrenMost {
		return fmt.Errorf("%d test binaries in a row died before they ran an input; the last: %w", s.barren, err)
	}
	known := s.e.Failures.Len()
	if damage != nil {
		s.e.addStats(&damage.Stats)
		err = s.explain(ctx, &ended{damage: damage})
	} else {
		err = s.died(ctx, death)
	}
	s.studies, s.finds = nil, append(s.finds, s.e.Pool.Reassign(s.studies, s.e.Failures.Len() > known)...)
	return err
}

// count counts the inputs of a round that were run, and returns how many. death is nil if
// the process lives.
func (s *slot) count(req *wire.Fuzz, death *worker.Death) (done uint64) {
	done = s.p.Counts().Inputs - s.counted
	if death != nil && death.Garbled && death.State.Input != nil {
		done = max(done, 1) // the counter is lost, but this one was run
	}
	s.counted += done
	s.rounds.allowance.giveBack(req.Execs - int64(done))
	s.e.work.addInputs(int64(done))
	return done
}

// finished takes in the end of a round.
func (s *slot) finished(ctx context.Context, f *worker.Fuzzed) error {
	s.barren = 0
	s.careful = max(s.careful-1, 0)
	s.studies = slices.DeleteFunc(s.studies, func(id int) bool { return slices.Contains(f.Studied, id) })
	s.e.addStats(&f.Stats)
	s.rounds.schedule.Yields(f.Yields)
	if f.Error != "" {
		return &MistakeError{f.Error}
	}
	if s.e.cfg.OnInputs != nil {
		return s.e.cfg.OnInputs(ctx, f.Bred, f.Unlogged)
	}
	return nil
}

// last takes in a find that the worker was making smaller when it died.
func (s *slot) last() {
	if f := s.early; f != nil {
		f.Early = false
		s.found(f)
	}
}

// found takes a new input into the corpus, and its kills into the kill set.
func (s *slot) found(f *worker.Found) {
	if f.Early {
		s.early = f
		return
	}
	s.early = nil
	kills := s.e.kill(of(f.Input, f.Kills)...)
	if f.Update {
		s.e.Pool.Update(f.Input, &f.Found, kills)
	} else if id, ok := s.e.Pool.Find(f.Input, &f.Found, kills); ok {
		s.finds = append(s.finds, id)
	}
}
