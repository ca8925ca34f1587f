// Package unnoticed finds, of the survivors of fuzz tests, those that no unit test notices
// either. The tests of a mutant's package judge it, and those of the package of the fuzz
// test: verdicts of earlier runs first, and then the tests themselves, within a budget.
package unnoticed

import (
	"cmp"
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// Mark enters into the survivors of a report what other tests say about them. What can't be
// found out is no error: the report names those survivors, and gives the reason. An
// interrupt meanwhile is an error; what was fuzzed is whole then.
func Mark(ctx context.Context, p *project.Project, rep *report.Report) error {
	return panics.Do(func() error { return newSurvey(p, rep, unittest.Run).mark(ctx) })
}

// key names a mutant: its package and its ID.
type key = [2]string

// verdict is what tests say of a mutant.
type verdict struct {
	status  string // as report.Others has it
	pkg     string // of the test that kills it
	test    string
	because string // why nothing is said
}

// weight orders what several packages' tests say: a kill by any of them is one, and where
// one of them says nothing, nothing is known.
var weight = map[string]int{report.NotCovered: 1, report.Survived: 2, report.Pending: 3, report.Killed: 4}

// survey is one call of Mark.
type survey struct {
	project  *project.Project
	report   *report.Report
	memory   memory.Keeper
	runTests func(context.Context, unittest.Options) (*unittest.Result, error)
	build    builder

	survivors []key            // of all fuzz tests, those that matter most first
	jury      map[key][]string // the packages whose tests judge a survivor
	said      map[key]verdict
}

func newSurvey(p *project.Project, rep *report.Report, run func(context.Context, unittest.Options) (*unittest.Result, error)) *survey {
	s := &survey{project: p, report: rep, runTests: run, build: buildTests, jury: make(map[key][]string), said: make(map[key]verdict)}
	s.memory = memory.Keeper{Project: p, Options: memory.Options{
		MemLimit: p.Options.MemLimit, Part: "survivors",
		Fresh: p.Options.FuzzTime.Execs > 0, // such a run depends on nothing that others have left
	}}
	return s
}

func (s *survey) mark(ctx context.Context) error {
	before := ctx.Err() != nil // somebody has said so
	s.collect()
	for _, pkg := range s.packages() {
		s.judge(ctx, pkg)
	}
	report.AskOthers(s.report.Tests, func(f *report.FuzzTest, m *report.Mutant) report.Others {
		v := s.said[m.Key()]
		if v.status == report.Killed {
			return f.KilledByTest(v.pkg, v.test)
		}
		return report.Others{Status: v.status, Reason: v.because}
	})
	if ctx.Err() == nil || before {
		return nil
	}
	return exit.Errorf(exit.Interrupted, "interrupted while the unit tests judged survivors; the other results are complete")
}

// collect lists the mutants that no fuzz test kills and one of them reaches, with their
// juries.
func (s *survey) collect() {
	together := report.TakeTogether(s.report.Tests)
	for i := range s.report.Tests {
		f := &s.report.Tests[i]
		for _, m := range report.RankSurvivors(f.Mutants) {
			k := m.Key()
			if together.Killer(f, m) != "" {
				continue
			}
			if s.jury[k] == nil {
				s.survivors = append(s.survivors, k)
			}
			for _, pkg := range []string{f.Package, m.Package} {
				if !slices.Contains(s.jury[k], pkg) {
					s.jury[k] = append(s.jury[k], pkg)
				}
			}
		}
	}
}

// packages lists those whose tests judge: those of the fuzz tests first.
func (s *survey) packages() []string {
	var list, homes []string
	for i := range s.report.Tests {
		list = append(list, s.report.Tests[i].Package)
	}
	for _, k := range s.survivors {
		homes = append(homes, k[0])
	}
	slices.Sort(homes)
	seen := make(map[string]bool)
	return slices.DeleteFunc(slices.Concat(list, homes), func(pkg string) bool {
		again := seen[pkg]
		seen[pkg] = true
		return again
	})
}

// judge has the tests of a package judge the survivors that nothing has killed yet.
func (s *survey) judge(ctx context.Context, pkg string) {
	var open []key
	for _, k := range s.survivors {
		if slices.Contains(s.jury[k], pkg) && s.said[k].status != report.Killed {
			open = append(open, k)
		}
	}
	if len(open) == 0 {
		return
	}
	found, left := s.ask(ctx, pkg, open)
	for _, k := range open {
		v, ok := found[k]
		if !ok {
			v = verdict{status: report.Pending, because: cmp.Or(left, "the build for unit tests does not have it")}
		}
		if weight[v.status] > weight[s.said[k].status] {
			s.said[k] = v
		}
	}
}
