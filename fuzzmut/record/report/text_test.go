package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); -update rewrites it:\n%s", path, diff)
	}
}

const sampleDiff = `--- a/eval.go
+++ b/eval.go
@@ -5,7 +5,7 @@
 
 func add(x, y int64) (int64, error) {
 	sum := x + y
-	if (sum > x) != (y > 0) {
+	if (sum >= x) != (y > 0) {
 		return 0, ErrOverflow
 	}
 	return sum, nil
`

// mutant makes a mutant in function fn with a fate.
func mutant(id, fn string, line int, status string, reached, infected int64) Mutant {
	m := Mutant{
		ID: id, Operator: "conditional-boundary", Package: "example.com/calc", Function: fn,
		File: "eval.go", Line: line, Column: 9, Original: "sum > x", Replacement: "sum >= x",
		Description: "changed > to >=", Status: status, Reached: reached, Infected: infected,
	}
	switch status {
	case Survived:
		m.Diff = sampleDiff
	case Skipped:
		m.Reason = "directive: debugging aid"
	case Static:
		m.Reason = "package-level initialiser"
	}
	return m
}

func killed(id string, line int, kind string) Mutant {
	m := mutant(id, "add", line, Killed, 10, 5)
	m.KillKind, m.KilledBy = kind, "seed#0"
	return m
}

// sample is a report with everything that can occur.
func sample() *Report {
	mutants := []Mutant{
		killed("k1", 10, "assertion"),
		killed("k2", 11, "panic"),
		killed("k3", 12, "difference"),
		killed("k4", 13, "difference"),
		mutant("n1", "pow", 90, NotCovered, 0, 0),
		mutant("n2", "pow", 91, NotCovered, 0, 0),
		mutant("n3", "mod", 80, NotCovered, 0, 0),
		mutant("x1", "", 3, Static, 0, 0),
		mutant("x2", "String", 4, Skipped, 0, 0),
	}
	for i := range 12 {
		mutants = append(mutants, mutant("s"+string(rune('a'+i)), "sub", 30+i, Survived, 100, int64(i)))
	}
	mutants = append(mutants, mutant("sm", "add", 60, Survived, 7, 0), mutant("sn", "add", 61, Survived, 7, 2))
	Classify(mutants)
	eval := FuzzTest{
		Package: "example.com/calc", Name: "FuzzEval", Engine: "guided", Filter: "adaptive", Seed: 1,
		Executions: 1234567, MutantExecutions: 45678, WallSeconds: 71.25, CPUSeconds: 120, FuzzSeconds: 60, ExecsPerSecond: 20576.1,
		Corpus:   Corpus{Before: 13, Added: 2, After: 15, Found: 40, Dir: "/calc/testdata/fuzz/FuzzEval", Files: []string{"fuzzmut-1", "fuzzmut-2"}},
		Coverage: Coverage{Blocks: 90, Covered: 89},
		Mutants:  mutants, Score: Summarise(mutants),
		Sites: Sites{
			Sites: 1200, Mutated: 1100, LeftOut: map[string]int{"cgo file": 7, "a": 3, "b": 3},
			Suppressed: map[string]int{"table of a package-level variable": 80, "logging call": 7},
		},
		Unstable: []string{"result 0 of calc.Now (calc_test.go:9) differs from run to run"},
		Warnings: []string{"new inputs can't be kept in Go's fuzz cache: read-only file system"},
	}
	run := FuzzTest{
		Package: "example.com/calc", Name: "FuzzRun", Engine: "guided", Filter: "none", Seed: 1, Interrupted: true,
		Executions: 5, WallSeconds: 0.5, FuzzSeconds: 0.5, ExecsPerSecond: 10,
		Crashes: []Crash{
			{
				Kind: "panic", Message: "index out of range [2] with length 2\nmore", Count: 1,
				Frames: []string{
					"example.com/calc.(*S).nth calc.go:151", "example.com/calc.look calc.go:160",
					"calc.Exec calc.go:30", "calc.Run calc.go:10",
				},
				Entries: []string{"/calc/testdata/fuzz/FuzzRun/a1"},
				Repro:   "go test -run='^FuzzRun$/^a1$' .",
			},
			{Kind: "hang", Message: "it does not end", Count: 1500, Entries: []string{"1", "2", "3", "4", "5"}},
		},
	}
	return &Report{Version: FormatVersion, Tests: []FuzzTest{eval, run}, Next: []string{run.Crashes[0].Repro, "git add testdata/fuzz"}}
}

