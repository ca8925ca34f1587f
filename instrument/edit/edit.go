// Package edit collects insertions and replacements at offsets of a source text
// and renders the text, or any part of it, with them applied. Nothing else in
// fuzzmut writes Go source: a syntax tree is read for positions and never
// printed, so comments, layout and line numbers stay the user's.
//
// Insertions are made around ranges rather than at points wherever they wrap
// something. That lets the list put insertions at one offset into the only order
// that nests: what closes there comes first, innermost first; then plain points;
// then what opens there, outermost first; then a replacement that starts there.
// The order of the calls matters only between insertions for the very same range
// (the earlier one is the outer one, but for Enclose) and between points (first
// come, first written), so a caller may walk its tree as it likes.
package edit

import (
	"fmt"
	"slices"
	"sort"
)

// A List is a set of edits to one source text. Several lists over the same text
// are independent, so one text can be rendered in several versions. The zero
// List is empty and ready to use.
type List struct {
	edits  []edit
	sorted bool
}

// class orders edits at one offset; the values are in rendering order.
type class uint8

const (
	closing class = iota // the text after a wrapped range
	point
	opening // the text before a wrapped range
	replacement
)

type edit struct {
	at    int // offset where the text goes
	class class
	other int // closing: start of the range; opening and replacement: its end
	seq   int // order of the calls
	text  string
}

// Wrap inserts before at lo and after at hi. Ranges that overlap must nest.
// Empty strings are allowed.
func (l *List) Wrap(lo, hi int, before, after string) {
	if lo > hi {
		panic(fmt.Sprintf("edit: range [%d,%d) is upside down", lo, hi))
	}
	if before != "" {
		l.add(edit{at: lo, class: opening, other: hi, text: before})
	}
	if after != "" {
		l.add(edit{at: hi, class: closing, other: lo, text: after})
	}
}

// Enclose is Wrap, outside of all that wraps the same range so far.
func (l *List) Enclose(lo, hi int, before, after string) {
	n := len(l.edits)
	l.Wrap(lo, hi, before, after)
	for i := n; i < len(l.edits); i++ {
		l.edits[i].seq = -l.edits[i].seq
	}
}

// Insert puts text at offset at: after what closes there, before what opens.
func (l *List) Insert(at int, text string) {
	l.add(edit{at: at, class: point, text: text})
}

// Replace puts text in place of the source in [lo,hi). No other edit may lie
// inside the range; insertions at its ends are fine.
func (l *List) Replace(lo, hi int, text string) {
	if lo >= hi {
		panic(fmt.Sprintf("edit: range [%d,%d) is empty or upside down", lo, hi))
	}
	l.add(edit{at: lo, class: replacement, other: hi, text: text})
}

func (l *List) add(e edit) {
	e.seq = len(l.edits)
	l.edits = append(l.edits, e)
	l.sorted = false
}

// Append adds the edits of another list over the same text, as if they were made
// now.
func (l *List) Append(other *List) {
	edits := slices.Clone(other.edits)
	slices.SortFunc(edits, func(a, b edit) int { return a.seq - b.seq })
	for _, e := range edits {
		l.add(e)
	}
}

// Len is the number of edits made.
func (l *List) Len() int { return len(l.edits) }

// Render returns src[lo:hi] with the edits of the list that lie inside applied.
// At lo, what closes there is left out, at hi, what opens or is replaced there:
// those belong to the neighbors. It panics when an edit lies inside a replaced
// range, which is a mistake of the caller and would lose text silently.
func (l *List) Render(src []byte, lo, hi int) []byte {
	l.sort()
	first := sort.Search(len(l.edits), func(i int) bool { return l.edits[i].at >= lo })
	out := make([]byte, 0, hi-lo+(hi-lo)/2)
	done := lo // src[lo:done] has been written or replaced
	for _, e := range l.edits[first:] {
		if e.at > hi || e.at == hi && e.class > point {
			break
		}
		if e.at == lo && e.class == closing && e.other < lo {
			continue
		}
		if e.at < done {
			panic(fmt.Sprintf("edit: insertion %q at %d inside a replaced range", e.text, e.at))
		}
		out = append(out, src[done:e.at]...)
		out = append(out, e.text...)
		done = e.at
		if e.class == replacement {
			if e.other > hi {
				panic(fmt.Sprintf("edit: replacement of [%d,%d) leaves the rendered range [%d,%d)", e.at, e.other, lo, hi))
			}
			done = e.other
		}
	}
	return append(out, src[done:hi]...)
}

func (l *List) sort() {
	if l.sorted {
		return
	}
	slices.SortFunc(l.edits, compare)
	l.sorted = true
}

func compare(a, b edit) int {
	if a.at != b.at {
		return a.at - b.at
	}
	if a.class != b.class {
		return int(a.class) - int(b.class)
	}
	switch a.class {
	case closing: // the later it opened the further inside it is
		if a.other != b.other {
			return b.other - a.other
		}
		return b.seq - a.seq
	case opening: // the later it closes the further outside it is
		if a.other != b.other {
			return b.other - a.other
		}
	}
	return a.seq - b.seq
}
