// Package html cleans documents with golang.org/x/net/html.
package html

import (
	"strings"

	"golang.org/x/net/html"
)

// Normalize parses a document and renders it again.
func Normalize(doc string) (string, error) {
	root, err := html.Parse(strings.NewReader(doc))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = html.Render(&out, root)
	return out.String(), err
}
