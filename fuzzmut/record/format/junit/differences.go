package junit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// compared writes a suite for each fuzz test, and a test in it for each cause of differences.
// It fails unless it is accepted.
func (d *document) compared(r *behavior.Report) {
	if r.Nothing != "" {
		d.add(d.suite("behavior", 0), "fuzzmut", "behavior", nil, "nothing to compare: "+r.Nothing)
		return
	}
	suites := make(map[string]*suite)
	for i := range r.Tests {
		t := &r.Tests[i]
		s := d.fuzzTest(t.Package, t.Name, t.Seconds, t.Cut)
		suites[string(s.Name)] = s
		s.say(fmt.Sprintf("%s: %s against %s", report.Plural(int(t.Execs), "input"), r.New, r.Old))
	}
	for i := range r.Causes {
		c := &r.Causes[i]
		name := c.Package + "." + c.Fuzz
		s := suites[name]
		if s == nil {
			s = d.suite(name, 0)
			suites[name] = s
		}
		d.cause(s, c)
	}
	if len(d.Suites) > 0 {
		d.Suites[0].warn(r.Warnings)
	}
}

// cause writes a cause of differences. Its name has no lines of code, which an edit moves.
func (d *document) cause(s *suite, c *behavior.Cause) {
	name := cmp.Or(c.Fuzz, c.Call) + ": " + c.Says()
	if len(c.Hunks) > 0 {
		name += " in " + c.Hunks[0].File
	}
	if c.Accepted {
		d.add(s, c.Package, name, nil, "accepted")
		return
	}
	says := fmt.Sprintf("%s(%s): %s", c.Call, strings.ReplaceAll(c.Input, "\n", ", "), c.Says())
	var lines []string
	if origin := c.Origin(); origin != "" {
		lines = append(lines, origin)
	}
	for i := range c.Hunks {
		lines = append(lines, c.Hunks[i].Place())
		lines = append(lines, c.Hunks[i].Lines()...)
	}
	for i := range c.Values {
		lines = append(lines, c.Values[i].Of())
		lines = append(lines, c.Values[i].Lines(difference.Signed)...)
	}
	lines = append(lines, report.Growth(c)...)
	if c.Reproduce != "" {
		lines = append(lines, c.Reproduce)
	}
	d.add(s, c.Package, name, &failure{Message: plain(says), Type: plain(c.Kind), Text: text(lines)}, "")
}

// sorted writes a suite for each fuzz test, with a test that fails for each bucket, one for
// each failing input that is in none, and a skipped one for each bucket of costly inputs.
func (d *document) sorted(r *report.TriageReport) {
	for i := range r.Tests {
		t := &r.Tests[i]
		s := d.fuzzTest(t.Package, t.Name, t.WallSeconds, r.Interrupted)
		for k := range t.Buckets {
			d.sortedBucket(s, t, &t.Buckets[k])
		}
		for k := range t.Inputs {
			in := &t.Inputs[k]
			if in.Sorted() || in.Status != report.NotRun && in.Status != report.Flaky {
				continue
			}
			says := strings.TrimSuffix(in.Status+": "+in.Reason, ": ")
			d.add(s, t.Package, t.Name+": input "+in.Name, &failure{Message: plain(says), Type: plain(in.Status)}, "")
		}
		s.warn(t.Warnings)
	}
}

// sortedBucket writes a bucket, with the first repairs.
func (d *document) sortedBucket(s *suite, t *report.Triage, b *report.Bucket) {
	lines, better := append([]string{b.Message}, stack(b.Frames)...), "passes"
	if b.Cost != nil {
		lines, better = append(lines, b.Cost.Lines()...), "is cheap"
	} else {
		lines = append(lines, report.Plural(len(b.Inputs), "input")+", as "+strings.ReplaceAll(b.Representative, "\n", ", "))
	}
	for _, ranked := range b.Repairs {
		m := &t.Repairs[ranked.Repair]
		lines = append(lines, fmt.Sprintf("%s with %s:%d %s", better, m.File, m.Line, m.Description))
	}
	if b.Repro != "" {
		lines = append(lines, b.Repro)
	}
	if b.Cost != nil {
		d.add(s, t.Package, t.Name+": "+failing("costly input", b.Frames), nil, strings.Join(lines, "\n"))
		return
	}
	d.add(s, t.Package, t.Name+": "+failing(b.Kind, b.Frames), &failure{Message: plain(firstLine(b.Message)), Type: plain(b.Kind), Text: text(lines)}, "")
}
