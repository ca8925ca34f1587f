// Package misbehave is what the fuzz tests of this tree pretend to test.
package misbehave

// Digits counts the digits of b.
func Digits(b []byte) int {
	n := 0
	for _, c := range b {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}
