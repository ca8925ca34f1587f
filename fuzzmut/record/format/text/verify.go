package text

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// filesShown bounds the files shown of a fuzz test, in a text that is not verbose.
const filesShown = 5

// verification writes what became of golden values.
func (t *text) verification(v *report.Verification) {
	entries, values, written, removed, none := 0, 0, 0, 0, 0
	nothing, cut := "", false
	for i := range v.Tests {
		test := &v.Tests[i]
		entries, values = entries+test.Entries, values+test.Values
		written, removed = written+len(test.Written), removed+len(test.Removed)
		cut = cut || test.Cut
		if test.None && test.Nothing == "" {
			none++
		}
		if nothing == "" {
			nothing = test.Nothing
		}
		if !t.o.Quiet {
			t.verified(test)
		}
	}
	for _, path := range v.Generated {
		what := "go test compares the golden values, without fuzzmut"
		if strings.HasPrefix(filepath.Base(path), "fuzzmut_golden_") {
			what = "helpers of these tests"
		}
		t.linef("%s written: %s", path, what)
	}
	switch {
	case v.Differences() > 0:
		t.linef("%s", v.Unlike())
	case written+removed > 0:
		t.linef("golden values accepted: %s written, %d removed", report.Plural(written, "entry"), removed)
	case cut:
		t.linef("golden values not verified: the run did not reach its end")
	case entries > 0:
		t.linef("golden values verified: %s of %s", report.Plural(values, "value"), report.Plural(entries, "entry"))
		if none > 0 {
			t.linef("%s without golden values; %s records them", report.Plural(none, "fuzz test"), v.Next)
		}
	case nothing != "" && none == 0:
		t.linef("no golden values: %s", nothing)
	default:
		t.linef("no golden values; %s records them", v.Next)
	}
}

// verified writes what became of one fuzz test.
func (t *text) verified(f *report.VerifiedTest) {
	t.linef("%s  %s  %s", f.Name, f.Package, summary(f))
	t.causes(f)
	if t.o.Verbose {
		for _, e := range f.Known {
			t.linef("  known failure: %s", e)
		}
	}
	if f.Updated && !t.o.Verbose {
		return
	}
	for i, p := range f.Files {
		if i == filesShown && !t.o.Verbose {
			t.linef("  %d more like these; -v shows them", len(f.Files)-i)
			break
		}
		where := p.Path
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
		t.linef("  %s: %s: %s", where, p.Kind, p.Text)
	}
}

// summary is what became of a fuzz test, in one line.
func summary(f *report.VerifiedTest) string {
	if f.None {
		return strings.TrimSuffix("no golden values: "+f.Nothing, ": ")
	}
	if f.Cut {
		return "not verified to its end"
	}
	if f.Entries == 0 && slices.ContainsFunc(f.Files, func(p report.FileProblem) bool { return p.Kind == report.FileOutdated }) {
		return "golden values of an earlier fuzzmut"
	}
	parts := []string{report.Plural(f.Entries, "entry"), report.Plural(f.Values, "value") + " unchanged"}
	if f.Unstable > 0 {
		parts = append(parts, fmt.Sprintf("%d unstable", f.Unstable))
	}
	if f.Changed > 0 {
		parts = append(parts, fmt.Sprintf("%d changed", f.Changed))
	}
	if f.Failing > 0 {
		parts = append(parts, report.Plural(f.Failing, "entry")+" "+report.Verb(f.Failing, "fails", "fail"))
	}
	if n := len(f.Known); n > 0 {
		parts = append(parts, report.Plural(n, "known failure")+" skipped")
	}
	if f.Updated {
		parts = append(parts, report.Plural(len(f.Written), "entry")+" written", fmt.Sprintf("%d removed", len(f.Removed)))
	}
	return strings.Join(parts, ", ")
}
