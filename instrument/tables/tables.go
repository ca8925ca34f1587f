// Package tables finds table-driven tests that make a call with the values of each row, and adds
// rows to them. Where the fields of a row go to is read from the code of the test; whether a row
// then says what it is to say, only running the test shows.
package tables

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// A Table is a test with a loop over rows. Each row leads to one call of a function.
type Table struct {
	Test string // the test function
	File *load.File
	// Line is that of the table.
	Line int

	fset   *token.FileSet
	rows   *ast.CompositeLit
	isMap  bool // from texts to rows
	fields []*field
	args   map[string]*field // by parameter of the fuzz target
	params map[string]types.Type
	wants  map[int]*field // by result of the call
	types  []types.Type   // of the results
	title  *field         // nil: none
	nested bool           // a row is a composite literal of fields
	beside bool           // it is in the package clause of the fuzz test
}

// field is a part of a row. The key of a map, and a row that is no struct, have no name.
type field struct {
	name string
	typ  types.Type
	key  bool
}

// Find returns the tables whose rows lead to the call that is in that line of a fuzz test, with
// arguments that are made in the same way of the row's fields as of the parameters of the fuzz
// target. The tables of a package come in the order of its files.
func Find(r *load.Result, fuzz string, line int) []*Table {
	var want *made
	params := make(map[string]types.Type)
	var home *load.TestFiles
	for _, t := range r.Tests {
		for i := range t.Files {
			if fd := function(&t.Files[i], fuzz); fd != nil {
				want, home = wanted(r, t, fd, line, params), t
			}
		}
	}
	if want == nil || want.fn == nil {
		return nil
	}
	var list []*Table
	for _, t := range r.Tests {
		uses := usesOf(t)
		for i := range t.Files {
			file := &t.Files[i]
			if r.DerivedFiles[file.Path] != nil {
				continue
			}
			s := &search{loaded: r, tests: t, file: file, uses: uses, want: want, params: params, beside: t == home}
			list = append(list, s.find()...)
		}
	}
	slices.SortStableFunc(list, func(a, b *Table) int {
		return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// function is a function of a file; nil: there is none of that name.
func function(f *load.File, name string) *ast.FuncDecl {
	for _, d := range f.Syntax.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Body != nil && fd.Name.Name == name {
			return fd
		}
	}
	return nil
}

// wanted is how the call in a line of a fuzz test is made of the parameters of the target, whose
// types are put into params; nil: there is no such call.
func wanted(r *load.Result, t *load.TestFiles, fd *ast.FuncDecl, line int, params map[string]types.Type) *made {
	var lit *ast.FuncLit
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok && lit == nil {
			lit = l
		}
		return lit == nil
	})
	if lit == nil {
		return nil
	}
	leaves := make(map[types.Object]string)
	for i, f := range lit.Type.Params.List {
		for _, id := range f.Names {
			if obj := t.Info.Defs[id]; obj != nil && i > 0 {
				leaves[obj], params[id.Name] = id.Name, obj.Type()
			}
		}
	}
	m := newMaker(t.Info, lit.Body, func(e ast.Expr) (string, bool) {
		id, ok := e.(*ast.Ident)
		if !ok {
			return "", false
		}
		name, ok := leaves[t.Info.Uses[id]]
		return name, ok
	})
	var found *made
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && found == nil && r.Position(call.Pos()).Line == line {
			found = m.of(call)
		}
		return found == nil
	})
	return found
}

// usesOf counts how often objects are named in the tests.
func usesOf(t *load.TestFiles) map[types.Object]int {
	uses := make(map[types.Object]int)
	for _, obj := range t.Info.Uses {
		uses[obj]++
	}
	return uses
}

// search looks through one file for tables of a call.
type search struct {
	loaded *load.Result
	tests  *load.TestFiles
	file   *load.File
	uses   map[types.Object]int
	want   *made
	params map[string]types.Type
	beside bool // the fuzz test is in the same package clause

	declares map[*types.Func]*ast.FuncDecl // see helpers
}

// find finds the tables of the file.
func (s *search) find() (list []*Table) {
	for _, d := range s.file.Syntax.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil || fd.Body == nil || len(fd.Name.Name) < 5 || fd.Name.Name[:4] != "Test" {
			continue
		}
		add := func(loop *ast.RangeStmt, rows ast.Expr) {
			if t := s.table(fd, loop, rows); t != nil {
				list = append(list, t)
			}
		}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			if loop, ok := n.(*ast.RangeStmt); ok {
				add(loop, loop.X)
			}
			return true
		})
		s.looped(fd, add)
	}
	return list
}

