// Package hangseed follows Collatz sequences, and forgets about zero.
package hangseed

// Steps returns the number of steps from n to 1. It loops for ever at 0.
func Steps(n uint8) int {
	steps := 0
	for v := uint(n); v != 1; steps++ {
		if v%2 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
	}
	return steps
}
