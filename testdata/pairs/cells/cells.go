// Package cells measures texts with github.com/mattn/go-runewidth.
package cells

import "github.com/mattn/go-runewidth"

// The locale of the process decides nothing.
var western = &runewidth.Condition{}

// Width returns how many cells of a terminal a text takes.
func Width(text string) int {
	return western.StringWidth(text)
}

// Cut returns a text that takes no more than some cells.
func Cut(text string, cells int) string {
	return western.Truncate(text, cells, "~")
}
