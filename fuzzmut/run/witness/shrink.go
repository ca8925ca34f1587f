package witness

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on what makes one input smaller.
const (
	shrinkRuns = 400
	shrinkFuel = 1_000_000_000 // burned by mutants: less than a second
	// deathsMost is how many processes may end for one input, and damagesMost how often its mutants
	// are run apart, each in some processes.
	deathsMost  = 3
	damagesMost = 60
)

// Shrink makes the inputs of witnesses smaller, as long as they kill the same mutants and
// pass. It takes up to limit, and ends with ctx. Record is as in reduce.Reducer.
func Shrink(ctx context.Context, t *trial.Trial, list []Witness, record int, limit time.Duration) error {
	return shrink(ctx, t, list, record, limit, func(red *reduce.Reducer) {
		red.Reduce()
		red.Normalise()
		red.Reduce()
	})
}

// Cut is Shrink, but takes nothing but records out of inputs: what is left are calls of the larger input.
func Cut(ctx context.Context, t *trial.Trial, list []Witness, record int, limit time.Duration) error {
	return shrink(ctx, t, list, record, limit, (*reduce.Reducer).Records)
}

func shrink(ctx context.Context, t *trial.Trial, list []Witness, record int, limit time.Duration, how func(*reduce.Reducer)) error {
	s := &shrinker{trial: t, record: record, end: time.Now().Add(limit), how: how}
	for _, w := range list {
		s.all = append(s.all, w.Mutants...)
	}
	defer s.close()
	for i := range list {
		if err := s.shrink(ctx, &list[i]); err != nil {
			return t.EngineError(err)
		}
	}
	return nil
}

// shrinker runs mutants on one input after the other, in a separate process.
type shrinker struct {
	trial   *trial.Trial
	record  int
	end     time.Time
	how     func(*reduce.Reducer)
	all     wire.IDs // mutants of all witnesses
	process *worker.Process
	deaths  int // of processes, on the input in progress
	damages int // likewise, and its mutants were run apart
}

func (s *shrinker) close() {
	if s.process != nil {
		s.trial.Engine.Processes.Retire(s.process)
		s.process = nil
	}
}

// shrink makes one input smaller.
func (s *shrinker) shrink(ctx context.Context, w *Witness) error {
	var failed error
	runs, fuel := 0, int64(0)
	s.deaths, s.damages = 0, 0
	red := reduce.Reducer{
		Best: w.Input.Values(), Record: s.record,
		Keep: func(vals []any) bool {
			runs++
			in := corpus.Of(vals...)
			killed, burned, err := s.kills(ctx, in, w.Mutants)
			fuel += burned
			if failed = err; killed {
				w.Input = in
			}
			return killed
		},
		Spent: func() bool {
			return failed != nil || ctx.Err() != nil || runs >= shrinkRuns || fuel >= shrinkFuel || s.deaths >= deathsMost || time.Now().After(s.end)
		},
	}
	s.how(&red)
	return failed
}

// kills reports whether an input passes and kills all of some mutants.
func (s *shrinker) kills(ctx context.Context, in *corpus.Input, mutants []uint32) (killed bool, burned int64, err error) {
	if s.process == nil {
		among := make(map[uint32]bool)
		for _, m := range s.all {
			among[m] = true
		}
		if s.process, err = s.trial.Engine.Processes.Start(ctx, true, func(m uint32) bool { return !among[m] }); err != nil {
			return false, 0, stopped(ctx, err)
		}
	}
	has := make(map[uint32]bool)
	pass := false
	ran, err := s.process.Run(ctx, &wire.Run{Items: []wire.Item{{
		Input: in.Wire(), Select: wire.SelectInfected, Explain: true,
		Skip: slices.DeleteFunc(slices.Clone(s.all), func(m uint32) bool { return slices.Contains(mutants, m) }),
	}}}, worker.RunEvents{
		Kill: func(k *wire.Kill) {
			if k.Kind != oracle.OnlyInside {
				has[k.Mutant] = true
			}
		},
		Result: func(r *wire.Result) { pass = !r.Outcome.Kind.Failed() },
	})
	if err != nil {
		s.close()
		var death *worker.Death
		switch {
		case !errors.As(err, &death) || death.Internal:
			return false, 0, stopped(ctx, err)
		case death.Damaged && s.damages < damagesMost:
			s.damages++
			killed, err := s.killsApart(ctx, in, mutants)
			return killed, 0, err
		}
		s.deaths++
		return false, 0, nil // by a mutant, or by an input that is none
	}
	return pass && !slices.ContainsFunc(mutants, func(m uint32) bool { return !has[m] }), ran.Fuel, nil
}

// killsApart is kills with mutants that change what outlives a run, as a variable of the package: each
// of them in a separate process.
func (s *shrinker) killsApart(ctx context.Context, in *corpus.Input, mutants []uint32) (bool, error) {
	kills, err := Kills(ctx, s.trial, []*corpus.Input{in}, nil, func(m uint32) bool { return slices.Contains(mutants, m) })
	if err != nil || ctx.Err() != nil {
		return false, stopped(ctx, err)
	}
	return !slices.ContainsFunc(mutants, func(m uint32) bool { return !slices.Contains(kills[0], m) }), nil
}

// stopped is an error, but for one that comes of the end of ctx.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
