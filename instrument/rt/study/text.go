package study

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// textComparison adds edits for a comparison of texts.
func (e *edits) textComparison(c *Comparison) {
	switch c.Op {
	case codes.HasPrefix, codes.HasSuffix, codes.Contains:
		if c.Held || c.YLen > len(c.YText) || c.YLen == 0 {
			return
		}
		if !c.XConst {
			e.part(c)
		}
		if !c.YConst && c.XLen == len(c.XText) {
			e.text(c.YText, c.YLen, c.XText)
		}
		return
	}
	if c.equal() && c.seeks() {
		return // any change makes them differ
	}
	if !c.XConst && c.YLen == len(c.YText) {
		e.text(c.XText, c.XLen, c.YText)
	}
	if !c.YConst && c.XLen == len(c.XText) {
		e.text(c.YText, c.YLen, c.XText)
	}
}

// text adds edits that turn a text into another. have may be only the beginning of the text.
func (e *edits) text(have string, length int, want string) {
	if length > len(have) {
		e.longText(have, length, want)
		return
	}
	found := false
	for _, f := range textForms(have, want) {
		found = e.everywhere(f) || found
	}
	if !found {
		found = e.middle(have, want)
	}
	e.scalarText(have, want)
	if !found {
		e.anywhere(want)
	}
}

// longText is text for one that is known by its beginning only.
func (e *edits) longText(have string, length int, want string) {
	for arg, text := range e.texts {
		for _, at := range foldedPlaces(text, have) {
			if at+length <= len(text) {
				e.replace(arg, at, at+length, want)
			}
		}
	}
}

// middle is text without what both begin and end with: that may not come from the
// input.
func (e *edits) middle(have, want string) (found bool) {
	n := min(len(have), len(want))
	from := 0
	for from < n && have[from] == want[from] {
		from++
	}
	back := 0
	for back < n-from && have[len(have)-1-back] == want[len(want)-1-back] {
		back++
	}
	if from == 0 && back == 0 || from+back == len(have) {
		return false
	}
	return e.everywhere(form{have[from : len(have)-back], want[from : len(want)-back]})
}

// anywhere adds edits for a text that nothing tells the place of.
func (e *edits) anywhere(want string) {
	for arg, text := range e.texts {
		if _, ok := textOf(e.vals[arg]); !ok {
			continue
		}
		n := len(text)
		e.replace(arg, 0, n, want)
		e.replace(arg, n, n, want)
		e.replace(arg, n, n, separator(text)+want)
		e.replace(arg, 0, 0, want)
		e.replace(arg, 0, 0, want+separator(text))
		e.replace(arg, 0, min(n, len(want)), want)
	}
}

// separator returns what seems to separate the words of a text.
func separator(text string) string {
	if i := strings.LastIndexAny(text, " \t\n,;:|&/"); i >= 0 {
		return text[i : i+1]
	}
	return " "
}

// part adds edits that put Y at the beginning or the end of X, or anywhere in it.
func (e *edits) part(c *Comparison) {
	found := false
	for arg, text := range e.texts {
		if _, ok := textOf(e.vals[arg]); !ok {
			continue
		}
		for _, at := range e.partPlaces(c, text) {
			found = true
			e.overlay(c, arg, at)
		}
	}
	if !found {
		e.anywhere(c.YText)
	}
}

// partPlaces returns where X may begin in an argument. It is likely to reach to the
// argument's end.
func (e *edits) partPlaces(c *Comparison, text string) []int {
	if c.XLen == 0 {
		return []int{len(text)}
	}
	var list []int
	rest := len(text) - c.XLen
	head := c.XText
	if c.Op == codes.HasSuffix {
		if at := len(text) - len(head); rest >= 0 && strings.EqualFold(text[at:], head) {
			list = append(list, rest)
		}
		for _, at := range foldedPlaces(text, head) {
			if at += len(head) - c.XLen; at >= 0 && at != rest {
				list = append(list, at)
			}
		}
		return list
	}
	if rest >= 0 && len(text)-rest >= len(head) && strings.EqualFold(text[rest:rest+len(head)], head) {
		list = append(list, rest)
	}
	for _, at := range foldedPlaces(text, head) {
		if at != rest && at+c.XLen <= len(text) {
			list = append(list, at)
		}
	}
	return list
}

// overlay adds edits for an X that begins at a place: Y over what is there, and Y
// before or after it.
func (e *edits) overlay(c *Comparison, arg, at int) {
	end := at + c.XLen
	switch c.Op {
	case codes.HasSuffix:
		e.replace(arg, max(at, end-c.YLen), end, c.YText)
		e.replace(arg, end, end, c.YText)
	case codes.Contains:
		e.replace(arg, at, at, c.YText)
		e.replace(arg, end, end, c.YText)
		e.replace(arg, at, min(end, at+c.YLen), c.YText)
	default:
		e.replace(arg, at, min(end, at+c.YLen), c.YText)
		e.replace(arg, at, at, c.YText)
		e.replace(arg, at, end, c.YText)
	}
}

// foldedPlaces is places for texts whose case may have been changed.
func foldedPlaces(text, s string) []int {
	const most = 4096 // bytes of text
	list := places(text, s)
	if len(list) > 0 || len(text) > most {
		return list
	}
	for i := 0; i+len(s) <= len(text) && len(list) < maxPlaces; i++ {
		if strings.EqualFold(text[i:i+len(s)], s) {
			list = append(list, i)
		}
	}
	return list
}

// Tokens returns texts that were looked for and do not come from the input: words of
// its language.
func Tokens(vals []any, list []Comparison) []string {
	const least, most = 2, 64
	var tokens []string
	known := make(map[string]bool)
	for i := range list {
		c := &list[i]
		for _, s := range []string{c.XText, c.YText} {
			whole := len(s) == c.XLen || len(s) == c.YLen
			if len(s) < least || len(s) > most || !whole || known[s] {
				continue
			}
			known[s] = true
			if !occurs(vals, s) {
				tokens = append(tokens, s)
			}
		}
	}
	return tokens
}

func occurs(vals []any, s string) bool {
	for _, v := range vals {
		if text, ok := textOf(v); ok && strings.Contains(text, s) {
			return true
		}
	}
	return false
}
