package text

import "github.com/fuzzmut/fuzzmut/fuzzmut/record/report"

// vetted writes the mistakes that vet has found, one a line.
func (t *text) vetted(r *report.Vetting) {
	if !t.o.Quiet {
		for i := range r.Findings {
			f := &r.Findings[i]
			t.linef("%s:%d:%d: %s (%s)", t.file(f.File), f.Line, f.Column, f.Text, f.Check)
		}
	}
	count := "no mistakes"
	if n := len(r.Findings); n > 0 {
		count = report.Plural(n, "mistake")
	}
	t.linef("%s in %s", count, report.Plural(r.Packages, "package"))
}
