package hunk

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// source is a text that parses.
type source struct {
	text   []byte
	split  []string // its lines
	starts []int    // the offset of each line
	at     *token.File
	file   *ast.File
	tokens *tokens
}

// parse returns nil for a text that does not parse.
func parse(text []byte) *source {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s := &source{text: text, split: splitLines(text), at: fset.File(file.FileStart), file: file, tokens: tokensOf(text)}
	at := 0
	for _, line := range s.split {
		s.starts = append(s.starts, at)
		at += len(line)
	}
	return s
}

func (s *source) offset(p token.Pos) int { return s.at.Offset(p) }

// key is the code of a part of the text.
func (s *source) key(from, to int) string {
	i, j := sort.SearchInts(s.tokens.at, from), sort.SearchInts(s.tokens.at, to)
	var code strings.Builder
	for ; i < j; i++ {
		if !s.tokens.soft[i] {
			code.WriteString(s.tokens.text[i] + "\x00")
		}
	}
	return strings.TrimSuffix(code.String(), "\x00")
}

// line is the index of the line that an offset is on.
func (s *source) line(at int) int {
	return max(sort.SearchInts(s.starts, at+1)-1, 0)
}

// lines returns the number of the first line of a part of the text, and how many there are:
// none for a place at the beginning of a line.
func (s *source) lines(from, to int) (first, count int) {
	first = s.line(from)
	switch {
	case from < to:
		return first + 1, s.line(to-1) - first + 1
	case from >= len(s.text):
		return len(s.split) + 1, 0
	case from == s.starts[first]:
		return first + 1, 0
	}
	return first + 1, 1
}

// begin returns the beginning of the line of an offset, if nothing is on it before.
func (s *source) begin(at int) (int, bool) {
	i := at
	for i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '\t') {
		i--
	}
	return i, i == 0 || s.text[i-1] == '\n'
}

// skip returns where something else than blanks is.
func (s *source) skip(at int) int {
	for at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '\t' || s.text[at] == '\r') {
		at++
	}
	return at
}

// widen returns a part of the text, with the whole lines if nothing else is on them.
func (s *source) widen(from, to int) (int, int) {
	begin, ok := s.begin(from)
	end := s.skip(to)
	if ok && end == len(s.text) {
		return begin, end
	}
	if ok && s.text[end] == '\n' {
		return begin, end + 1
	}
	return from, to
}

// kind is what separates the items of a list.
type kind int

const (
	statements kind = iota
	clauses
	arms
	elements
	choices
	fields
	specs
	declarations
)

// A list is a run of items that may be there or not: the text between two braces.
type list struct {
	kind     kind
	packed   bool // some elements are on one line
	from, to int
	items    []item
}

// An item is a statement, a declaration, a clause, a field, or an element of a table.
type item struct {
	from, to int
	key      string   // its code
	head     string   // what it has in common with what it was, if its body has changed
	class    string   // what it is, in Go's grammar
	names    []string // what it declares for the items after it
	lists    []list   // those in it, in the order of the text
	chain    *ast.IfStmt
}

func (s *source) item(from, to token.Pos, n any) item {
	it := item{from: s.offset(from), to: s.offset(to), class: fmt.Sprintf("%T", n)}
	it.key = s.key(it.from, it.to)
	return it
}

// headed sets the head of an item to its code up to some place.
func (it item) headed(s *source, to token.Pos) item {
	it.head = s.key(it.from, s.offset(to))
	return it
}

// declarations returns all but the imports. Groups are matched with those of another file
// that have most names in common.
func (s *source) declarations(other *source) list {
	l := list{kind: declarations, from: s.sectionEnd(), to: len(s.text)}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			it := s.item(begin(d, d.Doc), d.End(), d)
			it.head = "func " + receiver(d) + d.Name.Name
			if d.Body != nil {
				it.lists = []list{s.block(d.Body)}
			}
			l.items = append(l.items, it)
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				it := s.group(d)
				it.head = d.Tok.String() + " " + groupName(d, other.file)
				l.items = append(l.items, it)
			}
		}
	}
	return l
}

// begin is where a declaration begins, with the comment before it.
func begin(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return min(doc.Pos(), n.Pos())
	}
	return n.Pos()
}

