package merge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestOnlyWhatAddsSomethingIsMerged(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{int(5)})
	from := t.TempDir()
	for _, n := range []int{5, 7, -3, -4, 1} { // 5 is there, 7 is like it
		data := corpus.Marshal([]any{n})
		if _, err := corpus.WriteFile(from, corpus.FileName(data), data); err != nil {
			t.Fatal(err)
		}
	}
	opts := Options{Options: trialtest.Options(t, dir), From: []string{from}, By: matrix.Coverage}
	opts.NoGolden = true
	r, err := Run(t.Context(), opts)
	if err != nil || len(r.Tests) != 1 {
		t.Fatalf("%v, %v", r, err)
	}
	x := r.Tests[0]
	if x.Engine != "merge" || x.Seed != 0 || x.Corpus.Found != 4 || x.Corpus.Added != 2 || x.Corpus.Before != 2 || x.Corpus.After != 4 {
		t.Errorf("engine %q, seed %d, corpus %+v", x.Engine, x.Seed, x.Corpus)
	}
	entries, _, err := corpus.ReadDir(corpus.TestdataDir(dir, "FuzzX"), nil, 0)
	signs := 0
	for _, e := range entries {
		switch n := e.Input.Values()[0].(int); {
		case n < 0, n == 1:
			signs++
		}
	}
	if err != nil || len(entries) != 3 || signs != 2 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if left, _ := os.ReadDir(from); len(left) != 5 {
		t.Errorf("%d files are left where the inputs come from", len(left))
	}
}

func TestWhatIsNotThereCannotBeMerged(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	opts := Options{Options: trialtest.Options(t, dir), From: []string{filepath.Join(dir, "none")}}
	if _, err := Run(t.Context(), opts); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "the inputs to merge can't be read") {
		t.Errorf("got %v", err)
	}
}
