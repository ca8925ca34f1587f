package values

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunsComeBackFromTheirFile(t *testing.T) {
	runs := []huntRun{
		{Machine: "stack", Strategy: "derived", Fault: 3, Seed: 7, Found: true, Tests: 100, Passed: 60, Seconds: 0.5},
		{Machine: "stack", Strategy: "blind", Fault: -1, Tests: 9},
	}
	path := filepath.Join(t.TempDir(), "runs")
	if err := writeHunt(path, runs); err != nil {
		t.Fatal(err)
	}
	got, err := readHunt(path)
	if diff := cmp.Diff(runs, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if err := os.WriteFile(path, []byte("{\"fault\": 1}\n{\"fault\": \"x\"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readHunt(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged file: %v", err)
	}
	if _, err := readHunt(path + "nosuch"); err == nil {
		t.Error("no error without a file")
	}
}

// The table has our figures, those that others have published, and a line for each
// strategy.
func TestHuntTable(t *testing.T) {
	run := func(strategy string, fault, tests int, found bool) huntRun {
		return huntRun{Machine: "stack", Strategy: strategy, Fault: fault, Tests: tests, Passed: tests / 2, Seconds: 2, Found: found}
	}
	runs := []huntRun{
		run("derived", 2, 1000, true), run("derived", 2, 3000, true), run("derived", 1, 8000, true), run("derived", 1, 8000, false),
		run("blind", 2, 9000, true), run("blind", 40, 10, true),
	}
	var out strings.Builder
	printHunt(&out, "stack", runs)
	lines := make(map[string][]string)
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 0 {
			lines[f[0]] = f[1:]
		}
	}
	for first, want := range map[string]string{
		"fault":    "derived blind MUTAGEN FuzzChick its paper",
		"1":        "8000 2s 50% 3633 13975 2.5s",
		"2":        "2000 2s 9000 2s 7122 23963 70% 3.0s",
		"40":       "10 2s",
		"derived:": "3 of 4 runs found their fault, 2500 tests a second of processor time, 50.0 % of them not discarded; fewer tests than MUTAGEN on 1 faults",
		"blind:":   "2 of 2 runs found their fault, 2252 tests a second of processor time, 50.0 % of them not discarded; fewer tests than MUTAGEN on 0 faults",
	} {
		if got := strings.Join(lines[first], " "); got != want {
			t.Errorf("%s: got %q, want %q", first, got, want)
		}
	}
	out.Reset()
	printHunt(&out, "register", runs)
	if strings.Contains(out.String(), "fewer tests than MUTAGEN") || !strings.Contains(out.String(), "351.6s") {
		t.Errorf("of a machine with one column of others' figures:\n%s", &out)
	}
}

func TestPublishedFigures(t *testing.T) {
	for machine, p := range publishedHunts {
		n := max(len(p.mutagen), len(p.chickSeconds))
		for what, list := range map[string]int{"mutagen": len(p.mutagen), "chick": len(p.chick), "share": len(p.chickShare), "names": len(p.names), "seconds": len(p.chickSeconds)} {
			if list != 0 && list != n {
				t.Errorf("%s: %d figures of %s, want %d", machine, list, what, n)
			}
		}
	}
	stack, wasm := publishedHunts["stack"], publishedHunts["wasm"]
	for got, want := range map[string]string{
		at(stack.chickSeconds, 10, "%.1f"): "never", at(stack.chickSeconds, 1, "%.1f"): "2.5", wasm.name(11): "I11", wasm.name(16): "16", wasm.name(-1): "-1",
		stack.chickText(1): "13975", stack.chickText(10): "11553 13%", "of no fault" + at(stack.mutagen, 0, "%.0f") + stack.chickText(21): "of no fault",
		orDefault("", "0"): "0", orDefault("1,2", "0"): "1,2",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if n := len(wasm.columns()); n != 1 {
		t.Errorf("%d columns for wasm, want that of MUTAGEN", n)
	}
}

func TestOperandsAreTraced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte("package p\n\nvar a = b && (c || d()) || e\n\nvar s = x + y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := traceOperands(path, 5)
	want := "package p\n\nvar a = b && trace.Here(6, (c || trace.Here(7, d()))) || trace.Here(5, e)\n\nvar s = x + y\n"
	if got != want || err != nil {
		t.Errorf("%v\n%s", err, got)
	}
	if got := addImport("// Package p.\npackage p\n\nfunc f() {}\n", "example.com/t"); got != "// Package p.\npackage p; import \"example.com/t\"\n\nfunc f() {}\n" {
		t.Errorf("got %q", got)
	}
}

func TestEndedByItsTime(t *testing.T) {
	for text, want := range map[string]bool{
		"SIGXCPU: cpu time limit exceeded\n": true, "fuzz: x\n fuzzing process hung or terminated unexpectedly: exit status 2": true, "panic: no": false, "": false,
	} {
		if outOfTime([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	b := &properties{tests: 9, time: 2e9}
	env := b.contestEnv("out", "rapid", "bst", 3)
	if want := []string{"CONTEST_OUT=out", "CONTEST_WORKLOAD=bst", "CONTEST_STRATEGY=rapid", "CONTEST_FAULT=3", "CONTEST_TESTS=9", "CONTEST_TIME=2s"}; !slices.Equal(env, want) {
		t.Errorf("got %q", env)
	}
}
