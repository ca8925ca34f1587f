package text

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// shown says which mutants are asked for: of those that live, the accepted ones only if
// everything is shown, in a result that is judged by new ones not those that another fuzz test
// kills, and in that of a regeneration not those of code that has not changed.
func (t *text) shown(f *report.FuzzTest) func(*report.Mutant) bool {
	return func(m *report.Mutant) bool {
		switch {
		case m.Status != report.Survived && m.Status != report.NotCovered:
			return true
		case t.newOnly && m.Baseline != report.New, f.Regenerated.Functions > 0 && !m.Changed:
			return false
		}
		return t.o.Verbose || m.Baseline != report.Accepted
	}
}

// staleShown bounds the list of stale entries in a text report that is not verbose.
const staleShown = 5

// baseline says how the result compares with the accepted mutants.
func (t *text) baseline(b *report.Baseline) {
	if b.File == "" {
		return
	}
	t.linef("%s: %s accepted, %d of them without a reason; %d new", b.File, report.Plural(b.Accepted, "live mutant"), b.Unexplained, b.New)
	shown := b.Stale
	if !t.o.Verbose {
		shown = shown[:min(staleShown, len(shown))]
	}
	for _, s := range shown {
		t.linef("  no longer needed: %s of %s is %s", s.ID, s.Package, s.Status)
	}
	if n := len(b.Stale) - len(shown); n > 0 {
		t.linef("  and %s; -v lists them", report.Plural(n, "more"))
	}
	switch {
	case b.Written:
		t.linef("  the list was updated: new mutants were added, entries no longer needed removed")
	case len(b.Stale) > 0:
		t.linef("  -write-baseline removes them")
	}
	t.linef("")
}
