// Package chance knows values that differ from run to run: what the clock says, and random
// numbers. Two runs may have the same value of the clock all the same, so to run the program
// twice does not always tell.
package chance

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Values are the values of a package that differ from run to run, as far as its text tells.
type Values struct {
	info *typing.Info
	vars map[types.Object]bool // that get such a value somewhere
}

// isSource says whether the results of a function differ. Those of the random packages that are
// no numbers are generators, which may have a seed.
func isSource(fn *types.Func, result types.Type) bool {
	switch fn.Pkg().Path() {
	case "time":
		return fn.Name() == "Now" || fn.Name() == "Since" || fn.Name() == "Until"
	case "math/rand", "math/rand/v2":
		_, number := result.Underlying().(*types.Basic)
		return number
	}
	return false
}

// Find finds the variables of a package that hold such values.
func Find(info *typing.Info, files []*ast.File) *Values {
	v := &Values{info: info, vars: make(map[types.Object]bool)}
	for v.spread(files) {
	}
	return v
}

// spread takes such values from variable to variable. It reports whether there are more.
func (v *Values) spread(files []*ast.File) (more bool) {
	before := len(v.vars)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				v.assign(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(n.Names))
				for i, id := range n.Names {
					names[i] = id
				}
				v.assign(names, n.Values)
			}
			return true
		})
	}
	return len(v.vars) > before
}

func (v *Values) assign(to, from []ast.Expr) {
	if len(to) != len(from) {
		return // of the functions with several results none is a source
	}
	for i, e := range to {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && v.Differs(from[i]) {
			if obj := v.info.ObjectOf(id); obj != nil {
				v.vars[obj] = true
			}
		}
	}
}

// Differs says whether the value of an expression differs from run to run: it is a source, a
// variable that holds one, or what arithmetic, conversions and the methods of package time
// make of these. What other functions do with such a value is not known.
func (v *Values) Differs(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return v.vars[v.info.Uses[e]]
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && v.Differs(e.X)
	case *ast.BinaryExpr:
		return !typing.IsComparison(e) && (v.Differs(e.X) || v.Differs(e.Y))
	case *ast.CallExpr:
		return v.call(e)
	}
	return false
}

func (v *Values) call(e *ast.CallExpr) bool {
	if v.info.Types[e.Fun].IsType() {
		return len(e.Args) == 1 && v.Differs(e.Args[0])
	}
	id := typing.CalleeIdent(e)
	if id == nil {
		return false
	}
	fn, ok := v.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	if fn.Signature().Recv() == nil {
		return isSource(fn, v.info.TypeOf(e))
	}
	if fn.Pkg().Path() != "time" {
		return false
	}
	for _, arg := range e.Args {
		if v.Differs(arg) {
			return true
		}
	}
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	return ok && v.Differs(sel.X)
}
