package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// judgeRepairs finds out what the mutants break that make failing inputs pass: a
// repair has to leave what passes as it is, its observed values and all.
func (t *triager) judgeRepairs(ctx context.Context) error {
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
	t.phase(t.b.program.Test.ImportPath, "%s: running %s on %s", t.test.Name,
		report.Plural(len(candidates), "repair"), report.Plural(len(t.passing), "passing input"))
	if err := t.breakInputs(ctx, candidates); err != nil {
		return err
	}
	if t.opts.NoTests {
		return nil
	}
	return t.breakTests(ctx, candidates)
}

// note enters the mutants that were tried on a failing input.
func (t *triager) note(r *repair.Result) {
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
func (t *triager) breakInputs(ctx context.Context, candidates map[uint32]bool) error {
	ev, err := t.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.passing, Select: wire.SelectAlive, Check: true,
		Exclude: func(m uint32) bool { return !candidates[m] },
	})
	switch {
	case err != nil && !stopped(ctx, err):
		return t.engineError(err)
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
	all, err := t.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: t.passing, Select: wire.SelectInfected, Fuel: othersFuel,
		Exclude: func(m uint32) bool { return t.mutants[m] == nil },
	})
	if err != nil && !stopped(ctx, err) {
		return t.engineError(err)
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
func (t *triager) breakTests(ctx context.Context, candidates map[uint32]bool) error {
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
	binary, byID, err := t.buildTests(ctx)
	if err != nil {
		if ctx.Err() != nil {
			t.leaveUntried(left)
			return nil
		}
		t.warning(fmt.Sprintf("the package's own tests are left out: %v", err))
		return nil
	}
	var numbers []uint32
	for _, m := range left {
		if n, ok := byID[t.idOf(m)]; ok {
			numbers = append(numbers, n)
		}
	}
	res, err := t.runTests(ctx, binary, numbers)
	if err != nil {
		t.warning(fmt.Sprintf("the package's own tests are left out: %v", err))
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
func (t *triager) leaveUntried(mutants []uint32) {
	if len(mutants) == 0 {
		return
	}
	for _, m := range mutants {
		t.mutants[m].untried = true
	}
	t.warning(fmt.Sprintf("there was no time to run the package's own tests with %s, which may break them; -triagetime gives more",
		report.Plural(len(mutants), "repair")))
}

func (t *triager) idOf(m uint32) [2]string {
	mutant := &t.b.program.Mutants[m-1]
	return [2]string{mutant.Package, mutant.ID}
}

// buildTests builds the binary that runs the package's own tests, once for all fuzz
// tests of the package.
func (t *triager) buildTests(ctx context.Context) (*built, map[[2]string]uint32, error) {
	if t.b.tests == nil {
		cfg, err := t.overlayConfig(t.b)
		if err != nil {
			return nil, nil, err
		}
		cfg.Tests = true
		cfg.WorkDir = filepath.Join(cfg.WorkDir, "tests")
		cfg.Output = filepath.Join(cfg.WorkDir, "tests.bin")
		t.phase(t.b.program.Test.ImportPath, "building the package's own tests")
		b := &built{loaded: t.b.loaded, binary: cfg.Output}
		if b.program, err = overlay.Build(ctx, cfg); err != nil {
			return nil, nil, err
		}
		for _, w := range b.program.Warnings {
			t.warning(w)
		}
		t.b.tests = b
	}
	byID := make(map[[2]string]uint32)
	for _, m := range t.b.tests.program.Mutants {
		byID[[2]string{m.Package, m.ID}] = uint32(m.Index)
	}
	return t.b.tests, byID, nil
}

// runTests runs the package's own tests with mutants. Those that fail by themselves,
// as fuzz tests do whose corpus has failing inputs, are left out.
func (t *triager) runTests(ctx context.Context, b *built, mutants []uint32) (*unittest.Result, error) {
	o := unittest.Options{
		Program: b.program, Binary: b.binary, Dir: b.program.Test.Dir, Env: t.runner.opts.Env, TempDir: t.workDir,
		Mutants: mutants, Parallel: t.runner.opts.Parallel, Timeout: t.opts.Timeout, MemLimit: t.opts.MemLimit,
		Run: t.ownTests(),
	}
	if o.Run == "" {
		return &unittest.Result{}, nil
	}
	res, err := unittest.Run(ctx, o)
	var red *unittest.BaselineError
	if !errors.As(err, &red) {
		return res, err
	}
	bad := slices.Concat(red.Red, red.Flaky)
	t.warning(fmt.Sprintf("tests that fail without any mutant are left out: %s", strings.Join(bad, ", ")))
	o.Run = t.ownTests(bad...)
	if o.Run == "" {
		return &unittest.Result{}, nil
	}
	return unittest.Run(ctx, o)
}

// ownTests is a regular expression for the names of the package's tests, but for
// fuzz tests, whose seeds have been run, and for those that are left out; "" if
// there are none.
func (t *triager) ownTests(but ...string) string {
	var names []string
	for _, name := range testNames(t.b.loaded) {
		if !slices.Contains(but, name) {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// testNames lists the tests and examples of the package, in source order.
func testNames(loaded *load.Result) []string {
	var names []string
	for _, t := range loaded.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Recv != nil || fd.Name.Name == "TestMain" {
					continue
				}
				if name := fd.Name.Name; strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
