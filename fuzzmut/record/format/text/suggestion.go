package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

// Bounds on what is shown of cases, in a text that is not verbose.
const (
	casesShown  = 10 // of all packages
	closedShown = 3  // mutants of a case
	notesShown  = 5
)

// suggestion writes cases that kill what unit tests miss.
func (t *text) suggestion(r *suggestion.Report) {
	if !t.o.Quiet {
		shown, all := 0, len(r.Totals().Cases)
		for i := range r.Packages {
			p := &r.Packages[i]
			t.linef("%s", p.Package)
			for k := range p.Cases {
				if shown >= casesShown && !t.o.Verbose {
					break
				}
				shown++
				t.suggested(shown, &p.Cases[k])
			}
			t.notes("no case was made", p.Left)
			t.notes("no search could reach", p.NotSearched)
			t.linef("   unit tests: %s", judged(p))
			t.linef("")
		}
		if n := all - shown; n > 0 {
			t.linef("%s, each closing no more than the last one above; -v shows %s", report.Plural(n, "more case"), map[bool]string{true: "it", false: "them"}[n == 1])
		}
		t.nextOfSuggestion(r, all)
		for _, w := range r.Warnings {
			t.linef("warning: %s", w)
		}
	}
	all := r.Totals()
	t.linef("%d of %s closed by %s", all.Closed, report.Plural(all.Survivors, "survivor"), report.Plural(len(all.Cases), "case"))
}

// judged says what the unit tests said before.
func judged(p *suggestion.Package) string {
	text := fmt.Sprintf("%d of %s killed, %d with the cases", p.Killed, report.Plural(p.Mutants, "mutant"), p.Killed+p.Closed)
	if p.NotJudged > 0 {
		text += fmt.Sprintf("; %d were not run in the time; fuzzmut test judges them all", p.NotJudged)
	}
	return text
}

// suggested writes one case with what it closes.
func (t *text) suggested(n int, c *suggestion.Case) {
	t.linef("%d. %s = %s  (closes %d)", n, cut(c.Call, argumentsMost), cut(c.Result, argumentsMost), len(c.Closes))
	for i, m := range c.Closes {
		if i == closedShown && !t.o.Verbose {
			t.linef("     and %d more; -v shows all", len(c.Closes)-i)
			break
		}
		tested := ""
		if !m.Reached {
			tested = "; no test runs it"
		}
		t.linef("   %s:%d  %s%s", m.File, m.Line, m.Description, tested)
		if m.Seen != "" {
			t.linef("     then %s", cut(m.Seen, argumentsMost))
		}
	}
	t.linef("")
}

// cut shortens a text.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// notes writes why something is left out.
func (t *text) notes(what string, list []suggestion.Note) {
	for i, n := range list {
		if i == notesShown && !t.o.Verbose {
			t.linef("   %s: %d more; -v shows all", what, len(list)-i)
			break
		}
		about := n.What
		if n.Mutants > 0 {
			about += " (" + report.Plural(n.Mutants, "survivor") + ")"
		}
		reason := n.Reason
		if !t.o.Verbose {
			reason, _, _ = strings.Cut(reason, ";") // what to do about it
		}
		t.linef("   %s: %s: %s", what, about, reason)
	}
}

// nextOfSuggestion says what to do now.
func (t *text) nextOfSuggestion(r *suggestion.Report, cases int) {
	written := r.Totals().Written
	for _, file := range written {
		t.linef("written: %s", file)
	}
	switch {
	case cases == 0:
	case len(written) > 0:
		t.linef("What the tests want is what the code does now: check that each is right before you keep it.")
	default:
		t.linef("The results are those of the code as it is: check that they are right. -write-test writes the cases as tests.")
	}
}
