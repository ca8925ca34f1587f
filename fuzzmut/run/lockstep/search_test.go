//go:build unix

package lockstep

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// entries lists the inputs that are entries of a side.
func entries(x *trial.Trial) (list []string) {
	for _, e := range x.Engine.Pool.Entries() {
		list = append(list, fake.Words(e.Input))
	}
	slices.Sort(list)
	return list
}

// What either side breeds is run on the other, what fails on the side that breeds, and what
// ends the process, too. What differs is an entry of both.
func TestWhatOneSideBreedsIsComparedOnBoth(t *testing.T) {
	for _, c := range []struct {
		name, child, words string
		want               string // how it differs; "" if it does not
		both               bool   // it is an entry of both sides
	}{
		{"another value", "f1+old:v1+new:v2", "f1 old:v1 new:v2", "fake.Target result 0", true},
		{"another inner result", "f1+old:s1+new:s2", "f1 old:s1 new:s2", "", true},
		{"the same", "f1+v3", "f1 v3", "", true}, // it covers something new
		{"new code fails", "f1+new:fail", "f1 new:fail", "outcome pass to panic", false},
		{"old code fails", "f1+old:fail", "f1 old:fail", "outcome panic to pass", false},
		{"both fail", "f1+fail", "f1 fail", "", false},
		{"new code ends the process", "f1+new:end", "f1 new:end", "outcome pass to death", false},
	} {
		s := search(t, firstInputs+64, "i1 >"+c.child)
		var got []string
		f := s.Found()
		for _, g := range f.Groups {
			got = append(got, g.Signature)
			if n := fake.Words(g.Results[0].Input); n != c.words {
				t.Errorf("%s: %q differs, want %q", c.name, n, c.words)
			}
		}
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if !slices.Equal(got, want) || (f.First > 0) != (c.want != "") {
			t.Errorf("%s: %q, want %q; the first after %d", c.name, got, want, f.First)
		}
		for side, x := range s.trials {
			if list := entries(x); c.both && !slices.Contains(list, c.words) {
				t.Errorf("%s: side %d has the entries %q", c.name, side, list)
			}
		}
	}
}

// Once differences were found, a search ends if it finds no others for long, and reports that.
func TestASearchEndsWhereNothingNewIsFound(t *testing.T) {
	const budget = 9_000
	f := search(t, budget, "f1 old:v1 new:v2").Found()
	if f.Ended != "a third of the budget brought no new kind of difference" || f.Compared >= budget || f.Compared < budget/3 {
		t.Errorf("%q after %d", f.Ended, f.Compared)
	}
	// Without a difference the budget is used up.
	f = search(t, budget, "f1 v1").Found()
	if f.Ended != "" || f.Compared < budget/2 || len(f.Groups) > 0 {
		t.Errorf("%q after %d, %+v", f.Ended, f.Compared, f.Groups)
	}
}

// One input is compared as it is, and is no beginning of a search.
func TestOneInputAlone(t *testing.T) {
	for _, factor := range []float64{0, 4} {
		s := &Search{Work: Measure{Factor: factor}}
		x := two(t, s.Hooks(), "old:v3 new:v4")
		s.Begin(x[0], x[1], 1)
		t.Cleanup(s.Close)
		if err := s.Only(t.Context(), fake.Input("old:v1 new:v2 old:w50 new:w9000")); err != nil {
			t.Fatal(err)
		}
		f := s.Found()
		if f.Compared != 1 || len(f.Groups) != 1 || f.Groups[0].Count != 1 || f.Groups[0].Results[0].More != (factor > 0) {
			t.Errorf("factor %v: %+v", factor, f)
		}
	}
}
