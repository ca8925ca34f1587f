package campaign

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// stoppingShown is how many mutants are shown of a costly input.
const stoppingShown = 3

// stoppingTime is the processor time of the longest length at which mutants are run on what grows by time: the run ends soon.
const stoppingTime = 8 * time.Millisecond

// stopGrowth looks for mutants that stop the growth of the costly inputs of the result, and that
// no entry of the corpus kills: what they change may be the place to bound it. It ends with ctx.
func (c *Campaign) stopGrowth(ctx context.Context) error {
	for i := range c.costly {
		n := c.costly[i]
		was := n.Candidate.Sizes
		if n.Verdict.Grows == growth.Time {
			was = growth.Timed(n.Sizes, stoppingTime)
		}
		mutants := n.NearLoop(c.Trial, func(m uint32) bool { return c.result.Mutants[m-1].Status == report.Survived })
		stopping, err := c.Trial.Engine.Growth.Stopping(ctx, n.Candidate, was, &n.Verdict, n.Bound, mutants, nil)
		c.showStopping(&c.result.Costs[i], stopping)
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
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
