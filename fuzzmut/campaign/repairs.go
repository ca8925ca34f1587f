package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// judgeRepairs finds out what the mutants break that make failing inputs pass: a
// repair has to leave what passes as it is, its observed values and all.
func (t *sorting) judgeRepairs(ctx context.Context) error {
	t.mutants = make(map[uint32]*effect)
	candidates := make(map[uint32]bool)
	for _, at := range t.cases {
		r := &t.inputs[at].repairs
		t.note(r)
		for _, m := range r.Repaired {
			candidates[m] = true
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	ctx, cancel := t.until(ctx, oracleShare)
	defer cancel()
	t.trial.phase("running %s on %s",
		report.Plural(len(candidates), "repair"), report.Plural(len(t.passing), "passing input"))
	if err := t.breakInputs(ctx, candidates); err != nil {
		return err
	}
	if t.opts.noTests {
		return nil
	}
	return t.breakTests(ctx, candidates)
}

// note enters the mutants that were tried on a failing input.
func (t *sorting) note(r *repair.Result) {
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
	notJudged   = "there was no time to see what it breaks"
)

// othersFuel bounds what the mutants burn that repair nothing, in each worker: what
// they break matters to some localisers only.
const othersFuel = 500_000_000

// breakInputs runs the candidates on all inputs that pass, until one is not as it
// was, and then the other mutants as far as that goes.
func (t *sorting) breakInputs(ctx context.Context, candidates map[uint32]bool) error {
	ev, err := t.trial.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.passing, Select: wire.SelectAlive, Check: true,
		Exclude: func(m uint32) bool { return !candidates[m] },
	})
	switch {
	case err != nil && !stopped(ctx, err):
		return t.trial.engineError(err)
	case err != nil:
		for m := range candidates {
			t.mutants[m].reason = notJudged
		}
	}
	for _, k := range ev.Kills {
		e := t.mutants[k.Mutant]
		e.breaks, e.reason = 1, breaksInput
	}
	if ctx.Err() != nil {
		return nil
	}
	all, err := t.trial.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.passing, Select: wire.SelectInfected, Fuel: othersFuel,
		Exclude: func(m uint32) bool { return t.mutants[m] == nil },
	})
	if err != nil && !stopped(ctx, err) {
		return t.trial.engineError(err)
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
// the passing inputs have said must do: without any repair nothing can be told apart.
func (t *sorting) breakTests(ctx context.Context, candidates map[uint32]bool) error {
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
	binary, fresh, err := t.trial.runner.buildTests(ctx, t.trial.b)
	if err != nil {
		if ctx.Err() != nil {
			t.leaveUntried(left)
			return nil
		}
		t.trial.warning(fmt.Sprintf("the package's own tests are left out: %v", err))
		return nil
	}
	byID := make(map[[2]string]uint32)
	for _, m := range binary.program.Mutants {
		byID[[2]string{m.Package, m.ID}] = uint32(m.Index)
	}
	if fresh {
		for _, w := range binary.program.Warnings {
			t.trial.warning(w)
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
		t.trial.warning(fmt.Sprintf("the package's own tests are left out: %v", err))
		return nil
	}
	t.tests = len(res.Tests)
	var untried []uint32
	verdicts := make(map[[2]string]unittest.Verdict)
	for _, v := range res.Verdicts {
		m := &binary.program.Mutants[v.Mutant-1]
		verdicts[[2]string{m.Package, m.ID}] = v
	}
	for _, m := range left {
		switch v, ok := verdicts[t.idOf(m)]; {
		case ok && v.Status == unittest.StatusKilled:
			t.mutants[m].test, t.mutants[m].reason = v.Test, breaksTest
		case !ok && res.Interrupted:
			untried = append(untried, m)
		}
	}
	t.leaveUntried(untried)
	return nil
}

// leaveUntried notes with which mutants there was no time to run the package's own
// tests.
func (t *sorting) leaveUntried(mutants []uint32) {
	if len(mutants) == 0 {
		return
	}
	for _, m := range mutants {
		t.mutants[m].untried = true
	}
	t.trial.warning(fmt.Sprintf("there was no time to run the package's own tests with %s, which may break them; -triagetime gives more",
		report.Plural(len(mutants), "repair")))
}

func (t *sorting) idOf(m uint32) [2]string {
	mutant := &t.trial.b.program.Mutants[m-1]
	return [2]string{mutant.Package, mutant.ID}
}
