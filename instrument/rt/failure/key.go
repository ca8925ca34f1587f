// Package failure says when two failures are the same. Key sorts failing inputs into
// buckets while they are found: it goes by the place. Identity tells one failure from
// another after the fact: it goes by what is said, too. Both are the same in the worker
// and in the coordinator, in every run.
package failure

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Key returns the bucket of a failing input: its kind and the top frames
// of the user's code, with lines. A hang goes by its loop. If that is
// not known, the frames are where its time happened to run out, somewhere below the
// loop: only the outermost functions tell such hangs apart. A leak goes by where the
// goroutine was started, and by what it waits for: one that nobody reads from stops
// wherever it happens to send.
func Key(o wire.Outcome) string { return key(o, true) }

// key returns the key with lines, or without those of a hang.
func key(o wire.Outcome, lines bool) string {
	frames, most := o.Frames, 3
	switch {
	case o.Kind == wire.Fuel && o.Loop:
		most = 1
	case o.Kind == wire.Fuel:
		frames = frames[max(0, len(frames)-most-1):]
	case o.Kind == wire.Leak:
		frames = frames[max(0, len(frames)-1):]
	}
	key := o.Kind.String()
	for i, f := range frames {
		if i == most {
			break
		}
		function, line, _ := strings.Cut(f, " ")
		key += "\n" + enclosing(function)
		if o.Kind != wire.Fuel || o.Loop && lines {
			key += " " + line
		}
	}
	if o.Kind == wire.Leak {
		_, state, _ := strings.Cut(o.Message, ", waiting in ")
		key += "\n" + state
	}
	if o.Kind == wire.Fail {
		// A failed assertion leaves no stack, but says where it stands.
		line, _, _ := strings.Cut(o.Message, "\n")
		where, _, _ := strings.Cut(line, ": ")
		key += "\n" + where
	}
	return key
}
