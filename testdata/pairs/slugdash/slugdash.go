// Package slugdash makes parts of URLs with github.com/gosimple/slug.
package slugdash

import "github.com/gosimple/slug"

// Title returns a title as a part of a URL.
func Title(title string) string {
	return slug.Make(title)
}
