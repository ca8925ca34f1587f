package exec

import (
	"runtime"
	"slices"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Hangs are distinguished by the loop that does not end. Where the fuel runs out is
// chance: somewhere below that loop. So the last part of the fuel is a window in which
// counters are watched, and in which the stack is looked at several times. Calls that are
// on the stack each time do not return, and their loops whose counters are hit go on turn
// after turn: the outermost of these loops is the one that does not end. It is not one
// that a loop further out calls again in each turn, as what skips white space: that
// returns. Where there is no such loop, in a recursion or in one made of jumps, it is the
// outermost of the functions on the stack that have hit a counter in the window, or what
// calls that again and again.

const (
	// One part in windowShare of an execution's fuel is that in which counters are watched:
	// long enough for a turn of the loop, unless that takes millions.
	windowShare = 4
	// windowLooks is how often the stack is looked at in the window, the end included.
	windowLooks = 8
	// windowStride makes the parts between looks differ: a loop whose turns all burn the same
	// is not to be met at one point each time.
	windowStride = 7
	// windowDepth bounds the stack of a hang, and hangFrames the frames that are shown.
	windowDepth = 4096
	hangFrames  = 64
)

// window watches the functions that hit counters in the last part of the fuel.
type window struct {
	places      []wire.Place // by function
	counterFunc []int32      // by counter
	loops       []wire.Loop  // in the order of their counters

	reserve int64 // fuel for the window, or for what is left of it
	looks   int   // at the stack, in the window
	open    bool
	before  [][]uint8                 // by package, the counters up to the window
	hit     []uint32                  // counters that were hit in it
	own     func([]uintptr) []uintptr // cuts a stack where the execution begins
	pcs     [windowLooks][]uintptr
	depths  bool         // whether it is of interest how deep the stack gets
	whole   [2][]uintptr // then, the stacks at the first look and at the end, not cut off

	prefixes []string // that tell the user's frames
	steps    steps
}

// Turning is what went on in the last part of the fuel of a hang.
type Turning struct {
	Counters []uint32 // that were hit, ascending
	Funcs    []int32  // that hit counters, ascending
	Loops    []int32  // whose bodies were entered, by number, ascending
	// Steady is how many calls, the outermost ones of the stack, were on it each time. Inner
	// is where the call inside of them was then; 0: there was none.
	Steady int
	Inner  [windowLooks]uintptr
	// Deeper says that calls went ever deeper.
	Deeper bool
}

// begin keeps fuel back for the window, and returns the rest.
func (w *window) begin(fuel int64) int64 {
	w.reserve, w.open, w.looks = 0, false, 0
	w.steps.seen = w.steps.seen[:0]
	if w.counterFunc != nil && fuel < NoFuelLimit {
		w.reserve = fuel / windowShare
	}
	return fuel - w.reserve
}

// enter is called where the fuel is out. It opens the window, or begins the next part
// of it, and reports whether the execution may go on.
func (w *window) enter() bool {
	if w.reserve == 0 {
		return false
	}
	switch {
	case !w.open:
		w.start()
	case w.steps.wanted:
		return w.step()
	case w.looks == windowLooks/2:
		w.note()
		fallthrough
	default:
		w.look()
	}
	more := fuzzmutrt.Fuel >= 0
	for w.reserve > 0 && !more {
		more = Give(w.part())
	}
	return more
}

// part takes the fuel up to the next look from what is kept back.
func (w *window) part() int64 {
	part := w.reserve
	if left := int64(windowLooks - w.looks); left > 1 {
		part = max(1, w.reserve/left-int64(w.looks)*windowStride)
	}
	w.reserve -= part
	return part
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
	w.open, w.hit = true, w.hit[:0]
}

// look keeps the stack, unless it has been looked at often enough. The last look is that at
// the end.
func (w *window) look() {
	if w.looks >= windowLooks-1 {
		return
	}
	w.capture(w.looks)
	w.looks++
}

// capture keeps the stack as that of a look.
func (w *window) capture(look int) []uintptr {
	pcs := w.pcs[look]
	if pcs == nil {
		pcs = make([]uintptr, windowDepth)
	}
	pcs = pcs[:windowDepth]
	w.pcs[look] = pcs[:len(w.own(pcs[:runtime.Callers(4, pcs)]))]
	w.measure(look, w.pcs[look])
	return w.pcs[look]
}

// last keeps the stack at the end, and returns it; nil if the window is not open.
func (w *window) last() []uintptr {
	if !w.open {
		return nil
	}
	return w.capture(windowLooks - 1)
}

// note looks which counters are hit in the window. It is done twice, since
// a counter that runs over may be zero at the moment.
func (w *window) note() {
	for _, p := range fuzzmutrt.Packages {
		for i, n := range p.Counters {
			if n != 0 {
				w.hit = append(w.hit, p.FirstCounter+uint32(i))
			}
		}
	}
	slices.Sort(w.hit)
	w.hit = slices.Compact(w.hit)
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

// turning tells what went on in the window, given the stack at its end.
func (w *window) turning(stack []uintptr) *Turning {
	t := &Turning{Counters: slices.Clone(w.hit)}
	loop := 0
	for _, c := range w.hit {
		if f := w.counterFunc[c]; f >= 0 {
			t.Funcs = append(t.Funcs, f)
		}
		for loop < len(w.loops) && w.loops[loop].Counter < c {
			loop++
		}
		if loop < len(w.loops) && w.loops[loop].Counter == c {
			t.Loops = append(t.Loops, int32(loop))
		}
	}
	slices.Sort(t.Funcs)
	t.Funcs = slices.Compact(t.Funcs)
	w.compare(t, stack)
	t.Deeper = w.deeper()
	return t
}

// compare finds out which calls were on the stack at each look.
func (w *window) compare(t *Turning, stack []uintptr) {
	t.Steady = len(stack)
	for _, pcs := range w.pcs[:w.looks] {
		n := 0
		for n < min(t.Steady, len(pcs)) && pcs[len(pcs)-1-n] == stack[len(stack)-1-n] {
			n++
		}
		t.Steady = n
	}
	for i, pcs := range append(w.pcs[:w.looks:w.looks], stack) {
		if t.Steady < len(pcs) {
			t.Inner[i] = pcs[len(pcs)-1-t.Steady]
		}
	}
}

// spot is where a hang is.
type spot struct {
	at   int // the frame, of those of the stack
	loop int // its number; -1: the whole function does not end
	fn   int32
}

// spotOf returns where in a stack the loop is that does not end; ok is false if it is not
// known. lines are the user's frames of it.
//
// Calls that look the same each time may be new ones nevertheless. Those of functions that
// were not entered in the window are the same; so their loops come first, then those of
// functions that call themselves.
func (w *window) spotOf(stack []uintptr, lines []string, t *Turning) (s spot, ok bool) {
	steady := len(own(stack[len(stack)-t.Steady:], w.prefixes))
	var inner [][]string
	for _, pc := range t.Inner {
		if pc != 0 {
			inner = append(inner, own([]uintptr{pc}, w.prefixes))
		}
	}
	again, out := spot{at: -1}, 0
	for ; out < len(lines); out++ { // calls outside of this one
		places, at := [][]string{lines}, out
		if out >= steady {
			places, at = inner, out-steady
			if len(inner) == 0 || at >= len(inner[0]) {
				break
			}
		}
		n := w.loopAround(places, at, t.Loops)
		if n < 0 {
			continue
		}
		found := spot{len(lines) - 1 - out, n, w.counterFunc[w.loops[n].Counter]}
		switch entered := w.entered(found.fn, lines[found.at], t.Counters); {
		case !entered:
			return found, true
		case again.at < 0 && w.recurses(found.fn, lines):
			again = found
		}
	}
	if again.at >= 0 {
		return again, true
	}
	return w.functionOf(lines, t)
}

// functionOf returns the outermost function of a stack that hit counters in the window. If that
// was entered again, and does not call itself, what calls it goes on.
func (w *window) functionOf(lines []string, t *Turning) (s spot, ok bool) {
	for at := len(lines) - 1; at >= 0; at-- {
		f := w.function(lines[at], t.Funcs)
		if f < 0 {
			continue
		}
		if !w.recurses(f, lines) && at+1 < len(lines) && w.entered(f, lines[at], t.Counters) {
			if caller := w.function(lines[at+1], nil); caller >= 0 {
				return spot{at + 1, -1, caller}, true
			}
		}
		return spot{at, -1, f}, true
	}
	return s, false
}

// recurses reports whether a function is on a stack more than once.
func (w *window) recurses(f int32, lines []string) bool {
	calls := 0
	for _, line := range lines {
		if w.function(line, []int32{f}) >= 0 {
			calls++
		}
	}
	return calls > 1
}

// entered reports whether the function of a frame may have been called in the window, in which
// counters were hit. That of a function literal is not known.
func (w *window) entered(fn int32, frame string, hit []uint32) bool {
	name, _, _ := strings.Cut(frame, " ")
	if strings.Contains(name, ".func") {
		return false
	}
	_, ok := slices.BinarySearch(hit, uint32(slices.Index(w.counterFunc, fn)))
	return ok
}

// loopAround returns the outermost of the loops that is around the frame with a number, from
// the outermost on, in each of several stacks; -1 if none is.
func (w *window) loopAround(stacks [][]string, at int, among []int32) int {
	best := -1
	for _, n := range among {
		l := &w.loops[n]
		around := len(stacks) > 0
		for _, lines := range stacks {
			if at >= len(lines) {
				return -1
			}
			file, line, ok := position(lines[len(lines)-1-at])
			around = around && ok && l.Line <= line && line <= l.EndLine && file == w.places[w.counterFunc[l.Counter]].File
		}
		if around && (best < 0 || l.Line < w.loops[best].Line) {
			best = int(n)
		}
	}
	return best
}

// placeOf is the line by which a hang goes, as stacks show it: that of the loop, or that
// where the function is declared.
func (w *window) placeOf(s spot) (file string, line int) {
	file, line = w.places[s.fn].File, w.places[s.fn].Line
	if s.loop >= 0 {
		line = w.loops[s.loop].Line
	}
	return file, line
}

// function returns the one of some functions that a frame is in, of all if none are named; -1
// if it is in none.
func (w *window) function(frame string, among []int32) int32 {
	file, line, ok := position(frame)
	if !ok {
		return -1
	}
	in := func(f int32) bool {
		p := &w.places[f]
		return p.Line <= line && line <= p.EndLine && p.File == file
	}
	for _, f := range among {
		if in(f) {
			return f
		}
	}
	for f := range w.places {
		if among == nil && in(int32(f)) {
			return int32(f)
		}
	}
	return -1
}

// position returns where a frame stands.
func position(frame string) (file string, line int, ok bool) {
	_, pos, _ := strings.Cut(frame, " ")
	colon := strings.LastIndexByte(pos, ':')
	if colon < 0 {
		return "", 0, false
	}
	for _, c := range pos[colon+1:] {
		line = line*10 + int(c-'0')
	}
	return pos[:colon], line, true
}
