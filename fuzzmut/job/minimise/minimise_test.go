package minimise

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestRedundantEntriesGo(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{int(-3)}, []any{int(-4)}, []any{int(1)}, []any{int(5)}, []any{int(7)})
	testdata := corpus.TestdataDir(dir, "FuzzX")
	// An entry of the user's stays, whatever it adds.
	if _, err := corpus.WriteFile(testdata, "own", corpus.Marshal([]any{8})); err != nil {
		t.Fatal(err)
	}
	opts := Options{Options: trialtest.Options(t, dir), By: matrix.Coverage}
	opts.DryRun = true
	r, err := Run(t.Context(), opts)
	if err != nil || len(r.Tests) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	x := r.Tests[0]
	// A negative number and one are needed for coverage; the user's entry is positive.
	if len(x.Removed) != 3 || x.Seeds != 1 || x.Own != 1 || x.Before.Files != 6 || x.After.Files != 3 {
		t.Errorf("removed %q, own %d, before %+v, after %+v", x.Removed, x.Own, x.Before, x.After)
	}
	if x.After.Covered != x.Before.Covered || x.Before.Killed != 0 || x.Mutants != 0 {
		t.Errorf("by coverage alone: %+v, %+v, %d mutants", x.Before, x.After, x.Mutants)
	}
	if files, err := os.ReadDir(testdata); err != nil || len(files) != 6 {
		t.Errorf("a dry run leaves %d files, %v", len(files), err)
	}
}

func TestEntriesOfNoUseAreAnErrorUntilTheyArePruned(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{"text"})
	opts := Options{Options: trialtest.Options(t, dir), By: matrix.Coverage}
	r, err := Run(t.Context(), opts)
	if exit.CodeOf(err) != exit.Baseline || r == nil || len(r.Stale) != 1 || r.Stale[0].Removed {
		t.Fatalf("%+v, %v", r, err)
	}
	opts.Prune = true
	r, err = Run(t.Context(), opts)
	if err != nil || len(r.Stale) != 1 || !r.Stale[0].Removed {
		t.Fatalf("pruned: %+v, %v", r, err)
	}
	if _, err := os.Stat(r.Stale[0].Path); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", filepath.Base(r.Stale[0].Path), err)
	}
}
