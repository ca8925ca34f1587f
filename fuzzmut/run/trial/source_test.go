package trial

import (
	"context"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Code that does not end, or ends the process, is not run again outside a worker.
func TestWhatIsShown(t *testing.T) {
	for kind, want := range map[wire.OutcomeKind]bool{
		wire.Pass: true, wire.Skip: true, wire.Fail: true, wire.Panic: true, wire.Fuel: false, wire.Exit: false, wire.Memory: false, wire.Death: false,
	} {
		if got := shows(kind); got != want {
			t.Errorf("%v: %v", kind, got)
		}
	}
}

// However many inputs fail, showing them has an end. What is never shown counts for nothing.
func TestFewInputsAreShownForAShortTime(t *testing.T) {
	ctx, done := context.WithCancel(t.Context())
	s, end := SourcesOf(ctx, &Trial{hello: &wire.Hello{Values: "Machine[int]"}})
	defer end()
	s.source = func(context.Context, *Trial, *corpus.Input, wire.OutcomeKind) string { return "shown" }
	s.most = 2
	in := corpus.Of([]byte("a"))
	var got []string
	for _, kind := range []wire.OutcomeKind{wire.Panic, wire.Death, wire.Skip, wire.Panic} {
		got = append(got, s.Of(in, kind))
	}
	if want := []string{"shown", "", "shown", ""}; !slices.Equal(got, want) || s.Left() != 1 {
		t.Errorf("%q, %d left, want %q and 1", got, s.Left(), want)
	}
	if s.most = 2; s.Of(in, wire.Panic) != "shown" {
		t.Error("there was time")
	}
	if done(); s.Of(in, wire.Panic) != "" || s.Left() != 2 {
		t.Errorf("the time is up: %d left", s.Left())
	}
}
