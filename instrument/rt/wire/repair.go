package wire

import (
	"strings"
	"time"
)

// Repair asks which mutants make failing inputs pass. For each mutant that makes a
// difference a Mended comes, for each input a Diagnosis, and Ran in the end.
type Repair struct {
	Items []RepairItem
}

// RepairItem is one failing input of a Repair.
type RepairItem struct {
	Input []byte // encoded values
	// Fuel is what each run may burn, with a mutant or without. Less than the
	// failure takes makes a hang of it, which is how an input is looked at whose
	// failure ends the process.
	Fuel int64
	// Mutants are the only ones to be run; nil: all that the input infects.
	Mutants IDs
	// Bare says that the original ends the process, and is not run: the listed mutants
	// are, and a Mended comes for each. Linger is as in Run, after each run.
	Bare   bool          `json:",omitempty"`
	Linger time.Duration `json:",omitempty"`
	// After is the last mutant that is done with, after a death; 0: none is.
	After uint32
}

// Mended tells what a mutant makes of a failing input, if that is not the same
// failure.
type Mended struct {
	Item     int // index into Repair.Items
	Mutant   uint32
	Repaired bool // it passes, twice; else it fails in another way, or skips
	// Moved are, of a repair, the counters that are hit with it and not without it,
	// or the other way round. The function with the mutant counts nothing while it
	// is active.
	Moved IDs
}

// Diagnosis closes an item of a Repair.
type Diagnosis struct {
	Item     int
	Outcome  Outcome // of the original
	Counters IDs     // that it hits
	Tried    IDs     // mutants that were run: those that the input infects
	// Unsteady says how the original did not do the same twice; nothing is tried
	// then.
	Unsteady string `json:",omitempty"`
}

// FailureIdentity names a failure so that another with the same name is likely to
// be the same again: the kind, what is said without the numbers and quotations in
// it, and the place. A hang goes by the loop it sits in, and what ends the process by
// its cause; where a recursion has come to does not matter.
func FailureIdentity(o Outcome) string {
	what, place := o.Message, ""
	if len(o.Frames) > 0 {
		function, line, _ := strings.Cut(o.Frames[0], " ")
		place = enclosing(function)
		if o.Kind == Panic {
			place += " " + line
		}
	}
	switch {
	case o.Kind == Fuel:
		return FailureKey(o)
	case o.Kind == Fail:
		// The place stands before the message.
		line, _, _ := strings.Cut(o.Message, "\n")
		if where, rest, ok := strings.Cut(line, ": "); ok {
			what, place = rest, where
		}
	case strings.Contains(o.Message, "stack overflow"):
		place = ""
	}
	return o.Kind.String() + "\n" + MessageTemplate(what) + "\n" + place
}

// MessageTemplate returns the first line of a message with a # for each number in
// it, "" for each quotation, and T for the dynamic type in messages of the runtime and
// of package reflect: what is left is the kind of message.
func MessageTemplate(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	line = withoutType(line)
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case isDigit(c):
			for i+1 < len(line) && isDigit(line[i+1]) {
				i++
			}
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
