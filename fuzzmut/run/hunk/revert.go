package hunk

import (
	"bytes"
	"cmp"
	"slices"
)

// Revert returns the new text with some hunks as they were before. All of them together
// give a text with the old one's tokens. The last line has an end.
func Revert(old, new []byte, hunks []Hunk, chosen []int) []byte {
	var swaps []swap
	for _, i := range chosen {
		swaps = append(swaps, hunks[i].swapsOf(old, new)...)
	}
	if len(chosen) == len(hunks) && slices.ContainsFunc(swaps, func(e swap) bool { return e.seq > 0 }) {
		swaps = oldImports(old, new, swaps)
	}
	return apply(old, new, swaps)
}

// Compilable is Revert with what the rest then needs to compile, as far as the syntax tells:
// imports and local variables that are no longer used are used, and imports of the old
// text come back. Names are those of packages by their import paths; a path that is not
// there has a name like its last element.
func Compilable(old, new []byte, hunks []Hunk, chosen []int, names map[string]string) []byte {
	text := Revert(old, new, hunks, chosen)
	if len(chosen) == 0 || len(chosen) == len(hunks) {
		return text
	}
	return complete(text, old, new, names)
}

// swapsOf returns the swaps of a hunk. One of whole lines has a single one.
func (h *Hunk) swapsOf(old, new []byte) []swap {
	if h.swaps != nil {
		return h.swaps
	}
	e := swap{from: lineOffset(new, h.NewLine), to: lineOffset(new, h.NewLine+h.NewCount), oldFrom: lineOffset(old, h.OldLine), oldTo: lineOffset(old, h.OldLine+h.OldCount)}
	if e.from == len(new) && !endsLine(new) {
		e.before = "\n"
	}
	if e.oldTo == len(old) && !endsLine(old) && e.oldFrom < e.oldTo {
		e.after = "\n"
	}
	return []swap{e}
}

func endsLine(text []byte) bool { return len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) }

// lineOffset returns where a line begins, which counts from 1, or the end of the text.
func lineOffset(text []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
}

// oldImports puts the old imports in place of the new ones.
func oldImports(old, new []byte, swaps []swap) []swap {
	was, is := parse(old), parse(new)
	swaps = slices.DeleteFunc(slices.Clone(swaps), func(e swap) bool { return e.imports })
	e := swap{
		from: is.offset(is.file.Name.End()), to: is.sectionEnd(),
		oldFrom: was.offset(was.file.Name.End()), oldTo: was.sectionEnd(),
	}
	return append(swaps, e)
}

// apply makes swaps, which do not overlap.
func apply(old, new []byte, swaps []swap) []byte {
	slices.SortFunc(swaps, func(a, b swap) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.seq, b.seq)) })
	var text bytes.Buffer
	at := 0
	for _, e := range swaps {
		text.Write(new[at:e.from])
		if e.oldFrom < e.oldTo {
			text.WriteString(e.before)
			text.Write(old[e.oldFrom:e.oldTo])
			text.WriteString(e.after)
		}
		at = e.to
	}
	text.Write(new[at:])
	if !endsLine(text.Bytes()) {
		text.WriteByte('\n')
	}
	return text.Bytes()
}
