package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// testsShown bounds the tests named for a survivor in a text report that is not
// verbose.
const testsShown = 2

// tested writes the result of packages' own tests.
func (t *text) tested(r *report.TestReport) {
	packages := mutated(r.Mutants)
	if !t.o.Quiet {
		for _, ms := range packages {
			t.mutatedPackage(ms)
		}
		for i := range r.Packages {
			t.testRun(&r.Packages[i])
		}
		for _, w := range r.Warnings {
			t.linef("warning: %s", w)
		}
		if len(r.Next) > 0 {
			t.linef("")
			t.next(r.Next)
		}
		if r.Stopped {
			t.linef("stopped at a survivor, as -failfast asks: the figures are those of a part of the run")
		}
		if r.Interrupted {
			t.linef("interrupted: the figures cover only part of the run")
		}
		if len(packages) > 0 && (len(r.Next) == 0 || r.Stopped || r.Interrupted) {
			t.linef("")
		}
	}
	t.testVerdict(r, packages)
}

// mutated returns the mutants package by package, by import path.
func mutated(ms []report.Mutant) [][]report.Mutant {
	ms = report.Ordered(ms)
	var out [][]report.Mutant
	for len(ms) > 0 {
		n := slices.IndexFunc(ms, func(m report.Mutant) bool { return m.Package != ms[0].Package })
		if n < 0 {
			n = len(ms)
		}
		out = append(out, ms[:n])
		ms = ms[n:]
	}
	return out
}

// mutatedPackage writes what became of one package's mutants.
func (t *text) mutatedPackage(ms []report.Mutant) {
	t.linef("%s", ms[0].Package)
	score := report.Summarise(ms)
	if score.Mutants > 0 || score.Pending == 0 {
		t.score(&score)
	}
	t.notJudged(ms, score.Pending)
	byTests, atStart := apart(ms, func(*report.Mutant) bool { return true })
	t.survivors(byTests, &elsewhere{}, t.seenByTests)
	t.starting(atStart, atStart, &elsewhere{}, "test")
	t.notCovered(byTests, &elsewhere{})
	t.excluded(ms)
	t.linef("")
}

// notJudged says how many mutants have no verdict, and why, where that is known.
func (t *text) notJudged(ms []report.Mutant, n int) {
	if n == 0 {
		return
	}
	t.linef("  not judged: %s", report.Plural(n, "mutant"))
	counts := make(map[string]int)
	for i := range ms {
		if m := &ms[i]; m.Status == report.Pending && m.Reason != "" {
			counts[m.Reason]++
		}
	}
	t.reasons(counts)
}

// seenByTests says which tests reached a surviving mutant, or what is known of
// it without.
func (t *text) seenByTests(m *report.Mutant) string {
	switch {
	case m.Seen != nil:
		return m.Seen.Says()
	case m.Infected > 0:
		infected := m.Tests[:min(int(m.Infected), len(m.Tests))]
		did := "computed a different value but still passed"
		if m.TakesAway() {
			did = "ran without it and still passed"
		}
		text := t.testNames(infected, m.Infected) + " " + did
		if m.Reason != "" {
			text += "; " + m.Reason
		}
		return text
	case len(m.Tests) > 0:
		return fmt.Sprintf("reached by %s with no effect", t.testNames(m.Tests, m.Reached))
	case m.Reason != "":
		return m.Reason
	}
	return "run in a separate process; no test failed"
}

// testNames lists some of the n tests that begin with names.
func (t *text) testNames(names []string, n int64) string {
	if !t.o.Verbose {
		names = names[:min(testsShown, len(names))]
	}
	var shown []string
	for _, name := range names {
		// Of a test of another package, the end of the import path tells enough.
		shown = append(shown, name[strings.LastIndexByte(name, '/')+1:])
	}
	list := strings.Join(shown, ", ")
	switch rest := n - int64(len(names)); {
	case list == "":
		return report.Plural(int(n), "test")
	case rest > 0:
		list += " and " + report.Plural(int(rest), "more")
	}
	return list
}

