package change

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Part says how much around a changed line counts as changed.
type Part string

// The parts. ByLine is the default of the flag -diff-by.
const (
	ByLine     Part = "line"     // a mutant counts if its own lines have changed
	ByFunction Part = "function" // all mutants of a function count if one of its lines has changed
)

// Choice is the mutants that a run is about, since their code has changed. A nil choice is
// all mutants.
type Choice struct {
	changed *Set
	code    *Sources
	by      Part
	places  map[string][]place // by file
}

// NewChoice returns the choice by a change; nil if there is none. The zero value of by is
// ByLine.
func NewChoice(changed *Set, by Part, code *Sources) *Choice {
	if changed == nil {
		return nil
	}
	return &Choice{changed: changed, code: code, by: by, places: make(map[string][]place)}
}

// Any reports whether the change touches anything that can hold mutants.
func (c *Choice) Any() bool { return c == nil || c.code.AnyTouched(c.changed) }

// Has reports whether a run is about the mutant.
func (c *Choice) Has(m *instrument.Mutant) bool {
	if c == nil {
		return true
	}
	return c.code.Touched(c.changed, m) && (c.by == ByFunction || c.onLine(m))
}

// Focus aims at the mutants of the choice, and at the blocks that have changed.
func (c *Choice) Focus(p *instrument.Program) *Focus {
	if c == nil {
		return nil
	}
	a := FocusOnMutants(p, c.code, c.Has)
	if c.by == ByFunction {
		return a
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		a.blocks[i] = a.blocks[i] && c.changed.Touches(b.File, b.Line, b.EndLine)
	}
	return a
}

// onLine reports whether the change touches the lines of the mutant that are its own, or
// has taken out lines from the block that the mutant's statement stands in. Of a statement
// with a body, the lines up to the body are its own: a mutant that removes a loop is not
// about each line in it.
func (c *Choice) onLine(m *instrument.Mutant) bool {
	places := c.placesOf(m.File)
	at := -1
	for i := range places {
		if p := &places[i]; p.start <= m.Offset && m.Offset < p.end {
			at = i // places within follow
		}
	}
	if at < 0 {
		return false
	}
	last := min(m.Line+strings.Count(m.Original, "\n"), max(m.Line, places[at].head))
	for _, ch := range c.changed.Of(m.File) {
		switch {
		case ch.Count > 0 && ch.Line <= last && m.Line <= ch.Line+ch.Count-1:
			return true
		case ch.Count == 0 && tookFrom(places, ch.Line, at):
			return true
		}
	}
	return false
}

// tookFrom reports whether lines that stood between a line and the next were taken out of a
// place, or of the block that it stands in.
func tookFrom(places []place, line, at int) bool {
	from := -1
	for i := range places {
		if p := &places[i]; p.first <= line && line < p.last {
			from = i
		}
	}
	return from >= 0 && (from == at || places[from].block && places[at].in == from)
}

// place is a statement, a specification of variables, or a function.
type place struct {
	start, end  int  // in bytes
	first, last int  // in lines
	head        int  // the last line that belongs to it and not to statements within
	block       bool // it is a list of statements
	in          int  // the innermost block around it; -1 if there is none
}

// placesOf lists the places of a file, each before those within.
func (c *Choice) placesOf(path string) []place {
	list, ok := c.places[path]
	if !ok {
		list = c.code.placesOf(path)
		c.places[path] = list
	}
	return list
}

func (s *Sources) placesOf(path string) []place {
	for _, p := range s.loaded.Packages {
		for i := range p.Files {
			if f := &p.Files[i]; f.Path == path {
				return findPlaces(s.loaded, f)
			}
		}
	}
	return nil
}

// findPlaces finds the places of a file.
func findPlaces(loaded *load.Result, f *load.File) []place {
	var list []place
	var open []int // of the nodes around; -1 for those that are no places
	ends := make(map[ast.Node]int)
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if n == nil {
			open = open[:len(open)-1]
			return true
		}
		open = append(open, -1)
		switch n.(type) {
		case ast.Stmt, *ast.FuncDecl, *ast.ValueSpec:
			endClauses(loaded, clauses(n), ends)
		default:
			return true
		}
		from, to := loaded.Position(n.Pos()), loaded.Position(n.End())
		p := place{start: from.Offset, end: to.Offset, first: from.Line, last: to.Line, in: -1}
		if last, ok := ends[n]; ok {
			p.last = last
		}
		p.head, p.block = headOf(loaded, n, to.Line)
		for _, i := range open {
			if i >= 0 && list[i].block {
				p.in = i
			}
		}
		open[len(open)-1] = len(list)
		list = append(list, p)
		return true
	})
	return list
}

// clauses returns the body of a statement whose statements are clauses; nil for others.
func clauses(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	case *ast.SelectStmt:
		return n.Body
	}
	return nil
}

// endClauses notes that each clause goes on until the next.
func endClauses(loaded *load.Result, body *ast.BlockStmt, ends map[ast.Node]int) {
	if body == nil {
		return
	}
	last := loaded.Position(body.Rbrace).Line
	for _, clause := range slices.Backward(body.List) {
		ends[clause] = last
		last = loaded.Position(clause.Pos()).Line
	}
}

// headOf returns the last line of a node that belongs to no statement within, and whether
// the node is a list of statements. end is its last line.
func headOf(loaded *load.Result, n ast.Node, end int) (line int, block bool) {
	if body := clauses(n); body != nil {
		return loaded.Position(body.Lbrace).Line, false
	}
	at := func(body *ast.BlockStmt) int {
		if body == nil {
			return end
		}
		return loaded.Position(body.Lbrace).Line
	}
	switch n := n.(type) {
	case *ast.BlockStmt:
		return at(n), true
	case *ast.CaseClause:
		return loaded.Position(n.Colon).Line, true
	case *ast.CommClause:
		return loaded.Position(n.Colon).Line, true
	case *ast.FuncDecl:
		return at(n.Body), false
	case *ast.IfStmt:
		return at(n.Body), false
	case *ast.ForStmt:
		return at(n.Body), false
	case *ast.RangeStmt:
		return at(n.Body), false
	case *ast.LabeledStmt:
		return loaded.Position(n.Colon).Line, false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			end = min(end, at(f.Body))
			return false
		}
		return true
	})
	return end, false
}
