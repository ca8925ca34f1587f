// Package boundary holds functions that enforce limits on computed values.
package boundary

import (
	"strconv"
	"strings"
)

// Total reports whether the numbers of a list, separated by commas, come to more
// than a thousand.
func Total(list string) bool {
	sum := 0
	for _, field := range strings.Split(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return false
		}
		sum += n
	}
	return sum > 1000
}

// Crowded reports whether a text has two hundred words or more.
func Crowded(text string) bool { return len(strings.Fields(text)) >= 200 }

// Fits reports whether the body of a message, which stands behind a colon, is
// shorter than 300 bytes.
func Fits(message []byte) bool {
	_, body, ok := strings.Cut(string(message), ":")
	return ok && len(body) < 300
}

// Deep reports whether brackets are nested at least forty deep. The text has to be
// balanced.
func Deep(s string) bool {
	depth, most := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
			most = max(most, depth)
		case ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && most >= 40
}

// Small reports whether an image is small: a product of two fields of two
// bytes each.
func Small(header []byte) bool {
	if len(header) < 4 {
		return false
	}
	width := uint32(header[0])<<8 | uint32(header[1])
	height := uint32(header[2])<<8 | uint32(header[3])
	return width*height <= 5040
}
