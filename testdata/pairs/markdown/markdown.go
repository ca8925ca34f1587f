// Package markdown renders Markdown with github.com/yuin/goldmark.
package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
)

// Render returns the HTML of a text.
//
//fuzzmut:target
func Render(text string) (string, error) {
	var out strings.Builder
	err := goldmark.Convert([]byte(text), &out)
	return out.String(), err
}
