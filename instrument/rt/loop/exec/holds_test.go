package exec

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

var kept [][]byte

// keep asks for what lives on.
//
//go:noinline
func keep(n, size int) {
	for range n {
		kept = append(kept, make([]byte, size))
	}
}

// drop asks for as much, which does not live.
//
//go:noinline
func drop(n, size int) {
	for range n {
		sink = make([]byte, size)
	}
}

var sink []byte

// What lives in the heap is that of the line that keeps it, about as much as it is, whether it is small or large.
func TestWhoHoldsTheHeap(t *testing.T) {
	const all = 32 << 20
	defer func() { kept, sink = nil, nil }()
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = hoardRate
	x := &Executor{prefixes: []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"}}
	for _, size := range []int{64, 1 << 10, 1 << 20} {
		kept, sink = nil, nil
		before := x.held()
		drop(4*all/size, size)
		keep(all/size, size)
		after := x.held()
		frames := most(after, before)
		if len(frames) == 0 || !strings.HasPrefix(frames[0], "github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec.keep ") {
			t.Errorf("objects of %d: %q", size, frames)
			continue
		}
		bytes := after[frames[0]].bytes
		if b := before[frames[0]]; b != nil {
			bytes -= b.bytes
		}
		if math.Abs(bytes/all-1) > 0.5 {
			t.Errorf("objects of %d: %.0f bytes, want about %d", size, bytes, all)
		}
	}
}

// Of lines that hold as much the first by name counts, and what was there before does not.
func TestMostOfTheHeap(t *testing.T) {
	after := map[string]*holding{"b": {5, []string{"b"}}, "a": {5, []string{"a"}}, "old": {90, []string{"old"}}}
	if got := most(after, map[string]*holding{"old": {89, nil}}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
	if got := most(nil, nil); got != nil {
		t.Errorf("%q of nothing", got)
	}
}

// Of what is asked for in a run, the frames are those of the run: the caller's, on whose goroutine it
// is, are no part of it.
func TestWhoHoldsTheHeapIsInTheRun(t *testing.T) {
	fuzzmutrt.EndGoexit = func() bool { return false }
	defer func() { fuzzmutrt.EndGoexit, kept = nil, nil }()
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = hoardRate
	x := &Executor{prefixes: []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"}}
	before := x.held()
	callsRun(&x.run, func() { keep(32, 1<<20) })
	frames := most(x.held(), before)
	if len(frames) == 0 || !strings.Contains(frames[0], ".keep ") || strings.Contains(strings.Join(frames, "\n"), ".callsRun ") {
		t.Errorf("%q", frames)
	}
}
