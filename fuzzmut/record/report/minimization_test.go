package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func minimization() *Minimization {
	return &Minimization{
		By: "kills,coverage",
		Tests: []Shrunk{{
			Package: "example.com/m", Name: "FuzzA", Dir: "/m/testdata/fuzz/FuzzA", Seeds: 1, Mutants: 90, Blocks: 40, Own: 2,
			Before: CorpusSize{Files: 1200, Bytes: 34567, Killed: 80, Covered: 39}, After: CorpusSize{Files: 12, Bytes: 345, Killed: 80, Covered: 39},
			Failing: []string{"/m/testdata/fuzz/FuzzA/f"}, Warnings: []string{"w"}, WallSeconds: 1.26,
			Removed: strings.Fields("a b c d e f g h i j k l"),
		}},
		Stale: []StaleEntry{
			{Path: "/m/x", Reason: "has no use", Fix: "-prune removes it", Managed: true},
			{Path: "/m/y", Reason: "has no use", Removed: true},
		},
	}
}

func TestMinimizationText(t *testing.T) {
	var buf bytes.Buffer
	if err := minimization().WriteText(&buf, TextOptions{}); err != nil {
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
	m := minimization()
	m.DryRun = true
	if err := m.WriteText(&buf, TextOptions{Quiet: true}); err != nil || strings.Count(buf.String(), "\n") != 1 || !strings.Contains(buf.String(), "dry run") {
		t.Errorf("quiet: %q, %v", buf.String(), err)
	}
	buf.Reset()
	if err := m.WriteText(&buf, TextOptions{Verbose: true}); err != nil || !strings.Contains(buf.String(), "\n    l\n") || !strings.Contains(buf.String(), "to be removed from") {
		t.Errorf("verbose: %q, %v", buf.String(), err)
	}
}

func TestMinimizationJSONHasNoNull(t *testing.T) {
	var buf bytes.Buffer
	for _, m := range []*Minimization{{}, {Tests: []Shrunk{{}}}, minimization()} {
		if err := m.WriteJSON(&buf); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(buf.String(), "null") || strings.Count(buf.String(), `"version": 1`) != 3 {
		t.Errorf("%s", buf.String())
	}
}
