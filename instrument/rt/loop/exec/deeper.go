package exec

import "runtime"

// Calls that go ever deeper overflow the stack, which ends the process. That may take longer than
// an execution has time, or fuel: whether it is seen as a hang or as an overflow would depend on the
// machine. So the depth of the stack decides: it grows through the whole window, and nearly all calls that
// were in progress at its beginning are so at its end. What tries much in a deep recursion returns from
// calls and makes others instead.

const (
	// deepest bounds the calls that are counted: as many are too many.
	deepest = 1 << 17
	// deepAtLeast is how many calls are in progress at the end of the window, at least.
	deepAtLeast = 256
	// One part in deepGrowth is how much the stack grows in the window, at least: where calls are the
	// dearer the deeper they are, the depth grows as a root of the fuel.
	deepGrowth = 16
)

// measure keeps a stack that was looked at as deep as it is, if that is of interest.
func (w *window) measure(look int, pcs []uintptr) {
	at := 0
	switch {
	case !w.depths || look > 0 && look < windowLooks-1:
		return
	case look > 0:
		at = 1
	}
	if len(pcs) < windowDepth {
		w.whole[at] = append(w.whole[at][:0], pcs...)
		return
	}
	if cap(w.whole[at]) < deepest {
		w.whole[at] = make([]uintptr, deepest)
	}
	all := w.whole[at][:deepest]
	w.whole[at] = w.own(all[:runtime.Callers(0, all)])
}

// deeper reports whether calls went ever deeper in the window.
func (w *window) deeper() bool {
	if !w.depths || w.looks == 0 {
		return false
	}
	first, last := w.whole[0], w.whole[1]
	if len(last) == deepest {
		return true
	}
	kept := 0
	for kept < min(len(first), len(last)) && first[len(first)-1-kept] == last[len(last)-1-kept] {
		kept++
	}
	return len(last) >= deepAtLeast && len(last)-len(first) >= len(first)/deepGrowth && kept >= len(first)-len(first)/deepGrowth
}
