package search

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// mostLength is the longest that a list or text is made for the sake of its length.
const mostLength = 1 << 10

// MatchNumber returns terms that differ from x in one part, which is a number, or has a
// length, that is from there and to in them; at most as many as most. It carries what a program
// compares over to the input that it comes from, in whatever way that is encoded.
func MatchNumber(x *term.Term, from, to uint64, most int) []*term.Term {
	return match(x, most, func(part *term.Term) *term.Term {
		t := part.Type
		switch t.Kind {
		case term.Int, term.Uint, term.Float:
			if part.Bits == from {
				return term.Number(t, to).Next(0)
			}
		case term.Text:
			if n := int(to); uint64(len(part.Text)) == from && to <= mostLength && fits(t, n) {
				text := strings.Repeat(part.Text+"\x00", n/(len(part.Text)+1)+1)[:n]
				return &term.Term{Type: t, Text: text, Bits: t.Present(n > 0)}
			}
		case term.List:
			if n := int(to); uint64(len(part.Kids)) == from && to <= mostLength && fits(t, n) {
				return resized(part, n)
			}
		}
		return nil
	})
}

// MatchText does the same for a text, or a part of one.
func MatchText(x *term.Term, from, to string, most int) []*term.Term {
	return match(x, most, func(part *term.Term) *term.Term {
		t := part.Type
		if t.Kind != term.Text || !strings.Contains(part.Text, from) || from == "" && part.Text != "" {
			return nil
		}
		text := strings.Replace(part.Text, from, to, 1)
		if !fits(t, len(text)) {
			return nil
		}
		return &term.Term{Type: t, Text: text, Bits: t.Present(text != "")}
	})
}

// match puts what change returns in place of each part for which that is another.
func match(x *term.Term, most int, change func(*term.Term) *term.Term) (list []*term.Term) {
	for _, p := range term.Paths(x) {
		if len(list) >= most {
			break
		}
		part := x.At(p)
		if y := change(part); y != nil && !term.Equal(part, y) {
			list = append(list, x.Put(p, y))
		}
	}
	return list
}

// fits reports whether a list or text may have n elements or bytes.
func fits(t *term.Type, n int) bool { return n >= t.MinLen && (t.MaxLen < 0 || n <= t.MaxLen) }

// resized returns a list with n elements. The last one is repeated.
func resized(x *term.Term, n int) *term.Term {
	elems := append([]*term.Term(nil), x.Kids[:min(n, len(x.Kids))]...)
	for len(elems) < n {
		last := x.Type.Elem.Default()
		if len(elems) > 0 {
			last = elems[len(elems)-1]
		}
		elems = append(elems, last)
	}
	return term.NewList(x.Type, elems)
}
