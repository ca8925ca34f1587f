package values

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParseHunt(t *testing.T) {
	for _, c := range []struct {
		text string
		runs int
		ok   bool
	}{
		{"", 0, true},
		{"\n\n", 0, true},
		{`{"fault": 1}{"fault": 2}`, 2, true},
		{"{\"fault\": 1}\n{\"fa", 0, false},
		{`{"tests": -1.5}`, 0, false},
		{`[]`, 0, false},
	} {
		runs, err := parseHunt([]byte(c.text))
		if len(runs) != c.runs || (err == nil) != c.ok {
			t.Errorf("%q: %d runs, %v", c.text, len(runs), err)
		}
	}
}

// Runs are summed up by strategy, in the order in which they came, and by fault, in the
// order of numbers.
func TestByStrategy(t *testing.T) {
	run := func(strategy string, fault, tests int, found bool) huntRun {
		return huntRun{Strategy: strategy, Fault: fault, Tests: tests, Passed: tests / 2, Seconds: 0.5, Found: found}
	}
	strategies, faults, cells := byStrategy([]huntRun{run("b", 10, 4, true), run("a", 2, 6, false), run("b", 10, 8, false), run("b", 2, 2, true)})
	if !slices.Equal(strategies, []string{"b", "a"}) || !slices.Equal(faults, []int{2, 10}) {
		t.Errorf("%q, %v", strategies, faults)
	}
	if c := *cells["b"][10]; c != (cell{runs: 2, found: 1, tests: 12, passed: 6, seconds: 1}) {
		t.Errorf("%+v", c)
	}
	if cells["a"][10] != nil {
		t.Errorf("%+v", cells["a"][10])
	}
	if strategies, faults, cells := byStrategy(nil); strategies != nil || faults != nil || len(cells) != 0 {
		t.Error("something of nothing")
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		cell *cell
		want string
	}{
		{nil, ""},
		{&cell{runs: 1, found: 1, tests: 3, seconds: 0.25}, "3 0.25s"},
		{&cell{runs: 3, found: 2, tests: 10, seconds: 30}, "3 10s 66%"},
		{&cell{runs: 2, tests: 10, seconds: 1}, "5 0.5s 0%"},
	} {
		if got := c.cell.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.cell, got, c.want)
		}
	}
}

// The best is who finds a fault most often, and of these who needs the fewest tests; of
// several alike each.
func TestIsBest(t *testing.T) {
	cells := map[string]map[int]*cell{
		"often": {1: {runs: 2, found: 2, tests: 100}, 2: {runs: 2, found: 2, tests: 50}, 3: {runs: 1}},
		"soon":  {1: {runs: 2, found: 1, tests: 10}, 2: {runs: 1, found: 1, tests: 25}, 3: {runs: 1}},
		"late":  {2: {runs: 2, found: 2, tests: 51}},
	}
	for _, c := range []struct {
		strategy string
		fault    int
		want     bool
	}{{"often", 1, true}, {"soon", 1, false}, {"often", 2, true}, {"soon", 2, true}, {"late", 2, false}, {"often", 3, false}, {"soon", 3, false}} {
		if got := isBest(cells, cells[c.strategy][c.fault], c.fault); got != c.want {
			t.Errorf("%s at fault %d: %v", c.strategy, c.fault, got)
		}
	}
}

func TestOperandsThatAreTraced(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"package p\n", "package p\n"},
		{"package p\n\nvar a = b && c\n", "package p\n\nvar a = b && trace.Here(0, c)\n"},
		{"package p\n\nvar a = b && c && d\n", "package p\n\nvar a = b && trace.Here(1, c) && trace.Here(0, d)\n"},
		{"package p\n\nvar a = b || (c && d)\n", "package p\n\nvar a = b || trace.Here(0, (c && trace.Here(1, d)))\n"},
		{"package p\n\nfunc f() { if a() && b() { for c || d { } } }\n", "package p\n\nfunc f() { if a() && trace.Here(0, b()) { for c || trace.Here(1, d) { } } }\n"},
		{"package p\n\nvar a = b &\n\tc\n", "package p\n\nvar a = b &\n\tc\n"},
	} {
		path := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(path, []byte(c.src), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := traceOperands(path, 0); got != c.want || err != nil {
			t.Errorf("%v:\n%s, want\n%s", err, got, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "p.go")
	if _, err := traceOperands(path, 0); err == nil {
		t.Error("no error without a file")
	}
	if err := os.WriteFile(path, []byte("package p\n\nfunc {"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := traceOperands(path, 0); err == nil {
		t.Error("no error of what does not parse")
	}
}

// The patches are those of the faults, each of a file that is traced, and none takes in the
// anchor of another one: they can be applied in their order.
func TestPatches(t *testing.T) {
	faults := make(map[string]bool)
	number := regexp.MustCompile(`fault\.On [!=]= (\d+)`)
	for i := range wasmPatches {
		p := &wasmPatches[i]
		if !slices.Contains(wasmTraced, p.file) {
			t.Errorf("patch %d is of %s, which is not traced", i, p.file)
		}
		if p.from == p.to || p.anchor == "" {
			t.Errorf("patch %d changes nothing: %+v", i, p)
		}
		for _, m := range number.FindAllStringSubmatch(p.to, -1) {
			faults[m[1]] = true
		}
		for k := range wasmPatches {
			if o := &wasmPatches[k]; k > i && o.file == p.file && o.anchor != p.anchor && strings.Contains(p.to, o.anchor) {
				t.Errorf("patch %d brings the anchor of patch %d", i, k)
			}
		}
		source := "before\n" + p.anchor + "\n" + p.from + " after"
		if strings.Contains(p.anchor, p.from) {
			source = "before\n" + p.anchor + " after"
		}
		got, err := p.apply(source)
		if want := strings.Replace(source, p.from, p.to, 1); err != nil || got != want {
			t.Errorf("patch %d: %v\n%s", i, err, got)
		}
	}
	if len(faults) != 15 {
		t.Errorf("%d faults: %v", len(faults), faults)
	}
}

// The workloads, their files and the contestants are there.
func TestWhatPropertiesNames(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for workload, files := range tracedProperties {
		for _, name := range files {
			if _, err := os.Stat(filepath.Join(root, propertiesDir(workload), name)); err != nil {
				t.Error(err)
			}
		}
		if faultsOf[workload] == 0 {
			t.Errorf("%s has no faults", workload)
		}
	}
	for name, c := range contestants {
		if info, err := os.Stat(filepath.Join(root, propertiesDir(c.dir))); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for machine, files := range traced {
		for _, name := range files {
			if _, err := os.Stat(filepath.Join(root, "testdata", "ifc", machine, name)); err != nil {
				t.Error(err)
			}
		}
		if publishedHunts[machine].title == "" {
			t.Errorf("there are no figures for %s", machine)
		}
	}
}
