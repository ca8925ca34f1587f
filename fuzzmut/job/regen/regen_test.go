package regen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// A run that is ended while it chooses entries says nothing about the corpus.
func TestARunEndedWhileItChoosesHasNoScore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "testdata", "trees", "calc"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	rep, err := Run(ctx, Options{
		Options: project.Options{
			Dir: dir, Fuzz: "FuzzEval", Parallel: 1, Seed: 1, FuzzTime: project.FuzzTime{Execs: 200},
			Events: func(e project.Event) {
				if e.Phase != nil && strings.Contains(e.Phase.Text, ": minimizing") {
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
