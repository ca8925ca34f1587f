// Package glob matches paths with github.com/bmatcuk/doublestar.
package glob

import "github.com/bmatcuk/doublestar/v4"

// Match says whether a path matches a pattern.
func Match(pattern, path string) (bool, error) {
	return doublestar.Match(pattern, path)
}
