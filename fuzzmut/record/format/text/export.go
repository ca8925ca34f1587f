package text

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// exported writes the result of writing corpora for other fuzzers.
func (t *text) exported(e *report.Export) {
	files := 0
	for i := range e.Tests {
		x := &e.Tests[i]
		files += x.Files
		switch {
		case t.o.Quiet:
		case x.Reason != "":
			t.linef("%s  %s: left out: %s", x.Name, x.Package, x.Reason)
		default:
			t.linef("%s  %s: %s in %s, %s in %s", x.Name, x.Package,
				report.Plural(x.Files, "file"), x.Dir+x.Archive, report.Plural(x.Tokens, "token"), x.Dictionary)
			if x.Left > 0 {
				t.linef("    %s without bytes in layout %s %s left out", report.Plural(x.Left, "entry"), x.Layout, report.Verb(x.Left, "is", "are"))
			}
		}
	}
	t.linef("%s exported", report.Plural(files, "file"))
}
