// Package redtest adds, and one of its tests does not like how.
package redtest

// Add returns the sum.
func Add(a, b int) int {
	if a == 0 {
		return b
	}
	return a + b
}
