package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What fuzzmut test says of mutants is held against what a process says in which
// the mutant is active from the start: that knows nothing of the trace which tells
// what a mutant could change, and switches nothing.

// judge returns the verdicts of fuzzmut test on the mutants of o, nil for all that can be
// run, by mutant.
func (s *subject) judge(ctx context.Context, o unittest.Options) ([]unittest.Verdict, error) {
	o.Program, o.Binary, o.Dir, o.TempDir, o.Skip = s.program, s.cfg.Output, s.pkgDir, s.dir, s.skip
	res, err := unittest.Run(ctx, o)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.name(), err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return res.Verdicts, nil
}

// verdictOf returns the place of the verdict on a mutant.
func verdictOf(verdicts []unittest.Verdict, m *instrument.Mutant) int {
	return slices.IndexFunc(verdicts, func(v unittest.Verdict) bool { return int(v.Mutant) == m.Index })
}

// shown is a verdict in one line.
func shown(v unittest.Verdict) string {
	text := string(v.Status)
	for _, part := range []string{v.Kind.String(), v.Test, v.Detail, v.Reason} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// fromStart is a mutant that survives, and what the tests say when it is active
// from the start of the process.
type fromStart struct {
	mutant   *instrument.Mutant
	verdict  unittest.Verdict
	ran      *results
	unsteady bool
}

// survivors lists the mutants that no test kills, those that no test reaches
// included.
func (s *subject) survivors(verdicts []unittest.Verdict, opts sample) (list []*fromStart) {
	for _, v := range verdicts {
		if v.Status == unittest.StatusSurvived || v.Status == unittest.StatusNotCovered {
			list = append(list, &fromStart{mutant: &s.program.Mutants[v.Mutant-1], verdict: v})
		}
	}
	if opts.survivors < 0 || opts.survivors >= len(list) {
		return list
	}
	r := rand.New(rand.NewPCG(opts.seed, uint64(len(list))))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:opts.survivors]
}

// runFromStart runs the tests with a mutant active from the start. A failure counts
// if it comes again every time.
func (s *subject) runFromStart(ctx context.Context, f *fromStart, timeout time.Duration) error {
	const unlimited = 1e17 // an endless loop is ended by the clock
	env := []string{wire.StaticEnv(wire.Static{
		Mutants: []wire.StaticMutant{{Mutant: uint32(f.mutant.Index), Func: f.mutant.FuncIndex}}, Fuel: unlimited,
	})}
	const times = 4
	for i := range times {
		ran, err := s.runTests(ctx, s.cfg.Output, env, timeout, oneFailureWillDo)
		if err != nil {
			return err
		}
		if f.unsteady = i > 0 && !ran.failed; f.unsteady {
			return nil
		}
		if f.ran = ran; !ran.failed {
			return nil
		}
	}
	return nil
}

func falseSurvivors(list []*fromStart) int {
	n := 0
	for _, f := range list {
		if f.ran.failed && !f.unsteady {
			n++
		}
	}
	return n
}
