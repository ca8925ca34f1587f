package exec

import (
	"fmt"
	"strings"
	"unicode/utf8"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// message says in the target's own words why it failed.
func (x *Executor) message(kind wire.OutcomeKind, output []byte) string {
	var s string
	switch kind {
	case wire.Panic:
		s = PanicText(x.run.value)
	case wire.Fail:
		s = strings.TrimSpace(string(output))
	case wire.Fuel:
		s = "does not end: out of fuel"
	case wire.Memory:
		s = failure.AsksFor(fuzzmutrt.Asked>>20, fuzzmutrt.RoomMost>>20)
	case wire.Exit:
		s = "runtime.Goexit was called"
		if x.doom == fuzzmutrt.Exited {
			s = "the process would have ended: os.Exit or log.Fatal was called"
		}
	}
	return cut(s, 2000)
}

// PanicText prints a panic's value as the runtime does, with the methods of the
// value that may themselves panic.
func PanicText(v any) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("%T", v)
		}
	}()
	switch v := v.(type) {
	case nil: // only in modules whose go line is below 1.21
		return "panic(nil)"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// Panicked is the text of what the last execution has panicked with.
func (x *Executor) Panicked() string { return PanicText(x.run.value) }

// FailureText is the test's output of the last execution.
func (x *Executor) FailureText() string {
	_, _, output := x.target.hooks.Result(x.target.t)
	return x.message(wire.Fail, output)
}

// DetailMost is how much of what was seen goes into a kill's detail, in bytes.
const DetailMost = 300

// Cut shortens what goes into a kill's detail.
func Cut(s string) string { return cut(s, DetailMost) }

// cut shortens a text to some bytes, and does not cut a letter in two.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for range utf8.UTFMax - 1 {
		if utf8.RuneStart(s[most]) {
			break
		}
		most--
	}
	return s[:most] + "…"
}
