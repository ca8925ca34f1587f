// Package trialtest makes fuzz tests for the tests of what jobs share.
package trialtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Module writes a module of one package, example.com/p, to a new directory, which it
// returns: its code, its test file, and the entries of FuzzX, each of the values of one
// input. The test is skipped where tests are to be short: packages are built.
func Module(t *testing.T, code, tests string, entries ...[]any) (dir string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a package")
	}
	dir = Files(t, map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": "package p\n\n" + code,
		"p_test.go": "package p\n\nimport \"testing\"\n\n" + tests,
	})
	for _, values := range entries {
		e := corpus.Of(values...).Found()
		if _, err := corpus.WriteFile(corpus.TestdataDir(dir, "FuzzX"), e.Name, e.Input.Encode()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Files writes files below a new directory, which it returns: their texts, by their paths
// with slashes.
func Files(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Options are those of a run that does the same each time. Events go to the log of the test.
func Options(t *testing.T, dir string) project.Options {
	return project.Options{
		Dir: dir, Fuzz: "FuzzX", Parallel: 1, Seed: 1, FuzzTime: project.FuzzTime{Execs: 1000},
		Events: func(e project.Event) {
			switch {
			case e.Phase != nil:
				t.Log(e.Phase.Text)
			case e.Warning != nil:
				t.Log("warning: " + e.Warning.Text)
			}
		},
	}
}

// Open builds the module in a directory and opens the trial of FuzzX. What it finds goes
// to its own fuzz cache.
func Open(t *testing.T, dir string, hooks trial.Hooks) *trial.Trial {
	t.Helper()
	p, err := project.Open(t.Context(), project.Config{Options: Options(t, dir), Writes: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.GoCache = t.TempDir()
	var opened *trial.Trial
	err = p.EachTest(t.Context(), func(pkg *project.Package, test instrument.FuzzTest) error {
		opened = trial.New(p, pkg, test, nil, hooks)
		return opened.Greet(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// Sign is a package with a function of four branches.
const Sign = `// Sign returns the sign of a number, and 2 for one.
func Sign(n int) int {
	if n == 1 {
		return 2
	}
	if n < 0 {
		return -1
	}
	if n > 0 {
		return 1
	}
	return 0
}
`

// FuzzSign is a fuzz test of Sign with one seed.
const FuzzSign = `func FuzzX(f *testing.F) {
	f.Add(0)
	f.Fuzz(func(t *testing.T, n int) { Sign(n) })
}
`
