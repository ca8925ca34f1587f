package cost

import (
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// What is written for a report is a package with a fuzz test.
func TestReportsCanBeWritten(t *testing.T) {
	names := make(map[string]bool)
	list := slices.Clone(reports)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		list = append(list, asked[name]...)
	}
	reported := len(list)
	for i, k := range slices.Concat(list, unreported) {
		if names[k.Name] && i < reported || k.Before == k.After || (k.Report != "") != (i < reported) {
			t.Errorf("%+v", k)
		}
		names[k.Name] = true
		for name, text := range k.files("example.com/m", "v1") {
			if filepath.Ext(name) != ".go" {
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
}

func TestPackagesOfTheStandardLibraryAreCopied(t *testing.T) {
	dir := t.TempDir()
	k := &known{Package: "encoding/pem"}
	if err := k.copyStd(t.Context(), dir, "local"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pem.go")); err != nil || k.mutate("example.com/m") != "example.com/m/copied" {
		t.Error(err, k.mutate("example.com/m"))
	}
	if _, err := os.Stat(filepath.Join(dir, "pem_test.go")); err == nil {
		t.Error("tests are copied")
	}
}

func TestPackagesAreChosenByName(t *testing.T) {
	if _, err := chosen(unreported, []string{"nope"}); err == nil {
		t.Error("no name is like that")
	}
	if list, err := chosen(unreported, []string{"csv"}); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}

func TestPlace(t *testing.T) {
	if got := place("html.(*parser).x  /a/b/parse.go:12"); got != "parse.go:12" {
		t.Errorf("%q", got)
	}
}

func TestIntervalOfRatios(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	mean, low, high := interval([][]float64{{0.5, 0.5}, {2, 2}})
	if !near(mean, 1) || !near(low, 1) || !near(high, 1) {
		t.Error("packages that differ, pairs that do not:", mean, low, high)
	}
	// Logarithms of 0 and 2: their mean is 1, its standard error 1.
	mean, low, high = interval([][]float64{{1, math.Exp(2)}})
	if !near(mean, math.E) || !near(low, math.Exp(-1)) || !near(high, math.Exp(3)) {
		t.Error(mean, low, high)
	}
	if _, low, _ = interval([][]float64{{1}}); !math.IsNaN(low) {
		t.Error("an interval of one pair:", low)
	}
}

// What was found before a fix runs without fuzzmut, with the text that was measured.
func TestFindsAreReplayed(t *testing.T) {
	dir := t.TempDir()
	entry := filepath.Join(dir, "hang")
	if err := os.WriteFile(entry, []byte("go test fuzz v1\nstring(\"a\\nb\")\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	found := &report.FuzzTest{
		Costs:   []report.Cost{{Pump: `numbered("x", ";", n)`, Curve: []report.CostPoint{{Times: 30, Length: 64}}, Frames: []string{"p.F /p/p.go:3"}}},
		Crashes: []report.Crash{{Kind: "panic"}, {Kind: "hang", Entries: []string{"hang"}, Frames: []string{"p.G /p/p.go:9"}}},
	}
	list, err := findsOf(found, dir)
	if err != nil || len(list) != 2 || list[0].place != "p.go:3" || list[1].place != "p.go:9" || list[1].text != `"a\nb"` {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "replay_test.go", replayFile(list), 0); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ out, want string }{{"replayed 0.25\nPASS\n", "0.25 s"}, {"replayed 5.7e-06\n", "5.7e-06 s"}} {
		if got, err := seconds(c.out); got != c.want || err != nil {
			t.Errorf("%q: %q, %v", c.out, got, err)
		}
	}
	if _, err := seconds("testing: warning: no tests to run\n"); err == nil {
		t.Error("a run without an input is no error")
	}
}
