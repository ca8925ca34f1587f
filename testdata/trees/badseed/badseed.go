// Package badseed splits assignments, and does not mind an empty key.
package badseed

import "strings"

// Key returns what stands before the first '=' in s.
func Key(s string) (string, bool) {
	key, _, ok := strings.Cut(s, "=")
	return key, ok
}
