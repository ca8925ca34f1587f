//go:build unix

package score

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func TestACorpusIsScoredAsItStands(t *testing.T) {
	for _, c := range []struct {
		name                    string
		given                   []string
		code                    exit.Code
		killed, survived, never int
	}{
		{"kills of all entries", []string{"k1 i2", "d3", "k1 k3"}, exit.OK, 2, 1, 5},
		{"no entry", nil, exit.OK, 0, 0, 8},
		{"an entry that fails", []string{"k1", "fail"}, exit.OK, 1, 0, 7},
		{"a mutant that ends the process", []string{"e1 k2", "i1 k3"}, exit.OK, 3, 0, 5},
	} {
		s := &scoring{trial: trialtest.Fake(t, trial.Hooks{}, c.given...)}
		if err := s.Run(t.Context()); exit.CodeOf(err) != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
		r := s.Result()
		if r == nil {
			if c.code == exit.OK {
				t.Errorf("%s: no result", c.name)
			}
			continue
		}
		if r.Score.Killed != c.killed || r.Score.Survived != c.survived || r.Score.NotCovered != c.never {
			t.Errorf("%s: %+v", c.name, r.Score)
		}
		failing := 0
		if slices.Contains(c.given, "fail") {
			failing = 1
		}
		if len(r.Crashes) != failing || failing > 0 && (!r.Crashes[0].Before || len(r.Crashes[0].Entries) != 1) {
			t.Errorf("%s: %+v", c.name, r.Crashes)
		}
		if r.Engine != engine || r.Seed != 0 || r.Executions != int64(len(c.given)) || r.Corpus.Before != len(c.given)-failing || r.Corpus.Added != 0 || r.Interrupted {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

func TestASurvivorNamesTheEntryThatReachesIt(t *testing.T) {
	s := &scoring{trial: trialtest.Fake(t, trial.Hooks{}, "k1", "i2", "k1 i2")}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range s.Result().Mutants {
		if m.ReachedBy != "" {
			named = append(named, m.Status+" "+m.ReachedBy)
		}
	}
	if want := []string{"survived fuzzmut-i2-8582f9c511d84d0b"}; !slices.Equal(named, want) {
		t.Errorf("got %q, want %q", named, want)
	}
}

func TestAScoreHasTheWarningsThatComeLater(t *testing.T) {
	s := &scoring{trial: trialtest.Fake(t, trial.Hooks{}, "k1")}
	if s.Result() != nil {
		t.Error("there is a result before anything was run")
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.trial.Warn("late")
	if w := s.Result().Warnings; len(w) == 0 || w[len(w)-1] != "late" {
		t.Errorf("%q", w)
	}
}

// An interrupted score is none.
func TestAnInterruptedScoreIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &scoring{trial: trialtest.Fake(t, trial.Hooks{}, "k1")}
	if err := s.trial.Greet(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Run(ctx); exit.CodeOf(err) != exit.Interrupted || s.Result() != nil {
		t.Errorf("%v, %+v", err, s.Result())
	}
}

func TestMutantsAreDescribedOnOneLine(t *testing.T) {
	for want, m := range map[string]report.Mutant{
		"F: changed < to <=": {Function: "F", Description: "changed  <\nto <="},
		"removed it":         {Description: "removed it"},
	} {
		if got := describeMutant(&m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := describeMutant(&report.Mutant{Function: "F", Original: "a()\n\tb()", Replacement: ""}); !strings.HasPrefix(got, "F: ") || strings.Contains(got, "\n") || !strings.Contains(got, "a()") {
		t.Errorf("without a description: %q", got)
	}
}
