package unnoticed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// mutants are the mutants of packages p and q: p1, p2, ..., q1, ....
var mutants = []key{{"p", "p1"}, {"p", "p2"}, {"p", "p3"}, {"q", "q1"}, {"q", "q2"}}

// fuzzed is a fuzz test of a package; statuses has those of mutants, others survive.
func fuzzed(pkg, name string, statuses map[string]string) report.FuzzTest {
	f := report.FuzzTest{Package: pkg, Name: name}
	for i, k := range mutants {
		status := report.Survived
		if s := statuses[k[1]]; s != "" {
			status = s
		}
		f.Mutants = append(f.Mutants, report.Mutant{Package: k[0], ID: k[1], Line: i, Status: status, Reached: 1})
	}
	return f
}

// judge is what the tests of a package do: the verdicts on mutants, by ID.
type judge struct {
	verdicts    map[string]unittest.Verdict
	err         error // of the build
	runErr      error
	none        bool // the package has no tests
	interrupted bool
}

// asked has judges say what they do of the survivors of fuzz tests. calls has the packages
// that were built, each with what was mutated and judged.
func asked(t *testing.T, ctx context.Context, judges map[string]judge, fuzzTests ...report.FuzzTest) (rep *report.Report, calls []string) {
	t.Helper()
	p := &project.Project{Options: project.Options{Dir: "/tree", DryRun: true}}
	rep = &report.Report{Tests: fuzzTests}
	s := newSurvey(p, rep, func(ctx context.Context, o unittest.Options) (*unittest.Result, error) {
		j := judges[o.Program.Test.ImportPath]
		var ids []string
		res := &unittest.Result{Tests: []unittest.Test{{Name: "TestX"}}, Interrupted: j.interrupted}
		for _, n := range o.Mutants {
			id := o.Program.Mutants[n-1].ID
			ids = append(ids, id)
			if v, ok := j.verdicts[id]; ok {
				v.Mutant = n
				res.Verdicts = append(res.Verdicts, v)
			}
		}
		if o.Fuel == 0 {
			t.Error("no budget")
		}
		calls[len(calls)-1] += strings.Join(ids, " ")
		return res, j.runErr
	})
	s.build = func(_ context.Context, _ *project.Project, pkg string, mutate []string) (*tests, error) {
		calls = append(calls, fmt.Sprintf("%s%v: ", pkg, mutate))
		j := judges[pkg]
		if j.err != nil || j.none {
			return &tests{}, j.err
		}
		program := &instrument.Program{Test: instrument.TestPackage{ImportPath: pkg}}
		for i, k := range mutants {
			program.Mutants = append(program.Mutants, instrument.Mutant{Index: i + 1, Package: k[0], ID: k[1]})
		}
		return &tests{program: program}, nil
	}
	if err := s.mark(ctx); err != nil {
		t.Error(err)
	}
	return rep, calls
}

// said lists what a report has of other tests.
func said(rep *report.Report) []string {
	var list []string
	for _, f := range rep.Tests {
		for _, m := range f.Mutants {
			if o := m.OtherTests; o.Status != "" {
				list = append(list, strings.Join(strings.Fields(strings.Join([]string{f.Name, m.ID, o.Status, o.KilledBy, o.Reason}, " ")), " "))
			}
		}
	}
	return list
}

func killed(test string) unittest.Verdict {
	return unittest.Verdict{Status: unittest.StatusKilled, Test: test}
}

var survived, notCovered = unittest.Verdict{Status: unittest.StatusSurvived}, unittest.Verdict{Status: unittest.StatusNotCovered}

