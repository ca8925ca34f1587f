package bugs

import (
	"context"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// checkRepairs finds out what the mutants break that make failing inputs pass: a
// repair has to leave what passes as it is, its observed values and all.
func (t *Sorting) checkRepairs(ctx context.Context) error {
	t.mutants = make(map[uint32]*effect)
	candidates := make(map[uint32]bool)
	for _, at := range t.Cases {
		r := &t.Inputs[at].Repairs
		t.note(r)
		for _, m := range r.Repaired {
			candidates[m] = true
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	ctx, cancel := t.time.until(ctx, oracleShare)
	defer cancel()
	t.trial.Phase("running %s on %s",
		report.Plural(len(candidates), "repair"), report.Plural(len(t.Passing), "passing input"))
	if err := t.breakInputs(ctx, candidates); err != nil {
		return err
	}
	if t.opts.NoTests {
		return nil
	}
	return t.breakTests(ctx, candidates)
}

// note enters the mutants that were tried on a failing input.
func (t *Sorting) note(r *repair.Result) {
	for _, list := range [][]uint32{r.Tried, r.Repaired, r.Changed} {
		for _, m := range list {
			if t.mutants[m] == nil {
				t.mutants[m] = &effect{}
			}
		}
	}
	for _, m := range r.Repaired {
		t.mutants[m].repairs = true
	}
}

const (
	breaksInput = "breaks an input that passes"
	breaksTest  = "breaks a test of the package"
	notChecked  = "out of time to see what it breaks"
)

// othersFuel bounds what the mutants burn that repair nothing, in each worker: what
// they break matters to some localizers only.
const othersFuel = 500_000_000

// breakInputs runs the candidates on all inputs that pass, until one is not as it
// was, and then the other mutants as far as that goes.
func (t *Sorting) breakInputs(ctx context.Context, candidates map[uint32]bool) error {
	ev, err := t.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.Passing, Select: wire.SelectAlive, Check: true,
		Exclude: func(m uint32) bool { return !candidates[m] },
	})
	switch {
	case err != nil && !Stopped(ctx, err):
		return t.trial.EngineError(err)
	case err != nil:
		for m := range candidates {
			t.mutants[m].reason = notChecked
		}
	}
	for _, k := range ev.Kills {
		e := t.mutants[k.Mutant]
		e.breaks, e.reason = 1, breaksInput
	}
	if ctx.Err() != nil {
		return nil
	}
	all, err := t.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.Passing, Select: wire.SelectInfected, Fuel: othersFuel,
		Exclude: func(m uint32) bool { return t.mutants[m] == nil },
	})
	if err != nil && !Stopped(ctx, err) {
		return t.trial.EngineError(err)
	}
	counts := make(map[uint32]int)
	for _, k := range all.Kills {
		counts[k.Mutant]++
	}
	for m, n := range counts {
		t.mutants[m].breaks = max(t.mutants[m].breaks, n)
	}
	return nil
}

// breakTests runs the package's own tests with the candidates that are left. Tests
// that fail without a mutant can't say anything. Where there is no time for them, what
// the passing inputs have said must do: without any repair nothing can be distinguished.
func (t *Sorting) breakTests(ctx context.Context, candidates map[uint32]bool) error {
	var left []uint32
	for m := range candidates {
		if t.mutants[m].reason == "" {
			left = append(left, m)
		}
	}
	slices.Sort(left)
	if len(left) == 0 {
		return nil
	}
	binary, fresh, err := project.BuildTests(ctx, t.trial.Project, t.trial.Package)
	if err != nil {
		if ctx.Err() != nil {
			t.leaveUntried(left)
			return nil
		}
		t.trial.Warn(fmt.Sprintf("the package's own tests are not run: %v", err))
		return nil
	}
	byID := numbersOf(binary.Program)
	if fresh {
		for _, w := range binary.Program.Warnings {
			t.trial.Warn(w)
		}
	}
	var numbers []uint32
	for _, m := range left {
		if n, ok := byID[t.idOf(m)]; ok {
			numbers = append(numbers, n)
		}
	}
	res, err := runTests(ctx, t.trial, binary, numbers)
	if err != nil {
		t.trial.Warn(fmt.Sprintf("the package's own tests are not run: %v", err))
		return nil
	}
	t.Tests = len(res.Tests)
	t.keepFailing(binary, res.SetAside)
	t.enterVerdicts(left, binary.Program, res)
	return nil
}

// enterVerdicts notes which mutants break a test of the package, and with which there was
// no time to run them.
func (t *Sorting) enterVerdicts(mutants []uint32, p *instrument.Program, res *unittest.Result) {
	var untried []uint32
	verdicts := make(map[[2]string]unittest.Verdict)
	for _, v := range res.Verdicts {
		m := &p.Mutants[v.Mutant-1]
		verdicts[[2]string{m.Package, m.ID}] = v
	}
	for _, m := range mutants {
		switch v, ok := verdicts[t.idOf(m)]; {
		case ok && v.Status == unittest.StatusKilled:
			t.mutants[m].test, t.mutants[m].reason = v.Test, breaksTest
		case ok:
			t.mutants[m].tested = len(v.Tests) > 0
		case !ok && res.Interrupted:
			untried = append(untried, m)
		}
	}
	t.leaveUntried(untried)
}

// leaveUntried notes with which mutants there was no time to run the package's own
// tests.
func (t *Sorting) leaveUntried(mutants []uint32) {
	if len(mutants) == 0 {
		return
	}
	for _, m := range mutants {
		t.mutants[m].untried = true
	}
	t.trial.Warn(fmt.Sprintf("out of time to run the package's own tests with %s, which may break them; raise -triagetime",
		report.Plural(len(mutants), "repair")))
}

// numbersOf are the numbers of the mutants of a program, by package and ID.
func numbersOf(p *instrument.Program) map[[2]string]uint32 {
	numbers := make(map[[2]string]uint32)
	for _, m := range p.Mutants {
		numbers[[2]string{m.Package, m.ID}] = uint32(m.Index)
	}
	return numbers
}

func (t *Sorting) idOf(m uint32) [2]string {
	mutant := &t.trial.Package.Program.Mutants[m-1]
	return [2]string{mutant.Package, mutant.ID}
}
