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

// To see that an input does not end takes seconds: what is known is not run again.
func TestAHangIsConfirmedOnce(t *testing.T) {
	e := begun(t, Config{}, 1, "seed")
	hang, slow, fresh := fake.Input("hang"), fake.Input("slow"), fake.Input("hang i1")
	confirm := func(ctx context.Context, input *corpus.Input) (*Doubt, error) {
		d := &Doubt{Kind: wire.Fuel, Inputs: []*corpus.Input{input}}
		return d, e.Confirm(ctx, []*Doubt{d})
	}
	for _, input := range []*corpus.Input{hang, slow} {
		if _, err := confirm(t.Context(), input); err != nil {
			t.Fatal(err)
		}
	}
	if !e.Hangs(hang) || e.Hangs(slow) || e.Hangs(fresh) {
		t.Errorf("hang %v, slow %v, another one %v", e.Hangs(hang), e.Hangs(slow), e.Hangs(fresh))
	}
	e.patient.note(fresh, hangPatience, showing{known: true})
	if d, err := confirm(t.Context(), fresh); err != nil || d.Shows() {
		t.Errorf("what is known is run again: shows %v, error %v", d.Shows(), err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	last := fake.Input("hang i2")
	if _, err := confirm(over, last); err == nil || e.Hangs(last) {
		t.Errorf("an input that was not run is known: error %v", err)
	}
}
