// Package wildcard matches names with github.com/tidwall/match.
package wildcard

import "github.com/tidwall/match"

// Match says whether a name matches a pattern.
func Match(name, pattern string) bool {
	return match.Match(name, pattern)
}

// Range returns the names between which all that match lie.
func Range(pattern string) (low, high string) {
	return match.Allowable(pattern)
}
