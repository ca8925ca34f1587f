package failure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Identity names a failure so that another with the same name is likely to be the
// same again: the kind, what is said without the numbers and quotations in it, and
// the place. What asks for too much memory at once is named alike whatever it asks for. A hang is named by the line of the loop that does not end, and by what that calls last in a turn, and what ends the process by its
// cause; how far a recursion has got does not matter. A failed assertion is named by where
// it stands: what it says are often the values that it has compared. Only if that is not
// known it goes by what is said without them.
func Identity(o wire.Outcome) string {
	if o.Kind == wire.Fuel {
		return strings.Join(append([]string{Key(o)}, o.Ends...), "\n")
	}
	what, place, line := parts(o)
	switch {
	case o.Kind == wire.Fail && line != "" && strings.HasSuffix(place, ".go"):
		what = ""
	case o.Kind == wire.Fail:
		what, place, line = withoutValues(o.Message), "", ""
	}
	return kindOf(&o) + "\n" + Template(what) + "\n" + place + line
}

// outOfRoom begins what is said of a length that no memory holds. Whether a value is that long, or only longer than
// there is memory, depends on the input.
var outOfRoom = [...]string{
	"runtime error: makeslice: ", "runtime error: growslice: ", "makechan: size out of range",
	"strings: Repeat output length overflow", "bytes: Repeat output length overflow", "bytes.Buffer: too large",
}

// kindOf is the kind of a failure, where a length that no memory holds is one of memory.
func kindOf(o *wire.Outcome) string {
	if isOutOfRoom(o) {
		return wire.Memory.String()
	}
	return o.Kind.String()
}

func isOutOfRoom(o *wire.Outcome) bool {
	return o.Kind == wire.Panic && slices.ContainsFunc(outOfRoom[:], func(begin string) bool { return strings.HasPrefix(o.Message, begin) })
}

// OverflowsStack reports whether the stack overflows, or will.
func OverflowsStack(o *wire.Outcome) bool { return strings.Contains(o.Message, "stack overflow") }

// ForeseenOverflow is the message of an input that the clock or the fuel ends before the stack
// overflows.
const ForeseenOverflow = "stack overflow: calls go ever deeper"

// AsksFor is the message of an input that asks for more memory at once than there may be, both in MiB.
func AsksFor(asked, most uint64) string {
	return "it asks for " + strconv.FormatUint(asked, 10) + " MiB at once, more than " + strconv.FormatUint(most, 10) + " MiB"
}

// LoopOf returns what an identity says of the loop of a hang, without what that calls last; "" if it
// is that of another failure.
func LoopOf(identity string) string {
	kind, rest, _ := strings.Cut(identity, "\n")
	if kind != wire.Fuel.String() {
		return ""
	}
	loop, _, _ := strings.Cut(rest, "\n")
	return loop
}

// Lasting is Identity without line numbers: it stays the same when code elsewhere in
// the file changes.
func Lasting(o wire.Outcome) string {
	if o.Kind == wire.Fuel {
		return key(o, false)
	}
	what, place, _ := parts(o)
	return kindOf(&o) + "\n" + Template(what) + "\n" + place
}

// parts returns what is said of a failure, the place, and the line there as far as it
// matters. The line begins with what separates it from the place.
func parts(o wire.Outcome) (what, place, line string) {
	what = o.Message
	if len(o.Frames) > 0 {
		function, pos, _ := strings.Cut(o.Frames[0], " ")
		place = enclosing(function)
		if o.Kind == wire.Panic || o.Kind == wire.Memory {
			line = " " + pos
		}
	}
	switch {
	case o.Kind == wire.Fail:
		// The place stands before the message.
		first, _, _ := strings.Cut(o.Message, "\n")
		if where, rest, ok := strings.Cut(first, ": "); ok {
			what, place, line = rest, where, ""
			if i := strings.LastIndexByte(where, ':'); i >= 0 {
				place, line = where[:i], where[i:]
			}
		}
	case isOutOfRoom(&o):
		what = AsksFor(0, 0)
	case OverflowsStack(&o):
		what, place, line = "fatal error: stack overflow", "", "" // seen, or foreseen
	}
	return what, place, line
}

// Template returns the first line of a message with a # for each number in
// it, "" for each quotation, and T for the dynamic type in messages of the runtime and
// of package reflect: what is left is the kind of message. A sign and a fraction are of the
// number, unless a word ends before the sign, as in a range 3-5. Which bound of an index or
// a slice is exceeded, and what of the value is named, depends on the input.
func Template(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	for _, begin := range outOfRange {
		if strings.HasPrefix(line, begin) {
			return begin
		}
	}
	line = withoutType(line)
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case isDigit(c) || c == '-' && i+1 < len(line) && isDigit(line[i+1]) && (i == 0 || !endsWord(line[i-1])):
			i += numberEnd(line[i+1:])
			b.WriteByte('#')
		case c == '"' || c == '`' || c == '\'' && (i == 0 || !isLetter(line[i-1])):
			end := closingQuote(line[i+1:], c)
			b.WriteByte(c)
			if end >= 0 {
				i += 1 + end
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// outOfRange begins what the runtime says of bounds: "[5] with length 3" or "[-1]" of an
// index, "[:5] with capacity 3", "[4:2]" or "[-1:]" of a slice.
var outOfRange = [...]string{"runtime error: index out of range", "runtime error: slice bounds out of range"}

// numberEnd returns how many bytes of s belong to a number whose first byte stands before s.
func numberEnd(s string) int {
	end := digits(s)
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		end += 1 + digits(s[end+1:])
	}
	return end
}

// digits returns how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// endsWord reports whether c may be the last byte of a word, or of a value in brackets.
func endsWord(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("_)]}-", c) >= 0
}

// withoutType puts T in place of the type that a value of an interface, or one that was
// reflected, happens to have.
func withoutType(line string) string {
	for _, m := range [...]struct{ begin, before, after string }{
		{"interface conversion: ", " is ", ", not "},
		{"interface conversion: ", "conversion: ", " is not "},
		{"reflect", " of type ", " is not assignable to "},
		{"reflect", " on ", " Value"},
	} {
		if !strings.HasPrefix(line, m.begin) {
			continue
		}
		head, rest, ok := strings.Cut(line, m.before)
		if !ok {
			continue
		}
		if i := strings.Index(rest, m.after); i >= 0 {
			return head + m.before + "T" + rest[i:]
		}
	}
	return line
}

// isLetter tells the apostrophe of "can't" from a quotation mark.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// closingQuote returns where a quotation ends, -1 if it does not.
func closingQuote(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			return i
		}
	}
	return -1
}
