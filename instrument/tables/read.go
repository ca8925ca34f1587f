package tables

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// read finds out which fields of a row are arguments of the call, and which are compared with its
// results. It returns false if the body does not make the call once, or compares none.
func (s *search) read(t *Table, body *ast.BlockStmt, leaf func(ast.Expr) (string, bool), byName map[string]*field) bool {
	m := newMaker(s.tests.Info, body, leaf)
	var call *ast.CallExpr
	count := 0
	leaves := make(map[string]string)
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if fn := m.callee(c); fn == nil || fn.FullName() != s.want.fn.FullName() {
			return true
		}
		count++
		clear(leaves)
		if match(s.want, m.of(c), true, leaves) {
			call = c
		}
		return true
	})
	if call == nil || count != 1 {
		return false
	}
	t.args, t.wants = make(map[string]*field), make(map[int]*field)
	taken := make(map[*field]bool)
	for param, name := range leaves {
		f := byName[name]
		t.args[param], taken[f] = f, true
	}
	t.types = results(s.tests.Info.TypeOf(call))
	r := &reading{search: s, table: t, maker: m, call: call, byName: byName, taken: taken, results: make(map[types.Object]int)}
	r.assigned(body)
	r.comparisons(body)
	r.titles(body)
	r.errorField()
	return len(t.wants) > 0
}

// results are the types of what a call returns.
func results(t types.Type) (list []types.Type) {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return []types.Type{t}
	}
	for i := range tuple.Len() {
		list = append(list, tuple.At(i).Type())
	}
	return list
}

// reading is the work on the body of one loop.
type reading struct {
	*search
	table   *Table
	maker   *maker
	call    *ast.CallExpr
	byName  map[string]*field
	taken   map[*field]bool // for something
	results map[types.Object]int
}

// assigned notes the variables that have the results.
func (r *reading) assigned(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 || ast.Unparen(a.Rhs[0]) != r.call {
			return true
		}
		for i, lhs := range a.Lhs {
			if id, ok := lhs.(*ast.Ident); ok {
				if obj := r.object(id); obj != nil {
					r.results[obj] = i
				}
			}
		}
		return true
	})
}

// object is what an identifier declares or names.
func (r *reading) object(id *ast.Ident) types.Object {
	if obj := r.tests.Info.Defs[id]; obj != nil {
		return obj
	}
	return r.tests.Info.Uses[id]
}

// comparisons finds fields that stand with a result in a comparison, or as arguments of a function
// that compares.
func (r *reading) comparisons(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			r.compared([]ast.Expr{n.X, n.Y})
		case *ast.CallExpr:
			if n != r.call && !r.says(n) {
				r.compared(n.Args)
			}
		}
		return true
	})
}

// says says whether a call is one of those that only write: of fmt, or of a test.
func (r *reading) says(call *ast.CallExpr) bool {
	fn := r.maker.callee(call)
	return fn == nil || fn.Pkg() == nil || fn.Pkg().Path() == "fmt" || fn.Pkg().Path() == "testing"
}

// compared enters a field that stands beside a result among operands.
func (r *reading) compared(operands []ast.Expr) {
	var want *field
	result := -1
	for _, e := range operands {
		if f := r.fieldOf(e); f != nil {
			if r.taken[f] {
				continue
			}
			if want != nil {
				return
			}
			want = f
		} else if i := r.resultIn(e); i >= 0 && result < 0 {
			result = i
		}
	}
	if want == nil || result < 0 || r.table.wants[result] != nil || !fits(r.table.types[result], want.typ) {
		return
	}
	r.table.wants[result], r.taken[want] = want, true
}

// fieldOf is the field that an expression is, its negation included.
func (r *reading) fieldOf(e ast.Expr) *field {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && (u.Op == token.NOT || u.Op == token.AND) {
		e = ast.Unparen(u.X)
	}
	if name, ok := r.maker.leaf(e); ok {
		return r.byName[name]
	}
	return nil
}

// resultIn is the one result that an expression takes; -1: none, or several.
func (r *reading) resultIn(e ast.Expr) int {
	found := -1
	ast.Inspect(e, func(n ast.Node) bool {
		at := -1
		switch n := n.(type) {
		case *ast.CallExpr:
			if n == r.call {
				at = 0
			}
		case *ast.Ident:
			if i, ok := r.results[r.object(n)]; ok {
				at = i
			}
		}
		if at >= 0 && found >= 0 && at != found {
			found = len(r.table.types) // several
		} else if at >= 0 {
			found = at
		}
		return true
	})
	if found >= len(r.table.types) {
		return -1
	}
	return found
}

// fits says whether a field may hold what is wanted of a result.
func fits(result, field types.Type) bool {
	if isError(result) {
		return isError(field) || isString(field) || isBool(field)
	}
	return isString(field) || same(result, field)
}

// same says whether two types are the same, which may come from two readings of the code.
func same(a, b types.Type) bool { return types.TypeString(a, nil) == types.TypeString(b, nil) }

func isError(t types.Type) bool { return types.TypeString(t, nil) == "error" }

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// errorField finds the field that says whether an error is wanted, where only its name does.
func (r *reading) errorField() {
	for i, t := range r.table.types {
		if !isError(t) || r.table.wants[i] != nil {
			continue
		}
		for _, f := range r.table.fields {
			if name := strings.ToLower(f.name); !r.taken[f] && fits(t, f.typ) && (strings.Contains(name, "err") || strings.Contains(name, "fail")) {
				r.table.wants[i], r.taken[f] = f, true
				break
			}
		}
	}
}

// titles finds the field that names a row: what t.Run is called with, or what is called so.
func (r *reading) titles(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if fn := r.maker.callee(call); fn != nil && fn.Name() == "Run" && fn.Pkg() != nil && fn.Pkg().Path() == "testing" {
			r.title(r.fieldOf(call.Args[0]))
		}
		return true
	})
	for _, f := range r.table.fields {
		switch strings.ToLower(f.name) {
		case "name", "desc", "description", "title", "label", "comment":
			r.title(f)
		}
	}
	if r.table.isMap {
		r.title(r.byName[keyName])
	}
}

func (r *reading) title(f *field) {
	if f != nil && r.table.title == nil && !r.taken[f] && isString(f.typ) {
		r.table.title, r.taken[f] = f, true
	}
}
