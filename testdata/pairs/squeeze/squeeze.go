// Package squeeze shortens and pads texts with github.com/huandu/xstrings.
package squeeze

import "github.com/huandu/xstrings"

// Squeeze drops repeated characters of a set.
func Squeeze(text, set string) string {
	return xstrings.Squeeze(text, set)
}

// Pad brings a text to a width of at most 100.
func Pad(text string, width uint8, pad string) string {
	return xstrings.LeftJustify(text, int(width)%100, pad)
}

// Initials returns a text with a capital, and with a small letter, at its beginning.
func Initials(text string) (upper, lower string) {
	return xstrings.FirstRuneToUpper(text), xstrings.FirstRuneToLower(text)
}
