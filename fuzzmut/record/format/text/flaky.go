package text

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// flakes shows the failures that are flaky and count as found. The others are among
// the warnings.
func (t *text) flakes(f *report.FuzzTest) {
	sure := report.SureFlakes(f)
	if sure == 0 {
		return
	}
	t.linef("\n  flaky failures: %s", report.Plural(sure, "bucket"))
	for i := range f.Flaky {
		x := &f.Flaky[i]
		if !x.Sure {
			continue
		}
		t.linef("    %s: %s", x.Kind, firstLine(x.Message))
		t.frames(x.Frames)
		t.linef("      %s", x)
		if x.Entry != "" {
			t.linef("      input %s", x.Entry)
		}
		if x.Repro != "" {
			t.linef("      %s", x.Repro)
		}
	}
}
