package exec

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Outcome describes an execution.
func (x *Executor) Outcome(ex Execution) wire.Outcome {
	if ex.special != nil {
		return *ex.special
	}
	o := wire.Outcome{Kind: ex.Kind, Message: ex.Message}
	if lines, s, ok := x.hang(ex); ok {
		function, _, _ := strings.Cut(lines[s.at], " ")
		file, line := x.window.placeOf(s)
		lines[s.at] = fmt.Sprintf("%s %s:%d", function, file, line)
		o.Frames, o.Loop = lines[s.at:], true
	} else if ex.Stack != nil {
		o.Frames = frames(ex.Stack, x.prefixes)
	}
	if ex.Kind == wire.Fuel {
		o.Deeper = ex.Turning != nil && ex.Turning.Deeper
		o.Frames = o.Frames[:min(hangFrames, len(o.Frames))]
	}
	return o
}

// hang returns the user's frames of a hang and where in them the loop is that does not end;
// ok is false if nobody knows.
func (x *Executor) hang(ex Execution) (lines []string, s spot, ok bool) {
	if ex.Kind != wire.Fuel || ex.Turning == nil {
		return nil, s, false
	}
	lines = own(ex.Stack, x.prefixes)
	s, ok = x.window.spotOf(ex.Stack, lines, ex.Turning)
	return lines, s, ok
}

// A Loop is a loop that does not end, or a function that does not.
type Loop struct {
	Func int32
	loop int32 // its number; -1: the function does not end
}

// LoopOf returns the loop by which a hang goes, and whether it is known.
func (x *Executor) LoopOf(ex Execution) (Loop, bool) {
	_, s, ok := x.hang(ex)
	return Loop{s.fn, int32(s.loop)}, ok
}

// Also has a loop count as one that went on to the end.
func (t *Turning) Also(l Loop) {
	t.Funcs = append(t.Funcs, l.Func)
	if l.loop >= 0 {
		t.Loops = append(t.Loops, l.loop)
	}
}

// LastFailure describes the execution that has just ended, which failed. Of one in which
// messages were not wanted it knows only what was panicked with.
func (x *Executor) LastFailure(ex Execution) wire.Outcome {
	if ex.Message == "" && ex.Kind != wire.Fail {
		ex.Message = x.message(ex.Kind, nil)
	}
	ex.Stack = slices.Clone(x.run.stack)
	return x.Outcome(ex)
}

// frames turns a stack into lines "pkg.Func file:line", innermost first, of the
// user's code: the packages under one of the prefixes, or, when there are none
// of these, whatever is not the machinery. A deferred function may look at a panic and
// panic in turn, often with the same value: the frames are those of the first panic. If the
// deferred function fails with an error of the runtime, the frames are those of that error.
func frames(stack []uintptr, prefixes []string) []string {
	var user, other []string
	begun, called := false, false // the frame before was the panic's; the program has called it
	it := runtime.CallersFrames(stack)
	for {
		f, more := it.Next()
		line := fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line)
		if begun {
			begun, called = false, !strings.HasPrefix(f.Function, "runtime.")
		}
		switch {
		case f.Function == "runtime.gopanic":
			if begun = true; called {
				user, other = nil, nil
			}
		case f.Function == "" || isMachinery(f.Function):
		case failure.InPackages(f.Function, prefixes):
			user = append(user, line)
		default:
			other = append(other, line)
		}
		if !more {
			break
		}
	}
	if len(user) == 0 {
		return other
	}
	return user
}

// own turns a stack, or a part of one, into the lines of the user's code in it.
func own(stack []uintptr, prefixes []string) (lines []string) {
	if len(stack) == 0 {
		return nil
	}
	it := runtime.CallersFrames(stack)
	for more := true; more; {
		var f runtime.Frame
		if f, more = it.Next(); failure.InPackages(f.Function, prefixes) && !isMachinery(f.Function) {
			lines = append(lines, fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line))
		}
	}
	return lines
}

func isMachinery(function string) bool {
	for _, p := range []string{"runtime.", "runtime/", "testing.", "reflect.", "iter.", "fuzzmutrt.", "fuzzmutrt/", "internal/runtime/"} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
