//go:build unix

package suggest

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// shows has probes of the world show rows in which something holds.
func (w *world) shows() {
	w.project.Options.Env = append(w.project.Options.Env, fakeGo+"="+filepath.Join(w.dir, "rows"))
}

// showing has the worker of a probe report a row, for an input that the go command of the world has none for:
// that has rows for the smallest ones.
func (w *world) showing(row string) {
	w.project.Options.Env = append(w.project.Options.Env, fake.Says+"="+properties.Mark+"[]interface {}{"+row+"}")
	w.seed("FuzzCleanRows", "FuzzCleanShown:says")
	for n := range 10 {
		w.seed("FuzzCleanRows", fmt.Sprint("f", n+1))
	}
}

// inferred is the search for properties of a world, after relations are inferred.
func (w *world) inferred() *oracles {
	w.t.Helper()
	if err := w.judge(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	o := w.newOracles(properties.Find(w.loaded))
	w.session.report.Oracles = o.report
	if err := o.infer(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return o
}

// A relation is not proposed once a call is found in which it does not hold, nor where no call tries that.
func TestRelationsAreAttacked(t *testing.T) {
	for rows, want := range map[string]string{
		`"a", 1, "a", 1`: "In each call of Clean, got == words. That is what the code does today.",
		`"a", 1, "b", 1`: "",
		`"a", 1`:         "", // no row
	} {
		w := newWorld(t, oracleCode)
		w.shows()
		w.survive("m7", "m8")
		w.showing(rows)
		got := ""
		for _, f := range w.inferred().families {
			if f[0].Kind == properties.Relation {
				got = f[0].Sentence
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", rows, got, want)
		}
	}
}

// Where nothing always holds, no more than a small part of the budget is for relations.
func TestInferenceEndsEarlyWhereNothingHolds(t *testing.T) {
	for _, holds := range []bool{false, true} {
		w := newWorld(t, oracleCode)
		if holds {
			w.shows()
		}
		w.survive("m7", "m8")
		w.showing(`"a", 1, "a", 1`)
		all := w.project.Options.FuzzTime.Execs
		o := w.inferred()
		used := all - o.budget.Execs
		if early := used <= all/probeFirst+all/probeFirst/2; early == holds || used <= 0 || used > all/4 {
			t.Errorf("of %d executions %d are used where something holds: %v", all, used, holds)
		}
	}
}

// A relation, or a guess, has a part in the second search if it asserts what no other property does.
func TestRelationsThatOthersCoverAreIdle(t *testing.T) {
	for words, want := range map[string]bool{
		"FuzzCleanRelated:a7":                    false,
		"FuzzCleanRelated:a7 FuzzCleanTwice:a7":  true,
		"FuzzCleanRelated:i7":                    true,
		"FuzzCleanRelated:d7 FuzzCleanTwice:a7":  true,
		"FuzzCleanRelated:a7 FuzzCleanTwice:a8 ": false,
	} {
		w := newWorld(t, oracleCode)
		w.shows()
		w.survive("m7", "m8")
		w.showing(`"a", 1, "a", 1`)
		for _, fuzz := range []string{"FuzzCleanRelated", "FuzzCleanTwice"} {
			w.seed(fuzz, words)
		}
		o := w.inferred()
		if err := o.buildAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := o.search(t.Context()); err != nil {
			t.Fatal(err)
		}
		idle := o.idleGuesses()
		for _, c := range o.claims {
			guess := c.property() != nil && c.property().Guess && !c.relates() // that asserts nothing here
			if got := idle[c]; got != (guess || want && c.relates()) {
				t.Errorf("%s: %s is idle: %v", words, c.test.Name, got)
			}
		}
	}
}

// A property that holds on what a search finds may not hold on what is put together of that.
func TestPropertiesAreTriedOnOddInputs(t *testing.T) {
	for _, odd := range []int{0, oddMost} {
		w := newWorld(t, oracleCode)
		w.odd = odd
		w.survive("m2")
		w.opts.Oracles = true
		w.seed("FuzzCleanTwice", "other:wrong", "f1 a2")
		got, err := w.suggested()
		if err != nil {
			t.Fatal(err)
		}
		fails := slices.ContainsFunc(got.Oracles.Failing, func(f suggestion.Failing) bool { return f.Kind == "idempotence" && f.Failure == "wrong" })
		if fails != (odd > 0) {
			t.Errorf("with %d odd inputs it fails: %v", odd, fails)
		}
	}
}

// A property that is another one from run to run is not checked, which is no error of the others.
func TestFicklePropertiesAreNotChecked(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.survive("m2")
	o := w.inferred()
	if err := o.buildAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for words, fickle := range map[string]bool{"fickle wrong": true, "wrong": false} {
		x := trial.New(o.project, o.built, o.claims[0].test, nil, trial.Hooks{})
		if err := x.Greet(t.Context()); err != nil {
			t.Fatal(err)
		}
		var none *notSearched
		if err := o.run(t.Context(), x, fake.Inputs(words)); errors.As(err, &none) != fickle || !fickle && err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// A special number that is a size is no reason to report that a call does not end.
func TestOddInputsThatDoNotEndAreLeftOut(t *testing.T) {
	w := newWorld(t, oracleCode)
	w.odd = oddMost
	w.survive("m2")
	w.opts.Oracles = true
	w.seed("FuzzCleanTwice", "other:hang", "f1")
	got, err := w.suggested()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Oracles.Failing {
		if f.Failure == "it does not end" {
			t.Errorf("%+v", f)
		}
	}
}
