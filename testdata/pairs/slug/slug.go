// Package slug makes parts of URLs with github.com/gosimple/slug.
package slug

import "github.com/gosimple/slug"

var languages = []string{"en", "de", "pt", "bg", "tr"}

// Title returns a title as a part of a URL.
func Title(title string, language uint8) string {
	return slug.MakeLang(title, languages[int(language)%len(languages)])
}
