package junit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// findingsShown is how many findings a suite shows.
const findingsShown = 10

// fuzzed writes a suite for each fuzz test. A bucket of failing inputs is a test that fails.
func (d *document) fuzzed(r *report.Report) {
	together := report.TakeTogether(r.Tests)
	for i := range r.Tests {
		t := &r.Tests[i]
		s := d.fuzzTest(t.Package, t.Name, t.WallSeconds, t.Interrupted)
		for j := range t.Crashes {
			d.bucket(s, t, &t.Crashes[j])
		}
		for j := range t.Flaky {
			d.flaky(s, t, &t.Flaky[j])
		}
		for j := range t.Costs {
			d.costly(s, t, &t.Costs[j], r.CostFails)
		}
		if t.NotMeasured != "" {
			s.say("mutation score not measured: " + t.NotMeasured)
		} else {
			if t.Coverage.Blocks > 0 {
				s.say(fmt.Sprintf("coverage: %d of %s", t.Coverage.Covered, report.Plural(t.Coverage.Blocks, "block")))
			}
			s.survivors(t.Mutants, together.Beside(t.Mutants))
			if left := t.KilledElsewhere(); left != "" {
				s.say(left)
			}
		}
		s.warn(t.Warnings)
	}
	if b := &r.Baseline; b.NewOnly {
		var f *failure
		if b.New > 0 {
			f = &failure{Message: plain(report.Plural(b.New, "mutant") + " that no test kills " + report.Verb(b.New, "is", "are") + " not in " + b.File), Type: "score"}
		}
		d.add(d.suite("new survivors", 0), "fuzzmut", "new survivors", f, "")
	}
	d.score(report.Total(r.Tests), r.MinScore)
}

// bucket writes a bucket of failing inputs. Known ones don't fail.
func (d *document) bucket(s *suite, t *report.FuzzTest, c *report.Crash) {
	name := t.Name + ": " + failing(c.Kind, c.Frames)
	if c.Known {
		d.add(s, t.Package, name, nil, "known failure: "+firstLine(c.Message))
		return
	}
	lines := append([]string{c.Message}, stack(c.Frames)...)
	for _, entry := range c.Entries {
		lines = append(lines, "input "+entry)
	}
	if c.Repro != "" {
		lines = append(lines, c.Repro)
	}
	d.add(s, t.Package, name, &failure{Message: plain(firstLine(c.Message)), Type: plain(c.Kind), Text: text(lines)}, "")
}

// flaky writes a failure that is flaky, one that fails if it was seen often enough to count.
func (d *document) flaky(s *suite, t *report.FuzzTest, f *report.Flake) {
	name := t.Name + ": flaky " + failing(f.Kind, f.Frames)
	if !f.Sure {
		d.add(s, t.Package, name, nil, f.String())
		return
	}
	lines := append([]string{f.Message}, stack(f.Frames)...)
	lines = append(lines, f.String())
	if f.Repro != "" {
		lines = append(lines, f.Repro)
	}
	d.add(s, t.Package, name, &failure{Message: plain(firstLine(f.Message)), Type: plain(f.Kind), Text: text(lines)}, "")
}

// costly writes an input that costs too much. It fails if that is asked for.
func (d *document) costly(s *suite, t *report.FuzzTest, c *report.Cost, fails bool) {
	name := t.Name + ": " + failing("costly input", c.Frames)
	lines := slices.Concat([]string{c.Growth()}, stack(c.Frames), c.Lines())
	if !fails {
		d.add(s, t.Package, name, nil, strings.Join(lines, "\n"))
		return
	}
	d.add(s, t.Package, name, &failure{Message: plain(c.Growth()), Type: "costly input", Text: text(lines)}, "")
}

// failing names a failure by its kind and the function in which it occurs. Lines are left out:
// they differ after each edit, and readers compare runs by names.
func failing(kind string, frames []string) string {
	if len(frames) == 0 {
		return kind
	}
	function, _, _ := strings.Cut(frames[0], " ")
	return kind + " in " + function[strings.LastIndexByte(function, '/')+1:]
}

// stack shows where something failed, innermost first.
func stack(frames []string) (lines []string) {
	for _, frame := range frames {
		lines = append(lines, "  at "+frame)
	}
	return lines
}

