package exec

import (
	"runtime"
	"slices"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A loop over what is left of an input does not end if what it calls makes no progress. Several
// bugs may keep one loop busy so: they are distinguished by what the loop calls last in a turn, and
// by what is called last there. That says something only if it calls others in turn: in what
// scans a text, lines depend on the text. To see all that, a part of the fuel is handed out unit
// by unit.

const (
	// stepsMost bounds the steps. Each takes some microseconds.
	stepsMost = 1 << 14
	// endCalls is how many calls are shown, from that which has the loop on, if there are innerCalls
	// more.
	endCalls   = 2
	innerCalls = 2
	stepCalls  = endCalls + innerCalls
	// endsMost is how many ways there are at most in which turns end, to be shown.
	endsMost = 4
)

// steps is what is seen unit by unit.
type steps struct {
	wanted bool
	spot   spot
	depth  int // calls up to that with the loop
	outer  int // frames of that which are those of calls outside, as it is inlined there
	seen   [][stepCalls]uintptr
	pcs    []uintptr
}

// stepParts divide the fuel of a hang: turns often cost more and more.
var stepParts = [...]int64{4, 16, 64}

// EndsOf runs a hang again to see what its loop calls last in its turns. Nil if the loop is not
// known, no turn was seen whole, or turns end in many ways.
func (x *Executor) EndsOf(vals []any, ex Execution, fuel int64) []string {
	w := &x.window
	lines, spot, ok := x.hang(ex)
	if !ok || spot.loop < 0 {
		return nil
	}
	s := &w.steps
	s.spot = spot
	s.depth, s.outer = depthOf(ex.Stack, len(lines)-spot.at, x.prefixes)
	for _, part := range stepParts {
		s.wanted = true
		again := x.Detailed(Clone(vals), fuel/part)
		s.wanted = false
		if list, ok := w.ends(); again.Kind == wire.Fuel && ok {
			return list
		}
	}
	return nil
}

// depthOf is how many of the outermost calls of a stack have a number of the user's frames, and
// how many of these the last of the calls has itself apart from the innermost of them.
func depthOf(stack []uintptr, frames int, prefixes []string) (depth, outer int) {
	for i := len(stack) - 1; i >= 0 && frames > 0; i-- {
		outer = frames - 1
		frames -= len(own(stack[i:i+1], prefixes))
		depth++
	}
	return depth, outer
}

// step looks at the stack, and hands out one unit; all that is left if it has seen enough.
func (w *window) step() bool {
	s := &w.steps
	part := w.reserve
	if len(s.seen) < stepsMost {
		part = min(part, max(1, -fuzzmutrt.Fuel))
		s.look(w.own)
	}
	w.reserve -= part
	return Give(part)
}

func (s *steps) look(cut func([]uintptr) []uintptr) {
	if s.pcs == nil {
		s.pcs = make([]uintptr, windowDepth)
	}
	pcs := cut(s.pcs[:runtime.Callers(3, s.pcs)])
	var calls [stepCalls]uintptr
	for i := range calls {
		if at := len(pcs) - s.depth - i; at >= 0 && at < len(pcs) {
			calls[i] = pcs[at]
		}
	}
	s.seen = append(s.seen, calls)
}

// ends lists what the loop calls last in its turns, by the lines of the calls; nothing if turns
// end in many ways. It reports whether a turn was seen whole.
func (w *window) ends() (list []string, whole bool) {
	s := &w.steps
	names := make(map[[stepCalls]uintptr][]string)
	last, turns := "", 0
	for _, calls := range s.seen {
		lines, ok := names[calls]
		if !ok {
			for _, pc := range calls {
				if pc != 0 {
					lines = append(own([]uintptr{pc}, w.prefixes), lines...)
				}
			}
			lines = lines[:max(0, len(lines)-s.outer)]
			names[calls] = lines
		}
		if !w.turns(lines) {
			last = ""
			if n := len(lines); n >= endCalls+innerCalls {
				told := slices.Clone(lines[n-endCalls:])
				slices.Reverse(told)
				last = strings.Join(told, "\n")
			}
			continue
		}
		if turns++; turns > 1 && last != "" && !slices.Contains(list, last) {
			list = append(list, last)
		}
		last = ""
	}
	if slices.Sort(list); len(list) > endsMost {
		list = nil
	}
	return list, turns > 1
}

// turns reports whether a turn of the loop begins.
func (w *window) turns(lines []string) bool {
	l := &w.loops[w.steps.spot.loop]
	if len(lines) != 1 {
		return false
	}
	file, line, ok := position(lines[0])
	return ok && line == l.Body && file == w.places[w.steps.spot.fn].File
}
