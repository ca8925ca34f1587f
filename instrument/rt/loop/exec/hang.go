package exec

import (
	"slices"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Hangs are distinguished by the loop that does not end. Where the fuel runs out is
// chance: somewhere below that loop. Of the functions on the stack then, those outside
// the loop do nothing but wait for a call to return, while the one with the loop goes
// on turn after turn, and its counters with it. So it is the outermost of those that
// have hit a counter in the last part of the fuel. Of a recursion that does not end it
// is the outermost call.

// One part in windowShare of an execution's fuel is that in which counters are watched:
// long enough for a turn of the loop, unless that takes millions.
const windowShare = 4

// window watches the functions that hit counters in the last part of the fuel.
type window struct {
	places      []wire.Place // by function
	counterFunc []int32      // by counter
	reserve     int64        // fuel for the window, or for what is left of it
	open        bool
	before      [][]uint8 // by package, the counters up to the window
	turning     []int32   // functions that have hit counters in it
}

// begin keeps fuel back for the window, and returns the rest.
func (w *window) begin(fuel int64) int64 {
	w.reserve, w.open = 0, false
	if w.counterFunc != nil && fuel < NoFuelLimit {
		w.reserve = fuel / windowShare
	}
	return fuel - w.reserve
}

// enter is called where the fuel is out. It opens the window, or begins its second
// part, and reports whether the execution may go on.
func (w *window) enter() bool {
	if w.reserve == 0 {
		return false
	}
	part := w.reserve
	if w.open {
		w.note()
	} else {
		w.start()
		part -= w.reserve / 3
	}
	w.reserve -= part
	fuzzmutrt.Fuel += part
	return fuzzmutrt.Fuel >= 0
}

// shorten leaves no more than most of the fuel that is kept back.
func (w *window) shorten(most int64) { w.reserve = min(w.reserve, most) }

func (w *window) start() {
	if w.before == nil {
		w.before = make([][]uint8, len(fuzzmutrt.Packages))
	}
	for i, p := range fuzzmutrt.Packages {
		w.before[i] = append(w.before[i][:0], p.Counters...)
		clear(p.Counters)
	}
	w.open, w.turning = true, w.turning[:0]
}

// note looks which functions have hit counters in the window. It is done twice, since
// a counter that runs over may be zero at the moment.
func (w *window) note() {
	for _, p := range fuzzmutrt.Packages {
		for i, n := range p.Counters {
			if f := w.counterFunc[int(p.FirstCounter)+i]; n != 0 && f >= 0 {
				w.turning = append(w.turning, f)
			}
		}
	}
	slices.Sort(w.turning)
	w.turning = slices.Compact(w.turning)
}

// end puts the counters together again, and returns the fuel that was not asked for.
func (w *window) end() (left int64) {
	left, w.reserve = w.reserve, 0
	if !w.open {
		return left
	}
	w.note()
	for i, p := range fuzzmutrt.Packages {
		for j, n := range w.before[i] {
			p.Counters[j] = max(p.Counters[j], n, p.Counters[j]+n) // no hit gets lost when the sum runs over
		}
	}
	return left
}

// loopOf returns the place in a stack of the function whose loop does not end, -1 if
// it is not there.
func (w *window) loopOf(frames []string, turning []int32) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if f := w.function(frames[i], turning); f >= 0 {
			return i
		}
	}
	return -1
}

// function returns the one of the functions that a frame is in, -1 if it is in none.
func (w *window) function(frame string, among []int32) int32 {
	_, pos, _ := strings.Cut(frame, " ")
	colon := strings.LastIndexByte(pos, ':')
	if colon < 0 {
		return -1
	}
	file, line := pos[:colon], 0
	for _, c := range pos[colon+1:] {
		line = line*10 + int(c-'0')
	}
	for _, f := range among {
		if p := &w.places[f]; p.Line <= line && line <= p.EndLine && p.File == file {
			return f
		}
	}
	return -1
}
