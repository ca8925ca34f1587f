package sides

import (
	"strconv"
	"strings"
)

// WantSign comes before what a test wants, as most tests say it.
const WantSign = ", want "

// Of divides what a test has said in one line, "F(1) = 2, want 3", into the call, with the sign after it, and both
// values. How the call ends is not known, since signs may stand in it and in the values: of all signs outside of brackets
// and quotes that counts after which both values are alike for the longest. It is not ok if nothing is wanted.
func Of(said string) (call, got, want string, ok bool) {
	at := strings.LastIndex(said, WantSign)
	if at < 0 {
		return "", "", "", false
	}
	text, want := said[:at], said[at+len(WantSign):]
	shortened := len(strings.SplitAfterN(text, cutEnd, 2)[0])
	begin := longest(text, want, func(at int) bool { return at == shortened })
	if begin < 0 {
		begin = longest(text, want, outside(text))
	}
	if begin < 0 {
		begin = longest(text, want, func(int) bool { return true }) // brackets that are not closed
	}
	if begin < 0 {
		return "", "", "", false
	}
	return text[:begin], text[begin:], want, true
}

// cutEnd is how a call ends that Said has cut. What is before it has brackets that are not closed.
const cutEnd = "…)"

// longest returns where the sign ends after which a text is like what is wanted for the longest, of the signs at places
// that may be; -1: there is none.
func longest(text, want string, may func(at int) bool) int {
	begin, alike := -1, -1
	for _, sign := range []string{" = ", " is ", ": ", " got "} {
		for from := 0; ; {
			i := strings.Index(text[from:], sign)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(sign)
			if !may(at) {
				continue
			}
			if n := common(text[from:], want); n > alike {
				begin, alike = from, n
			}
		}
	}
	return begin
}

// outside says of places in a text whether they are outside of brackets and quotes.
func outside(text string) func(at int) bool {
	in := make([]bool, len(text))
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '`', '\'':
			end := quoted(text[i:])
			for k := i; k < i+end; k++ {
				in[k] = true
			}
			i += max(end-1, 0)
		default:
			in[i] = depth > 0
		}
	}
	return func(at int) bool { return !in[at] }
}

// quoted is the length of the literal that a text begins with; 0: it is none, as an apostrophe.
func quoted(text string) int {
	literal, err := strconv.QuotedPrefix(text)
	if err != nil {
		return 0
	}
	return len(literal)
}

// common counts the bytes that two texts begin with in common.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Said shortens what a test has said to about most characters, if it has more and compares two values. Of the call it
// has the beginning, in up to half of them or what the values leave, with the sign after it; of both values what is around
// the first difference.
func Said(said string, most int) string {
	call, got, want, ok := Of(said)
	if !ok || len([]rune(said)) <= most {
		return said
	}
	end := strings.LastIndexByte(call, ')')
	if end < 0 {
		end = len(call)
	}
	head, sign := []rune(call[:end]), call[end:]
	left := most - len([]rune(sign)) - len(WantSign)
	if room := max(most/2, left-len([]rune(got))-len([]rune(want))); len(head) > room {
		head = append(head[:room:room], '…')
	}
	x, y := Around(got, want, max(left-len(head), most/4)/2)
	return string(head) + sign + x + WantSign + y
}
