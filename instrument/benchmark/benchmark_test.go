package benchmark_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/benchmark"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
)

const code = `
func Use(s string) int { return len(s) }

func b() {}
`

const tests = `
func FuzzUse(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		if Use(strings.TrimSpace(s)) < 0 {
			t.Error("negative")
		}
	})
}

func FuzzBytes(f *testing.F) { f.Fuzz(bytesOf) }

func bytesOf(_ *testing.T, n int, s []byte) { Use(string(s)) }

func FuzzLocal(f *testing.F) {
	want := 1
	f.Fuzz(func(t *testing.T, s string) { _ = Use(s) + want })
}

func FuzzElsewhere(f *testing.F) { run(f) }

func run(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }

func FuzzShadowed(f *testing.F) { f.Fuzz(func(*testing.T, string) { b() }) }

func BenchmarkFuzzUse_2(*testing.B) {}
`

// What is generated compiles, and runs the fuzz target at each length.
func TestBenchmarksRun(t *testing.T) {
	r := loadtest.Typed(t, code, tests)
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.18\n", "m.go": "package m\n" + code, "m_test.go": "package m\n\nimport (\n\"strings\"\n\"testing\"\n)\n" + tests}
	use, why, err := benchmark.Generate(r, "FuzzUse", []benchmark.Case{
		{Args: []string{`""`}, Text: `"<" + strings.Repeat("a", n) + ">"`, Times: []int{10, 20}, Comment: "work grows as length^2.0"},
		{Args: []string{`""`}, Text: `numbered("x", ";", n)`, Letters: true, Times: []int{30}, Comment: "work grows as length^2.0"},
	})
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	inBytes, why, err := benchmark.Generate(r, "FuzzBytes", []benchmark.Case{
		{Args: []string{"int(7)", `[]byte("")`}, Grows: 1, Text: `numbered("x", ";", n)`, Times: []int{11}, Comment: "work grows as length^2.0"},
	})
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	if use.Name != "use_cost_test.go" || strings.Join(use.Names, " ") != "BenchmarkFuzzUse BenchmarkFuzzUse_2_" {
		t.Errorf("%s with %q", use.Name, use.Names)
	}
	if !benchmark.Generated(use.Src, "FuzzUse") || benchmark.Generated(use.Src, "FuzzBytes") || benchmark.Generated([]byte(files["m_test.go"]), "FuzzUse") {
		t.Error("what is generated is not told from what is not")
	}
	files[use.Name], files[inBytes.Name] = string(use.Src), string(inBytes.Src)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-vet=all", "-run=^$", "-bench=.", "-benchtime=1x")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, use.Src)
	}
	for _, want := range []string{"BenchmarkFuzzUse/12_bytes", "BenchmarkFuzzUse/22_bytes", "BenchmarkFuzzUse_2_/94_bytes", "BenchmarkFuzzBytes/34_bytes"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is missing:\n%s", want, out)
		}
	}
}

func TestTargetsThatCannotBeHadApart(t *testing.T) {
	r := loadtest.Typed(t, code, tests)
	for fuzz, want := range map[string]string{
		"FuzzLocal":     "its fuzz target uses want of the fuzz test",
		"FuzzElsewhere": "its fuzz target is handed over by another function",
		"FuzzShadowed":  "its fuzz target refers to b, which a benchmark declares",
		"FuzzDerived":   "it stands in no file: -write-test writes it into one",
	} {
		if f, why, err := benchmark.Generate(r, fuzz, nil); f != nil || why != want || err != nil {
			t.Errorf("%s: %v, %q, %v", fuzz, f, why, err)
		}
	}
}
