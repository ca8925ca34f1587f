package literals

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// titleMost bounds the title of a case, in characters.
const titleMost = 40

// Title is what a case is called by its arguments, with escapes for what nobody can read. What stands in named at the
// place of an argument, and is not empty, takes its place.
func Title(args []any, named []string) string {
	var parts []string
	for at, arg := range args {
		text := fmt.Sprint(arg)
		if data, ok := arg.([]byte); ok {
			text = string(data)
		}
		if at < len(named) && named[at] != "" {
			text = named[at]
		}
		parts = append(parts, readable(text))
	}
	list := []rune(strings.Join(parts, ", "))
	if len(list) > titleMost {
		return string(list[:titleMost]) + "..."
	}
	return string(list)
}

// readable is a text with escapes for what nobody can read: without quotes, unless it is empty.
func readable(s string) string {
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
