// Package stored knows what becomes of values in local variables: whether anything reads one, where one is
// zero, and how two may compare.
package stored

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// Facts are what is known of the functions of one file.
type Facts struct {
	unread []span
	zeros  map[*ast.ReturnStmt]map[types.Object]bool
	same   map[*ast.AssignStmt]bool
	orders map[*ast.BinaryExpr]operator.Orders
}

// span is a part of the source.
type span struct{ from, to token.Pos }

// Unread says whether all that a position is in is a value that is stored and never read, and that
// nothing else comes of.
func (f *Facts) Unread(pos token.Pos) bool {
	for _, s := range f.unread {
		if s.from <= pos && pos < s.to {
			return true
		}
	}
	return false
}

// Zero says whether a variable is zero whenever control gets to a return statement.
func (f *Facts) Zero(at *ast.ReturnStmt, v types.Object) bool { return v != nil && f.zeros[at][v] }

// Same says whether a statement gives variables the constants that they have already, and does nothing else.
func (f *Facts) Same(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && f.same[a]
}

// Orders are those in which the operands of a comparison may compare where control gets to it, and that make a
// difference; zero: nothing is known.
func (f *Facts) Orders(e *ast.BinaryExpr) operator.Orders { return f.orders[e] }

// Find reads the functions of a file.
func Find(info *types.Info, file *ast.File) *Facts {
	f := &Facts{
		zeros: make(map[*ast.ReturnStmt]map[types.Object]bool), same: make(map[*ast.AssignStmt]bool), orders: make(map[*ast.BinaryExpr]operator.Orders),
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				f.function(info, n, n.Type, n.Body)
			}
		case *ast.FuncLit:
			f.function(info, n, n.Type, n.Body)
		}
		return true
	})
	return f
}

// function reads one function, without those in it.
func (f *Facts) function(info *types.Info, fn ast.Node, typ *ast.FuncType, body *ast.BlockStmt) {
	r := &reader{info: info, results: make(map[types.Object]bool)}
	if typ.Results != nil {
		for _, field := range typ.Results.List {
			for _, id := range field.Names {
				r.results[info.Defs[id]] = true
			}
		}
	}
	r.own = r.ownVariables(fn, body)
	defer r.alike(f, body) // after what is known of orders
	if len(r.own) == 0 {
		return
	}
	r.blocks = cfg.New(body, func(call *ast.CallExpr) bool { return !r.panics(call) }).Blocks
	r.findConditions(body)
	f.unread = append(f.unread, r.unread()...)
	r.zeroAt(f)
	r.orders(f, body)
}

// reader reads a function.
type reader struct {
	info    *types.Info
	own     map[types.Object]bool
	ranged  map[types.Object]bool // like these, but range sets them again in each round
	results map[types.Object]bool // with names
	blocks  []*cfg.Block
	// conditions say which of two ways control takes: the first if they hold.
	conditions map[ast.Expr]bool
}

// panics says whether a call is one of panic.
func (r *reader) panics(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := r.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "panic"
}

// ownVariables are the variables of a function that no function in it names, and whose address nothing
// takes: only its own statements read and set them.
func (r *reader) ownVariables(fn ast.Node, body *ast.BlockStmt) map[types.Object]bool {
	own := make(map[types.Object]bool)
	r.ranged = make(map[types.Object]bool)
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.Ident:
			if v, ok := r.info.Defs[n].(*types.Var); ok && !v.IsField() {
				own[v] = true
			}
		}
		return true
	})
	shared := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				delete(own, r.info.Uses[id])
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			shared(n)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				shared(n.X)
			}
		case *ast.SliceExpr: // of an array
			shared(n.X)
		case *ast.IndexExpr: // of what may be an array
			if _, param := types.Unalias(r.info.TypeOf(n.X)).(*types.TypeParam); param {
				shared(n.X)
			}
		case *ast.RangeStmt: // which sets them again in each round
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					r.ranged[r.info.ObjectOf(identOf(e))] = true
				}
			}
		case *ast.CommClause: // which sets them if it is chosen: package cfg has all clauses do so
			if a, ok := n.Comm.(*ast.AssignStmt); ok {
				for _, e := range a.Lhs {
					delete(own, r.info.ObjectOf(identOf(e)))
				}
			}
		case *ast.SelectorExpr:
			if s := r.info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				shared(n.X) // a method may have a pointer to it
			}
		}
		return true
	})
	for v := range r.ranged {
		r.ranged[v] = own[v]
		delete(own, v)
	}
	return own
}

// identOf is the identifier that an expression is; one without a name if it is something else.
func identOf(e ast.Expr) *ast.Ident {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return id
	}
	return new(ast.Ident)
}

// variable is the own variable that an expression is; nil: it is something else.
func (r *reader) variable(e ast.Expr) types.Object {
	if v := r.info.ObjectOf(identOf(e)); v != nil && r.own[v] {
		return v
	}
	return nil
}
