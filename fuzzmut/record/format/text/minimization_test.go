package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestMinimizationText(t *testing.T) {
	var buf bytes.Buffer
	if err := (Format{}).Write(&buf, reporttest.Minimized()); err != nil {
		t.Fatal(err)
	}
	want := `FuzzA  example.com/m  (by kills,coverage)
  files: 1,200 → 12, bytes: 34,567 → 345, in 1.3 s
  mutants killed: 80 → 80 of 90
  blocks covered: 39 → 39 of 40
  not written by fuzzmut, kept: 2 files
  fails, kept: /m/testdata/fuzz/FuzzA/f
  warning: w
  removed from /m/testdata/fuzz/FuzzA:
    a
    b
    c
    d
    e
    f
    g
    h
    i
    j
    and 2 more; -v shows all

unusable entries: 2
    /m/x has no use; -prune removes it
    /m/y has no use; removed

1 fuzz test: 12 files of 1,200 kept, 345 bytes of 34,567
`
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	buf.Reset()
	m := reporttest.Minimized()
	m.DryRun = true
	if err := (Format{Quiet: true}).Write(&buf, m); err != nil || strings.Count(buf.String(), "\n") != 1 || !strings.Contains(buf.String(), "dry run") {
		t.Errorf("quiet: %q, %v", buf.String(), err)
	}
	buf.Reset()
	if err := (Format{Verbose: true}).Write(&buf, m); err != nil || !strings.Contains(buf.String(), "\n    l\n") || !strings.Contains(buf.String(), "to be removed from") {
		t.Errorf("verbose: %q, %v", buf.String(), err)
	}
}
