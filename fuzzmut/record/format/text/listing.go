package text

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// skipped counts the mutants that are left out, and those of them in uninteresting code.
func skipped(all, uninteresting int) string {
	if uninteresting == 0 {
		return fmt.Sprintf("%d skipped", all)
	}
	return fmt.Sprintf("%d skipped (%d in uninteresting code)", all, uninteresting)
}

// listing writes a line for each mutant: its ID, position, operator, what it
// changes, and, if it can't be run, its status and the reason. After them
// stands the number of mutants, alone if quiet; if verbose, what was left out is
// listed before it, and so are mutants in uninteresting code.
func (t *text) listing(l *report.Listing) {
	counts, uninteresting := make(map[string]int), 0
	for i := range l.Mutants {
		m := &l.Mutants[i]
		counts[m.Status]++
		if m.Uninteresting() {
			uninteresting++
		}
		if t.o.Quiet || m.Uninteresting() && !t.o.Verbose {
			continue
		}
		fate := ""
		switch {
		case m.Status == report.Pending:
		case m.Reason != "":
			fate = fmt.Sprintf(" [%s: %s]", m.Status, m.Reason)
		default:
			fate = fmt.Sprintf(" [%s]", m.Status)
		}
		t.linef("%s %s:%d:%d %s %s%s", m.ID, t.file(m.File), m.Line, m.Column, m.Operator, report.Change(m), fate)
	}
	if t.o.Verbose {
		for _, s := range l.Skips {
			t.linef("left out: %s:%d %s: %s", t.file(s.File), s.Line, s.What, s.Reason)
		}
	}
	for _, pkg := range l.Untested {
		if !t.o.Quiet {
			t.linef("%s has no tests", pkg)
		}
	}
	t.linef("%s, %d static, %s", report.Plural(len(l.Mutants), "mutant"), counts[report.Static], skipped(counts[report.Skipped], uninteresting))
}
