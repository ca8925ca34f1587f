package text

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// written writes the result of writing derived fuzz tests.
func (t *text) written(r *report.Written) {
	get := ""
	for _, x := range r.Tests {
		if !t.o.Quiet {
			t.linef("%s  %s: %s, for %s, with %s of its corpus and golden values of %d", x.Name, x.Package, t.file(x.Path), x.Function,
				report.Plural(x.Entries, "entry"), x.Golden)
		}
		if x.GoGet != "" {
			get = x.GoGet
		}
	}
	if get != "" {
		t.linef("go get -t %s is needed so that go test can compile its imports", get)
	}
	t.linef("%s written", report.Plural(len(r.Tests), "fuzz test"))
}
