package unittest

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

var operators = flag.String("operators", "all", "operators of TestSharedAndAloneAgree")

var modules = flag.String("modules", "", "directories, separated by commas, for TestSharedAndAloneAgree")

// built is a package with its mutants, ready to be run.
type built struct {
	Options
}

// build builds the tests of the package in dir with the mutants of operators.
func build(t *testing.T, dir, ops string) *built {
	t.Helper()
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: ".", AnyTests: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := operator.ByNames(ops)
	if err != nil {
		t.Fatal(err)
	}
	b := &built{Options{Dir: loaded.Test.Dir, TempDir: t.TempDir()}}
	b.Binary = filepath.Join(t.TempDir(), "p.test")
	b.Program, err = overlay.Build(t.Context(), overlay.Config{
		Loaded: loaded, Operators: set, WorkDir: t.TempDir(), Output: b.Binary, Tests: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unpack writes the archive text as a module.
func unpack(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range append(txtar.Parse([]byte(text)).Files, txtar.File{Name: "go.mod", Data: []byte("module example.com/p\n\ngo 1.26\n")}) {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mutants lists the mutants of the function that the operator makes and, unless
// it is empty, whose description contains what.
func (b *built) mutants(function, op, what string) []uint32 {
	var list []uint32
	for _, m := range b.Program.Mutants {
		if m.Func == function && m.Operator == op && strings.Contains(m.Description, what) {
			list = append(list, uint32(m.Index))
		}
	}
	return list
}

// verdict returns the one on the one mutant that fits.
func (b *built) verdict(t *testing.T, res *Result, function, op, what string) Verdict {
	t.Helper()
	list := b.mutants(function, op, what)
	if len(list) != 1 {
		for _, m := range b.Program.Mutants {
			t.Logf("%q %q %q", m.Func, m.Operator, m.Description)
		}
		t.Fatalf("%s %s %q fits %d mutants", function, op, what, len(list))
	}
	for _, v := range res.Verdicts {
		if v.Mutant == list[0] {
			return v
		}
	}
	t.Fatalf("%s %s %q has no verdict", function, op, what)
	return Verdict{}
}

func (b *built) run(t *testing.T) *Result {
	t.Helper()
	res, err := Run(t.Context(), b.Options)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// show prints a verdict in one line.
func (v Verdict) show() string {
	s := string(v.Status)
	for _, part := range []string{v.Kind.String(), v.Test, v.Reason} {
		if part != "" {
			s += " " + part
		}
	}
	return s
}

// TestVerdicts has one function, and mostly one test, for each thing that a test
// or a mutant may do.
func TestVerdicts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "verdicts.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	b := build(t, unpack(t, string(text)), "math,increments,negate-conditionals,void-call-removal")
	var told []Verdict
	b.Verdicts = func(v Verdict) { told = append(told, v) }
	b.MemLimit = 128 << 20 // a slow machine takes seconds to give a process much more
	res := b.run(t)
	for _, c := range []struct {
		function, operator, what, want string
		fresh                          bool
	}{
		{"Sum", "math", "", "killed assertion TestSum", false},
		{"Product", "math", "", "killed assertion TestProduct", false},
		{"Twice", "math", "", "killed assertion ExampleTwice", false},
		{"Half", "math", "", "killed assertion FuzzHalf", false},
		{"Unused", "math", "", "not-covered", false},
		{"Idle", "math", "", "survived no test computes a different value", false},
		{"Weak", "math", "", "survived", true},
		{"At", "math", "", "killed panic TestAt", false},
		{"AtAsync", "math", "", "killed panic TestAtAsync", true},
		{"Count", "increments", "", "killed fuel TestCount", false},
		{"Check", "negate-conditionals", "", "killed exit TestCheck", false},
		{"Difference", "math", "", "killed exit TestDifference", true},
		{"Wait", "negate-conditionals", "", "killed timeout TestWait", true},
		{"unlock", "void-call-removal", "", "killed timeout TestLocked", true},
		{"Fill", "math", "", "killed memory TestFill", true},
		{"Lines", "math", "", "survived", true},
		{"Ruler", "math", "", "survived", true},
		{"With", "void-call-removal", "restore", "killed assertion TestLimitAgain", true},
		{"square", "math", "", "killed panic TestTable", true},
		{"Register", "math", "", "killed assertion TestRegister", true},
		{"Leak", "negate-conditionals", "", "survived", true},
		{"", "math", "", "killed assertion TestAnswer", true},
	} {
		v := b.verdict(t, res, c.function, c.operator, c.what)
		if got := v.show(); got != c.want || v.Fresh != c.fresh && v.Status == StatusKilled {
			t.Errorf("%s %s: %s, fresh %v; want %s, %v", c.function, c.operator, got, v.Fresh, c.want, c.fresh)
		}
	}
	if !res.Shared || res.Reason != "do not pass again in a process in which the tests have run: TestRegister" {
		t.Errorf("shared %v: %q", res.Shared, res.Reason)
	}
	if len(told) != len(res.Verdicts) || len(told) != len(b.Program.Mutants) {
		t.Errorf("%d verdicts told, %d in the result, %d mutants", len(told), len(res.Verdicts), len(b.Program.Mutants))
	}
	if v := b.verdict(t, res, "At", "math", ""); !strings.Contains(v.Detail, "index out of range [3] with length 2") || !slices.Equal(v.Tests, []string{"TestAt"}) {
		t.Errorf("%+v", v)
	}
	if v := b.verdict(t, res, "Sum", "math", ""); !strings.Contains(v.Detail, "p_test.go:12: wrong sum") {
		t.Errorf("%+v", v)
	}
}

// small is a package with one function and some survivors.
const small = `
-- p.go --
package p

func Sum(a, b int) int {
	if a < 0 {
		return a
	}
	return a + b
}
`

const unsteady = `
-- p.go --
package p

func Sum(a, b int) int { return a + b }

func Product(a, b int) int { return a * b }
-- p_test.go --
package p

import (
	"os"
	"testing"
)

func TestGreen(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Error("sum")
	}
}

func TestRed(t *testing.T) { t.Error("always", Sum(1, 2)) }

func TestDead(t *testing.T) { os.Exit(7) }

func TestFlaky(t *testing.T) {
	if Product(2, 3) != 6 || os.Mkdir("once", 0o777) == nil {
		t.Error("the first time only")
	}
}
`

func TestTestsThatFailAreSetAside(t *testing.T) {
	b := build(t, unpack(t, unsteady), "math")
	var told []string
	b.SetAside = func(list []SetAside) {
		for i := range list {
			told = append(told, list[i].String())
		}
	}
	res := b.run(t)
	if want := []string{"TestRed fails", "TestDead fails", "TestFlaky failed once and passed once"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	if len(res.Tests) != 1 || res.Tests[0].Name != "TestGreen" || len(res.SetAside) != 3 {
		t.Fatalf("tests %+v, set aside %+v", res.Tests, res.SetAside)
	}
	if a := res.SetAside; !strings.Contains(a[0].Output, "always 3") || a[0].Failed != 2 || a[1].Death != "exit status 7" || a[2].Failed != 1 || a[2].Passed != 1 {
		t.Errorf("%+v", a)
	}
	if got := b.verdict(t, res, "Sum", "math", "").show(); got != "killed assertion TestGreen" {
		t.Errorf("Sum: %s", got)
	}
	if v := b.verdict(t, res, "Product", "math", ""); v.Status != StatusNotCovered || !slices.Equal(v.Aside, []string{"TestFlaky"}) {
		t.Errorf("Product: %+v", v)
	}

	b.Strict = true
	_, err := Run(t.Context(), b.Options)
	var e *BaselineError
	if !errors.As(err, &e) || len(e.Tests) != 2 || e.Tests[1].Test != "TestDead" { // TestFlaky has failed by now
		t.Errorf("with Strict: %v", err)
	}
	b.Strict, b.Run = false, "Red|Dead"
	if _, err = Run(t.Context(), b.Options); !errors.As(err, &e) || len(e.Tests) != 2 {
		t.Errorf("where all fail: %v", err)
	}
	b.Run, b.Skip = "", "Red|Dead|Flaky"
	if res := b.run(t); len(res.Tests) != 1 || len(res.SetAside) != 0 {
		t.Errorf("with Skip: %+v", res)
	}
}

// The run ends at a mutant that survives though a test computes a different value with it.
func TestTheFirstSurvivorEndsAFastRun(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Idle(n int) int { return n + 0 }

func Sum(a, b int) int { return a + b }

func Product(a, b int) int { return a * b }

func Difference(a, b int) int { return a - b }
-- p_test.go --
package p

import "testing"

func TestAll(t *testing.T) {
	Idle(1)
	if Sum(1, 2) != 3 {
		t.Error("sum")
	}
	Product(2, 3)
	Difference(2, 3)
}
`), "math")
	b.Parallel, b.FailFast = 1, true
	res := b.run(t)
	if !res.Stopped || res.Interrupted || len(res.Verdicts) == 0 {
		t.Fatalf("%+v", res)
	}
	var survived []string
	for _, v := range res.Verdicts {
		if v.Status == StatusSurvived && len(v.Infected) > 0 {
			survived = append(survived, b.Program.Mutants[v.Mutant-1].Func)
		}
	}
	if !slices.Equal(survived, []string{"Product"}) {
		t.Errorf("%q survived", survived)
	}
	b.Mutants = b.mutants("Sum", "math", "")
	if res := b.run(t); res.Stopped || len(res.Verdicts) != len(b.Mutants) {
		t.Errorf("without survivors: %+v", res)
	}
}

// A test that passes in the baseline, and fails later without a mutant, is set aside then.
// What it has killed the others judge.
func TestATestThatFailsLaterIsSetAside(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Sum(a, b int) int { return a + b }

func Product(a, b int) int { return a * b }
-- p_test.go --
package p

import (
	"os"
	"testing"
	"time"
)

func TestLater(t *testing.T) {
	time.Sleep(150 * time.Millisecond) // it runs in processes of its own
	f, err := os.OpenFile("runs", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("x")
	if info, err := f.Stat(); err != nil || info.Size() > 4 || Sum(1, 2) != 3 || Product(2, 3) != 6 {
		t.Error("wrong")
	}
}

func TestSum(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if Sum(2, 3) != 5 {
		t.Error("sum")
	}
}
`), "math")
	b.Parallel = 1
	var told []string
	b.SetAside = func(list []SetAside) {
		for i := range list {
			told = append(told, list[i].Test)
		}
	}
	res := b.run(t)
	if !slices.Equal(told, []string{"TestLater"}) || len(res.Tests) != 1 || len(res.SetAside) != 1 {
		t.Fatalf("told %q, tests %+v, set aside %+v", told, res.Tests, res.SetAside)
	}
	if a := res.SetAside[0]; a.Passed < 2 || a.Failed < 1 || a.Output == "" {
		t.Errorf("%+v", a)
	}
	if v := b.verdict(t, res, "Sum", "math", ""); v.show() != "killed assertion TestSum" || !slices.Equal(v.Tests, []string{"TestSum"}) {
		t.Errorf("Sum: %+v", v)
	}
	if v := b.verdict(t, res, "Product", "math", ""); v.Status != StatusNotCovered || !slices.Equal(v.Aside, []string{"TestLater"}) {
		t.Errorf("Product: %+v", v)
	}
	if res.Tests[0].Kills != 1 {
		t.Errorf("TestSum has %d kills", res.Tests[0].Kills)
	}
}

func TestMainThatNeverRunsTheTests(t *testing.T) {
	b := build(t, unpack(t, small+`
-- p_test.go --
package p

import "testing"

func TestMain(m *testing.M) {}

func TestSum(t *testing.T) { Sum(1, 2) }
`), "math")
	_, err := Run(t.Context(), b.Options)
	var e *BaselineError
	if !errors.As(err, &e) || !strings.Contains(e.Start, "without calling m.Run") {
		t.Errorf("%v", err)
	}
}

// withMain has a TestMain whose set-up uses what is mutated, and cleans up.
const withMain = `
-- p.go --
package p

func Double(n int) int { return n + n }

func Limit(n int) int {
	if n > 3 {
		panic("too many")
	}
	return n
}
-- p_test.go --
package p

import (
	"os"
	"testing"
)

var value int

func TestMain(m *testing.M) {
	value = Double(21)
	Limit(1)
	code := m.Run()
	os.WriteFile("cleaned", nil, 0o666)
	os.Exit(code)
}

func TestValue(t *testing.T) {
	if value != 42 {
		t.Error(value)
	}
}
`

func TestMainsSetUpRunsWithTheMutant(t *testing.T) {
	dir := unpack(t, withMain)
	b := build(t, dir, "math,negate-conditionals")
	res := b.run(t)
	if got := b.verdict(t, res, "Double", "math", ""); got.show() != "killed assertion TestValue" || !got.Fresh {
		t.Errorf("Double: %+v", got)
	}
	v := b.verdict(t, res, "Limit", "negate-conditionals", "")
	if v.show() != "killed panic" || v.Detail != "before the first test: panic: too many" {
		t.Errorf("Limit: %+v", v)
	}
	if _, err := os.Stat(filepath.Join(dir, "cleaned")); err != nil {
		t.Error("TestMain was not allowed to clean up")
	}
}

func TestKnownVerdictsAreTakenOver(t *testing.T) {
	b := build(t, unpack(t, withMain), "math,negate-conditionals")
	b.Known = func(m *instrument.Mutant, reach []string) (Verdict, bool) {
		return Verdict{Status: StatusKilled, Kind: oracle.Assertion, Test: strings.Join(reach, " "), Mutant: 99}, m.Func == "Double"
	}
	b.Mutants = b.mutants("Double", "math", "")
	res := b.run(t)
	if len(res.Verdicts) != 1 || res.Verdicts[0].show() != "killed assertion TestValue" || !res.Verdicts[0].Reused {
		t.Errorf("%+v", res.Verdicts)
	}
	if res.MutantRuns != 0 {
		t.Errorf("%d runs of mutants", res.MutantRuns)
	}
}

func TestInterruptedRunReturnsWhatIsDone(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "verdicts.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	b := build(t, unpack(t, string(text)), "math,negate-conditionals")
	ctx, cancel := context.WithCancel(t.Context())
	b.Verdicts = func(v Verdict) {
		if v.Status == StatusKilled {
			cancel()
		}
	}
	start := time.Now()
	res, err := Run(ctx, b.Options)
	if err != nil || !res.Interrupted || len(res.Verdicts) == 0 || len(res.Verdicts) == len(b.Program.Mutants) {
		t.Fatalf("%v: %+v", err, res)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// An interrupt does not wait for the end of a test, which may be far away.
func TestInterruptEndsATest(t *testing.T) {
	b := build(t, unpack(t, `
-- go.mod --
module example.com/long

go 1.26
-- long.go --
package long

func Sum(a, b int) int { return a + b }
-- long_test.go --
package long

import (
	"os"
	"testing"
	"time"
)

func TestLong(t *testing.T) {
	Sum(1, 2)
	if err := os.WriteFile("started", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Minute)
	if err := os.WriteFile("ended", nil, 0o666); err != nil {
		t.Fatal(err)
	}
}
`), "math")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ; ; time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(b.Dir, "started")); err == nil || ctx.Err() != nil {
				cancel()
				return
			}
		}
	}()
	res, err := Run(ctx, b.Options)
	cancel()
	if err != nil || !res.Interrupted {
		t.Errorf("%v: %+v", err, res)
	}
	if _, err := os.Stat(filepath.Join(b.Dir, "ended")); err == nil {
		t.Error("the test ran to its end")
	}
}

// TestSharedAndAloneAgree compares the verdicts on real packages with those of a
// process for each mutant.
func TestSharedAndAloneAgree(t *testing.T) {
	if *modules == "" {
		t.Skip("no -modules")
	}
	for dir := range strings.SplitSeq(*modules, ",") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := build(t, dir, *operators)
			shared := b.run(t)
			b.Isolated = true
			alone := b.run(t)
			if len(shared.Verdicts) != len(alone.Verdicts) {
				t.Fatalf("%d and %d verdicts", len(shared.Verdicts), len(alone.Verdicts))
			}
			for i, v := range shared.Verdicts {
				if w := alone.Verdicts[i]; v.Status != w.Status {
					m := b.Program.Mutants[v.Mutant-1]
					t.Errorf("%s:%d: %s: %s in a shared process, %s alone\n%s\n%s", m.File, m.Line, m.Description, v.show(), w.show(), v.Detail, w.Detail)
				}
			}
			t.Logf("%d verdicts; CPU of the tests %v shared, %v alone", len(shared.Verdicts), shared.CPU, alone.CPU)
		})
	}
}