func (s *source) group(d *ast.GenDecl) item {
	it := s.item(begin(d, d.Doc), d.End(), d)
	if !d.Lparen.IsValid() {
		it.lists = s.walk(d.Specs[0])
		return it
	}
	l := list{kind: specs, from: s.offset(d.Lparen) + 1, to: s.offset(d.Rparen)}
	for _, spec := range d.Specs {
		l.items = append(l.items, s.spec(spec))
	}
	it.lists = []list{l}
	if d.Tok == token.CONST {
		it.class += implicit(d)
	}
	return it
}

// implicit returns the name that must stay the first of a group of constants, since others
// repeat its value.
func implicit(d *ast.GenDecl) string {
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 0 {
			return " from " + strings.Join(specNames(d.Specs[0]), ",")
		}
	}
	return ""
}

func (s *source) spec(n ast.Spec) item {
	var doc *ast.CommentGroup
	switch n := n.(type) {
	case *ast.TypeSpec:
		doc = n.Doc
	case *ast.ValueSpec:
		doc = n.Doc
	}
	it := s.item(begin(n, doc), n.End(), n)
	it.head = strings.Join(specNames(n), ",")
	it.lists = s.walk(n)
	return it
}

func specNames(n ast.Spec) (names []string) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		return []string{n.Name.Name}
	case *ast.ValueSpec:
		return identNames(n.Names)
	}
	return nil
}

func identNames(ids []*ast.Ident) (names []string) {
	for _, id := range ids {
		names = append(names, id.Name)
	}
	return names
}

// groupName names a group of constants, variables or types by the name that both files
// declare and that comes first in the order of names, or by its first own one.
func groupName(d *ast.GenDecl, other *ast.File) string {
	theirs := make(map[string]bool)
	for _, o := range other.Decls {
		if o, ok := o.(*ast.GenDecl); ok && o.Tok == d.Tok {
			for _, spec := range o.Specs {
				for _, name := range specNames(spec) {
					theirs[name] = true
				}
			}
		}
	}
	var own, both []string
	for _, spec := range d.Specs {
		for _, name := range specNames(spec) {
			own = append(own, name)
			if theirs[name] && name != "_" {
				both = append(both, name)
			}
		}
	}
	switch {
	case len(both) > 0:
		return slices.Min(both)
	case len(own) > 0:
		return own[0]
	}
	return ""
}

// block returns the statements of a block.
func (s *source) block(b *ast.BlockStmt) list {
	return s.stmts(b.List, b.Lbrace+1, b.Rbrace)
}

func (s *source) stmts(stmts []ast.Stmt, from, to token.Pos) list {
	l := list{kind: statements, from: s.offset(from), to: s.offset(to)}
	for _, stmt := range stmts {
		l.items = append(l.items, s.stmt(stmt))
	}
	return l
}

func (s *source) stmt(n ast.Stmt) item {
	it := s.item(n.Pos(), n.End(), n)
	switch n := n.(type) {
	case *ast.IfStmt:
		it.lists, it.chain = []list{s.block(n.Body), s.arms(n)}, n
		return it.headed(s, n.Body.Lbrace)
	case *ast.ForStmt:
		it.lists, it.class = []list{s.block(n.Body)}, "for"
		return it.headed(s, n.Body.Lbrace)
	case *ast.RangeStmt:
		it.lists, it.class = []list{s.block(n.Body)}, "for"
		return it.headed(s, n.Body.Lbrace)
	case *ast.SwitchStmt:
		it.lists = []list{s.clauses(n.Body)}
		return it.headed(s, n.Body.Lbrace)
	case *ast.TypeSwitchStmt:
		it.lists = []list{s.clauses(n.Body)}
		return it.headed(s, n.Body.Lbrace)
	case *ast.SelectStmt:
		it.lists = []list{s.clauses(n.Body)}
		return it.headed(s, n.Body.Lbrace)
	case *ast.BlockStmt:
		it.lists = []list{s.block(n)}
		return it.headed(s, n.Lbrace)
	case *ast.LabeledStmt:
		inner := s.stmt(n.Stmt)
		it.lists, it.names, it.class = inner.lists, inner.names, "label "+inner.class
		it.head = n.Label.Name
		return it
	}
	it.lists = s.walk(n)
	it.head, it.names = s.simple(n)
	return it
}

