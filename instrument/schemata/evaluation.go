package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The compiler is free to read variables after it has made the calls behind them
// in the same statement, and it does. Handed to a helper, a variable is read where
// it stands.

const readEarly = "it would be read before a call that may change it"

// order returns why an operand can't be handed to a helper where it stands.
func (w *walker) order(list ...ast.Expr) string {
	for _, e := range list {
		if w.callFollows(e) && !w.stable(e) {
			return readEarly
		}
	}
	return ""
}

// enter notes the statement that is walked, until the function it returns is called.
func (w *walker) enter(s ast.Stmt) (leave func()) {
	saved := w.within
	w.within = s
	return func() { w.within = saved }
}

// callFollows says whether a call that could change something is evaluated after
// e in the same statement.
func (w *walker) callFollows(e ast.Expr) bool {
	if w.within == nil {
		return false
	}
	end, found := min(evaluationEnd(w.within, e), shortCircuitEnd(w.within, e)), false
	ast.Inspect(w.within, func(n ast.Node) bool {
		if n == nil || found || n.End() <= e.End() || n.Pos() >= end {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // e is in a statement of its own there
		case *ast.CallExpr:
			found = n.Pos() >= e.End() && w.changes(n)
		case *ast.UnaryExpr:
			found = n.Pos() >= e.End() && n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// shortCircuitEnd returns where the left operand of && or || ends that e is a part
// of, the innermost one: it is evaluated before anything behind it.
func shortCircuitEnd(s ast.Stmt, e ast.Expr) token.Pos {
	end := s.End()
	ast.Inspect(s, func(n ast.Node) bool {
		if n == nil || e.Pos() < n.Pos() || n.End() < e.End() {
			return false
		}
		b, ok := n.(*ast.BinaryExpr)
		if ok && (b.Op == token.LAND || b.Op == token.LOR) && e.End() <= b.X.End() {
			end = b.X.End()
		}
		return true
	})
	return end
}

// evaluationEnd returns where the evaluation that e belongs to ends: at the body
// of a statement that has one.
func evaluationEnd(s ast.Stmt, e ast.Expr) token.Pos {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.IfStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	case *ast.SwitchStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		body = s.Body
	case *ast.SelectStmt:
		body = s.Body
	case *ast.ForStmt:
		if s.Cond != nil {
			return s.Cond.End()
		}
	}
	switch {
	case body == nil:
		return s.End()
	case e.Pos() < body.Lbrace:
		return body.Lbrace
	}
	for _, s := range body.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			if c.Pos() <= e.Pos() && e.End() <= c.Colon {
				return c.Colon
			}
		case *ast.CommClause:
			if c.Pos() <= e.Pos() && e.End() <= c.Colon {
				return c.Colon
			}
		}
	}
	return body.Rbrace
}

// changes says whether a call could change a variable.
func (w *walker) changes(e *ast.CallExpr) bool {
	tv := w.info.Types[e.Fun]
	if tv.IsType() {
		return false
	}
	id := typing.CalleeIdent(e)
	return !tv.IsBuiltin() || id == nil || id.Name == "copy" || id.Name == "recover"
}

// stable says whether no call can change the value of e, for all of it is in local
// variables that nothing else refers to, or has been calculated already.
func (w *walker) stable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := w.info.Uses[e].(*types.Var)
		return !ok || !w.f.isShared(v)
	case *ast.ParenExpr:
		return w.stable(e.X)
	case *ast.UnaryExpr:
		return w.stable(e.X)
	case *ast.BinaryExpr:
		return w.stable(e.X) && w.stable(e.Y)
	case *ast.SelectorExpr:
		if sel, ok := w.info.Selections[e]; ok {
			return sel.Kind() == types.FieldVal && !sel.Indirect() && w.stable(e.X)
		}
		_, variable := w.info.Uses[e.Sel].(*types.Var)
		return !variable
	case *ast.CallExpr:
		return w.stableCall(e)
	}
	return w.info.IsConstant(e)
}

func (w *walker) stableCall(e *ast.CallExpr) bool {
	if w.changes(e) {
		return true
	}
	for _, arg := range e.Args {
		if w.info.Types[arg].IsType() {
			continue
		}
		switch typing.Core(w.info.TypeOf(arg)).(type) {
		case *types.Map, *types.Chan:
			return false
		}
		if !w.stable(arg) {
			return false
		}
	}
	return true
}

// isShared says whether a variable can be changed from outside of the code that
// names it: it is a package's, captured by a function literal, or its address is
// taken.
func (f *file) isShared(v *types.Var) bool {
	if f.shared == nil {
		f.shared = map[*types.Var]bool{}
		for _, d := range f.Syntax.Decls {
			ast.Inspect(d, func(n ast.Node) bool { f.share(n); return true })
		}
	}
	return f.shared[v] || v.Parent() == nil || v.Parent() == f.r.Pkg.Scope() || v.Pkg() != f.r.Pkg
}

func (f *file) share(n ast.Node) {
	info := f.r.info
	switch n := n.(type) {
	case *ast.FuncLit:
		ast.Inspect(n.Body, func(inner ast.Node) bool {
			if id, ok := inner.(*ast.Ident); ok {
				if v, ok := info.Uses[id].(*types.Var); ok && (v.Pos() < n.Pos() || v.Pos() >= n.End()) {
					f.shared[v] = true
				}
			}
			return true
		})
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.shareRoot(n.X)
		}
	case *ast.SliceExpr: // of an array
		if !f.refers(n.X) {
			f.shareRoot(n.X)
		}
	case *ast.SelectorExpr: // perhaps a method with a pointer receiver
		if sel, ok := info.Selections[n]; ok && sel.Kind() == types.MethodVal && !f.isPointer(n.X) {
			f.shareRoot(n.X)
		}
	}
}

// shareRoot marks the variable that an operand is a part of, unless the operand is
// behind a pointer.
func (f *file) shareRoot(e ast.Expr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if f.isPointer(x.X) {
				return
			}
			e = x.X
		case *ast.IndexExpr:
			if f.refers(x.X) {
				return
			}
			e = x.X
		case *ast.Ident:
			if v, ok := f.r.info.Uses[x].(*types.Var); ok {
				f.shared[v] = true
			}
			return
		default:
			return
		}
	}
}

func (f *file) isPointer(e ast.Expr) bool {
	_, ok := f.r.info.TypeOf(e).Underlying().(*types.Pointer)
	return ok
}

// refers says whether the elements of an operand are elsewhere.
func (f *file) refers(e ast.Expr) bool {
	_, array := f.r.info.TypeOf(e).Underlying().(*types.Array)
	return !array
}

// replayable says whether an operand can be evaluated once more without a
// difference, and its text stands on one line.
func (w *walker) replayable(e ast.Expr) bool {
	text := w.f.Node(e)
	return w.effectless(e) && !strings.Contains(text, "\n") && !strings.Contains(text, "//")
}

// effectless says whether evaluating an expression does nothing but give its
// value, or panic.
func (w *walker) effectless(e ast.Expr) bool {
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			fine = false
		case *ast.CallExpr:
			id := typing.CalleeIdent(n)
			fine = fine && w.harmless(n) && (w.info.Types[n.Fun].IsType() || id.Name != "new")
		case *ast.UnaryExpr:
			fine = fine && n.Op != token.ARROW
		}
		return fine
	})
	return fine
}

func (w *walker) effectlessAll(list []ast.Expr) bool {
	for _, e := range list {
		if !w.effectless(e) {
			return false
		}
	}
	return true
}
