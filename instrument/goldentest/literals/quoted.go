package literals

import (
	"strconv"
	"strings"
	"unicode"
)

// Quoted writes a string as source: as it is, if that is easier to read.
func Quoted(s string) string {
	q := strconv.Quote(s)
	if len(q) > len(s)+2 && strconv.CanBackquote(s) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\t' || !unicode.IsPrint(r) }) {
		return "`" + s + "`"
	}
	return q
}