// table is that of a loop, over what a test has there; nil: it has none that a row can be added to.
func (s *search) table(fd *ast.FuncDecl, loop *ast.RangeStmt, over ast.Expr) *Table {
	rows, value := s.rows(fd, over), s.variable(loop.Value)
	if rows == nil || value == nil || len(rows.Elts) == 0 {
		return nil
	}
	t := &Table{Test: fd.Name.Name, File: s.file, Line: s.loaded.Fset.Position(rows.Pos()).Line, fset: s.loaded.Fset, rows: rows, params: s.params, beside: s.beside}
	var elem types.Type
	switch typ := s.tests.Info.TypeOf(rows).Underlying().(type) {
	case *types.Slice:
		elem = typ.Elem()
	case *types.Map:
		if !isString(typ.Key()) {
			return nil
		}
		elem, t.isMap = typ.Elem(), true
	default:
		return nil
	}
	byName := s.describe(t, elem)
	if byName == nil || !t.written() {
		return nil
	}
	key := s.variable(loop.Key)
	leaf := func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.Ident:
			obj := s.tests.Info.Uses[e]
			if obj == nil {
				return "", false
			}
			if t.isMap && obj == key {
				return keyName, true
			}
			return valueName, obj == value && !t.nested
		case *ast.SelectorExpr:
			id, ok := ast.Unparen(e.X).(*ast.Ident)
			return e.Sel.Name, ok && s.same(loop.Body, id, value) && byName[e.Sel.Name] != nil
		}
		return "", false
	}
	if s.read(t, loop.Body, leaf, byName) {
		return t
	}
	isRow := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && t.nested && s.same(loop.Body, id, value)
	}
	if s.helped(loop.Body, func(helper *ast.FuncDecl, args map[types.Object]ast.Expr) bool {
		inner, any := s.inHelper(helper, args, leaf, isRow)
		return any && s.read(t, helper.Body, inner, byName)
	}) {
		return t
	}
	return nil
}

// Names of what is no field of a struct.
const (
	keyName   = "\x00key"
	valueName = "\x00value"
)

// describe enters the fields of a row into the table, and returns them by name; nil: a row has
// none that can be named.
func (s *search) describe(t *Table, elem types.Type) map[string]*field {
	byName := make(map[string]*field)
	add := func(f *field, name string) {
		t.fields, byName[name] = append(t.fields, f), f
	}
	if t.isMap {
		add(&field{typ: types.Typ[types.String], key: true}, keyName)
	}
	if p, ok := elem.(*types.Pointer); ok {
		elem = p.Elem()
	}
	row, ok := elem.Underlying().(*types.Struct)
	if t.nested = ok; !ok {
		if !t.isMap {
			return nil // a list of texts says nothing of results
		}
		add(&field{typ: elem}, valueName)
		return byName
	}
	for i := range row.NumFields() {
		f := row.Field(i)
		if f.Embedded() {
			return nil
		}
		add(&field{name: f.Name(), typ: f.Type()}, f.Name())
	}
	return byName
}

// rows is the table that a loop of a test runs over, where it stands or where the variable is declared
// that no other test has.
func (s *search) rows(fd *ast.FuncDecl, e ast.Expr) *ast.CompositeLit {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return e
	case *ast.Ident:
		obj := s.tests.Info.Uses[e]
		if obj == nil || s.uses[obj] != 1 && !s.onlyLooped(fd, obj) {
			return nil
		}
		return s.declared(obj)
	}
	return nil
}

// declared is the table that a variable of the file is declared with.
func (s *search) declared(obj types.Object) (rows *ast.CompositeLit) {
	ast.Inspect(s.file.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				if id, ok := n.Lhs[0].(*ast.Ident); ok && s.tests.Info.Defs[id] == obj {
					rows, _ = n.Rhs[0].(*ast.CompositeLit)
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && len(n.Values) == 1 && s.tests.Info.Defs[n.Names[0]] == obj {
				rows, _ = n.Values[0].(*ast.CompositeLit)
			}
		}
		return rows == nil
	})
	return rows
}

// variable is what a loop declares.
func (s *search) variable(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok {
		return s.tests.Info.Defs[id]
	}
	return nil
}

// same says whether an identifier means a variable, itself or by x := x.
func (s *search) same(body *ast.BlockStmt, id *ast.Ident, value types.Object) bool {
	obj := s.tests.Info.Uses[id]
	if obj == value {
		return true
	}
	if obj == nil {
		return false
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			l, isName := a.Lhs[0].(*ast.Ident)
			r, isCopy := a.Rhs[0].(*ast.Ident)
			found = found || isName && isCopy && s.tests.Info.Defs[l] == obj && s.tests.Info.Uses[r] == value
		}
		return !found
	})
	return found
}

// isString says whether a value of a type is a text.
func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// offset and line are where something stands in the file itself, whatever line directives say.
func (t *Table) offset(pos token.Pos) int { return t.fset.PositionFor(pos, false).Offset }

func (t *Table) line(pos token.Pos) int { return t.fset.PositionFor(pos, false).Line }

// source is the text of a node.
func (t *Table) source(n ast.Node) string {
	return string(t.File.Src[t.offset(n.Pos()):t.offset(n.End())])
}
