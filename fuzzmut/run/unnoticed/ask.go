package unnoticed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// What the tests of one package may take with survivors: fuel, which is some thirty seconds
// of a processor, and for tests that wait the time.
const (
	fuel  = 30_000_000_000
	limit = time.Minute
)

// tests is a package's own tests with mutants, ready to be run.
type tests struct {
	loaded  *load.Result
	program *instrument.Program // nil: the package has no tests
	binary  string
}

// builder builds the tests of a package, with mutants in some packages.
type builder func(ctx context.Context, p *project.Project, pkg string, mutate []string) (*tests, error)

func buildTests(ctx context.Context, p *project.Project, pkg string, mutate []string) (*tests, error) {
	b, err := p.BuildTests(ctx, pkg, "unit", func(cfg *load.Config) { cfg.Mutate = mutate })
	if err != nil || b == nil {
		return &tests{}, err
	}
	return &tests{b.Loaded, b.Program, b.Binary}, nil
}

// ask has the tests of a package judge mutants, and returns what they say. left is why
// they say nothing of the others.
func (s *survey) ask(ctx context.Context, pkg string, mutants []key) (found map[key]verdict, left string) {
	s.project.Phase(pkg, "building the unit tests, to judge %s", report.Plural(len(mutants), "survivor"))
	var mutate []string
	for _, k := range mutants {
		mutate = append(mutate, k[0])
	}
	slices.Sort(mutate)
	t, err := s.build(ctx, s.project, pkg, slices.Compact(mutate))
	if err == nil && t.program == nil {
		return all(mutants, report.NotCovered), ""
	}
	var res *unittest.Result
	if err == nil {
		s.project.Phase(pkg, "running the unit tests with %s", report.Plural(len(mutants), "survivor"))
		res, err = s.run(ctx, t, mutants)
	}
	switch {
	case ctx.Err() != nil:
		left = "interrupted"
	case err != nil:
		left = s.failed(pkg, err)
	case res.Interrupted:
		left = fmt.Sprintf("their turn did not come within %v; %s judges them all", limit, s.command(pkg))
	}
	if err != nil || res == nil {
		return nil, left
	}
	if len(res.Tests) == 0 && !res.Interrupted {
		if why := t.program.NoSeeds; why != "" && len(t.program.Test.Fuzz) > 0 {
			return nil, "the fuzz tests can't be run as unit tests: " + why
		}
		return all(mutants, report.NotCovered), ""
	}
	return s.read(t, res), left
}

// all gives mutants the same verdict.
func all(mutants []key, status string) map[key]verdict {
	found := make(map[key]verdict)
	for _, k := range mutants {
		found[k] = verdict{status: status}
	}
	return found
}

// command judges all mutants by the tests of a package.
func (s *survey) command(pkg string) string { return s.project.Command("test", pkg) }

// failed says in one line why tests can't judge.
func (s *survey) failed(pkg string, err error) string {
	var none *unittest.BaselineError
	if errors.As(err, &none) {
		if name := none.Endless(); name != "" {
			return "without a mutant " + name + "; " + s.command(pkg) + " says why"
		}
		return "no unit test of " + pkg + " passes; " + s.command(pkg) + " says why"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return "the unit tests of " + pkg + " can't be run: " + line
}

// run runs the tests. Their time counts from the moment when mutants have their turn.
func (s *survey) run(ctx context.Context, t *tests, mutants []key) (*unittest.Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	begin := time.Now()
	var timer *time.Timer
	opts := unittest.Options{
		Program: t.program, Binary: t.binary, Dir: t.program.Test.Dir, Env: s.project.Options.Env, TempDir: s.project.WorkDir,
		Mutants: numbers(t.program, mutants), Fuel: fuel,
		Parallel: s.project.Options.Parallel, MemLimit: s.project.Options.MemLimit, Log: s.project.Options.Log,
		Place: t.loaded.TestPlace, Counts: t.loaded.CountsAllocations,
		Progress: func(p unittest.Progress) {
			if timer == nil && p.Phase == "mutants" {
				timer = time.AfterFunc(limit, stop)
			}
			s.progress(t, p, begin)
		},
	}
	var known *memory.Memory
	if !s.project.Options.DryRun {
		known = s.memory.Open(memory.Package{
			Loaded: t.loaded, Program: t.program, Code: change.NewSources(t.loaded), Binary: t.binary,
			Note: func(format string, args ...any) { s.project.Note(t.program.Test.ImportPath, format, args...) },
			Warn: func(text string) { s.project.Warn("%s", text) },
		})
		defer known.Close()
		opts.Known, opts.Withdrawn, opts.Verdicts = known.Known, known.Withdraw, known.Keep
	}
	opts.SetAside = func(list []unittest.SetAside) {
		if known != nil {
			known.SetAside(list)
		}
		s.setAside(t.program.Test.ImportPath, list)
	}
	res, err := s.runTests(ctx, opts)
	if timer != nil {
		timer.Stop()
	}
	return res, err
}

// numbers lists the numbers that mutants have in a program, in the same order.
func numbers(p *instrument.Program, mutants []key) []uint32 {
	at := make(map[key]uint32)
	for i := range p.Mutants {
		m := &p.Mutants[i]
		at[key{m.Package, m.ID}] = uint32(m.Index)
	}
	list := []uint32{}
	for _, k := range mutants {
		if n := at[k]; n > 0 {
			list = append(list, n)
		}
	}
	return list
}

// setAside warns of tests that do not pass without a mutant. It leaves out fuzz tests
// whose failing inputs are in the report.
func (s *survey) setAside(pkg string, list []unittest.SetAside) {
	list = slices.DeleteFunc(slices.Clone(list), func(a unittest.SetAside) bool {
		return slices.ContainsFunc(s.report.Tests, func(f report.FuzzTest) bool {
			return f.Package == pkg && f.Name == a.Test && len(f.Crashes) > 0
		})
	})
	n := len(list)
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%s: %s no survivor, since without a mutant %s", pkg, report.Plural(n, "unit test")+report.Verb(n, " judges", " judge"), unittest.Describe(list))
	for i := range s.report.Tests {
		if f := &s.report.Tests[i]; f.Package == pkg {
			f.Warnings = append(f.Warnings, text)
		}
	}
	s.project.Warn("%s", text)
}

func (s *survey) progress(t *tests, p unittest.Progress, begin time.Time) {
	s.project.Emit(project.Event{Tests: &project.TestStatus{Package: t.program.Test.ImportPath, Elapsed: time.Since(begin), Progress: p}})
}

// read takes the verdicts out of a result.
func (s *survey) read(t *tests, res *unittest.Result) map[key]verdict {
	pkg := t.program.Test.ImportPath
	found := make(map[key]verdict)
	for i := range res.Verdicts {
		v := &res.Verdicts[i]
		m := &t.program.Mutants[v.Mutant-1]
		said := verdict{status: report.Pending, because: v.Reason}
		switch {
		case v.Status == unittest.StatusKilled:
			said = verdict{status: report.Killed, pkg: pkg, test: v.Test}
		case v.Status == unittest.StatusSurvived:
			said = verdict{status: report.Survived}
		case len(v.Aside) > 0:
			said.because = report.OnlySetAside + strings.Join(v.Aside, ", ")
		case v.Status == unittest.StatusNotCovered:
			said = verdict{status: report.NotCovered}
		case v.Reason == unittest.OverBudget:
			said.because += "; " + s.command(pkg) + " judges them all"
		}
		found[key{m.Package, m.ID}] = said
	}
	return found
}
