// Package broken does not type-check.
package broken

// Half returns half of n, as the wrong type.
func Half(n int) int {
	return "half of " + n
}