// A survivor is judged by the tests of the fuzz test's package and by those of the package
// that it is in, but no longer once one of them has killed it.
func TestSurvivorsAreJudgedByBothPackages(t *testing.T) {
	rep, calls := asked(t, t.Context(), map[string]judge{
		"p": {verdicts: map[string]unittest.Verdict{"p1": killed("TestA"), "p2": survived, "q1": killed("TestB"), "q2": notCovered}},
		"q": {verdicts: map[string]unittest.Verdict{"q2": killed("TestC")}},
	}, fuzzed("p", "FuzzA", map[string]string{"p3": report.Killed}), fuzzed("p", "FuzzB", map[string]string{"p2": report.NotCovered}))
	if diff := cmp.Diff([]string{"p[p q]: p1 p2 q1 q2", "q[q]: q2"}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	want := []string{
		"FuzzA p1 killed TestA", "FuzzA p2 survived", "FuzzA q1 killed TestB", "FuzzA q2 killed q.TestC",
		"FuzzB p1 killed TestA", "FuzzB p3 killed FuzzA", "FuzzB q1 killed TestB", "FuzzB q2 killed q.TestC",
	}
	if diff := cmp.Diff(want, said(rep)); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// What can't be asked is no error, and no survivor is said to be unnoticed for it.
func TestWhatIsNotKnownIsNotSaid(t *testing.T) {
	own := fuzzed("p", "FuzzA", map[string]string{"p2": report.Killed, "p3": report.NotCovered, "q1": report.Static, "q2": report.Skipped})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	aside := notCovered
	aside.Aside = []string{"TestFlaky"}
	dear := unittest.Verdict{Status: unittest.StatusNotRun, Reason: unittest.OverBudget}
	for name, c := range map[string]struct {
		judge judge
		ctx   context.Context
		want  string
	}{
		"no tests":        {judge{none: true}, t.Context(), "not-covered"},
		"no build":        {judge{err: errors.New("p_test.go:3: undefined\nmore")}, t.Context(), "pending the unit tests of p can't be run: p_test.go:3: undefined"},
		"red tests":       {judge{runErr: &unittest.BaselineError{}}, t.Context(), "pending no unit test of p passes; fuzzmut test -C /tree p says why"},
		"a fault":         {judge{runErr: errors.New("no memory")}, t.Context(), "pending the unit tests of p can't be run: no memory"},
		"interrupted":     {judge{runErr: context.Canceled}, done, "pending interrupted"},
		"too slow":        {judge{interrupted: true}, t.Context(), "pending their turn did not come within 1m0s; fuzzmut test -C /tree p judges them all"},
		"over the budget": {judge{verdicts: map[string]unittest.Verdict{"p1": dear}}, t.Context(), "pending " + unittest.OverBudget + "; fuzzmut test -C /tree p judges them all"},
		"set aside":       {judge{verdicts: map[string]unittest.Verdict{"p1": aside}}, t.Context(), "pending " + report.OnlySetAside + "TestFlaky"},
		"not in there":    {judge{}, t.Context(), "pending the build for unit tests does not have it"},
	} {
		rep, _ := asked(t, c.ctx, map[string]judge{"p": c.judge}, own)
		if diff := cmp.Diff([]string{"FuzzA p1 " + c.want}, said(rep)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// What one package's tests leave open stays open, unless others kill it.
func TestWhatOneLeavesOpenIsNotKnown(t *testing.T) {
	rep, _ := asked(t, t.Context(), map[string]judge{
		"p": {err: errors.New("broken")},
		"q": {verdicts: map[string]unittest.Verdict{"q1": survived, "q2": killed("TestC")}},
	}, fuzzed("p", "FuzzA", map[string]string{"p1": report.Killed, "p2": report.Killed, "p3": report.Killed}))
	want := []string{"FuzzA q1 pending the unit tests of p can't be run: broken", "FuzzA q2 killed q.TestC"}
	if diff := cmp.Diff(want, said(rep)); diff != "" {
		t.Error(diff)
	}
	if n := rep.Tests[0].OtherTests; n != (report.OtherTests{Noticed: 1, NotTried: 1}) {
		t.Errorf("%+v", n)
	}
}

// That a fuzz test of the run fails is no news.
func TestTestsThatAreSetAsideAreNamed(t *testing.T) {
	rep := &report.Report{Tests: []report.FuzzTest{
		{Package: "p", Name: "FuzzA", Crashes: make([]report.Crash, 1)}, {Package: "p", Name: "FuzzB"}, {Package: "q", Name: "FuzzA"},
	}}
	var events []string
	s := newSurvey(&project.Project{Options: project.Options{Events: func(e project.Event) { events = append(events, e.Warning.Text) }}}, rep, nil)
	s.setAside("p", []unittest.SetAside{{Test: "FuzzA"}})
	s.setAside("p", []unittest.SetAside{{Test: "FuzzA"}, {Test: "FuzzB"}, {Test: "TestX", Failed: 1, Passed: 2, Output: "x_test.go:3: got 1\nmore"}})
	want := []string{"p: 2 unit tests judge no survivor, since without a mutant FuzzB fails, TestX failed once and passed 2 times (x_test.go:3: got 1)"}
	for _, got := range [][]string{events, rep.Tests[0].Warnings, rep.Tests[1].Warnings} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if len(rep.Tests[2].Warnings) > 0 {
		t.Errorf("another package: %q", rep.Tests[2].Warnings)
	}
}

func TestAnInterruptMeanwhileIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rep := &report.Report{Tests: []report.FuzzTest{fuzzed("p", "FuzzA", nil)}}
	s := newSurvey(&project.Project{}, rep, nil)
	s.build = func(context.Context, *project.Project, string, []string) (*tests, error) {
		cancel()
		return nil, context.Canceled
	}
	if err := s.mark(ctx); exit.CodeOf(err) != exit.Interrupted {
		t.Errorf("got %v", err)
	}
	if n := rep.Tests[0].OtherTests; n != (report.OtherTests{NotTried: len(mutants)}) || rep.Tests[0].Mutants[0].OtherTests.Reason != "interrupted" {
		t.Errorf("%+v", rep.Tests[0].OtherTests)
	}
}
