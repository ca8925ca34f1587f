package lines_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/lines"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestLines(t *testing.T) {
	seen := reporttest.Mutant("s", "sub", 10, report.Survived, 3, 1)
	seen.Seen = &report.Seen{Test: "TestSub", Call: "calc.Sub", File: "calc_test.go", Line: 7, Value: "result 0 (string)", Text: "\"a\x1b\" vs \"b\""}
	abs := reporttest.Mutant("t", "add", 11, report.Survived, 3, 0)
	abs.File = filepath.Join(t.TempDir(), "x.go")
	var b bytes.Buffer
	if err := (lines.Format{Root: ".."}).Write(&b, &report.TestReport{Mutants: []report.Mutant{seen, abs}}); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join("..", "eval.go") + ":10:9: note: No test notices this mutant: changed > to >=. " +
		"calc_test.go:7 (TestSub) does not check result 0 (string) of calc.Sub: \"a\x1b\" vs \"b\".\n" +
		abs.File + ":11:9: note: No test notices this mutant: changed > to >=.\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	// Each notice is one line, and what has no place has none.
	b.Reset()
	if err := (lines.Format{}).Write(&b, reporttest.Verified()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if !strings.Contains(line, ": warning: ") {
			t.Errorf("%q", line)
		}
	}
	b.Reset()
	sorted := reporttest.Triaged()
	sorted.Tests[0].File = ""
	if err := (lines.Format{}).Write(&b, sorted); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("%q, %v", b.String(), err)
	}
	b.Reset()
	if err := (lines.Format{}).Write(&b, reporttest.Triaged()); err != nil || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("%q, %v", b.String(), err)
	}
}
