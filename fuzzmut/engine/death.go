package engine

import (
	"cmp"
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// died takes in what a worker did when it died: a kill of the mutant that was
// active, or a failing input.
func (s *slot) died(ctx context.Context, d *worker.Death) error {
	e := s.e
	e.Processes.LogDeath(d)
	careful := s.careful > 0
	s.careful = 0
	if d.State.Input == nil && d.Garbled {
		s.careful = carefulMost
		return nil // the next time it is known
	}
	if d.State.Input == nil {
		e.Processes.Warn("a worker died on an input too large to record: %s", d.Cause)
		return nil
	}
	if d.State.Mutant == 0 {
		s.rounds.allowance.died(d.TimedOut)
	}
	if d.TimedOut && !s.blocked(d) {
		return nil
	}
	return s.explain(ctx, &ended{death: d, careful: careful})
}

// deathOf finds out what a process has died of, unless the time of ctx is over.
func (s *slot) deathOf(ctx context.Context, d *worker.Death, careful bool) error {
	e := s.e
	if d.TimedOut {
		return s.withItsTime(ctx, d)
	}
	if d.State.Mutant == 0 {
		if done, err := s.originalDied(ctx, d); done || err != nil {
			return err
		}
	}
	input, list, err := e.Exact.Culprit(ctx, d)
	if err != nil || input == nil && ctx.Err() != nil {
		return cmp.Or(err, ctx.Err())
	}
	if input != nil {
		s.killed(input, of(input, list))
		return nil
	}
	if d.Garbled && !careful {
		s.lose(d)
		return nil
	}
	return s.unexplained(ctx, d)
}

// lost is a death that is not explained, though its failure may come again.
type lost struct {
	flaky worker.Flaky
	cause string
}

// lose puts off what there is to say of a connection that was broken by neither of the last
// inputs. That shows with the next message, and any input of the round may have done it: from
// now on the worker tells what it runs, so that the next time it is known.
func (s *slot) lose(d *worker.Death) {
	o := s.e.Processes.Outcome(d)
	s.careful = carefulMost
	s.lost = &lost{worker.Flaky{Input: d.State.Input, Outcome: o, Key: failure.Key(o), Failed: 1, Runs: 2}, d.Cause}
}

// giveUp tells of what was lost, unless it was found later.
func (s *slot) giveUp() {
	if l := s.lost; l != nil && !s.e.Failures.Has(l.flaky.Key) {
		s.e.Failures.Saw(l.flaky, l.cause)
	}
	s.lost = nil
}

// originalDied takes in that a worker died while no mutant was active. It reports false
// if that does not come from an input: then a mutant that was run before may be to blame.
func (s *slot) originalDied(ctx context.Context, d *worker.Death) (done bool, err error) {
	e := s.e
	o := e.Processes.Outcome(d)
	key := failure.Key(o)
	if !d.Killed && !d.Garbled && e.Failures.IsFlaky(key) {
		return true, e.alone.Sometimes(ctx, worker.Flaky{Input: d.State.Input, Outcome: o, Key: key, Failed: 1, Runs: 1}, d.Cause)
	}
	known := e.Failures.Suffices(key, d.State.Input)
	if d.Memory {
		key, known = e.hoards.known(e.Failures, d.State.Input)
	}
	if !d.Killed && known {
		s.spare(d.State.Input)
		e.failed(failures.Failure{Key: key}, 1)
		return true, nil
	}
	input, runs, err := e.alone.Culprit(ctx, d)
	if err != nil || input == nil {
		return false, err
	}
	if !runs.Always() {
		return true, e.alone.Sometimes(ctx, runs.Flaky(input), runs.Cause)
	}
	s.alwaysFails(input, &runs)
	return true, nil
}

// blocked takes in that a worker was ended for lack of progress: what was under
// way is to blame. It reports whether the input is to be run by itself, see withItsTime.
func (s *slot) blocked(d *worker.Death) (unsure bool) {
	e := s.e
	if m := d.State.Mutant; m != 0 {
		k := of(d.State.Input, []wire.Kill{{Mutant: m, Kind: processes.KillKind(d), Detail: processes.KillDetail(d)}})
		k[0].Blocked = true
		s.killed(d.State.Input, k)
		return false
	}
	o := e.Processes.Outcome(d)
	key := failure.Key(o)
	s.spare(d.State.Input)
	// After the first input that blocks, time is short, and what runs out of it elsewhere
	// may only be slow.
	if known := e.Processes.Hurry(); !known || e.Failures.Has(key) {
		e.failed(failures.Failure{Input: d.State.Input, Key: key, Outcome: o, Cause: d.Cause}, 1)
		return false
	}
	return e.unsure.first(key)
}

// withItsTime runs an input that ran out of a short time with all the time that an execution has. It may
// fail in another way then, as where it takes too much memory. That it blocks is no finding: its frames are
// those of a moment, and one input that blocks is known.
func (s *slot) withItsTime(ctx context.Context, d *worker.Death) error {
	e, input := s.e, d.State.Input
	runs, err := e.alone.Run(ctx, input, false)
	switch {
	case err != nil || runs.Failed == 0:
		return err
	case runs.Outcome.Kind == wire.Fuel:
		e.unsure.blocked()
		return nil
	case !runs.Always():
		return e.alone.Sometimes(ctx, runs.Flaky(input), runs.Cause)
	}
	s.alwaysFails(input, &runs)
	return nil
}

// alwaysFails takes in an input that failed in each of its runs alone.
func (s *slot) alwaysFails(input *corpus.Input, runs *alone.Runs) {
	key := failure.Key(runs.Outcome)
	if runs.Memory {
		s.e.hoards.add(key)
	}
	s.spare(input)
	s.e.failed(failures.Failure{Input: input, Key: key, Outcome: runs.Outcome, Cause: runs.Cause}, 1)
}

// killed takes in mutants that ended their process. The input's features are not
// known; the next worker learns them.
func (s *slot) killed(input *corpus.Input, list []kills.Kill) {
	if fresh := s.e.kill(list...); fresh > 0 {
		s.e.Pool.Add(pool.Entry{Input: input, Kills: fresh}, false)
	}
}

// unexplained takes in a death that nothing which was in progress explains. The mutants
// are no longer run: each time could cost a process.
func (s *slot) unexplained(ctx context.Context, d *worker.Death) error {
	e := s.e
	switch {
	case d.Killed:
		e.Processes.FromOutside(d)
		return nil
	case d.Memory:
		e.Processes.Warn("a worker %s and was replaced: %s memory from one input to the next", d.Cause, keepers(d))
		return nil
	case processes.OutOfFuel(d):
		return nil // of a round; with all the fuel there is it ends
	}
	e.Kills.Damage(processes.Suspects(d)...)
	if d.State.Mutant != 0 {
		return nil
	}
	o := e.Processes.Outcome(d)
	return e.alone.Sometimes(ctx, worker.Flaky{Input: d.State.Input, Outcome: o, Key: failure.Key(o), Failed: 1, Runs: 2}, d.Cause)
}

// keepers says who may have kept the memory of a worker.
func keepers(d *worker.Death) string {
	if d.State.MutantExecs > 0 {
		return "a mutant, or the fuzz target, keeps"
	}
	return "the fuzz target keeps"
}

// damaged takes in that a worker's original no longer does what it did.
func (s *slot) damaged(ctx context.Context, d *worker.Damaged) error {
	damaging, list, err := s.e.Exact.Damage(ctx, d)
	if err != nil || ctx.Err() != nil {
		return cmp.Or(err, ctx.Err())
	}
	s.e.Kills.Damage(damaging...)
	s.killed(d.Input, of(d.Input, list))
	return nil
}
