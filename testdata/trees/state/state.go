// Package state measures nested lists with the help of global state.
package state

import (
	"errors"
	"sync"
)

const (
	maxDepth  = 20
	cacheSize = 256
)

// ErrDepth is returned for lists nested too deeply.
var ErrDepth = errors.New("state: nested too deeply")

var (
	mu    sync.Mutex
	cache = map[string]int{} // weight of a word; always equal to weigh's result
	depth int                // current nesting; zero between calls of Weight
)

// Weight returns the weight of a list such as "ab(cd(e)f)": every letter counts
// its distance from 'a' plus one, times its depth. Parentheses need not balance.
func Weight(s string) (int, error) {
	mu.Lock()
	defer mu.Unlock()
	total, _, err := list(s)
	return total, err
}

func list(s string) (total int, rest string, err error) {
	depth++
	defer func() { depth-- }()
	if depth > maxDepth {
		return 0, "", ErrDepth
	}
	for len(s) > 0 {
		switch c := s[0]; {
		case c == ')':
			return total, s[1:], nil
		case c == '(':
			sub, after, err := list(s[1:])
			if err != nil {
				return 0, "", err
			}
			total, s = total+sub, after
		default:
			n := wordLen(s)
			total += depth * wordWeight(s[:n])
			s = s[n:]
		}
	}
	return total, "", nil
}

// wordLen returns the length of the longest prefix of s without parentheses.
func wordLen(s string) int {
	for i := range len(s) {
		if s[i] == '(' || s[i] == ')' {
			return i
		}
	}
	return len(s)
}

// wordWeight is weigh with a memory.
func wordWeight(w string) int {
	if n, ok := cache[w]; ok {
		return n
	}
	if len(cache) >= cacheSize {
		clear(cache)
	}
	n := weigh(w)
	cache[w] = n
	return n
}

func weigh(w string) int {
	n := 0
	for i := range len(w) {
		if c := w[i]; 'a' <= c && c <= 'z' {
			n += int(c-'a') + 1
		}
	}
	return n
}
