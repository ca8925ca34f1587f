package exec

import (
	"fmt"
	"runtime"
	"slices"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// callers is where rewritten code calls the core.
func callers(pcs []uintptr) int { return runtime.Callers(3, pcs) }

// overflow describes the use of a number that lost something in the execution that is over; nil:
// there was none.
func (x *Executor) overflow() *wire.Outcome {
	o := fuzzmutrt.EndWidening()
	if o == nil {
		return nil
	}
	use := frames(x.run.own(o.Stack()), x.prefixes)
	lost := frames(x.run.own(o.Lost.Stack()), x.prefixes)
	list := use
	if len(lost) > 0 && (len(use) == 0 || lost[0] != use[0]) {
		list = slices.Concat(lost[:1], use)
	}
	return &wire.Outcome{Kind: wire.Overflow, Message: overflowText(o), Frames: list}
}

// uses says how a number is used.
var uses = [...]string{
	fuzzmutrt.UseIndex: "is an index", fuzzmutrt.UseSlice: "bounds a slice", fuzzmutrt.UseMake: "is a size of make",
	fuzzmutrt.UseCount: "is a number of turns", fuzzmutrt.UseLength: "says how much",
	fuzzmutrt.UseBound: "is compared, which goes the other way",
}

// overflowText says what a number lost, and how it is used.
func overflowText(o *fuzzmutrt.Overflow) string {
	l := &o.Lost
	what := ""
	switch l.Op {
	case "":
		what = fmt.Sprintf("%s %s becomes %s %s", l.From, l.X, l.To, l.Value)
	case "-x":
		what = fmt.Sprintf("-x is %s in %s, where x is %s", l.Value, l.To, l.X)
	default:
		what = fmt.Sprintf("%s is %s in %s, where x is %s and y is %s", l.Op, l.Value, l.To, l.X, l.Y)
	}
	if o.Value != l.Value {
		return fmt.Sprintf("%s; what comes of it, %s in place of %s, %s", what, o.Value, o.Exact, uses[o.Use])
	}
	return what + "; this " + uses[o.Use]
}
