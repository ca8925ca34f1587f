package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// aloneShown bounds the mutants named with an entry, in a text that is not verbose.
const aloneShown = 3

// entries writes the entries of corpora.
func (t *text) entries(l *report.EntryList) {
	for i := range l.Tests {
		test := &l.Tests[i]
		t.linef("%s  %s  %s, which kill %s and cover %s", test.Name, test.Package,
			report.Plural(len(test.Entries), "entry"), report.Plural(test.Killed, "mutant"), report.Plural(test.Covered, "block"))
		if t.o.Quiet {
			continue
		}
		for j := range test.Entries {
			t.listed(&test.Entries[j])
		}
		for _, warning := range test.Warnings {
			t.linef("  warning: %s", warning)
		}
	}
}

// listed writes an entry.
func (t *text) listed(e *report.ListedEntry) {
	t.linef("  %s  %s", e.Name, e.Input)
	t.linef("      %s", reason(e))
	t.source(e.Source, "        ")
	shown := e.Alone
	if !t.o.Verbose && len(shown) > aloneShown+1 {
		shown = shown[:aloneShown]
	}
	var mutants []string
	for _, m := range shown {
		mutants = append(mutants, fmt.Sprintf("%s at %s:%d", m.ID, t.file(m.File), m.Line))
	}
	if n := len(e.Alone) - len(shown); n > 0 {
		mutants = append(mutants, fmt.Sprintf("%d more; -v shows them", n))
	}
	if len(mutants) > 0 {
		t.linef("      alone: %s", strings.Join(mutants, ", "))
	}
	if !t.o.Verbose {
		return
	}
	for _, v := range e.Values {
		t.linef("      %s", v.Name)
		t.linef("        %s", strings.ReplaceAll(v.Text, "\n", "\n        "))
	}
}

// reason says what an entry is kept for.
func reason(e *report.ListedEntry) string {
	if e.Failure != "" {
		return "the fuzz target fails: " + e.Failure
	}
	parts := []string{"kills " + report.Plural(e.Kills, "mutant")}
	if n := len(e.Alone); n > 0 {
		parts[0] += fmt.Sprintf(", %d alone", n)
	}
	blocks := "covers " + report.Plural(e.Blocks, "block")
	if e.AloneBlocks > 0 {
		blocks += fmt.Sprintf(", %d alone", e.AloneBlocks)
	}
	parts = append(parts, blocks)
	if n := len(e.Values); n > 0 {
		parts = append(parts, report.Plural(n, "golden value"))
	} else {
		parts = append(parts, "no golden values")
	}
	switch {
	case e.Origin == report.OriginSeed:
		parts = append(parts, "a seed of f.Add")
	case e.Origin == report.OriginUser:
		parts = append(parts, "yours")
	case len(e.Alone) == 0 && e.AloneBlocks == 0:
		parts = append(parts, "needed for nothing alone")
	}
	return strings.Join(parts, "; ")
}
