package project_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// fakeJob leaves a result, and ends as do does.
type fakeJob struct {
	name string
	do   func() error
}

func (j *fakeJob) Run(context.Context) error { return j.do() }

func (j *fakeJob) Result() *report.FuzzTest {
	return &report.FuzzTest{Name: j.name, Score: report.Score{Mutants: 1, Killed: 1, Score: 1}}
}

// twoPackages is a module with packages p and p/sub, of a fuzz test each.
func twoPackages(t *testing.T) string {
	t.Helper()
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p.go", "p_test.go"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(sub, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string, cfg project.Config) *project.Project {
	t.Helper()
	cfg.Options = trialtest.Options(t, dir)
	cfg.Options.Packages = []string{"./..."}
	p, err := project.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestAnErrorInOneFuzzTestLeavesTheOthers(t *testing.T) {
	p := open(t, twoPackages(t), project.Config{Unmutated: true})
	if p.Filter.RunsMutants() {
		t.Error("mutants are run where none are built")
	}
	var dirs []string
	rep, err := p.Report(t.Context(), func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		dirs = append(dirs, pkg.Program.Test.ImportPath)
		if pkg.Live > 0 {
			t.Errorf("%d mutants were built", pkg.Live)
		}
		return &fakeJob{test.Name, func() error {
			if len(dirs) == 1 {
				return exit.Errorf(exit.Baseline, "no good")
			}
			return nil
		}}
	})
	if got := strings.Join(dirs, " "); got != "example.com/p example.com/p/sub" {
		t.Errorf("done: %s", got)
	}
	if rep == nil || len(rep.Tests) != 2 || exit.CodeOf(err) != exit.Baseline {
		t.Errorf("%+v, %v", rep, err)
	}
}

// What a job had found before it panicked is reported, and nothing else is begun.
func TestAPanicEndsTheRunAndKeepsTheResult(t *testing.T) {
	p := open(t, twoPackages(t), project.Config{Unmutated: true})
	jobs := 0
	rep, err := p.Report(t.Context(), func(_ *project.Package, test instrument.FuzzTest) project.Job {
		jobs++
		return &fakeJob{test.Name, func() error { panic("a fault") }}
	})
	if rep == nil || len(rep.Tests) != 1 || jobs != 1 || exit.CodeOf(err) != exit.Internal {
		t.Errorf("%+v after %d jobs, %v", rep, jobs, err)
	}
}

// A panic of a goroutine that nobody waits for interrupts what is done meanwhile.
func TestAFaultElsewhereInterrupts(t *testing.T) {
	p := open(t, twoPackages(t), project.Config{Unmutated: true})
	fault := errors.New("a fault elsewhere")
	_, err := p.Report(t.Context(), func(_ *project.Package, test instrument.FuzzTest) project.Job {
		return &fakeJob{test.Name, func() error { p.Faults.Note(fault); return nil }}
	})
	if !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

func TestAPlanTakesFuzzTestsOut(t *testing.T) {
	p := open(t, twoPackages(t), project.Config{Plan: func(pkg *project.Package) {
		if !strings.HasSuffix(pkg.Loaded.Test.ImportPath, "/sub") {
			pkg.Loaded.Test.Fuzz = nil
		}
	}})
	var done []string
	err := p.EachTest(t.Context(), func(pkg *project.Package, _ instrument.FuzzTest) error {
		done = append(done, pkg.Program.Test.ImportPath)
		return nil
	})
	if err != nil || len(done) != 1 || done[0] != "example.com/p/sub" {
		t.Errorf("done %q, %v", done, err)
	}
}

func TestEntriesOfSeveralFuzzTestsHaveDirectories(t *testing.T) {
	test := instrument.FuzzTest{Name: "FuzzX"}
	pkg := &project.Package{Program: &instrument.Program{Test: instrument.TestPackage{Dir: "/m/p", ImportPath: "m/p", Fuzz: []instrument.FuzzTest{test}}}}
	p := &project.Project{GoCache: "/cache", Options: project.Options{Dir: "/m"}, Packages: []string{"m/p"}}
	if got := p.CorpusDir(pkg, &test); got != "/m/p/testdata/fuzz/FuzzX" {
		t.Errorf("of the package: %s", got)
	}
	p.Options.CorpusDir = "c"
	if got := p.CorpusDir(pkg, &test); got != "/m/c" {
		t.Errorf("of the only fuzz test: %s", got)
	}
	p.Packages = append(p.Packages, "m/q")
	if got := p.CorpusDir(pkg, &test); got != "/m/c/FuzzX" {
		t.Errorf("of one of several: %s", got)
	}
	if got := p.Home(&pkg.Program.Test, &instrument.FuzzTest{Name: "FuzzX", Target: "F"}); !strings.HasPrefix(got, "/cache") {
		t.Errorf("of one that is derived: %s", got)
	}
}

func TestWrongOptionsAreUsageErrors(t *testing.T) {
	for name, opts := range map[string]project.Options{
		"filter": {Filter: "best"},
		"fuzz":   {Fuzz: "("},
	} {
		if _, err := project.Open(t.Context(), project.Config{Options: opts}); exit.CodeOf(err) != exit.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}
