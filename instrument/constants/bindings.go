package constants

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// A Row is some variables that have values together: a line of a table.
type Row map[*types.Var]constant.Value

// A helperCall is a call of a function of the test files.
type helperCall struct {
	info *types.Info
	call *ast.CallExpr
	fn   *types.Func
}

// Bindings say which constants the variables of test files get.
type Bindings struct {
	sources  []Source
	declared map[string]bool // functions of the sources, by full name
	rows     []Row
	at       map[*types.Var][]int // rows that have a variable
	inits    map[*types.Var]ast.Expr
	calls    map[*types.Var][]helperCall // of the functions that a parameter is of
	busy     map[*ast.CallExpr]bool
}

// Read reads test files.
func Read(sources []Source) *Bindings {
	b := &Bindings{
		sources: sources, declared: make(map[string]bool),
		at: make(map[*types.Var][]int), inits: make(map[*types.Var]ast.Expr),
		calls: make(map[*types.Var][]helperCall), busy: make(map[*ast.CallExpr]bool),
	}
	for _, s := range sources {
		for _, f := range s.Files {
			b.functions(s, f)
			b.assignments(s, f)
		}
	}
	for _, s := range sources {
		for _, f := range s.Files {
			b.tables(s, f)
		}
	}
	return b
}

// functions notes what a file declares.
func (b *Bindings) functions(s Source, f *ast.File) {
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			if fn, ok := s.Info.Defs[fd.Name].(*types.Func); ok {
				b.declared[fn.FullName()] = true
			}
		}
	}
}

// assignments notes what variables are declared with.
func (b *Bindings) assignments(s Source, f *ast.File) {
	note := func(id *ast.Ident, e ast.Expr) {
		if v, ok := s.Info.Defs[id].(*types.Var); ok {
			b.inits[v] = e
			if c, _ := Leaf(s.Info, e); c != nil {
				b.add(Row{v: c})
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					note(id, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
					note(id, n.Rhs[i])
				}
			}
		}
		return true
	})
}

// tables notes the lines of tables, and the calls of helpers.
func (b *Bindings) tables(s Source, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			b.structure(s.Info, n)
		case *ast.RangeStmt:
			b.ranged(s.Info, n)
		case *ast.CallExpr:
			if fn := Callee(s.Info, n); fn != nil && b.declared[fn.FullName()] {
				for p := range fn.Signature().Params().Variables() {
					b.calls[p] = append(b.calls[p], helperCall{s.Info, n, fn})
				}
			}
		}
		return true
	})
}

func (b *Bindings) add(r Row) {
	for v := range r {
		b.at[v] = append(b.at[v], len(b.rows))
	}
	b.rows = append(b.rows, r)
}

// structure notes the constant fields of a struct.
func (b *Bindings) structure(info *types.Info, lit *ast.CompositeLit) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // of an element whose type is left out
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	r := make(Row)
	for i, e := range lit.Elts {
		var field *types.Var
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = info.Uses[id].(*types.Var)
			}
			e = kv.Value
		} else if i < s.NumFields() {
			field = s.Field(i)
		}
		if c, _ := Leaf(info, e); c != nil && field != nil {
			r[field] = c
		}
	}
	if len(r) > 0 {
		b.add(r)
	}
}

// ranged notes the constants that a loop goes over.
func (b *Bindings) ranged(info *types.Info, loop *ast.RangeStmt) {
	e := ast.Unparen(loop.X)
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := info.Uses[id].(*types.Var); ok && b.inits[v] != nil {
			e = ast.Unparen(b.inits[v])
		}
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	key, value := defined(info, loop.Key), defined(info, loop.Value)
	for _, e := range lit.Elts {
		r := make(Row)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if c, _ := Leaf(info, kv.Key); c != nil && key != nil {
				r[key] = c
			}
			e = kv.Value
		}
		if c, _ := Leaf(info, e); c != nil && value != nil {
			r[value] = c
		}
		if len(r) > 0 {
			b.add(r)
		}
	}
}

func defined(info *types.Info, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.Defs[id].(*types.Var)
	return v
}