func text(lines []string) plain { return plain("\n" + strings.Join(lines, "\n") + "\n") }

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// survivors says what survived, and lists of that what no other fuzz test kills either, as it is in list. That is no
// failure: -min-score decides what is.
func (s *suite) survivors(ms, list []report.Mutant) {
	score := report.Summarise(ms)
	if score.Mutants > 0 {
		s.say(fmt.Sprintf("mutation score %.4f: %d of %s killed, %d survived, %d not covered",
			score.Score, score.Killed, report.Plural(score.Mutants, "mutant"), score.Survived, score.NotCovered))
	}
	if score.Pending > 0 {
		s.say("not judged: " + report.Plural(score.Pending, "mutant"))
	}
	findings := report.Findings(list)
	for i := range findings {
		f := &findings[i]
		if i == findingsShown {
			s.say("and " + report.Plural(len(findings)-i, "more finding"))
			break
		}
		line := fmt.Sprintf("survivor %s:%d:%d: %s", f.File, f.Line, f.Column, f.Description)
		if n := len(f.More); n > 0 {
			line += fmt.Sprintf("; %d more here", n)
		}
		s.say(line + "  [" + f.Operator + " " + f.ID + "]")
	}
}

func (s *suite) warn(warnings []string) {
	for _, w := range warnings {
		s.say("warning: " + w)
	}
}

// score writes a test of the score of all, if a least one was asked for.
func (d *document) score(score report.Score, least float64) {
	if least == 0 || score.Mutants == 0 {
		return
	}
	s := d.suite("mutation score", 0)
	says := fmt.Sprintf("the mutation score is %.4f, and -min-score %.4f", score.Score, least)
	s.say(says)
	switch {
	case score.Score < least:
		d.add(s, "fuzzmut", "mutation score", &failure{Message: plain(says), Type: "score"}, "")
	case score.Pending > 0:
		d.add(s, "fuzzmut", "mutation score", nil, says+"; not judged: "+report.Plural(score.Pending, "mutant"))
	default:
		d.add(s, "fuzzmut", "mutation score", nil, "")
	}
}

// tested writes a suite for each package, with a test that stands for its mutants, and one for
// each of its tests that was set aside.
func (d *document) tested(r *report.TestReport) {
	mutants := make(map[string][]report.Mutant)
	runs := make(map[string]*report.TestRun)
	var packages []string
	for _, m := range r.Mutants {
		packages = append(packages, m.Package)
		mutants[m.Package] = append(mutants[m.Package], m)
	}
	for i := range r.Packages {
		packages = append(packages, r.Packages[i].Package)
		runs[r.Packages[i].Package] = &r.Packages[i]
	}
	slices.Sort(packages)
	for _, pkg := range slices.Compact(packages) {
		run := runs[pkg]
		if run == nil {
			run = &report.TestRun{}
		}
		s := d.suite(pkg, run.WallSeconds)
		skip := ""
		switch {
		case run.Untested:
			skip = "the package has no tests"
		case run.Interrupted:
			skip = "interrupted"
		}
		d.add(s, pkg, "mutants", nil, skip)
		for _, a := range run.SetAside {
			d.add(s, pkg, a.Name, nil, fmt.Sprintf("set aside: failed %d of %s without a mutant: %s", a.Failed, report.Plural(a.Failed+a.Passed, "run"), a.Output))
		}
		if len(mutants[pkg]) > 0 {
			s.survivors(mutants[pkg], mutants[pkg])
		}
	}
	if len(d.Suites) > 0 {
		d.Suites[0].warn(r.Warnings)
	}
	d.score(r.Score, r.MinScore)
}

// verified writes a suite for each fuzz test, with one test: its golden values.
func (d *document) verified(v *report.Verification) {
	for i := range v.Tests {
		t := &v.Tests[i]
		s := d.suite(t.Package+"."+t.Name, 0)
		name := t.Name + ": golden values"
		if t.None {
			d.add(s, t.Package, name, nil, strings.TrimSuffix("no golden values: "+t.Nothing, ": "))
			continue
		}
		s.say(fmt.Sprintf("%s, %s unchanged", report.Plural(t.Entries, "entry"), report.Plural(t.Values, "value")))
		d.add(s, t.Package, name, differences(t), "")
	}
}

// differences returns what is not as the golden values have it; nil if all is, or was accepted.
func differences(t *report.VerifiedTest) *failure {
	var lines []string
	for i := range t.Changes {
		c := &t.Changes[i]
		if t.Updated && c.Failure == "" {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s on %s", c.File, c.Line, c.Value, c.Entry))
		if c.Failure != "" {
			lines = append(lines, "  fails: "+c.Failure)
		} else {
			lines = append(lines, "  want "+orNothing(c.Want), "  got  "+orNothing(c.Got))
		}
	}
	for _, p := range t.Files {
		if t.Updated {
			break
		}
		where := p.Path
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", where, p.Kind, p.Text))
	}
	if lines == nil {
		return nil
	}
	return &failure{Message: plain(t.Unlike()), Type: "difference", Text: text(lines)}
}

// orNothing is for values that were not there, or are not.
func orNothing(value string) string {
	if value == "" {
		return "nothing"
	}
	return value
}