// testRun writes what it took to run one package's tests.
func (t *text) testRun(r *report.TestRun) {
	if r.Untested {
		t.linef("%s has no tests", r.Package)
		t.sites(&r.Sites)
		return
	}
	earlier := ""
	if n := r.Reused + r.Resumed; n > 0 {
		earlier = fmt.Sprintf(", %s of them in an earlier run", report.Group(int64(n)))
	}
	t.linef("%s of %s judged %s%s", report.Plural(len(r.Tests), "test"), r.Package, report.Plural(r.Judged, "mutant"), earlier)
	each := ""
	if n := r.Judged - r.Reused - r.Resumed; n > 0 {
		each = fmt.Sprintf(", %.2f ms per mutant", r.CPUSeconds*1000/float64(n))
	}
	t.linef("  %s with a mutant, %s without, in %s; %.1f s to build, %.1f s to run, %.1f s of CPU%s",
		report.Plural(int(r.MutantRuns), "test run"), report.Group(r.Executions), report.Plural(r.Processes, "process"),
		r.BuildSeconds, r.WallSeconds, r.CPUSeconds, each)
	t.believed(r)
	t.left(r)
	if r.Reason != "" {
		t.linef("  tests that need a separate process for each mutant: %s", r.Reason)
	}
	t.sites(&r.Sites)
	t.setAside(r)
}

// believed counts the survivors that were sampled.
func (t *text) believed(r *report.TestRun) {
	n, long := r.NotRunAgain, r.LongTestsLeftOut
	if n > 0 {
		t.linef("  %s not run again in a new process: none of a sample was killed there", report.Plural(n, "survivor"))
	}
	if long > 0 {
		t.linef("  %s not run with each long test: none of a sample was killed by these; -isolate runs all", report.Plural(long, "survivor"))
	}
	if r.Unobserved > 0 {
		t.linef("  %s not run once more to see what calls return: the budget for that was used up", report.Plural(r.Unobserved, "survivor"))
	}
}

// leftShown is how many of the tests are named that the next run goes on with.
const leftShown = 4

// left names the tests that mutants without a verdict wait for: who can do without them need not wait.
func (t *text) left(r *report.TestRun) {
	tests := slices.DeleteFunc(slices.Clone(r.Tests), func(o report.TestResult) bool { return o.Left == 0 })
	if len(tests) == 0 {
		return
	}
	slices.SortStableFunc(tests, func(a, b report.TestResult) int { return b.Left - a.Left })
	var names, waited []string
	for i, o := range tests {
		waited = append(waited, o.Name)
		if i < leftShown {
			names = append(names, fmt.Sprintf("%s (%s)", o.Name, report.Group(int64(o.Left))))
		}
	}
	if n := len(tests) - leftShown; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	t.linef("  mutants that wait for long tests: %s; the next run goes on with them, and -skip '%s' judges without", strings.Join(names, ", "), gotool.Exactly(waited))
}

// setAside writes which tests of a package judge nothing.
func (t *text) setAside(r *report.TestRun) {
	if len(r.SetAside) == 0 {
		return
	}
	t.linef("warning: %s set aside: without a mutant %s not pass each time, and so %s nothing",
		report.Plural(len(r.SetAside), "test"), report.Verb(len(r.SetAside), "it does", "they do"), report.Verb(len(r.SetAside), "it judges", "they judge"))
	for _, a := range r.SetAside {
		how := fmt.Sprintf("failed %d of %d times", a.Failed, a.Failed+a.Passed)
		if a.Passed == 0 {
			how = "fails"
		}
		lines := strings.Split(a.Output, "\n")
		if lines[0] != "" {
			how += ": " + lines[0]
		}
		t.linef("  %s %s", a.Name, how)
		for _, line := range lines[1:] {
			t.linef("    %s", line)
		}
		if a.Likely != "" {
			t.linef("    %s", a.Likely)
		}
	}
}

// scoreOf says how many of the mutants that were judged are killed, and how many were not judged.
func scoreOf(s report.Score) string {
	score := killedOf(s)
	if s.Mutants == 0 && s.Pending > 0 {
		score = notMeasured
	}
	switch {
	case s.Pending > 0 && s.Mutants > 0: // those that survive the quick tests are judged last
		score += fmt.Sprintf(", %d not judged: %s if they survive", s.Pending, percent(float64(s.Killed)/float64(s.Mutants+s.Pending)))
	case s.Pending > 0:
		score += fmt.Sprintf(", %d not judged", s.Pending)
	}
	return score
}

// testVerdict writes the last line: all packages together.
func (t *text) testVerdict(r *report.TestReport, packages [][]report.Mutant) {
	if len(packages) == 0 {
		t.linef("no mutants to judge")
		return
	}
	who := packages[0][0].Package
	if len(packages) > 1 {
		who = report.Plural(len(packages), "package")
	}
	if r.Shard != "" {
		who += ", shard " + r.Shard
	}
	why := ""
	if r.Untested() {
		why = "; " + report.Verb(len(r.Packages), "the package has", "the packages have") + " no unit tests"
	}
	t.linef("%s: %s%s", who, scoreOf(r.Score), why)
}
