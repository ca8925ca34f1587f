package campaign

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

func TestTheCorpusIsScoredInTheOrderOfItsFiles(t *testing.T) {
	x := &trial.Trial{Given: []corpus.Entry{
		{Name: "seed#0", Source: corpus.Seed}, {Name: "m", Source: corpus.File}, {Name: "seed#1", Source: corpus.Seed},
	}}
	var names []string
	for _, e := range finalEntries(x, []corpus.Entry{{Name: "z"}, {Name: "a"}}) {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "seed#0 seed#1 a m z" {
		t.Errorf("got %s", got)
	}
}

func TestTheEndHasItsTimeAfterAnInterrupt(t *testing.T) {
	user, interrupt := context.WithCancel(t.Context())
	ctx, cancel := exit.Graceful(user, time.Hour)
	interrupt()
	if ctx.Err() != nil {
		t.Error("the end is interrupted, too")
	}
	cancel()
	if ctx.Err() == nil {
		t.Error("it can't be given up")
	}
	user, interrupt = context.WithCancel(t.Context())
	ctx, cancel = exit.Graceful(user, 0)
	defer cancel()
	interrupt()
	<-ctx.Done() // at once
}

// A campaign searches, and leaves the entries that it needs with their golden values. The
// next one, of the same code, adds nothing.
func TestACampaignLeavesWhatItNeeds(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	for i := range 2 {
		x := trialtest.Open(t, dir, trial.Hooks{})
		c := New(x.Project, x.Package, x.Test, nil, Options{})
		if err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := c.Result()
		if r == nil || r.Coverage.Covered != r.Coverage.Blocks || len(r.Crashes) != 0 {
			t.Fatalf("run %d: %+v", i, r)
		}
		entries, bad, err := corpus.ReadDir(x.Testdata(), nil, 0)
		if err != nil || len(bad) > 0 || len(entries) == 0 {
			t.Fatalf("run %d: entries %v, bad %v, %v", i, entries, bad, err)
		}
		if i == 0 && (r.Corpus.Added != len(entries) || r.Corpus.Golden != len(entries)+1) {
			t.Errorf("%d entries, and the result says %+v", len(entries), r.Corpus)
		}
		if i == 1 && (r.Corpus.Added != 0 || r.Corpus.Golden != 0) {
			t.Errorf("again: %+v", r.Corpus)
		}
	}
}

// A search of another kind takes the place of the guided one.
func TestASearchCanBeReplaced(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	x := trialtest.Open(t, dir, trial.Hooks{})
	searched := false
	c := New(x.Project, x.Package, x.Test, nil, Options{Job: "none", Search: func(ctx context.Context, c *Campaign) error {
		searched = true
		c.SetFuzzed(time.Now())
		return c.Settle(ctx)
	}})
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := c.Result(); !searched || r.Engine != "none" || r.Corpus.Added != 0 || r.Seed != 0 {
		t.Errorf("searched %v: %+v", searched, r)
	}
}
