package failure

import "strings"

// withoutValues returns the first line of a message without the values that it may print:
// what is in brackets, numbers, and the words for truth and for nothing are each a #.
func withoutValues(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	words := strings.Fields(withoutBrackets(Template(line)))
	for i, w := range words {
		bare := strings.Trim(w, ",;:.")
		if isValue(bare) {
			words[i] = strings.Replace(w, bare, "#", 1)
		}
	}
	return strings.Join(words, " ")
}

// isValue reports whether a word, as Template leaves it, is a value.
func isValue(word string) bool {
	switch strings.ToLower(word) {
	case "true", "false", "nil", "<nil>", "nan", "inf", "+inf", "-inf", "map#", `""`, "``", "''":
		return true
	}
	return strings.Contains(word, "#") && strings.Trim(strings.ToLower(word), "#abcdefx+-.i") == ""
}

// withoutBrackets puts # in place of what is in brackets, to the end of the line if one is
// not closed.
func withoutBrackets(line string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case strings.IndexByte("([{", c) >= 0:
			if depth++; depth == 1 {
				b.WriteByte('#')
			}
		case strings.IndexByte(")]}", c) >= 0 && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}
