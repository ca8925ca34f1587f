// Package visible escapes what a reader of a page does not see.
package visible

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text escapes control characters but for tabs and ends of lines, marks that turn the
// direction of writing, and bytes that are no UTF-8: as \x1b or \u202e.
func Text(s string) string {
	var b strings.Builder
	start := 0 // of what is not yet written, and shown as it is
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !seen(r, size) {
			b.WriteString(s[start:i])
			quoted := strconv.QuoteToASCII(s[i : i+size])
			b.WriteString(quoted[1 : len(quoted)-1])
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return s
	}
	b.WriteString(s[start:])
	return b.String()
}

// seen reports whether a reader sees a character of a size in bytes.
func seen(r rune, size int) bool {
	return r == '\n' || r == '\t' || unicode.IsGraphic(r) && (r != utf8.RuneError || size > 1)
}
