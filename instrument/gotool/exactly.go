package gotool

import (
	"regexp"
	"strings"
)

// Exactly is a regular expression for flags like -run, which matches some names and no others.
func Exactly(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, regexp.QuoteMeta(name))
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}
