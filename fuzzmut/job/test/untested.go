package test

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// leaveUncovered is the work on a package without test files. Nothing is built.
func (s *testSession) leaveUncovered(ctx context.Context, bin overlay.Config) (err error) {
	if s.program, err = overlay.Rewrite(ctx, bin); err != nil {
		return exit.AsUsage(err)
	}
	if !s.lane.await(ctx) {
		return nil
	}
	s.run.Package, s.run.Sites = s.program.Test.ImportPath, report.SitesOf(s.program)
	return s.uncovered(exit.Errorf(exit.Usage, "package %s has no tests", s.run.Package))
}

// uncovered enters that no test covers the mutants. Where that may be due to -run or -skip, or to
// fuzz tests that can't be run, the package is skipped; why says it.
func (s *testSession) uncovered(why error) error {
	own := func(f instrument.FuzzTest) bool { return f.Target == "" }
	if unittest.Chosen(s.lane.opts.Run, s.lane.opts.Skip) != "" || slices.ContainsFunc(s.program.Test.Fuzz, own) {
		s.lane.passOver(why)
		return nil
	}
	chosen := s.choose()
	s.lane.out.note(s.run.Package, "no tests; %s %s not covered", report.Plural(len(chosen), "mutant"), report.Verb(len(chosen), "is", "are"))
	for _, i := range chosen {
		s.enterVerdict(&s.program.Mutants[i-1], verdicts.Verdict{Status: string(unittest.StatusNotCovered)}, false)
	}
	s.lane.untested = &s.program.Test
	s.run.Untested, s.run.Judged, s.run.Source = true, len(chosen), s.code.Hash()
	s.lane.run = &s.run
	return nil
}

// usersShown bounds the packages whose tests are proposed for code without tests.
const usersShown = 3

// toTest are the commands for packages without tests: to judge the mutants of one by the tests of others that run its
// code, and to have tests written.
func (t *tester) toTest(ctx context.Context, lanes []*lane) (commands []string) {
	if len(lanes) == 1 && lanes[0].untested != nil {
		test := lanes[0].untested
		// What can't be listed is not proposed: the result is there without it.
		users, _ := load.Users(ctx, t.project.LoadConfig(""), test.ImportPath, test.ModulePath, test.ModuleDir)
		if len(users) > 0 {
			mutate := append([]string{"-mutate"}, t.project.Options.Packages...)
			commands = append(commands, t.project.Command("test", slices.Concat(t.scope(), mutate, users[:min(usersShown, len(users))])...))
		}
	}
	write := append(t.scope(), "-write-test")
	return append(commands, t.project.Command("suggest", slices.Concat(write, t.project.Options.Packages)...))
}
