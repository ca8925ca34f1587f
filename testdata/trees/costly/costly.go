// Package costly has functions whose cost grows with the length of a text.
package costly

import (
	"sort"
	"strings"
	"sync"
)

// Square counts the pairs of semicolons: with the square of their number.
func Square(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] != ';' {
			continue
		}
		for j := i + 1; j < len(s); j++ {
			if s[j] == ';' {
				n++
			}
		}
	}
	return n
}

// Concat doubles commas, and copies what it has for each.
func Concat(s string) string {
	out := ""
	for part := range strings.SplitSeq(s, ",") {
		out += part + ",,"
	}
	return out
}

// Line counts the semicolons.
func Line(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == ';' {
			n++
		}
	}
	return n
}

// Sorted sorts the fields of a text by merging: n log n.
func Sorted(s string) []string { return merged(strings.Fields(s)) }

func merged(list []string) []string {
	if len(list) < 2 {
		return list
	}
	a, b := merged(list[:len(list)/2]), merged(list[len(list)/2:])
	var all []string
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			a, b = b, a
		}
		all, a = append(all, a[0]), a[1:]
	}
	return append(append(all, a...), b...)
}

// Limited is Square for texts of up to a hundred bytes, and looks no further.
func Limited(s string) int { return Square(s[:min(len(s), 100)]) }

var (
	mu    sync.Mutex
	cache = map[int][]int{}
)

// Cached looks up a table of the text's length, which takes the square of it to make.
func Cached(s string) int {
	mu.Lock()
	defer mu.Unlock()
	n := len(s)
	if cache[n] == nil {
		table := make([]int, n)
		for i := range n {
			for j := range i {
				table[i] += j
			}
		}
		cache[n] = table
	}
	return len(cache[n])
}

var pool = sync.Pool{New: func() any { return new([]byte) }}

// Pooled copies a text to memory from a pool.
func Pooled(s string) int {
	b := pool.Get().(*[]byte)
	*b = append((*b)[:0], s...)
	n := 0
	for _, c := range *b {
		if c == ';' {
			n++
		}
	}
	pool.Put(b)
	return n
}

// Allowed is a square that is meant.
//
//fuzzmut:cost n^2
func Allowed(s string) int {
	n := 0
	for i := range len(s) {
		for j := range i {
			if s[i] == s[j] {
				n++
			}
		}
	}
	return n
}

// Words counts the fields that stand in the text more than once.
func Words(s string) (n int) {
	var seen []string
	for _, w := range strings.Fields(s) {
		if contains(seen, w) {
			n++
		} else {
			seen = append(seen, w)
		}
	}
	sort.Strings(seen)
	return n
}

func contains(list []string, w string) bool {
	for _, v := range list {
		if v == w {
			return true
		}
	}
	return false
}
