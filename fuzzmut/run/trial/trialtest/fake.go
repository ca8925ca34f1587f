//go:build unix

package trialtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Fake returns the trial of a fuzz test that does what its inputs say, in a new directory,
// and that observes the calls of two functions.
// Its corpus holds the inputs, in the words of package fake, as entries that fuzzmut
// manages. The worker is the running test binary, whose TestMain calls fake.Play. Nothing
// was asked of it yet. The options are those that give the same each time.
func Fake(t *testing.T, hooks trial.Hooks, inputs ...string) *trial.Trial {
	t.Helper()
	dir := t.TempDir()
	test := instrument.FuzzTest{Name: "FuzzFake", File: filepath.Join(dir, "fake_test.go"), Line: 3}
	if err := os.WriteFile(test.File, []byte("package fake\n\nfunc FuzzFake(f *testing.F) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := fake.Program()
	p.Test = instrument.TestPackage{
		ImportPath: "example.com/fake", Name: "fake", Dir: dir, ModulePath: "example.com/fake", ModuleDir: dir, Fuzz: []instrument.FuzzTest{test},
	}
	for i := range p.Mutants {
		m := &p.Mutants[i]
		m.ID, m.Package, m.Operator = fmt.Sprintf("m%d", m.Index), p.Test.ImportPath, "statement-deletion"
	}
	for i, name := range []string{"fake.Target", "fake.Other"} {
		p.Sites = append(p.Sites, instrument.Site{Name: name, File: filepath.Join(dir, "fake.go"), Line: 7 + i, Values: []string{"result 0 (string)"}})
	}
	for _, words := range inputs {
		AddEntry(t, corpus.TestdataDir(dir, test.Name), words)
	}
	r := &project.Project{
		Options: project.Options{
			Dir: dir, Env: fake.Binary().Env, Parallel: 1, Seed: 1, FuzzTime: project.FuzzTime{Execs: 100}, Engine: project.EngineGuided, NoGolden: true,
		},
		Filter: project.Filter{Name: "all"}, WorkDir: t.TempDir(), GoCache: t.TempDir(),
	}
	b := &project.Package{Loaded: &load.Result{Toolchain: &gotool.Toolchain{Root: "/go"}, Test: p.Test, Mutate: []string{p.Test.ImportPath}, Observe: []string{p.Test.ImportPath}}, Program: p, Binary: os.Args[0], Live: len(p.Mutants)}
	return trial.New(r, b, test, nil, hooks)
}

// AddEntry writes an input of a fake trial to a directory, as an entry that fuzzmut
// manages, and returns its name.
func AddEntry(t *testing.T, dir, words string) (name string) {
	t.Helper()
	e := corpus.Of(words).Found()
	if _, err := corpus.WriteFile(dir, e.Name, e.Input.Encode()); err != nil {
		t.Fatal(err)
	}
	return e.Name
}
