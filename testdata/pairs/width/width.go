// Package width measures texts with github.com/rivo/uniseg.
package width

import "github.com/rivo/uniseg"

// Columns returns how many columns a text takes on a terminal.
func Columns(text string) int {
	return uniseg.StringWidth(text)
}
