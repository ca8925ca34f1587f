// Package rank looks for lines with github.com/sahilm/fuzzy.
package rank

import (
	"strings"

	"github.com/sahilm/fuzzy"
)

// Find returns the lines of a text that match a pattern, the best first.
//
//fuzzmut:target
func Find(pattern, text string) (found []string) {
	for _, m := range fuzzy.Find(pattern, strings.Split(text, "\n")) {
		found = append(found, m.Str)
	}
	return found
}
