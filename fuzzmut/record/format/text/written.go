package text

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// written writes the result of writing derived fuzz tests.
func (t *text) written(r *report.Written) {
	get := ""
	for _, x := range r.Tests {
		if !t.o.Quiet {
			with := ""
			if x.Entries > 0 {
				with = ", with " + report.Plural(x.Entries, "entry") + " of its corpus"
			}
			if x.Golden > 0 {
				with += fmt.Sprintf(" and golden values of %d", x.Golden)
			}
			t.linef("%s  %s: %s, for %s%s", x.Name, x.Package, t.file(x.Path), x.Function, with)
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
