// Package translate replaces characters with github.com/huandu/xstrings.
package translate

import "github.com/huandu/xstrings"

// Translate replaces the characters of one set by those of another.
func Translate(text, from, to string) string {
	return xstrings.Translate(text, from, to)
}
