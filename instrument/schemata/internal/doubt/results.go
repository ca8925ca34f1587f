package doubt

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Unused is about what a function that only its package calls returns to nobody.
const Unused = "no caller uses this result"

// Results finds the operands of return statements that no caller uses, and returns what is to say of a mutant at a position.
func Results(info *typing.Info, files []*ast.File) func(token.Pos) string {
	r := &results{info: info, calls: make(map[*types.Func][]*ast.CallExpr), uses: make(map[*types.Func]int), kept: make(map[*ast.CallExpr][]bool)}
	for _, obj := range info.Uses {
		if fn, ok := obj.(*types.Func); ok {
			r.uses[fn]++
		}
	}
	for _, f := range files {
		ast.Inspect(f, r.visit)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Recv == nil && !d.Name.IsExported() {
				r.function(d)
			}
		}
	}
	sort.Slice(r.unused, func(i, k int) bool { return r.unused[i].lo < r.unused[k].lo })
	return r.at
}

// results are those of the functions of a package, by who uses them.
type results struct {
	info   *typing.Info
	calls  map[*types.Func][]*ast.CallExpr
	uses   map[*types.Func]int      // of the name
	kept   map[*ast.CallExpr][]bool // which results are assigned to something; none of other calls is in doubt
	unused []span
}

type span struct{ lo, hi token.Pos }

// visit notes calls of functions, and those whose results go nowhere.
func (r *results) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			if fn, ok := r.info.Uses[id].(*types.Func); ok {
				r.calls[fn] = append(r.calls[fn], n)
			}
		}
	case *ast.ExprStmt:
		r.drops(n.X, nil)
	case *ast.GoStmt:
		r.drops(n.Call, nil)
	case *ast.DeferStmt:
		r.drops(n.Call, nil)
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			r.drops(n.Rhs[0], n.Lhs)
		}
	case *ast.ValueSpec:
		if len(n.Values) == 1 {
			r.drops(n.Values[0], typing.Idents(n.Names))
		}
	}
	return true
}

// drops notes which results of a call are assigned to a name other than _.
func (r *results) drops(e ast.Expr, to []ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	kept := make([]bool, len(to))
	for i, e := range to {
		id, ok := e.(*ast.Ident)
		kept[i] = !ok || id.Name != "_"
	}
	r.kept[call] = kept
}

// function adds the operands of return statements of a function that no caller uses.
func (r *results) function(d *ast.FuncDecl) {
	fn, ok := r.info.Defs[d.Name].(*types.Func)
	if !ok || len(r.calls[fn]) == 0 || len(r.calls[fn]) != r.uses[fn] {
		return // something has the function as a value
	}
	n := fn.Signature().Results().Len()
	ast.Inspect(d.Body, func(node ast.Node) bool {
		switch s := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for i, e := range s.Results {
				if len(s.Results) == n && !r.used(fn, i) {
					r.unused = append(r.unused, span{e.Pos(), e.End()})
				}
			}
		}
		return true
	})
}

// used says whether a call uses a result.
func (r *results) used(fn *types.Func, result int) bool {
	for _, call := range r.calls[fn] {
		kept, ok := r.kept[call]
		if !ok || result < len(kept) && kept[result] {
			return true
		}
	}
	return false
}

func (r *results) at(pos token.Pos) string {
	i := sort.Search(len(r.unused), func(i int) bool { return r.unused[i].hi > pos })
	if i < len(r.unused) && r.unused[i].lo <= pos {
		return Unused
	}
	return ""
}