func TestReportText(t *testing.T) {
	for name, opts := range map[string]TextOptions{
		"report.golden":         {},
		"report-verbose.golden": {Verbose: true},
		"report-quiet.golden":   {Quiet: true},
	} {
		var buf bytes.Buffer
		if err := sample().WriteText(&buf, opts); err != nil {
			t.Fatal(err)
		}
		golden(t, name, buf.Bytes())
	}
}

// A figure that was not measured is shown nowhere.
func TestWhatWasNotMeasuredIsNoFigure(t *testing.T) {
	r := sample()
	f := &r.Tests[0]
	f.Interrupted, f.NotMeasured, f.Coverage = true, "interrupted while entries were chosen", Coverage{Blocks: 90}
	for i := range f.Mutants {
		f.Mutants[i].Status = Pending
	}
	Classify(f.Mutants)
	f.Score = Summarise(f.Mutants)
	var text, list bytes.Buffer
	if err := errors.Join(r.WriteText(&text, TextOptions{Verbose: true}), r.WriteJSON(&list)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\n  mutation score and coverage not measured: interrupted while entries were chosen\n") ||
		!strings.Contains(text.String(), "\n2 fuzz tests: mutation score not measured, ") {
		t.Error("the text does not say that nothing was measured")
	}
	if strings.Contains(text.String(), "0.0 %") || strings.Contains(text.String(), "blocks") {
		t.Error("the text has figures")
	}
	if t.Failed() {
		t.Log(text.String())
	}
	var out struct{ Tests []map[string]any }
	if err := json.Unmarshal(list.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	for i, measured := range []bool{false, true} {
		for _, member := range []string{"score", "coverage"} {
			if _, ok := out.Tests[i][member]; ok != measured {
				t.Errorf("test %d: has %s: %v", i, member, ok)
			}
		}
	}
}

func TestReportWithoutTestsSaysSo(t *testing.T) {
	var buf bytes.Buffer
	if err := new(Report).WriteText(&buf, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := buf.String(); got != "no fuzz test was run\n" {
		t.Errorf("got %q", got)
	}
}

func TestListingText(t *testing.T) {
	l := &Listing{Mutants: []Mutant{
		mutant("a", "add", 3, Pending, 0, 0),
		mutant("b", "", 4, Static, 0, 0),
		mutant("c", "sub", 5, Skipped, 0, 0),
	}}
	l.Mutants[0].Original = "{\n\t\treturn 1\n\t}"
	l.Mutants[0].Replacement = ""
	var buf bytes.Buffer
	if err := l.WriteText(&buf, false, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "listing.golden", buf.Bytes())
	buf.Reset()
	if err := l.WriteText(&buf, true, false); err != nil {
		t.Fatal(err)
	}
	if got, want := buf.String(), "3 mutants, 1 static, 1 skipped\n"; got != want {
		t.Errorf("quiet: got %q, want %q", got, want)
	}
	buf.Reset()
	l = &Listing{Skips: []Skip{{File: "a.go", Line: 2, What: "f", Reason: "no body"}}}
	if err := l.WriteText(&buf, false, true); err != nil {
		t.Fatal(err)
	}
	if got, want := buf.String(), "left out: a.go:2 f: no body\n0 mutants, 0 static, 0 skipped\n"; got != want {
		t.Errorf("verbose: got %q, want %q", got, want)
	}
}

func TestPercentNeverRoundsUpToAll(t *testing.T) {
	for fraction, want := range map[float64]string{
		0: "0.0 %", 1: "100.0 %", 0.99999: "99.9 %", 0.29: "29.0 %", 2.0 / 3: "66.6 %", 0.7: "70.0 %",
	} {
		if got := percent(fraction); got != want {
			t.Errorf("percent(%v) = %q, want %q", fraction, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1 entry":       Plural(1, "entry"),
		"2 entries":     Plural(2, "entry"),
		"0 mutants":     Plural(0, "mutant"),
		"1,000 mutants": Plural(1000, "mutant"),
		"3 more":        Plural(3, "more"),
		"999 buckets":   Plural(999, "bucket"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := group(-1234567); got != "-1,234,567" {
		t.Errorf("group: got %q", got)
	}
}
