package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestRelFramesNamesFunctionsByPackage(t *testing.T) {
	got := relFrames("/m", []string{"example.com/m/p.(*T).f /m/p/f.go:7", "odd"})
	if len(got) != 2 || got[0] != "p.(*T).f p/f.go:7" || got[1] != "odd" {
		t.Errorf("got %q", got)
	}
}

func TestOneLineTellsOfInputsThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	if err := os.WriteFile(cache, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := &campaign{
		trial: &trial{
			runner: &runner{gocache: cache}, b: &built{program: testProgram(dir, "example.com/m/p")},
			test: instrument.FuzzTest{Name: "FuzzX"},
		},
		res: &report.FuzzTest{},
	}
	s.trial.b.program.Test.Dir = dir
	var inputs [][]byte
	for _, text := range []string{"a", "b", "c"} {
		inputs = append(inputs, wire.Encode([]any{text}))
	}
	err := s.writeCrashes([]bug{{inputs: inputs}})
	if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.HasPrefix(err.Error(), "2 failing inputs could not be written, the first: ") {
		t.Errorf("%v", err)
	}
	if c := s.res.Crashes; len(c) != 1 || len(c[0].Entries) != 1 || c[0].Repro == "" {
		t.Errorf("the bucket has %+v", c)
	}
}

// A disk that fills up takes some entries and not the others: these are kept elsewhere,
// and do not count.
func TestEntriesThatCannotBeWrittenAreKept(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	s := &campaign{trial: &trial{
		runner: &runner{gocache: cache}, b: &built{program: testProgram(dir, "example.com/m/p")},
		test: instrument.FuzzTest{Name: "FuzzX"},
	}}
	s.trial.b.program.Test.Dir = dir
	var kept []corpus.Entry
	for _, text := range []string{"a", "b", "c"} {
		kept = append(kept, corpus.NewFound([]any{text}))
	}
	// Something else has the name of the second.
	if err := os.MkdirAll(filepath.Join(s.trial.testdata(), kept[1].Name), 0o777); err != nil {
		t.Fatal(err)
	}
	written, files, err := s.writeCorpus(kept)
	if len(written) != 2 || len(files) != 2 || written[0].Hash != kept[0].Hash || written[1].Hash != kept[2].Hash {
		t.Errorf("written %v, files %q", written, files)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "1 of 3 new entries could not be written") || exit.CodeOf(err) != exit.Usage {
		t.Errorf("%v", err)
	}
	refuge, _ := corpus.CacheDir(cache, "example.com/m/p", "FuzzX")
	if there, _, _ := corpus.ReadDir(refuge, nil, 0); len(there) != 1 || there[0].Hash != kept[1].Hash {
		t.Errorf("Go's fuzz cache has %v", there)
	}
	if !strings.Contains(err.Error(), "they are kept in "+refuge) {
		t.Errorf("%v", err)
	}
	// Nowhere to go.
	s.trial.runner.gocache = filepath.Join(s.trial.testdata(), kept[0].Name)
	if _, _, err := s.writeCorpus(kept); err == nil || !strings.Contains(err.Error(), "some are lost") {
		t.Errorf("%v", err)
	}
}

// A run that is ended while it chooses entries says nothing about the corpus.
func TestARunEndedWhileItChoosesHasNoScore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "testdata", "trees", "calc"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	rep, err := Regen(ctx, RegenOptions{
		Options: Options{
			Dir: dir, Fuzz: "FuzzEval", Parallel: 1, Seed: 1, FuzzTime: FuzzTime{Execs: 200},
			Events: func(e Event) {
				if e.Phase != nil && strings.Contains(e.Phase.Text, ": choosing among") {
					cancel()
				}
			},
		},
		Abandon: true, // no time is left then
	})
	if exit.CodeOf(err) != exit.Interrupted || rep == nil || len(rep.Tests) != 1 {
		t.Fatalf("%v, %v", rep, err)
	}
	f := &rep.Tests[0]
	if !f.Interrupted || f.NotMeasured != "interrupted while entries were chosen" || f.Score.Mutants != f.Score.Killed {
		t.Errorf("interrupted %v, not measured %q, score %+v", f.Interrupted, f.NotMeasured, f.Score)
	}
	if f.Regenerated.Functions != 0 {
		t.Errorf("figures of what was not measured: %+v", f.Regenerated)
	}
}

func testProgram(dir, path string) *instrument.Program {
	return &instrument.Program{Test: instrument.TestPackage{ModuleDir: dir, Dir: dir, ImportPath: path}}
}
