// Package distance compares words with github.com/agnivade/levenshtein.
package distance

import "github.com/agnivade/levenshtein"

// Of returns how many edits make one word of another.
func Of(a, b string) int {
	return levenshtein.ComputeDistance(a, b)
}
