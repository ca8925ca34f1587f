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
	if ex.Stack != nil {
		o.Frames = frames(ex.Stack, x.prefixes)
	}
	if ex.Kind == wire.Fuel {
		if at := x.window.loopOf(o.Frames, ex.Turning); at >= 0 {
			o.Frames, o.Loop = o.Frames[at:], true
		}
	}
	return o
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

// LoopFunc returns which of the functions a frame is in, -1 if it is in none.
func (x *Executor) LoopFunc(frame string, among []int32) int32 {
	return x.window.function(frame, among)
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

func isMachinery(function string) bool {
	for _, p := range []string{"runtime.", "runtime/", "testing.", "reflect.", "iter.", "fuzzmutrt.", "fuzzmutrt/", "internal/runtime/"} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}
