package test

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
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
	s.run.Untested, s.run.Judged, s.run.Source = true, len(chosen), s.code.Hash()
	s.lane.run = &s.run
	return nil
}
