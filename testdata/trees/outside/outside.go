// Package outside has functions whose work is done by the standard library, and which turn few loops.
package outside

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"regexp"
	"sort"
	"strings"
)

// Closed counts the tags that end: after each "<" it looks for the end in all that follows.
func Closed(s string) (n int) {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return n
		}
		s = s[i+1:]
		if strings.Contains(s, "/>") {
			n++
		}
	}
}

// Inserted sorts the words that it has for each word.
func Inserted(s string) int {
	var list []string
	for word := range strings.SplitSeq(s, " ") {
		list = append(list, word)
		sort.Strings(list)
	}
	return len(list)
}

// Differ counts the words that stand in the text for the first time, and compares all that it has with what it had.
func Differ(s string) (n int) {
	now, before := make(map[string]bool), make(map[string]bool)
	for word := range strings.SplitSeq(s, ",") {
		now[word] = true
		if !maps.Equal(now, before) {
			n++
		}
		before[word] = true
	}
	return n
}

var number = regexp.MustCompile(`[0-9]+%`)

// Percents counts the numbers that are percents, and looks for one from each digit on.
func Percents(s string) (n int) {
	for {
		i := strings.IndexAny(s, "0123456789")
		if i < 0 {
			return n
		}
		s = s[i:]
		if at := number.FindStringIndex(s); at != nil && at[0] == 0 {
			n++
		}
		s = s[1:]
	}
}

// Passes looks through a text a hundred times, whatever it is.
func Passes(s string) (n int) {
	for range 100 {
		n += strings.Count(s, ";") + strings.LastIndex(s, "\x00no")
	}
	return n
}

// Sorted sorts the words of a text, and looks each up.
func Sorted(s string) (n int) {
	list := strings.Fields(s)
	sort.Strings(list)
	seen := make(map[string]int)
	for _, w := range list {
		seen[w]++
		n = max(n, seen[w])
	}
	return n
}

// Sum hashes a text, and copies of it.
func Sum(b []byte) byte {
	sum := sha256.Sum256(b)
	copied := bytes.ToUpper(bytes.Repeat(b, 4))
	return sum[0] ^ sha256.New().Sum(copied)[0]
}

// Allowed is Closed, and is meant.
//
//fuzzmut:cost n^2
func Allowed(s string) (n int) {
	for i := range len(s) {
		if strings.Contains(s[i:], "/>") {
			n++
		}
	}
	return n
}
