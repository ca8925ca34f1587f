package hunk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

// maxLines is how many lines of a side a hunk may have before it is cut.
const maxLines = 12

// large says whether a hunk is to be cut.
func (h Hunk) large() bool { return h.OldCount > maxLines || h.NewCount > maxLines }

// cut cuts large hunks between declarations, and what is still large then around
// statements that are on both sides with another layout. The parts of a hunk cover it, so
// that nothing is lost. Where a side does not parse, hunks stay as they are.
func cut(old, new []byte, hunks []Hunk) []Hunk {
	if !slices.ContainsFunc(hunks, Hunk.large) {
		return hunks
	}
	was, is := outlineOf(old), outlineOf(new)
	if was == nil || is == nil {
		return hunks
	}
	parts := cutEach(hunks, was.declarations, is.declarations, pairDeclarations)
	return cutEach(parts, was.statements, is.statements, pairStatements)
}

// cutEach cuts the large ones of some hunks into pieces of each side, and puts those
// together that pair says belong together.
func cutEach(hunks []Hunk, old, new func(line, count int) []piece, pair func(old, new []piece) []span) []Hunk {
	var parts []Hunk
	for _, h := range hunks {
		if !h.large() {
			parts = append(parts, h)
			continue
		}
		a, b := old(h.OldLine, h.OldCount), new(h.NewLine, h.NewCount)
		i, j := h.OldLine, h.NewLine
		for _, s := range pair(a, b) {
			part := Hunk{OldLine: i, OldCount: length(a[s.i:s.iEnd]), NewLine: j, NewCount: length(b[s.j:s.jEnd])}
			if part.OldCount+part.NewCount > 0 { // the side that has no lines is a piece, too
				parts = append(parts, part)
			}
			i, j = i+part.OldCount, j+part.NewCount
		}
	}
	return parts
}

// piece is a run of lines of one side.
type piece struct {
	count int
	key   string // what it is; "" for nothing in particular
}

func length(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += p.count
	}
	return n
}

// span are pieces of both sides that make one part of a hunk.
type span struct{ i, iEnd, j, jEnd int }

// common returns the indices of pieces that both sides have.
func common(a, b []piece) [][2]int {
	keys := func(pieces []piece) (list []string) {
		for _, p := range pieces {
			list = append(list, p.key)
		}
		return list
	}
	return difference.Align(keys(a), keys(b))
}

// pairDeclarations puts the pieces of one declaration together. One that only a side has
// is its own part, but for a single one that takes the place of another.
func pairDeclarations(a, b []piece) []span {
	var spans []span
	i, j := 0, 0
	gap := func(iEnd, jEnd int) {
		if iEnd-i == 1 && jEnd-j == 1 {
			spans = append(spans, span{i, iEnd, j, jEnd})
			return
		}
		for ; i < iEnd; i++ {
			spans = append(spans, span{i, i + 1, j, j})
		}
		for ; j < jEnd; j++ {
			spans = append(spans, span{i, i, j, j + 1})
		}
	}
	for _, at := range common(a, b) {
		gap(at[0], at[1])
		spans = append(spans, span{at[0], at[0] + 1, at[1], at[1] + 1})
		i, j = at[0]+1, at[1]+1
	}
	gap(len(a), len(b))
	return spans
}

// pairStatements cuts around runs of statements that are the same on both sides. A closing
// brace is on many lines: it counts after another statement.
func pairStatements(a, b []piece) []span {
	var spans []span
	i, j := 0, 0
	begin := [2]int{} // of the run of equal pieces that ends at i and j
	flush := func() {
		if i > begin[0] {
			spans = append(spans, span{begin[0], i, begin[1], j})
		}
	}
	for _, at := range common(a, b) {
		next := at == [2]int{i, j} && i > begin[0]
		if !next && strings.Trim(a[at[0]].key, "}); ") == "" {
			continue
		}
		if !next {
			flush()
			if at != [2]int{i, j} {
				spans = append(spans, span{i, at[0], j, at[1]})
			}
			begin = at
		}
		i, j = at[0]+1, at[1]+1
	}
	flush()
	if i < len(a) || j < len(b) {
		spans = append(spans, span{i, len(a), j, len(b)})
	}
	return spans
}

// outline is where the parts of a file are.
type outline struct {
	tokens *tokens
	decls  []declaration
	stmts  []int // lines at which a statement, or the end of a block, begins; sorted
}

type declaration struct {
	first, last int // lines, the comment before it included
	key         string
}

// outlineOf returns nil for a file that does not parse.
func outlineOf(src []byte) *outline {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	line := func(pos token.Pos) int { return fset.PositionFor(pos, false).Line }
	o := &outline{tokens: tokensOf(src)}
	for _, d := range file.Decls {
		begin, key := describe(d)
		o.decls = append(o.decls, declaration{line(begin), line(d.End()), key})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			o.stmts = append(o.stmts, line(n.Rbrace))
		case ast.Stmt, ast.Spec, *ast.Field:
			o.stmts = append(o.stmts, line(n.Pos()))
		}
		return true
	})
	slices.Sort(o.stmts)
	o.stmts = slices.Compact(o.stmts)
	return o
}

// describe returns where a declaration begins, and a name for it.
func describe(d ast.Decl) (begin token.Pos, key string) {
	begin = d.Pos()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			begin = d.Doc.Pos()
		}
		return begin, "func " + receiver(d) + d.Name.Name
	case *ast.GenDecl:
		if d.Doc != nil {
			begin = d.Doc.Pos()
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				return begin, "type " + spec.Name.Name
			case *ast.ValueSpec:
				return begin, d.Tok.String() + " " + spec.Names[0].Name
			}
		}
		return begin, d.Tok.String()
	}
	return begin, ""
}

// receiver is the name of the type of a method, with a dot.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name + "."
}

// declarations cuts lines where declarations begin. A piece is called like the declaration
// that it is of.
func (o *outline) declarations(line, count int) []piece {
	var pieces []piece
	from, key := line, ""
	for _, d := range o.decls {
		switch {
		case d.last < line || d.first >= line+count:
			continue
		case d.first > from:
			pieces = append(pieces, piece{d.first - from, key})
			from = d.first
		}
		key = d.key
	}
	return append(pieces, piece{line + count - from, key})
}

// statements cuts lines where statements begin. The key is the code of the piece.
func (o *outline) statements(line, count int) []piece {
	var pieces []piece
	from := line
	end := func(to int) {
		pieces = append(pieces, piece{to - from, strings.Join(o.tokens.in(from, to-from), " ")})
		from = to
	}
	for _, at := range o.stmts {
		if at > from && at < line+count {
			end(at)
		}
	}
	end(line + count)
	return pieces
}
