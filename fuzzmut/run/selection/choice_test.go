package selection_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

// valueOf returns the number that an entry of FuzzSign holds.
func valueOf(e corpus.Entry) int { return e.Input.Values()[0].(int) }

func TestAChoiceKeepsWhatIsNeeded(t *testing.T) {
	x := trialtest.Open(t, trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign), trial.Hooks{})
	var among []selection.Candidate
	var all []corpus.Entry
	for i, n := range []int{-3, -4, 1, 5, 7} { // two of a sort twice
		e := corpus.Of(n).Found()
		all = append(all, e)
		among = append(among, selection.Candidate{Entry: e, Cost: 100, At: i})
	}
	replay, err := trial.NewReplay(t.Context(), x, append(x.Given, all...))
	if err != nil {
		t.Fatal(err)
	}
	x.Engine.Credit(replay.Evaluation)
	for name, by := range map[string]matrix.Features{"kills and coverage": 0, "coverage": matrix.Coverage, "kills": matrix.Kills} {
		s := &selection.Selector{Trial: x, By: by, Thorough: true}
		stay, err := s.Fix(t.Context(), x.Given)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.Choose(t.Context(), stay, append([]selection.Candidate(nil), among...))
		if err != nil {
			t.Fatal(err)
		}
		sorts := make(map[string]int)
		for _, c := range kept {
			if all[c.At].Input.Hash() != c.Input.Hash() {
				t.Errorf("%s: %d is said to come from place %d", name, valueOf(c.Entry), c.At)
			}
			switch n := valueOf(c.Entry); {
			case n < 0:
				sorts["negative"]++
			case n == 1:
				sorts["one"]++
			default:
				sorts["positive"]++
			}
		}
		if by != matrix.Kills && (sorts["negative"] != 1 || sorts["one"] != 1 || sorts["positive"] != 1) {
			t.Errorf("%s: kept %v", name, sorts)
		}
		entries := x.Given
		for _, c := range kept {
			entries = append(entries[:len(entries):len(entries)], c.Entry)
		}
		least, err := trial.NewReplay(t.Context(), x, entries)
		if err != nil {
			t.Fatal(err)
		}
		if by != matrix.Coverage && len(least.Kills()) != len(replay.Kills()) {
			t.Errorf("%s: %d of %d kills are left", name, len(least.Kills()), len(replay.Kills()))
		}
	}
}

func TestShrinkingLosesNothing(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign, []any{int(-3)}, []any{int(-4)}, []any{int(1)}, []any{int(5)}, []any{int(7)})
	x := trialtest.Open(t, dir, trial.Hooks{})
	was, err := trial.NewReplay(t.Context(), x, x.Given)
	if err != nil {
		t.Fatal(err)
	}
	s := &selection.Selector{Trial: x, Thorough: true}
	least, err := s.Shrink(t.Context(), was, func(int) bool { return false })
	if err != nil || least != was {
		t.Errorf("nothing may go: %v, %v", least, err)
	}
	ours := selection.Replaceable(x)
	least, err = s.Shrink(t.Context(), was, func(i int) bool { return ours[was.Entries[i].Path] })
	if err != nil {
		t.Fatal(err)
	}
	gone := was.Without(least)
	if len(gone) == 0 || len(least.Kills()) != len(was.Kills()) || least.Coverage() != was.Coverage() {
		t.Errorf("gone %v; %d of %d kills, coverage %v of %v", gone, len(least.Kills()), len(was.Kills()), least.Coverage(), was.Coverage())
	}
	names, err := selection.Remove(x, gone)
	if err != nil || len(names) != len(gone) {
		t.Errorf("removed %q, %v", names, err)
	}
	left, _, err := corpus.ReadDir(x.Testdata(), nil, 0)
	if err != nil || len(left) != 5-len(gone) {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	// What is removed is found again in Go's fuzz cache.
	cache, _ := x.CacheDir()
	if kept, _, err := corpus.ReadDir(cache, nil, 0); err != nil || len(kept) != len(gone) {
		t.Errorf("%d entries in the cache, %v", len(kept), err)
	}
}
