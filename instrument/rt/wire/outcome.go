package wire

// Outcome is how an execution ended.
type Outcome struct {
	Kind    OutcomeKind
	Message string   `json:",omitempty"` // panic value, or the test's output
	Frames  []string `json:",omitempty"` // "pkg.Func file:line", innermost first, user code only
	// Loop says that Frames, of a hang, begin with the loop that does not end, by its first
	// line, or with the function of a recursion, by that of its declaration. What that calls
	// is not among them.
	Loop bool `json:",omitempty"`
	// Ends tells what such a loop calls last in its turns: the lines of the call and of the
	// last one there, outermost first. There are several if turns differ.
	Ends []string `json:",omitempty"`
	// Deeper says of a hang that calls went ever deeper: the stack overflows, unless the clock or
	// the fuel ends the execution before.
	Deeper bool `json:",omitempty"`
}

// OutcomeKind says how an execution ended.
type OutcomeKind uint8

const (
	Pass OutcomeKind = iota
	Skip             // t.Skip
	Fail             // t.Error, t.Fatal
	Panic
	Fuel     // ran out of fuel: a hang
	Exit     // os.Exit, log.Fatal, runtime.Goexit
	Memory   // a make asks for more memory at once than there may be
	Leak     // a goroutine outlives it
	Overflow // a number that lost something sizes or bounds something
	Race     // two goroutines access the same memory, in no order; only the coordinator sees this
	Death    // the process died; only the coordinator sees this
	Slow     // it burned all the fuel of a hang, and ends with more; only the coordinator sees this
)

func (k OutcomeKind) String() string {
	return [...]string{"pass", "skip", "fail", "panic", "fuel", "exit", "memory", "leak", "overflow", "race", "death", "slow"}[k]
}

// Asked reports whether the execution is a finding only of an oracle that was asked for: plain go
// test passes with its input.
func (k OutcomeKind) Asked() bool { return k == Leak || k == Overflow || k == Race }

// Failed reports whether the execution is a finding.
func (k OutcomeKind) Failed() bool { return k >= Fail && k != Slow }
