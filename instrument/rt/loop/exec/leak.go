package exec

import (
	"bytes"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A goroutine that a call has started, and that waits for something after the call, is leaked if
// the next call leaves another one there. What starts one worker for all calls is correct.

// How long goroutines have to end. What waits for another goroutine, and none of the new ones
// runs, has less.
const (
	settleYields  = 64
	settleShort   = time.Millisecond
	settleBlocked = 100 * time.Millisecond
	settleLong    = time.Second
)

// stacksMost bounds the text of all stacks that is looked at, in bytes. Goroutines beyond that
// are not seen.
const stacksMost = 4 << 20

// Goroutines returns how many goroutines there are, if leaked ones matter; else 0.
func (x *Executor) Goroutines() int {
	if !x.leaks {
		return 0
	}
	return runtime.NumGoroutine()
}

// Left reports whether there are more goroutines than before an execution, after they had a
// moment to end. The test's context is done then, as it is after a test.
func (x *Executor) Left(before int) bool {
	if !x.leaks || runtime.NumGoroutine() <= before {
		return false
	}
	x.endContext()
	for range settleYields {
		if runtime.NumGoroutine() <= before {
			return false
		}
		runtime.Gosched()
	}
	const look = settleShort / 10
	for wait := settleShort; wait > 0 && runtime.NumGoroutine() > before; wait -= look {
		time.Sleep(look)
	}
	return runtime.NumGoroutine() > before
}

// endContext cancels the context of the execution that is over: goroutines may wait for that.
func (x *Executor) endContext() {
	if tg := x.target; tg.Renew {
		tg.hooks.Reset(tg.t, tg.Proto, true)
	}
}

// Whole is Detailed, and fails if it leaves goroutines waiting, as far as that is asked for. Then
// it runs the target twice; the coverage is that of the first run.
func (x *Executor) Whole(vals []any, fuel int64) Execution {
	if !x.leaks {
		return x.Detailed(vals, fuel)
	}
	again, before := Clone(vals), x.stacks()
	ex := x.Detailed(vals, fuel)
	if ex.Kind.Failed() || !x.Left(len(before)) {
		return ex
	}
	first := x.settled(before)
	if len(first) == 0 {
		return ex
	}
	var second []goroutine
	x.Aside(func() {
		before = x.stacks()
		x.Detailed(again, fuel)
		x.endContext()
		second = x.settled(before)
	})
	for i := range first {
		g := &first[i]
		if slices.ContainsFunc(second, g.alike) {
			ex.Kind, ex.special = wire.Leak, &wire.Outcome{Kind: wire.Leak, Message: g.text(len(first)), Frames: g.frames}
			break
		}
	}
	return ex
}

// Aside runs something without an effect on the coverage.
func (x *Executor) Aside(run func()) {
	var saved [][]uint8
	for _, p := range fuzzmutrt.Packages {
		saved = append(saved, slices.Clone(p.Counters))
	}
	run()
	for i, p := range fuzzmutrt.Packages {
		copy(p.Counters, saved[i])
	}
}

// goroutine is one goroutine, as a traceback has it.
type goroutine struct {
	id     int64
	state  string   // "chan receive"
	frames []string // of the user's code, innermost first, with the one that has started it last
	own    bool     // it is not the machinery's
}

// alike reports whether another goroutine waits at the same place.
func (g *goroutine) alike(h goroutine) bool { return slices.Equal(g.frames, h.frames) }

// text says what is left. The number alone makes no other failure of it.
func (g *goroutine) text(n int) string {
	return "goroutines that outlive the call: " + strconv.Itoa(n) + ", waiting in " + g.state
}

// waits reports whether the goroutine goes on only if something else happens.
func (g *goroutine) waits() bool {
	for _, state := range []string{"chan ", "select", "semacquire", "sync.", "IO wait", "sleep", "finalizer wait"} {
		if strings.HasPrefix(g.state, state) {
			return true
		}
	}
	return false
}

// settled waits for the goroutines that were not there before, and returns those of the user's
// code that still are, in the order of their frames. None is left if one of them still runs: it
// may end later, and it is no leak but work. Nor is one that ends when garbage is collected: caches stop
// the goroutine that tends them so, in a finalizer.
func (x *Executor) settled(before map[int64]goroutine) (left []goroutine) {
	const look = 10 * time.Millisecond
	collected := false
	for waited := time.Duration(0); ; waited += look {
		left, running := left[:0], false
		for id, g := range x.stacks() {
			if _, had := before[id]; !had && g.own {
				left, running = append(left, g), running || !g.waits() || g.state == "sleep"
			}
		}
		switch {
		case len(left) == 0:
			return nil
		case !collected && (waited >= settleLong || !running && waited >= settleBlocked):
			runtime.GC()
			collected, waited = true, 0
		case waited >= settleLong || !running && waited >= settleBlocked:
			left = slices.DeleteFunc(left, func(g goroutine) bool { return !g.waits() })
			slices.SortFunc(left, func(a, b goroutine) int { return slices.Compare(a.frames, b.frames) })
			return left
		}
		time.Sleep(look)
	}
}

// stacks lists all goroutines, by their numbers.
func (x *Executor) stacks() map[int64]goroutine {
	size := max(len(x.text), 64<<10)
	for {
		if len(x.text) < size {
			x.text = make([]byte, size)
		}
		n := runtime.Stack(x.text, true)
		if n < len(x.text) || size >= stacksMost {
			return maps.Collect(tracebacks(x.text[:n], x.prefixes))
		}
		size *= 2
	}
}

// tracebacks reads what runtime.Stack writes of all goroutines.
func tracebacks(text []byte, prefixes []string) func(yield func(int64, goroutine) bool) {
	return func(yield func(int64, goroutine) bool) {
		for block := range bytes.SplitSeq(text, []byte("\n\n")) {
			if g, ok := traceback(string(block), prefixes); ok && !yield(g.id, g) {
				return
			}
		}
	}
}

// traceback reads the part of one goroutine.
func traceback(block string, prefixes []string) (g goroutine, ok bool) {
	head, rest, _ := strings.Cut(block, "\n")
	head, ok = strings.CutPrefix(head, "goroutine ")
	number, state, cut := strings.Cut(head, " ")
	id, err := strconv.ParseInt(number, 10, 64)
	if !ok || !cut || err != nil {
		return g, false
	}
	state = strings.TrimSuffix(strings.TrimPrefix(state, "["), "]:")
	state, _, _ = strings.Cut(state, ",")
	g = goroutine{id: id, state: strings.TrimSuffix(state, " (nil chan)"), own: true}
	for function, rest := "", rest; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if place, ok := strings.CutPrefix(line, "\t"); ok {
			place, _, _ = strings.Cut(place, " +0x")
			if failure.InPackages(function, prefixes) {
				g.frames = append(g.frames, function+" "+place)
			}
			continue
		}
		if created, ok := strings.CutPrefix(line, "created by "); ok {
			function, _, _ = strings.Cut(created, " in goroutine ")
		} else if at := strings.LastIndexByte(line, '('); at > 0 {
			function = line[:at]
		}
		if strings.HasPrefix(function, "fuzzmutrt/") || strings.HasPrefix(function, "testing.") && !strings.HasPrefix(line, "created by ") {
			g.own = false
		}
	}
	g.own = g.own && len(g.frames) > 0
	return g, true
}
