package literals

import (
	"strconv"
	"strings"
	"unicode"
)

// Readable is a text with escapes for what nobody can read, to name a case by it: without quotes, unless it is empty.
func Readable(s string) string {
	q := strconv.Quote(s)
	if s == "" {
		return q
	}
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// Quoted writes a string as source: as it is, if that is easier to read.
func Quoted(s string) string {
	q := strconv.Quote(s)
	if len(q) > len(s)+2 && strconv.CanBackquote(s) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\t' || !unicode.IsPrint(r) }) {
		return "`" + s + "`"
	}
	return q
}
