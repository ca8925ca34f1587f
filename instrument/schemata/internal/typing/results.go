package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// FindResults finds what the functions of files with one result return, where that is a whole number: as far as their
// return statements say.
func (i *Info) FindResults(files []*ast.File) {
	i.findOnce(files)
	i.results = make(map[*types.Func]Bounds)
	var list []*types.Func
	returned := make(map[*types.Func][]ast.Expr)
	for _, file := range files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := i.Defs[d.Name].(*types.Func); ok && fn.Signature().Results().Len() == 1 {
					list = append(list, fn)
					returned[fn] = returnedBy(d.Body)
				}
			}
		}
	}
	// What one returns may be what another does. After each round the bounds hold, and are no wider.
	for range list {
		more := false
		for _, fn := range list {
			if b := i.ofAll(returned[fn]); !b.holds(i.results[fn]) {
				i.results[fn], more = b, true
			}
		}
		if !more {
			break
		}
	}
}

// returnedBy lists what a function returns; nil if that is not known: it returns a variable that has a name, or what is
// deferred may set the result, or end a panic.
func returnedBy(body *ast.BlockStmt) (list []ast.Expr) {
	known := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			known = false
		case *ast.ReturnStmt:
			known = known && len(n.Results) == 1
			list = append(list, n.Results...)
		}
		return true
	})
	if !known {
		return nil
	}
	return list
}

// ofAll are the bounds of what is one of several.
func (i *Info) ofAll(list []ast.Expr) Bounds {
	var all Bounds
	for n, e := range list {
		if b := i.Bounds(e); n == 0 {
			all = b
		} else {
			all = Bounds{outer(all.Least, b.Least, token.LSS), outer(all.Most, b.Most, token.GTR)}
		}
	}
	return all
}

// outer is the one of two bounds that holds for more; nil if one is not known.
func outer(a, b constant.Value, op token.Token) constant.Value {
	switch {
	case a == nil || b == nil:
		return nil
	case constant.Compare(a, op, b):
		return a
	}
	return b
}

// findOnce finds the local variables that are set where they are declared, and nowhere else. Constants are left out: a
// variable that has one is most often there to be changed by hand.
func (i *Info) findOnce(files []*ast.File) {
	i.once = make(map[types.Object]ast.Expr)
	set := make(map[types.Object]bool) // once more
	note := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			set[i.Uses[id]] = true
		}
	}
	declare := func(names, values []ast.Expr) {
		for n, e := range names {
			id, ok := e.(*ast.Ident)
			switch v, _ := i.Defs[id].(*types.Var); {
			case !ok || v == nil:
				note(e)
			case len(names) == len(values) && v.Parent() != i.Pkg.Scope() && i.Value(values[n]) == nil:
				i.once[v] = values[n]
			}
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				declare(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				var names []ast.Expr
				for _, id := range n.Names {
					names = append(names, id)
				}
				declare(names, n.Values)
			case *ast.RangeStmt:
				declare([]ast.Expr{n.Key, n.Value}, nil)
			case *ast.IncDecStmt:
				note(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			case *ast.SelectorExpr:
				if sel := i.Selections[n]; sel != nil && sel.Kind() == types.MethodVal { // it may take the address
					note(n.X)
				}
			}
			return true
		})
	}
	for v := range set {
		delete(i.once, v)
	}
}
