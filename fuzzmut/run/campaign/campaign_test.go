package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

func TestOneLineTellsOfInputsThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	if err := os.WriteFile(cache, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := &trial.Trial{
		Project: &project.Project{GoCache: cache}, Package: &project.Package{Loaded: &load.Result{Toolchain: &gotool.Toolchain{Root: "/go"}}, Program: testProgram(dir, "example.com/m/p")},
		Test: instrument.FuzzTest{Name: "FuzzX"},
	}
	s.Package.Program.Test.Dir = dir
	var inputs []*corpus.Input
	for _, text := range []string{"a", "b", "c"} {
		inputs = append(inputs, corpus.Of(text))
	}
	crashes, err := writeCrashes(s, []bugs.Bug{{Inputs: inputs}})
	if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.HasPrefix(err.Error(), "2 failing inputs could not be written, the first: ") {
		t.Errorf("%v", err)
	}
	if c := crashes; len(c) != 1 || len(c[0].Entries) != 1 || c[0].Repro == "" {
		t.Errorf("the bucket has %+v", c)
	}
}

// A disk that fills up takes some entries and not the others: these are kept elsewhere,
// and do not count.
func TestEntriesThatCannotBeWrittenAreKept(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	s := &trial.Trial{
		Project: &project.Project{GoCache: cache}, Package: &project.Package{Loaded: &load.Result{Toolchain: &gotool.Toolchain{Root: "/go"}}, Program: testProgram(dir, "example.com/m/p")},
		Test: instrument.FuzzTest{Name: "FuzzX"},
	}
	s.Package.Program.Test.Dir = dir
	var kept []corpus.Entry
	for _, text := range []string{"a", "b", "c"} {
		kept = append(kept, corpus.Of(text).Found())
	}
	// Something else has the name of the second.
	if err := os.MkdirAll(filepath.Join(s.Testdata(), kept[1].Name), 0o777); err != nil {
		t.Fatal(err)
	}
	written, files, err := writeCorpus(s, kept)
	if len(written) != 2 || len(files) != 2 || written[0].Input.Hash() != kept[0].Input.Hash() || written[1].Input.Hash() != kept[2].Input.Hash() {
		t.Errorf("written %v, files %q", written, files)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "1 of 3 new entries could not be written") || exit.CodeOf(err) != exit.Usage {
		t.Errorf("%v", err)
	}
	refuge, _ := corpus.CacheDir(cache, "example.com/m/p", "FuzzX")
	if there, _, _ := corpus.ReadDir(refuge, nil, 0); len(there) != 1 || there[0].Input.Hash() != kept[1].Input.Hash() {
		t.Errorf("Go's fuzz cache has %v", there)
	}
	if !strings.Contains(err.Error(), "they are kept in "+refuge) {
		t.Errorf("%v", err)
	}
	// Nowhere to go.
	s.Project.GoCache = filepath.Join(s.Testdata(), kept[0].Name)
	if _, _, err := writeCorpus(s, kept); err == nil || !strings.Contains(err.Error(), "some are lost") {
		t.Errorf("%v", err)
	}
}

func testProgram(dir, path string) *instrument.Program {
	return &instrument.Program{Test: instrument.TestPackage{ModuleDir: dir, Dir: dir, ImportPath: path}}
}
