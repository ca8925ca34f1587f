// Package hunk cuts the change of a Go file into hunks that can be reverted one at a time:
// whole statements, headers, declarations, fields and elements of tables.
//
// Where both texts parse, declarations are matched by name, and lists of statements are
// aligned by their code. A reverted text then parses too. Otherwise hunks are runs of lines.
package hunk

import (
	"cmp"
	"slices"
)

// A Hunk is a part of a change: OldCount lines from OldLine on became NewCount lines from
// NewLine on. Lines count from 1; where there are none, it is between lines, before the one
// that is named. A hunk may change a part of its lines. What it puts around code that
// stays is on the lines where that begins.
type Hunk struct {
	OldLine, OldCount int
	NewLine, NewCount int

	swaps []swap // nil: whole lines
	lists []int  // the lists that it is in, from the outermost on
	decl  int    // the declaration that it is in, from 1; 0: none
	run   int    // the run of statements that it is cut from, from 1; 0: none
}

// A swap puts a part of the old text where one of the new text is.
type swap struct {
	from, to       int    // of the new text
	oldFrom, oldTo int    // of the old text
	before, after  string // what separates the old text from what is around it
	imports        bool   // it is in the imports
	seq            int    // the order in the text
}

// Diff returns the hunks by which two Go files differ in what they do: none if all that
// differs is comments and layout.
func Diff(old, new []byte) []Hunk {
	was, is := tokensOf(old), tokensOf(new)
	if was.equal(is) {
		return nil
	}
	if hunks := bySyntax(old, new); len(hunks) > 0 && tokensOf(Revert(old, new, hunks, all(hunks))).equal(was) {
		return hunks
	}
	// A file that does not parse, and comments that are code: those of cgo, and directives
	// outside declarations.
	return byLines(old, new, was, is)
}

// all are the indices of some hunks.
func all(hunks []Hunk) []int {
	list := make([]int, len(hunks))
	for i := range list {
		list[i] = i
	}
	return list
}

// Whole returns the one hunk of a file that only a side has.
func Whole(old, new []byte) Hunk {
	return Hunk{OldLine: 1, OldCount: len(splitLines(old)), NewLine: 1, NewCount: len(splitLines(new))}
}

// bySyntax returns nil where a side does not parse.
func bySyntax(old, new []byte) []Hunk {
	d := &differ{old: parse(old), new: parse(new)}
	if d.old == nil || d.new == nil {
		return nil
	}
	d.head()
	d.imports()
	d.list(d.old.declarations(d.new), d.new.declarations(d.old))
	if len(d.hunks) == 0 { // imports without the code that uses them
		a, b := d.old.offset(d.old.file.Name.End()), d.new.offset(d.new.file.Name.End())
		d.add(d.open(), swap{from: b, to: d.new.sectionEnd(), oldFrom: a, oldTo: d.old.sectionEnd(), imports: true})
	}
	for i := range d.hunks {
		d.setLines(&d.hunks[i])
	}
	slices.SortStableFunc(d.hunks, func(a, b Hunk) int { return cmp.Compare(a.swaps[0].seq, b.swaps[0].seq) })
	return d.hunks
}

// differ finds the hunks of two texts that parse.
type differ struct {
	old, new *source
	hunks    []Hunk
	seq      int
	lists    []int // those around what is compared
	opened   int   // lists
	decl     int   // the declaration that is compared, see Hunk
	decls    int   // those compared so far
	runs     int   // of statements, that were cut
}

// open begins a hunk.
func (d *differ) open() int {
	d.hunks = append(d.hunks, Hunk{lists: slices.Clone(d.lists), decl: d.decl})
	return len(d.hunks) - 1
}

// add adds a swap to a hunk. Swaps are added in the order of the text.
func (d *differ) add(hunk int, e swap) {
	d.seq++
	e.seq = d.seq
	d.hunks[hunk].swaps = append(d.hunks[hunk].swaps, e)
}

// setLines finds the lines of the first swap of a hunk that differ.
func (d *differ) setLines(h *Hunk) {
	e := h.swaps[0]
	h.OldLine, h.OldCount = d.old.lines(e.oldFrom, e.oldTo)
	h.NewLine, h.NewCount = d.new.lines(e.from, e.to)
	if h.OldCount == 0 || h.NewCount == 0 {
		return
	}
	old, new := d.old.split, d.new.split
	t := *h
	for t.OldCount > 0 && t.NewCount > 0 && old[t.OldLine-1] == new[t.NewLine-1] {
		t.OldLine, t.OldCount, t.NewLine, t.NewCount = t.OldLine+1, t.OldCount-1, t.NewLine+1, t.NewCount-1
	}
	for t.OldCount > 0 && t.NewCount > 0 && old[t.OldLine+t.OldCount-2] == new[t.NewLine+t.NewCount-2] {
		t.OldCount, t.NewCount = t.OldCount-1, t.NewCount-1
	}
	if t.OldCount+t.NewCount > 0 {
		*h = trim(t, d.old.tokens, d.new.tokens)
	}
}

// head compares what stands before the imports: what decides whether the file is built, and
// the name of the package.
func (d *differ) head() {
	a, b := d.old.offset(d.old.file.Package), d.new.offset(d.new.file.Package)
	if d.old.key(0, a) != d.new.key(0, b) {
		d.add(d.open(), swap{to: b, oldTo: a})
	}
	x, y := d.old.file.Name, d.new.file.Name
	if x.Name != y.Name {
		d.add(d.open(), swap{from: d.new.offset(y.Pos()), to: d.new.offset(y.End()), oldFrom: d.old.offset(x.Pos()), oldTo: d.old.offset(x.End())})
	}
}
