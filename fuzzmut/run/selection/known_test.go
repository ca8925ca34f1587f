//go:build unix

package selection

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// seen is an input of a search: what it does in truth, what the search has seen it kill, and
// the block that it covers, 0 for none.
type seen struct {
	words string
	kills []uint32
	block uint32
}

// searched makes a selector whose engine has seen that. Mutants from 5 on are killed by fuel.
func searched(t *testing.T, inputs []seen) (*Selector, []Candidate) {
	t.Helper()
	x := trialtest.Fake(t, trial.Hooks{})
	if err := x.Greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	var list []Candidate
	for i, in := range inputs {
		e := entry(in.words)
		for _, m := range in.kills {
			kind := oracle.Panic
			if m >= 5 {
				kind = oracle.Fuel
			}
			x.Engine.Kills.Kill(kills.Kill{Kill: wire.Kill{Mutant: m, Kind: kind}, Input: e.Input})
		}
		list = append(list, Candidate{Entry: e, Cost: int64(10 + i), At: i, Features: wire.Features{wire.FeatureOf(in.block, 0)}})
	}
	return &Selector{Trial: x}, list
}

func TestAChoiceUsesWhatTheSearchHasSeen(t *testing.T) {
	for _, c := range []struct {
		name        string
		stay, among []seen
		dear        bool // too dear for a whole matrix
		want        []string
	}{
		{name: "what stays has it all", stay: []seen{{"k1 k2", []uint32{1, 2}, 0}}, among: []seen{{"k2", nil, 0}}},
		{name: "what stays kills what was seen elsewhere", stay: []seen{{"k1", nil, 0}}, among: []seen{{"k1 i2", []uint32{1}, 0}}},
		{name: "one has it all, which nobody has seen", among: []seen{{"k1", []uint32{1}, 0}, {"k2", []uint32{2}, 0}, {"k1 k2 i3", nil, 0}}, want: []string{"k1 k2 i3"}},
		{name: "without a matrix one that is needed stays", dear: true, among: []seen{{"k1", []uint32{1}, 0}, {"k1 k2", []uint32{2}, 0}}, want: []string{"k1 k2"}},
		{name: "a block is worth an entry", among: []seen{{"k1 f8", []uint32{1}, 1}, {"f16", nil, 2}}, want: []string{"f16", "k1 f8"}},
		{name: "a dear kill is not looked for elsewhere", among: []seen{{"e5", []uint32{5}, 0}, {"e5 k1", []uint32{1}, 0}}, want: []string{"e5", "e5 k1"}},
	} {
		s, all := searched(t, slices.Concat(c.stay, c.among))
		stay, among := all[:len(c.stay)], all[len(c.stay):]
		if c.dear {
			for i := range among {
				among[i].Cost = 2 * fullMatrix
			}
		}
		know := s.Trial.FirstKills()
		fixed, err := s.FixKnown(t.Context(), stay, know)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := s.ChooseKnown(t.Context(), fixed, slices.Clone(among), know)
		if err != nil || chosen.Late != 0 {
			t.Fatal(chosen, err)
		}
		var got []string
		for _, k := range chosen.Kept {
			got = append(got, fake.Words(k.Input))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Without time the choice is that of what was seen: nothing is lost.
func TestAChoiceWithoutTimeLosesNothing(t *testing.T) {
	s, among := searched(t, []seen{{"k1", []uint32{1}, 1}, {"k2", []uint32{2}, 1}, {"k1 k2", nil, 1}, {"e5", []uint32{5}, 0}})
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	know := s.Trial.FirstKills()
	fixed, err := s.FixKnown(ctx, nil, know)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := s.ChooseKnown(ctx, fixed, among, know)
	if err != nil || len(chosen.Kept) != 3 || chosen.Late != 3 {
		t.Errorf("%+v, %v", chosen, err)
	}
}

// What does most comes first.
func TestTheBestByWhatIsKnown(t *testing.T) {
	s, all := searched(t, []seen{{"a", nil, 1}, {"k1", []uint32{1}, 1}, {"k2 k3", []uint32{2, 3}, 1}, {"f16", nil, 2}, {"k4", []uint32{4}, 1}, {"k4 i1", nil, 1}})
	stay, among := all[5:], all[:5]
	know := s.Trial.FirstKills()
	var got []string
	for _, c := range s.BestOf(s.fixed(stay, know), Union(among, among[:2]), 2, know) {
		got = append(got, fake.Words(c.Input))
	}
	if want := []string{"k2 k3", "k1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where more are needed than can stay, it does not matter that the fewest are found.
func TestAChoiceIsNoSmallerThanItHasToBe(t *testing.T) {
	for most, want := range map[int]int{0: 1, 1: 3, 2: 3, 3: 1} {
		s, among := searched(t, []seen{{"k1", []uint32{1}, 0}, {"k2", []uint32{2}, 0}, {"k1 k2 k3", []uint32{3}, 0}})
		s.Most = most
		for i := range among {
			among[i].Cost = 2 * fullMatrix
		}
		know := s.Trial.FirstKills()
		fixed, err := s.FixKnown(t.Context(), nil, know)
		if err != nil {
			t.Fatal(err)
		}
		if chosen, err := s.ChooseKnown(t.Context(), fixed, among, know); err != nil || len(chosen.Kept) != want {
			t.Errorf("most %d: %d are kept, want %d (%v)", most, len(chosen.Kept), want, err)
		}
	}
}
