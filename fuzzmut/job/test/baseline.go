package test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// setAside warns of tests that do not pass without a mutant.
func (s *testSession) setAside(list []unittest.SetAside, m *memory.Memory) {
	m.SetAside(list)
	s.lane.out.warn("%s: %s set aside, since without a mutant %s; -strict makes that an error%s",
		s.run.Package, report.Plural(len(list), "test")+report.Verb(len(list), " is", " are"), unittest.Describe(list), more(list))
}

// alone says why processes run one at a time from here on.
func (s *testSession) alone(test string) {
	s.lane.out.warn("%s: %s makes files in the package's directory, where those of other processes would be in its way: one process runs at a time; with t.TempDir more do", s.run.Package, test)
}

// more says how tests can be run that need more time than they may have.
func more(list []unittest.SetAside) string {
	if slices.ContainsFunc(list, endless) {
		return ", and a longer -timeout gives tests more time"
	}
	return ""
}

func endless(a unittest.SetAside) bool { return a.Endless }

// enterSetAside enters the tests that were set aside into the report.
func (s *testSession) enterSetAside(res *unittest.Result) {
	for _, a := range res.SetAside {
		s.run.SetAside = append(s.run.SetAside, report.SetAside{Name: a.Test, Passed: a.Passed, Failed: a.Failed, Output: a.Output, Likely: a.Likely()})
	}
}

// enterAside notes that a mutant is reached, but by no test that judges.
func (s *testSession) enterAside(m *instrument.Mutant, tests []string) {
	r := s.lane.sheet.of(m)
	if r.Status == report.NotCovered && r.Reason == "" {
		r.Reason = report.OnlySetAside + strings.Join(tests, ", ")
	}
}

// baselineError says which tests can't be used, and what to do about it.
func (s *testSession) baselineError(e *unittest.BaselineError) error {
	if len(e.Tests) == 0 {
		why, _, _ := strings.Cut(e.Start, "\n")
		return exit.Errorf(exit.Baseline, "%s: without a mutant the tests end before the first of them: %s; fix TestMain or the package's initialization", s.run.Package, why)
	}
	advice := "fix that, or choose other tests with -run or -skip"
	if s.lane.opts.Strict && !e.Stopped {
		advice = "fix that, or run without -strict"
	}
	if slices.ContainsFunc(e.Tests, endless) {
		advice += "; a longer -timeout gives tests more time"
	}
	none, stopped := "", ""
	switch {
	case e.Stopped:
		stopped = ", and the run has stopped there"
	case !s.lane.opts.Strict:
		none = "no test passes: "
	}
	return exit.Errorf(exit.Baseline, "%s: %swithout a mutant %s%s; %s (-v shows the output)", s.run.Package, none, unittest.Describe(e.Tests), stopped, advice)
}

// tell writes a line about a verdict, as go test -v does of a test.
func (s *testSession) tell(v unittest.Verdict) {
	if v.Status == unittest.StatusSkipped || s.lane.opts.Log == nil {
		return
	}
	m := &s.program.Mutants[v.Mutant-1]
	status := strings.ToUpper(strings.ReplaceAll(string(v.Status), "-", " "))
	by := ""
	switch {
	case v.Status == unittest.StatusKilled && v.Test != "":
		by = fmt.Sprintf(" (%s, %s)", v.Kind, v.Test)
	case v.Status == unittest.StatusKilled:
		by = fmt.Sprintf(" (%s)", v.Kind)
	}
	if v.Seen != nil {
		by = " (" + v.Seen.Test + " does not check what differs)"
	}
	fmt.Fprintf(s.lane.out, "--- %s: %s:%d:%d %s: %s%s\n", status, report.RelativeFile(s.program.Test.ModuleDir, m.File), m.Line, m.Column, m.Operator, m.Description, by)
}

// noTests says why no test was run.
func (s *testSession) noTests() error {
	chosen := unittest.Chosen(s.lane.opts.Run, s.lane.opts.Skip)
	own := func(f instrument.FuzzTest) bool { return f.Target == "" }
	if why := s.program.NoSeeds; why != "" && slices.ContainsFunc(s.program.Test.Fuzz, own) {
		if chosen != "" {
			return exit.Errorf(exit.Usage, "%s matches no test of %s except perhaps fuzz tests, which can't be run here: %s", chosen, s.run.Package, why)
		}
		return exit.Errorf(exit.Usage, "package %s has only fuzz tests, which can't be run here: %s", s.run.Package, why)
	}
	if chosen != "" {
		return exit.Errorf(exit.Usage, "%s matches no test of %s", chosen, s.run.Package)
	}
	return exit.Errorf(exit.Usage, "package %s has no test, no fuzz test, and no example with output", s.run.Package)
}
