package campaign

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Bounds on the mutants that are tried on a costly input: each takes up to a tenth of a second.
const (
	stoppingFrames = 3  // in the functions of these frames
	stoppingMost   = 32 // of them
	stoppingShown  = 3
)

// A costlyInput is a costly input of the result.
type costlyInput struct {
	*growth.Candidate
	frames  []string
	verdict growth.Verdict
	bound   float64 // the exponent above which its growth is too fast
}

// stopGrowth looks for mutants that stop the growth of the costly inputs of the result, and that
// no entry of the corpus kills: what they change may be the place to bound it. It ends with ctx.
func (c *Campaign) stopGrowth(ctx context.Context) error {
	for i := range c.costly {
		n := &c.costly[i]
		mutants := c.onFrames(c.Trial.Package.Program, n.frames)
		stopping, err := c.Trial.Engine.Growth.Stopping(ctx, n.Candidate, &n.verdict, n.bound, mutants[:min(len(mutants), stoppingMost)])
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

// onFrames lists the survivors in the functions of the first frames, those of the innermost
// function first, and in it those nearest to its line.
func (c *Campaign) onFrames(program *instrument.Program, frames []string) (list []uint32) {
	type near struct {
		mutant       uint32
		frame, lines int
	}
	var all []near
	for i := range c.result.Mutants {
		m := &program.Mutants[i]
		if c.result.Mutants[i].Status != report.Survived || m.FuncIndex < 0 {
			continue
		}
		fn := &program.Funcs[m.FuncIndex]
		for at, f := range frames[:min(len(frames), stoppingFrames)] {
			if file, line := trial.PositionOf(f); file == fn.File && fn.Line <= line && line <= fn.EndLine {
				all = append(all, near{uint32(i + 1), at, max(line-m.Line, m.Line-line)})
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.lines, b.lines))
	})
	for _, m := range all {
		list = append(list, m.mutant)
	}
	return list
}