// simple returns the head of a statement without a block, and the names that it declares.
func (s *source) simple(n ast.Stmt) (head string, names []string) {
	upTo := func(p token.Pos) string { return s.key(s.offset(n.Pos()), s.offset(p)) }
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
					names = append(names, id.Name)
				}
			}
		}
		return upTo(n.TokPos), names
	case *ast.DeclStmt:
		for _, spec := range n.Decl.(*ast.GenDecl).Specs {
			names = append(names, specNames(spec)...)
		}
		return strings.Join(names, ","), names
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			return upTo(call.Lparen), nil
		}
	}
	return "", nil
}

// arms returns what follows the first block of an if statement.
func (s *source) arms(n *ast.IfStmt) list {
	l := list{kind: arms, from: s.offset(n.Body.End()), to: s.offset(n.End())}
	for n != nil && n.Else != nil {
		from := n.Body.End()
		body, _ := n.Else.(*ast.BlockStmt)
		class := "else"
		if n, _ = n.Else.(*ast.IfStmt); n != nil {
			body, class = n.Body, "arm"
		}
		it := s.item(from, body.End(), nil).headed(s, body.Lbrace)
		it.class, it.lists = class, []list{s.block(body)}
		l.items = append(l.items, it)
	}
	return l
}

func (s *source) clauses(b *ast.BlockStmt) list {
	l := list{kind: clauses, from: s.offset(b.Lbrace) + 1, to: s.offset(b.Rbrace)}
	for i, c := range b.List {
		end := b.Rbrace
		if i+1 < len(b.List) {
			end = b.List[i+1].Pos()
		}
		it := s.item(c.Pos(), c.End(), c)
		switch c := c.(type) {
		case *ast.CaseClause:
			it = it.headed(s, c.Colon)
			if c.List == nil {
				it.class = "default"
			} else {
				it.lists = append(it.lists, s.choices(c.List))
			}
			it.lists = append(it.lists, s.stmts(c.Body, c.Colon+1, end))
		case *ast.CommClause:
			it = it.headed(s, c.Colon)
			it.lists = []list{s.stmts(c.Body, c.Colon+1, end)}
		}
		l.items = append(l.items, it)
	}
	return l
}

// choices returns the values, or types, of a case.
func (s *source) choices(values []ast.Expr) list {
	l := list{kind: choices, from: s.offset(values[0].Pos()), to: s.offset(values[len(values)-1].End())}
	for _, x := range values {
		l.items = append(l.items, s.item(x.Pos(), x.End(), x))
	}
	return l
}

// walk finds the outermost lists in an expression, a type or a simple statement.
func (s *source) walk(root ast.Node) (lists []list) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			lists = append(lists, s.block(n.Body))
			return false
		case *ast.CompositeLit:
			if isSequence(n) || s.isTable(n) {
				lists = append(lists, s.table(n))
				return false
			}
		case *ast.StructType:
			lists = append(lists, s.fields(n.Fields))
			return false
		case *ast.InterfaceType:
			lists = append(lists, s.fields(n.Methods))
			return false
		}
		return true
	})
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.from, b.from) })
	return lists
}

func (s *source) fields(f *ast.FieldList) list {
	l := list{kind: fields, from: s.offset(f.Opening) + 1, to: s.offset(f.Closing)}
	for _, field := range f.List {
		it := s.item(begin(field, field.Doc), field.End(), field)
		it.head = strings.Join(identNames(field.Names), ",")
		it.lists = s.walk(field.Type)
		l.items = append(l.items, it)
	}
	return l
}

// isSequence says whether a literal is of a slice, an array or a map, as far as its text
// tells: its elements do not depend on each other, whatever line they are on. Those of a
// struct do.
func isSequence(n *ast.CompositeLit) bool {
	switch n.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return len(n.Elts) > 0
	}
	return false
}

// isTable says whether each element begins on its own line.
func (s *source) isTable(n *ast.CompositeLit) bool {
	last := s.line(s.offset(n.Lbrace))
	for _, x := range n.Elts {
		line := s.line(s.offset(x.Pos()))
		if line == last {
			return false
		}
		last = line
	}
	return len(n.Elts) > 0
}

func (s *source) table(n *ast.CompositeLit) list {
	l := list{kind: elements, packed: !s.isTable(n), from: s.offset(n.Lbrace) + 1, to: s.offset(n.Rbrace)}
	for _, x := range n.Elts {
		it := s.item(x.Pos(), x.End(), x)
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			it = it.headed(s, kv.Colon)
		}
		it.lists = s.walk(x)
		l.items = append(l.items, it)
	}
	return l
}
