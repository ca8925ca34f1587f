package trial

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Code that ends the process, or takes too much memory, is not run again outside a worker.
func TestWhatIsShown(t *testing.T) {
	for kind, want := range map[wire.OutcomeKind]bool{
		wire.Pass: true, wire.Skip: true, wire.Fail: true, wire.Panic: true, wire.Fuel: true, wire.Exit: false, wire.Memory: false, wire.Death: false,
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
	for _, kind := range []wire.OutcomeKind{wire.Panic, wire.Death, wire.Fuel, wire.Panic} {
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

// The test binary is asked to show what hangs without a run of it; other inputs run.
func TestAnInputThatHangsIsNotRunToShowIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the test binary is a shell script")
	}
	binary := filepath.Join(t.TempDir(), "p.test")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\nprintf '    fuzz.go:1: the input is\\n        %s\\n' \"$FUZZMUT_SHOW\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	x := &Trial{
		hello: &wire.Hello{Values: "Machine[int]"}, Test: instrument.FuzzTest{Name: "FuzzX"},
		Project: &project.Project{}, Package: &project.Package{Binary: binary, Loaded: &load.Result{}},
	}
	for kind, want := range map[wire.OutcomeKind]string{wire.Fuel: "planned", wire.Panic: "1", wire.Death: ""} {
		if got := Source(t.Context(), x, corpus.Of([]byte("a")), kind); got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
}
