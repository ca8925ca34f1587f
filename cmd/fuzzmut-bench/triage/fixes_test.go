package triage

import (
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashers"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestFixTouches(t *testing.T) {
	f := fix{Lines: []span{{File: "a.go", First: 3, Last: 4}, {File: "sub/b.go", First: 9, Last: 9}}}
	for _, c := range []struct {
		file        string
		first, last int
		want        bool
	}{
		{"a.go", 3, 3, true},
		{"a.go", 1, 3, true},
		{"a.go", 4, 8, true},
		{"a.go", 1, 9, true},
		{"a.go", 2, 2, false},
		{"a.go", 5, 5, false},
		{"sub/b.go", 9, 9, true},
		{"b.go", 9, 9, false},
	} {
		if got := f.touches(c.file, c.first, c.last); got != c.want {
			t.Errorf("%s:%d-%d: %v", c.file, c.first, c.last, got)
		}
	}
}

// locatable is a report of three bugs: A has two buckets, and a repair at the fix in
// third place of the larger one; B has none that counts, and in second place what breaks
// something; C's input passes.
func locatable() *report.Triage {
	in := func(label string, bucket int, repairs ...int) report.FailingInput {
		return report.FailingInput{Label: label, Bucket: bucket, Rank: bucket, Repairs: repairs}
	}
	return &report.Triage{
		Repairs: []report.Repair{
			{File: "a.go", Line: 1, EndLine: 1, Counts: true},
			{File: "a.go", Line: 5, EndLine: 7, Counts: true},
			{File: "b.go", Line: 5, EndLine: 5, Counts: true},
			{File: "b.go", Line: 2, EndLine: 2},
		},
		Inputs: []report.FailingInput{in("A", 1, 0), in("A", 2, 0, 1, 2), in("A", 2, 0, 1, 2), in("B", 3, 3), in("C", 0)},
		Buckets: []report.Bucket{
			{Repairs: []report.RankedRepair{{Repair: 0}}},
			{
				Repairs: []report.RankedRepair{{Repair: 0}, {Repair: 2}, {Repair: 1}},
				Places: []report.Place{
					{Localiser: "muse", File: "a.go", Line: 6, EndLine: 6},
					{Localiser: "ochiai", File: "b.go", Line: 6, EndLine: 9},
					{Localiser: "ochiai", File: "a.go", Line: 4, EndLine: 8},
					{Localiser: "muse", File: "a.go", Line: 6, EndLine: 6},
				},
			},
			{Noisy: []report.RankedRepair{{Repair: 0}, {Repair: 3}}},
		},
	}
}

func TestLocate(t *testing.T) {
	fixes := map[string]fix{
		"A": {Source: "releases", Lines: []span{{"a.go", 6, 6}}},
		"B": {Source: "function", Lines: []span{{"b.go", 1, 9}}},
		"C": {Lines: []span{{"b.go", 1, 9}}},
		"D": {Lines: []span{{"b.go", 1, 9}}},
	}
	got := locate(locatable(), fixes)
	want := []located{
		{Bug: "A", Source: "releases", Inputs: 2, Repairable: true, At: atClean, Places: map[string]int{"repair": 3, "muse": 1, "ochiai": 2}},
		{Bug: "B", Source: "function", Inputs: 1, At: atNoisy, Places: map[string]int{"repair": 2}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', 0)
	printLocated(w, []*triaged{{Module: "m", Located: got}})
	w.Flush()
	table := squeezed(out.String())
	for _, line := range []string{
		"m A true clean releases 3 - 1 - - 2",
		"m B false noisy function 2 - - - - -",
		"in all 1 of 2 1 clean",
		"within 5, of the repairable 1 of 1 0 of 1 1 of 1 0 of 1 0 of 1 1 of 1",
	} {
		if !strings.Contains(table, line) {
			t.Errorf("the table has no %q:\n%s", line, &out)
		}
	}
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestFixesAreOfKnownBugs: each fix is of a bug with labels, by the commit that the
// labels name, in lines that can be; and of the version that is described there is
// one.
func TestFixesAreOfKnownBugs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "crashers", "*", "fixes.json"))
	if err != nil || len(files) < 7 {
		t.Fatalf("fixes %v, error %v", files, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		all, err := readFixes(file)
		if err != nil {
			t.Error(err)
			continue
		}
		labels, err := crashers.ReadLabels(filepath.Join(dir, "labels.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		commits := make(map[string]string)
		for _, l := range labels {
			commits[l.Bug] = l.Fix
		}
		if _, version, _, err := crashers.Description(dir); err != nil || len(all[version]) == 0 {
			t.Errorf("%s: none is of the version that the README describes (%v)", file, err)
		}
		for version, fixes := range all {
			for bug, f := range fixes {
				if f.Commit == "" || commits[bug] != f.Commit || f.Source == "" || len(f.Lines) == 0 {
					t.Errorf("%s: %s %s: %+v, want commit %q", file, version, bug, f, commits[bug])
				}
				for _, l := range f.Lines {
					if l.File == "" || l.First < 1 || l.Last < l.First {
						t.Errorf("%s: %s %s: lines %+v", file, version, bug, l)
					}
				}
			}
		}
	}
}

// The threshold that suits a module has no say in what is chosen for it.
func TestThresholdIsChosenByTheOthers(t *testing.T) {
	flat := func(value float64, better map[int]float64) []float64 {
		list := make([]float64, len(mergeThresholds))
		for i := range list {
			list[i] = value
		}
		for i, v := range better {
			list[i] = v
		}
		return list
	}
	agreements := [][]float64{
		flat(0, map[int]float64{0: 1}),
		flat(0.5, map[int]float64{3: 0.75, 5: 0.75}),
		flat(0.5, map[int]float64{5: 0.75}),
		flat(0.5, nil),
	}
	if got := chosenWithout(agreements, 0); got != mergeThresholds[5] {
		t.Errorf("without the first %v", got)
	}
	if got := chosenWithout(agreements, 1); got != mergeThresholds[0] {
		t.Errorf("without the second %v", got)
	}
	if got := chosenWithout([][]float64{flat(0, nil), flat(0.5, map[int]float64{3: 0.75, 4: 0.75, 5: 0.75, 9: 0.6})}, 0); got != mergeThresholds[4] {
		t.Errorf("not the middle of what is as good, but %v", got)
	}
}
