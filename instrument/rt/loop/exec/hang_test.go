package exec_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// endless is a target, rewritten by hand, with loops in three functions. Its methods
// are kept apart on the stack.
type endless struct {
	counters [4]uint8 // of enter, turn, inner and recurse
	slow     [4]bool
}

func (p *endless) burn(counter int) {
	p.counters[counter]++
	if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
		fuzzmutrt.Out()
	}
}

//go:noinline
func (p *endless) enter(_ *testing.T, s string) {
	p.burn(0)
	switch s {
	case "turn":
		p.turn()
	case "inner":
		p.inner(1 << 60)
	case "recurse":
		p.recurse(60)
	case "here":
		for {
			p.inner(3)
			p.burn(0)
		}
	}
	p.inner(200)
}

//go:noinline
func (p *endless) turn() {
	for {
		p.burn(1)
		p.inner(50)
	}
}

//go:noinline
func (p *endless) inner(turns int) {
	for range turns {
		p.burn(2)
	}
}

//go:noinline
func (p *endless) recurse(depth int) {
	p.burn(3)
	if depth > 0 {
		p.recurse(depth - 1)
		p.recurse(depth - 1)
	}
}

// placesOf finds the methods in this file, in the order of their counters.
func placesOf(p *endless) []wire.Place {
	_, file, _, _ := runtime.Caller(0)
	var places []wire.Place
	line := func(f func()) int { // of a call that runs out of fuel at once
		fuzzmutrt.Fuel = 0
		at := 0
		fuzzmutrt.DoomHook = func(fuzzmutrt.Doom, int) {
			var pcs [16]uintptr
			it := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
			for more := true; more; {
				var fr runtime.Frame
				if fr, more = it.Next(); strings.HasSuffix(fr.Function, ".burn") {
					fr, _ = it.Next()
					at = fr.Line
					return
				}
			}
		}
		func() {
			defer func() { recover() }()
			f()
		}()
		return at
	}
	starts := []int{
		line(func() { p.enter(nil, "") }), line(p.turn), line(func() { p.inner(1) }), line(func() { p.recurse(0) }),
	}
	// Each begins at most three lines above where it first burns, and ends before the next.
	for i, at := range starts {
		end := at + 8
		if i+1 < len(starts) {
			end = starts[i+1] - 4
		}
		places = append(places, wire.Place{File: file, Line: at - 2, EndLine: end})
	}
	return places
}

// Where the fuel runs out does not matter, nor what the loop calls when it does.
func TestHangsAreTracedToTheirLoops(t *testing.T) {
	p := &endless{}
	places := placesOf(p)
	for _, c := range []struct{ input, function string }{
		{"turn", "turn"},
		{"inner", "inner"},
		{"recurse", "recurse"},
		{"here", "enter"},
	} {
		t.Run(c.input, func(t *testing.T) {
			init := &wire.Init{Places: places, CounterFunc: []int32{0, 1, 2, 3}}
			w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
			var keys []string
			for fuel := int64(4000); fuel < 4100; fuel += 7 {
				w.Cov.Clear()
				ex := w.Exec.Detailed([]any{c.input}, fuel)
				o := w.Exec.Outcome(ex)
				if ex.Burned != fuel+1 || o.Kind != wire.Fuel || !o.Loop {
					t.Fatalf("with %d units: %d burned, %+v", fuel, ex.Burned, o)
				}
				if p.counters[0] == 0 {
					t.Error("what was hit before the window is lost")
				}
				keys = append(keys, failure.Key(o))
			}
			slices.Sort(keys)
			if keys = slices.Compact(keys); len(keys) != 1 || !strings.HasSuffix(keys[0], "."+c.function) {
				t.Errorf("identities %q, want one, in %s", keys, c.function)
			}
		})
	}
}

// What ends is no hang, and burns what it burns, whether it gets into the window or not.
func TestWindowTakesNoFuel(t *testing.T) {
	p := &endless{}
	init := &wire.Init{CounterFunc: []int32{0, 1, 2, 3}, Places: make([]wire.Place, 4)}
	w := looptest.New(t, init, p.enter, p.counters[:], p.slow[:])
	for _, fuel := range []int64{201, 210, 260, 300, 10_000} {
		w.Cov.Clear()
		if ex := w.Exec.Original([]any{""}, fuel); ex.Kind != wire.Pass || ex.Burned != 201 {
			t.Errorf("with %d units: %+v", fuel, ex)
		}
		if p.counters[2] != 200 {
			t.Errorf("with %d units the counter is at %d, want 200", fuel, p.counters[2])
		}
	}
}
