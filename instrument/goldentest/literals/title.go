package literals

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// titleMost bounds the title of a case, in characters.
	titleMost = 40
	// titleBefore is how many characters of a title stand before what tells it from others, if what all
	// begin with is too long.
	titleBefore = 8
)

// Title is what a case is called by its arguments, with escapes for what nobody can read, or would take for a part of
// the letter before. What stands in named at the place of an argument, and is not empty, takes its place.
func Title(args []any, named []string) string {
	if len(args) > 1 && allZero(args) && strings.Join(named, "") == "" {
		return "zero values"
	}
	return cut(whole(args, named, plain), 0)
}

// allZero says whether arguments are the zero values of their types, or empty.
func allZero(args []any) bool {
	return !slices.ContainsFunc(args, func(arg any) bool {
		data, ok := arg.([]byte)
		return len(data) > 0 || !ok && !reflect.ValueOf(arg).IsZero()
	})
}

// Titles are the titles of several cases, by their arguments. Where two would be called the same by go test, more of
// what differs is shown: the ends of texts, blanks, or what comes after a long beginning that both have.
func Titles(args [][]any, named [][]string) []string {
	titles, groups := make([]string, len(args)), make(map[string][]int)
	for i := range args {
		titles[i] = Title(args[i], named[i])
		groups[calledByGo(titles[i])] = append(groups[calledByGo(titles[i])], i)
	}
	for _, group := range groups {
		if len(group) > 1 {
			separate(titles, group, args, named)
		}
	}
	return titles
}

// separate gives the cases of a group titles that differ, if it can.
func separate(titles []string, group []int, args [][]any, named [][]string) {
	for _, write := range []writer{plain, quoted, escaped} {
		texts := make([][]string, len(group))
		for k, i := range group {
			texts[k] = whole(args[i], named[i], write)
		}
		seen := make(map[string]bool)
		for k, i := range group {
			titles[i] = cut(texts[k], max(0, alike(texts, k)-titleBefore))
			seen[calledByGo(titles[i])] = true
		}
		if len(seen) == len(group) {
			return
		}
	}
}

// alike is how much of a text is the beginning of another one, too; 0 if that fits into a title.
func alike(texts [][]string, at int) (most int) {
	for k, o := range texts {
		n := 0
		for n < min(len(o), len(texts[at])) && o[n] == texts[at][n] {
			n++
		}
		if k != at && n < max(len(o), len(texts[at])) {
			most = max(most, n)
		}
	}
	if utf8.RuneCountInString(strings.Join(texts[at][:min(most+1, len(texts[at]))], "")) <= titleMost {
		return 0
	}
	return most
}

// calledByGo is how go test writes a title: a blank is an underscore.
func calledByGo(title string) string { return strings.ReplaceAll(title, " ", "_") }

// cut is a text from some character on, as far as a title has room.
func cut(text []string, from int) string {
	var b strings.Builder
	if from > 0 {
		b.WriteString("...")
	}
	size := 0
	for _, c := range text[from:] {
		if size += utf8.RuneCountInString(c); size > titleMost {
			return b.String() + "..."
		}
		b.WriteString(c)
	}
	return b.String()
}

// A writer is how a text is written into a title: its characters, each with its escape.
type writer func(s string) []string

// whole is what a title has of some arguments.
func whole(args []any, named []string, write writer) (text []string) {
	for at, arg := range args {
		if at > 0 {
			text = append(text, ",", " ")
		}
		s, isText := fmt.Sprint(arg), false
		switch arg := arg.(type) {
		case []byte:
			s, isText = string(arg), true
		case string:
			isText = true
		}
		if at < len(named) && named[at] != "" {
			s, isText = named[at], false
		}
		if isText {
			text = append(text, write(s)...)
		} else {
			text = append(text, plain(s)...)
		}
	}
	return text
}

// plain is a text without quotes, unless it is empty.
func plain(s string) (text []string) {
	if s == "" {
		return []string{`"`, `"`}
	}
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		c := s[:size]
		switch {
		case r == '"':
		case unicode.Is(unicode.M, r):
			c = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
		default:
			c = strconv.Quote(c)
			c = c[1 : len(c)-1]
		}
		text, s = append(text, c), s[size:]
	}
	return text
}

// quoted is a text in quotes.
func quoted(s string) []string {
	if s == "" {
		return plain(s)
	}
	return slices.Concat([]string{`"`}, plain(s), []string{`"`})
}

// escaped is a text in quotes, with escapes for blanks, since go test shows them as underscores.
func escaped(s string) []string {
	text := quoted(s)
	for i, c := range text {
		if c == " " {
			text[i] = `\u0020`
		}
	}
	return text
}
