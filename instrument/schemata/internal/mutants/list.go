// Package mutants asks the operators for changes at sites, and lists the mutants that are
// made of them.
package mutants

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/directive"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
)

// List is what is found in one package.
type List struct {
	Fset       *token.FileSet
	ImportPath string
	First      int // number of the first mutant
	Operators  []*operator.Operator
	// Uninteresting returns why nobody would want to read of mutants in [lo, hi); nil if
	// somebody may.
	Uninteresting func(lo, hi token.Pos) reasons.Reason
	// Doubt returns why mutants at a position are seldom worth a test; "" if nothing is known against them.
	Doubt func(token.Pos) string

	Mutants []instrument.Mutant
	Skips   []instrument.Skip
	Census  instrument.Census

	ids     map[string]bool
	counted map[string]int // changes that were proposed, by what their IDs are made of
}

// Next returns the number that the next mutant gets.
func (l *List) Next() int { return l.First + len(l.Mutants) }

// Skip records code that is left without mutants.
func (l *List) Skip(pos token.Pos, what string, why reasons.Reason) {
	p := l.Fset.PositionFor(pos, false)
	l.Skips = append(l.Skips, instrument.Skip{
		Package: l.ImportPath, File: p.Filename, Line: p.Line, What: what, Reason: why.String(),
	})
}

// count counts a site, with mutants or with the reason why a change of it is left out.
func (l *List) count(mutated bool, left reasons.Reason) {
	if left == nil {
		l.Census.Count(mutated, "", false)
	} else {
		l.Census.Count(mutated, left.String(), left.Class() == reasons.Noise)
	}
}

// File is one file of the package.
type File struct {
	list    *List
	src     *source.File
	ignored directive.Ignored
	edits   map[string]bool // plain edits of mutants so far, as "lo:hi:text"
	facts   *stored.Facts
}

// NewFile returns a file. No mutant of it is listed yet.
func NewFile(list *List, src *source.File, facts *stored.Facts) *File {
	return &File{list: list, src: src, ignored: directive.ReadIgnored(src), edits: map[string]bool{}, facts: facts}
}

// Unused returns the places of the directives that have left no mutant out, once the file is
// rewritten.
func (f *File) Unused() []token.Pos { return f.ignored.Unused() }

// Edited says whether a mutant puts text in place of a node.
func (f *File) Edited(n ast.Node, text string) bool {
	return f.edits[editKey(f.src.Off(n.Pos()), f.src.Off(n.End()), text)]
}

func editKey(lo, hi int, text string) string { return fmt.Sprintf("%d:%d:%s", lo, hi, text) }
