//go:build unix

package trialtest

import (
	"fmt"
	"os"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Fake returns the trial of a fuzz test that does what its inputs say, in a new directory.
// Its corpus holds the inputs, in the words of package fake, as entries that fuzzmut
// manages. The worker is the running test binary, whose TestMain calls fake.Play. Nothing
// was asked of it yet. The options are those that give the same each time.
func Fake(t *testing.T, hooks trial.Hooks, inputs ...string) *trial.Trial {
	t.Helper()
	test := instrument.FuzzTest{Name: "FuzzFake", File: "fake_test.go", Line: 3}
	p := fake.Program()
	p.Test = instrument.TestPackage{
		ImportPath: "example.com/fake", Name: "fake", Dir: t.TempDir(), ModulePath: "example.com/fake", Fuzz: []instrument.FuzzTest{test},
	}
	p.Test.ModuleDir = p.Test.Dir
	for i := range p.Mutants {
		m := &p.Mutants[i]
		m.ID, m.Package, m.Operator = fmt.Sprintf("m%d", m.Index), p.Test.ImportPath, "statement-deletion"
	}
	for _, words := range inputs {
		AddEntry(t, corpus.TestdataDir(p.Test.Dir, test.Name), words)
	}
	r := &project.Project{
		Options: project.Options{
			Dir: p.Test.Dir, Parallel: 1, Seed: 1, FuzzTime: project.FuzzTime{Execs: 100}, Engine: project.EngineGuided, NoGolden: true,
		},
		Filter: project.Filter{Name: "all"}, WorkDir: t.TempDir(), GoCache: t.TempDir(),
	}
	b := &project.Package{Loaded: &load.Result{Test: p.Test}, Program: p, Binary: os.Args[0], Live: len(p.Mutants)}
	return trial.New(r, b, test, nil, hooks)
}

// AddEntry writes an input of a fake trial to a directory, as an entry that fuzzmut
// manages, and returns its name.
func AddEntry(t *testing.T, dir, words string) (name string) {
	t.Helper()
	data := corpus.Marshal([]any{words})
	name = corpus.ManagedName(data)
	if _, err := corpus.WriteFile(dir, name, data); err != nil {
		t.Fatal(err)
	}
	return name
}
