// Package wrap breaks lines with github.com/mitchellh/go-wordwrap.
package wrap

import "github.com/mitchellh/go-wordwrap"

// Wrap breaks the lines of a text that have more characters than a limit.
func Wrap(text string, limit uint) string {
	return wordwrap.WrapString(text, limit)
}
