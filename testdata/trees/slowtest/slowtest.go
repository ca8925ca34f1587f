// Package slowtest finds the middle of three.
package slowtest

// Median returns the middle one of three numbers.
func Median(a, b, c int) int {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b = c
	}
	if a > b {
		return a
	}
	return b
}

// Spread returns how far three numbers lie apart.
func Spread(a, b, c int) int {
	return max(a, b, c) - min(a, b, c)
}
