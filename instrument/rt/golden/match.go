package golden

import "strings"

// Flat writes the text of a value in one line.
func Flat(text string) string {
	lines := strings.Split(text, "\n")
	flat := lines[0]
	for _, line := range lines[1:] {
		line = strings.TrimLeft(line, "\t")
		switch {
		case strings.HasSuffix(flat, " +"):
			flat += " "
		case strings.HasSuffix(flat, "{"), strings.HasSuffix(flat, "["), strings.HasPrefix(line, "}"), strings.HasPrefix(line, "]"):
		default:
			flat += ", "
		}
		flat += line
	}
	return flat
}

// Matches says whether a text is as wanted. Where the wanted one has Unstable in place of a
// value, any value is.
func Matches(want, got string) bool {
	return want == got || strings.Contains(want, Unstable) && sameTexts(want, got, false)
}

// Alike says whether two texts are the same, but for values that are Unstable in one of them.
func Alike(a, b string) bool { return a == b || sameTexts(a, b, true) }

func sameTexts(want, got string, both bool) bool {
	want, got = Flat(want), Flat(got)
	quoted := false
	for want != "" || got != "" {
		switch {
		case !quoted && strings.HasPrefix(want, Unstable):
			want, got = want[len(Unstable):], got[valueEnd(got):]
			continue
		case !quoted && both && strings.HasPrefix(got, Unstable):
			want, got = want[valueEnd(want):], got[len(Unstable):]
			continue
		case want == "" || got == "" || want[0] != got[0]:
			return false
		}
		n := 1
		switch {
		case quoted && want[0] == '\\':
			if n = least(2, len(want)); !strings.HasPrefix(got, want[:n]) {
				return false
			}
		case want[0] == '"':
			quoted = !quoted
		}
		want, got = want[n:], got[n:]
	}
	return true
}

// valueEnd returns where the value ends that a text in one line begins with: before a comma
// or semicolon that divides it from the next one, or what closes a list that it is in.
func valueEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = quoteEnd(s, i) - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ';':
			if depth == 0 && i+1 < len(s) && s[i+1] == ' ' {
				return i
			}
		}
	}
	return len(s)
}

// quoteEnd returns where a quotation ends that begins at i.
func quoteEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
