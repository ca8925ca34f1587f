//go:build unix

package witness

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

// The test binary is its own worker: see package fake for what its inputs say.
func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

// begun is a trial whose entries are inputs.
func begun(t *testing.T, inputs ...string) *trial.Trial {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{}, inputs...)
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := x.Begin(t.Context(), fake.Inputs(inputs...), 0, func(*evaluate.Evaluation) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// show lists witnesses by their words, with their mutants.
func show(list []Witness) map[string][]uint32 {
	m := make(map[string][]uint32)
	for _, w := range list {
		m[fake.Words(w.Input)] = w.Mutants
	}
	return m
}

func all(uint32) bool { return true }

func everything(_ context.Context, inputs []*corpus.Input) ([]*corpus.Input, error) {
	return inputs, nil
}

func TestFind(t *testing.T) {
	x := begun(t, "k1", "k2 d3", "n4", "k1 k2", "e5")
	got, left, err := Find(t.Context(), Choice{Trial: x, Judge: x, Wanted: all, Fit: everything})
	if err != nil {
		t.Fatal(err)
	}
	// No caller sees mutant 4.
	want := map[string][]uint32{"k1 k2": {1, 2}, "k2 d3": {3}, "e5": {5}}
	if diff := cmp.Diff(want, show(got)); diff != "" || left != 0 {
		t.Errorf("%d left (-want +got):\n%s", left, diff)
	}

	// Only some mutants are wanted, and only some inputs fit.
	got, _, err = Find(t.Context(), Choice{Trial: x, Judge: x, Wanted: func(m uint32) bool { return m < 3 }, Fit: func(_ context.Context, inputs []*corpus.Input) ([]*corpus.Input, error) {
		return slices.DeleteFunc(inputs, func(in *corpus.Input) bool { return fake.Words(in) == "k1 k2" }), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]uint32{"k1": {1}, "k2 d3": {2}}, show(got)); diff != "" {
		t.Errorf("of some (-want +got):\n%s", diff)
	}
}

// Inputs that kill nothing, or don't fit, are not looked at again; those that kill are, since a test may not hold them.
func TestFindAgain(t *testing.T) {
	x := begun(t, "k1", "k2 d3", "n4", "k1 k2", "n5")
	var looked []string
	c := Choice{Trial: x, Judge: x, Wanted: func(m uint32) bool { return m != 1 }, Judged: make(map[string]bool)}
	c.Fit = func(_ context.Context, inputs []*corpus.Input) ([]*corpus.Input, error) {
		for _, in := range inputs {
			looked = append(looked, fake.Words(in))
		}
		return slices.DeleteFunc(slices.Clone(inputs), func(in *corpus.Input) bool { return fake.Words(in) == "n5" }), nil
	}
	for _, want := range [][]string{{"k1", "k1 k2", "k2 d3", "n4", "n5"}, {"k1 k2", "k2 d3"}} {
		looked = nil
		got, left, err := Find(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string][]uint32{"k2 d3": {2, 3}}, show(got)); diff != "" || left != 0 {
			t.Errorf("%d left (-want +got):\n%s", left, diff)
		}
		slices.Sort(looked)
		if diff := cmp.Diff(want, looked); diff != "" {
			t.Errorf("looked at (-want +got):\n%s", diff)
		}
	}
}

// After an interrupt, kills count that the search has seen.
func TestFindIsStopped(t *testing.T) {
	x := begun(t, "k1", "k1 k2")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, _, err := Find(ctx, Choice{Trial: x, Judge: x, Wanted: all, Fit: everything})
	if diff := cmp.Diff(map[string][]uint32{"k1": {1}, "k1 k2": {2}}, show(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// After the time for it, kills count that the search has seen, and inputs that burn much are left out.
func TestFindWithin(t *testing.T) {
	dear := "k1 d7 w" + strconv.Itoa(dear)
	x := begun(t, "k1", "k2 d3", "n4", "k1 k2", "e5", dear)
	c := Choice{Trial: x, Judge: x, Wanted: all, Fit: func(ctx context.Context, inputs []*corpus.Input) ([]*corpus.Input, error) {
		if slices.ContainsFunc(inputs, func(in *corpus.Input) bool { return fake.Words(in) == dear }) {
			return inputs, ctx.Err()
		}
		return inputs, nil
	}}
	for _, test := range []struct {
		within time.Duration
		left   int
		want   map[string][]uint32
	}{
		{1, 6, map[string][]uint32{"k1": {1}, "k2 d3": {2, 3}, "e5": {5}}},
		{time.Hour, 0, map[string][]uint32{"k2 d3": {2, 3}, "e5": {5}, dear: {1, 7}}},
	} {
		c.Within = test.within
		got, left, err := Find(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, show(got)); diff != "" || left != test.left {
			t.Errorf("%v: %d left, want %d (-want +got):\n%s", test.within, left, test.left, diff)
		}
	}
}

// Kills that are known count for inputs that are not run again, and for no others.
func TestKnownKills(t *testing.T) {
	x := begun(t, "k1")
	inputs := fake.Inputs("k1 k2", "k3")
	known := map[string][]uint32{inputs[0].Key(): {2}, inputs[1].Key(): {5, 6}}
	wanted := func(m uint32) bool { return m != 6 }
	got, err := Kills(t.Context(), x, inputs, known, wanted)
	if diff := cmp.Diff([][]uint32{{1, 2}, {3}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err = Kills(ctx, x, inputs, known, wanted)
	if diff := cmp.Diff([][]uint32{{2}, {5}}, got); diff != "" || err != nil {
		t.Errorf("after an interrupt: %v (-want +got):\n%s", err, diff)
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name  string
		kills [][]uint32
		want  map[string][]uint32
	}{
		{"none", [][]uint32{nil, nil}, map[string][]uint32{}},
		{"the first of two alike", [][]uint32{{1}, {1}}, map[string][]uint32{"a": {1}}},
		{"that with most", [][]uint32{{1}, {1, 2}}, map[string][]uint32{"b": {1, 2}}},
		{"each mutant once", [][]uint32{{1, 2, 3}, {3, 4}}, map[string][]uint32{"a": {1, 2, 3}, "b": {4}}},
		// The third has most, and then both others are needed, which kill all that it kills.
		{"none that others replace", [][]uint32{{1, 2, 5}, {3, 4, 6}, {1, 2, 3, 4}}, map[string][]uint32{"a": {1, 2, 5}, "b": {3, 4, 6}}},
	} {
		var inputs []*corpus.Input
		for i := range c.kills {
			inputs = append(inputs, fake.Input(string(rune('a'+i))))
		}
		got := Choose(inputs, c.kills, nil)
		if diff := cmp.Diff(c.want, show(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		for _, w := range got {
			if inputs[w.At] != w.Input {
				t.Errorf("%s: input %d is another", c.name, w.At)
			}
		}
	}
}

func TestChooseOthersFirst(t *testing.T) {
	inputs := []*corpus.Input{fake.Input("a"), fake.Input("b"), fake.Input("c"), fake.Input("d")}
	kills := [][]uint32{{1, 2, 3}, {1}, {2, 4}, {3}}
	last := func(in *corpus.Input) bool { return in == inputs[0] }
	// The first kills most, and the last kills what it would be needed for.
	want := map[string][]uint32{"b": {1}, "c": {2, 4}, "d": {3}}
	if diff := cmp.Diff(want, show(Choose(inputs, kills, last))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	kills[3] = nil
	got := Choose(inputs, kills, last)
	if diff := cmp.Diff(map[string][]uint32{"c": {2, 4}, "a": {1, 3}}, show(got)); diff != "" {
		t.Errorf("nothing else kills 3 (-want +got):\n%s", diff)
	}
	if got[len(got)-1].At != 0 {
		t.Error("what comes last is not last")
	}
}

func TestShrink(t *testing.T) {
	x := begun(t, "k1")
	list := []Witness{
		{Input: fake.Input("f8 k1 f9 d2 f10"), Mutants: []uint32{1, 2}},
		{Input: fake.Input("k1 f3 d2"), Mutants: []uint32{2}},
		{Input: fake.Input("f8 x1 f9 f10 x2"), Mutants: []uint32{1, 2}}, // both damage the process
		{Input: fake.Input("f1 e3 f2"), Mutants: []uint32{3}},           // the process ends each time
	}
	if err := Shrink(t.Context(), x, list, 0, time.Minute); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"k1 d2", "d2", "x1 x2"} {
		if got := strings.Join(strings.Fields(fake.Words(list[i].Input)), " "); got != want {
			t.Errorf("input %d is %q, want %q", i, got, want)
		}
	}
	// No time is left: it stays what it was.
	was := fake.Input("f8 k1")
	list = []Witness{{Input: was, Mutants: []uint32{1}}}
	if err := Shrink(t.Context(), x, list, 0, -time.Second); err != nil || list[0].Input != was {
		t.Errorf("%q, %v", fake.Words(list[0].Input), err)
	}
}

// Whole records are taken out, and what is left of the input is as it was.
func TestCut(t *testing.T) {
	x := begun(t, "k1")
	list := []Witness{{Input: corpus.Of([]byte("f8 k1 f9 d2 "), " long"), Mutants: []uint32{1, 2}}}
	if err := Cut(t.Context(), x, list, 3, time.Minute); err != nil {
		t.Fatal(err)
	}
	if want := corpus.Of([]byte("k1 d2 "), " long"); !list[0].Input.Equal(want) {
		t.Errorf("%q, want %q", list[0].Input.Values(), want.Values())
	}
}
