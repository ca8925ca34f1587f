// Package unstable returns values that depend on more than the arguments.
package unstable

import (
	"strconv"
	"strings"
)

var serial int

// Label returns s with a number that grows with each call.
func Label(s string) string {
	serial++
	return s + "#" + strconv.Itoa(serial)
}

// Count returns the number of different words in s: a stable value.
func Count(s string) int {
	return len(words(s))
}

// Join returns the different words in s in map order: an unstable value.
func Join(s string) string {
	var b strings.Builder
	for w, n := range words(s) {
		b.WriteString(w)
		b.WriteByte('=')
		b.WriteString(strconv.Itoa(n))
		b.WriteByte(' ')
	}
	return b.String()
}

func words(s string) map[string]int {
	m := map[string]int{}
	for _, w := range strings.Fields(s) {
		m[w]++
	}
	return m
}

// A Note is a text with a number and its different words in map order, both unstable.
type Note struct {
	Serial int
	Words  []string
	Long   int // words of more than three bytes
}

// Take notes s.
func Take(s string) *Note {
	serial++
	n := &Note{Serial: serial}
	for w := range words(s) {
		n.Words = append(n.Words, w)
		if len(w) > 3 {
			n.Long++
		}
	}
	return n
}
