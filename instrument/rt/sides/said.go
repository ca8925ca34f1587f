package sides

import "strings"

// WantSign comes before what a test wants, as most tests say it.
const WantSign = ", want "

// Of divides what a test has said in one line, "F(1) = 2, want 3", into the call, with the sign after it, and both
// values. How the call ends is not known, since signs may stand in it and in the values: of all signs that counts after
// which both values are alike for the longest. It is not ok if nothing is wanted.
func Of(said string) (call, got, want string, ok bool) {
	at := strings.LastIndex(said, WantSign)
	if at < 0 {
		return "", "", "", false
	}
	text, want := said[:at], said[at+len(WantSign):]
	begin, alike := -1, -1
	for _, sign := range []string{" = ", " is ", ": ", " got "} {
		for from := 0; ; {
			i := strings.Index(text[from:], sign)
			if i < 0 {
				break
			}
			from += i + len(sign)
			if n := common(text[from:], want); n > alike {
				begin, alike = from, n
			}
		}
	}
	if begin < 0 {
		return "", "", "", false
	}
	return text[:begin], text[begin:], want, true
}

// common counts the bytes that two texts begin with in common.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Said shortens what a test has said to about most characters, if it has more and compares two long values that begin
// alike: of both it has what is around the first difference. Else it is as it was.
func Said(said string, most int) string {
	call, got, want, ok := Of(said)
	if !ok || len([]rune(said)) <= most {
		return said
	}
	x, y := Around(got, want, most/4)
	if !strings.HasPrefix(x, "…") {
		return said
	}
	if part := []rune(call); len(part) > most/2 {
		call = string(part[:most/2]) + "… "
	}
	return call + x + WantSign + y
}
