package campaign

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// stoppingShown is how many mutants are shown of a costly input.
const stoppingShown = 3

// Mutants are run on what grows by time at lengths that take at most the first, since the run ends soon, and those that it leaves in
// doubt at such that take at most the second.
const (
	stoppingTime = 8 * time.Millisecond
	doubtTime    = 100 * time.Millisecond
)

// stopGrowth looks for mutants that stop the growth of the costly inputs of the result, from one of them on and n at a time,
// and that no input kills, in the corpus or left out of it: what they change may be the place to bound it. It ends with ctx.
func (c *Campaign) stopGrowth(ctx context.Context, from, n int) error {
	return panics.Each(ctx, n, len(c.costly)-from, func(ctx context.Context, i int) error {
		at := from + i
		f := c.costly[at]
		was, longer := f.Candidate.Sizes, []wire.Size(nil)
		if f.Verdict.Grows == growth.Time {
			was, longer = growth.Timed(f.Sizes, stoppingTime), growth.Timed(f.Sizes, doubtTime)
		}
		mutants := f.NearLoop(c.Trial, func(m uint32) bool { return c.result.Mutants[m-1].Survives() })
		stopping, err := c.Trial.Engine.Growth.Stopping(ctx, f.Candidate, was, longer, &f.Verdict, f.Bound, mutants, nil)
		c.showStopping(&c.result.Costs[at], stopping)
		if ctx.Err() != nil {
			return nil // what is known will do
		}
		return err
	})
}

// showStopping enters the first of the mutants that stop the growth of a costly input, one for
// each line.
func (c *Campaign) showStopping(cost *report.Cost, stopping []uint32) {
	program := c.Trial.Package.Program
	for _, m := range stopping {
		mutant := &program.Mutants[m-1]
		file := report.RelativeFile(program.Test.ModuleDir, mutant.File)
		shown := func(r report.Repair) bool { return r.File == file && r.Line == mutant.Line }
		if len(cost.Repairs) == stoppingShown || slices.ContainsFunc(cost.Repairs, shown) {
			continue
		}
		r := report.Repair{
			ID: mutant.ID, Operator: mutant.Operator, File: file, Line: mutant.Line,
			EndLine: mutant.Line + strings.Count(mutant.Original, "\n"), Function: mutant.Func, Description: mutant.Description, Inputs: 1, Counts: true,
		}
		if diff, err := report.MutantDiff(program, mutant); err == nil {
			r.Diff = diff
		}
		cost.Repairs = append(cost.Repairs, r)
	}
}
