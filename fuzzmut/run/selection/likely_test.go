//go:build unix

package selection

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// surveyed is searched with a survey that has made one round, and costs that are too high for
// finding out all. It returns what is known then.
func surveyed(t *testing.T, most int, inputs []seen) (*Selector, []Candidate, trial.Knowledge) {
	t.Helper()
	s, among := searched(t, inputs)
	s.Most = most
	var list []*corpus.Input
	for i := range among {
		among[i].Cost = 2*fullMatrix + int64(i)
		list = append(list, among[i].Input)
	}
	e := s.Trial.Engine
	s.Survey = e.Exact.NewSurvey(list, func(m uint32) bool { return !e.Kills.Dead(int(m)) }, func(ev *evaluate.Evaluation) { e.Credit(ev) })
	if err := s.Survey.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, among, s.Trial.FirstKills()
}

// best chooses, and returns the words of the n best.
func best(t *testing.T, ctx context.Context, s *Selector, among []Candidate, know trial.Knowledge) (words []string, c Chosen) {
	t.Helper()
	fixed := s.fixed(nil, know)
	c, err := s.ChooseKnown(ctx, fixed, among, know)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range s.BestOf(fixed, Union(c.Kept, c.Tried), s.Most, know) {
		words = append(words, fake.Words(b.Input))
	}
	slices.Sort(words)
	return words, c
}

// Each of the mutants was seen to fall to another input, and one that was kept for
// something else has them all.
func TestWhatIsLikelyToKillMostIsTried(t *testing.T) {
	inputs := []seen{{"k1", []uint32{1}, 1}, {"k2", []uint32{2}, 1}, {"k3", []uint32{3}, 1}, {"i1 i2 i3 w", nil, 1}, {"k1 k2 k3 k4", []uint32{4}, 1}}
	s, among, know := surveyed(t, 1, inputs)
	words, c := best(t, t.Context(), s, among, know)
	if want := []string{"k1 k2 k3 k4"}; !slices.Equal(words, want) || c.Late != 0 {
		t.Errorf("%q, want %q; %d late", words, want, c.Late)
	}
	for _, in := range []string{"k1 k2 k3 k4", "i1 i2 i3 w"} {
		if !slices.ContainsFunc(c.Tried, func(c Candidate) bool { return fake.Words(c.Input) == in }) {
			t.Errorf("%q was not tried", in)
		}
	}
	// Without time the choice is that of what was seen.
	s, among, know = surveyed(t, 1, inputs)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if words, c := best(t, ctx, s, among, know); len(words) != 1 || len(c.Kept) != 4 || c.Late != 4 {
		t.Errorf("without time %q, %d kept, %d late", words, len(c.Kept), c.Late)
	}
}

// A mutant is run on no candidate twice, and what a round of the survey finds later counts.
func TestNoPairIsRunTwice(t *testing.T) {
	var inputs []seen
	for i := range 40 {
		words := fmt.Sprintf("w%d i1", i)
		if i == 39 {
			words = "w39 k1"
		}
		inputs = append(inputs, seen{words, nil, uint32(i + 1)})
	}
	s, among, know := surveyed(t, 2, append(inputs, seen{"k2", []uint32{2}, 1}, seen{"k3", []uint32{3}, 1}, seen{"k4", []uint32{4}, 1}))
	s.Survey.Credit = func(ev *evaluate.Evaluation) {
		s.Trial.Engine.Credit(ev)
		for _, k := range ev.Kills {
			know.Add(ev.Inputs[k.Input], k.Kill)
		}
	}
	if _, c := best(t, t.Context(), s, among, know); c.Late != 0 || !s.Trial.Engine.Kills.Dead(1) {
		t.Errorf("%d late; mutant 1 is killed: %v", c.Late, s.Trial.Engine.Kills.Dead(1))
	}
	for i, in := range s.Survey.Inputs[:39] {
		if _, lived := s.Survey.Ledger.Row(in); !lived.Has(1) {
			t.Errorf("mutant 1 was not run on input %d", i)
		}
	}
	if n := s.Survey.Ledger.Runs()[1]; n != 39 {
		t.Errorf("mutant 1 has lived on %d inputs", n)
	}
}

// What one of the first runs has killed falls nearly everywhere, and what has lived for long
// hardly anywhere.
func TestChancesFollowFromWhatWasSeen(t *testing.T) {
	l := &likely{kills: []int64{0, 1, 1, 5, 0, 0}, runs: []int64{0, 0, 20, 5, 0, 20}}
	last := 1.0
	for _, m := range []uint32{1, 3, 4, 2, 5} {
		p := l.chance(m, 1)
		if p <= 0 || p >= last {
			t.Errorf("mutant %d: %v, after %v", m, p, last)
		}
		last = p
	}
	if sober, hopeful := l.chance(2, 1), l.chance(2, 0.3); hopeful <= sober || l.chance(5, 0.3) != l.chance(5, 1) {
		t.Errorf("%v, with hope %v", sober, hopeful)
	}
}
