//go:build unix

package engine

import (
	"context"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What leaves goroutines waiting in no fresh process is refuted, and so is a hang that ends with more fuel. A hang
// that dies, or fails in another way, is none that passes.
func TestFailuresAreConfirmedInFreshProcesses(t *testing.T) {
	e := begun(t, Config{}, 2, "seed")
	for _, c := range []struct {
		name    string
		kind    wire.OutcomeKind
		inputs  []string
		refuted int
		shows   bool
	}{
		{"always", wire.Leak, []string{"leak"}, 0, true},
		{"later", wire.Leak, []string{"a", "b", "c leak"}, 2, true},
		{"never", wire.Leak, []string{"a", "b"}, 2, false},
		{"fourth", wire.Leak, []string{"a", "b", "c", "dd leak"}, 3, false},
		{"dies", wire.Leak, []string{"end"}, 1, false},
		{"only counted", wire.Leak, nil, 0, true},
		{"hangs", wire.Fuel, []string{"hang"}, 0, true},
		{"ends", wire.Fuel, []string{"slow", "slow i1"}, 2, false},
		{"the second hangs", wire.Fuel, []string{"slow", "hang i1"}, 1, true},
		{"a hang that dies", wire.Fuel, []string{"end"}, 0, true},
		{"a hang that panics", wire.Fuel, []string{"fail"}, 0, true},
	} {
		d := &Doubt{Kind: c.kind}
		for _, words := range c.inputs {
			d.Inputs = append(d.Inputs, fake.Input(words))
		}
		if err := e.Confirm(t.Context(), []*Doubt{d}); err != nil {
			t.Fatal(err)
		}
		if d.Refuted != c.refuted || d.Shows() != c.shows {
			t.Errorf("%s: %d are refuted, shows %v", c.name, d.Refuted, d.Shows())
		}
	}
}

// Nothing is refuted that there was no time to run.
func TestNothingIsRefutedWithoutTime(t *testing.T) {
	e := begun(t, Config{}, 1, "seed")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	d := &Doubt{Kind: wire.Leak, Inputs: []*corpus.Input{fake.Input("a")}}
	if err := e.Confirm(over, []*Doubt{d}); err == nil || d.Refuted > 0 {
		t.Errorf("%d, %v", d.Refuted, err)
	}
}
