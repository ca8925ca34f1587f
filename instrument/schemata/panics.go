package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// A helper gets the value of an operand, so the mutants of a site evaluate it even
// where their plain edits could do without: the original's panic is theirs, too. A
// plain edit may drop an operand only if that can't be noticed either.

// droppable says whether a plain edit can leave an operand out: evaluating it has
// no effects, and it can't panic unless one of the others does, which stay and are
// evaluated in any case.
func (w *walker) droppable(e ast.Expr, others ...ast.Expr) bool {
	if !w.pure(e) {
		return false
	}
	var dropped, kept panics
	if dropped.read(w, e); dropped.other {
		return false
	}
	for _, o := range others {
		if o != nil && w.pure(o) { // a call could set the pointer
			kept.read(w, o)
		}
	}
	for key := range dropped.derefs {
		if !kept.derefs[key] {
			return false
		}
	}
	return true
}

func (w *walker) droppableAll(list []ast.Expr, others ...ast.Expr) bool {
	for _, e := range list {
		if !w.droppable(e, others...) {
			return false
		}
	}
	return true
}

// panicsAlike says whether two operands panic in the same way if both do, so that
// it does not matter which is evaluated first.
func (w *walker) panicsAlike(x, y ast.Expr) bool {
	var a, b panics
	a.read(w, x)
	b.read(w, y)
	return !a.any() || !b.any() || !a.other && !b.other
}

// panics is how expressions without effects can panic.
type panics struct {
	derefs map[string]bool // of the pointers that are dereferenced in any case
	other  bool
}

func (p *panics) any() bool { return p.other || len(p.derefs) > 0 }

// read adds what an expression may do.
func (p *panics) read(w *walker, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := w.info.Types[x]; tv.IsType() || tv.Value != nil {
			return false
		}
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				p.logical(w, x)
				return false
			}
			p.binary(w, x)
		case *ast.StarExpr:
			p.deref(w, x.X)
		case *ast.SelectorExpr:
			p.selector(w, x)
		case *ast.IndexExpr:
			p.index(w, x)
		case *ast.CallExpr:
			p.call(w, x)
		case *ast.CompositeLit:
			if m, ok := typing.Core(w.info.TypeOf(x)).(*types.Map); ok && len(x.Elts) > 0 {
				p.hash(m.Key())
			}
		case *ast.SliceExpr, *ast.TypeAssertExpr:
			p.other = true
		}
		return true
	})
}

func (p *panics) deref(w *walker, x ast.Expr) {
	if p.derefs == nil {
		p.derefs = map[string]bool{}
	}
	p.derefs[w.exprKey(ast.Unparen(x))] = true
}

// hash notes that a value of a type is hashed, or compared, which only interfaces
// can make fail.
func (p *panics) hash(t types.Type) { p.other = p.other || typing.HoldsInterface(t) }

// logical reads an operation whose right operand may not be evaluated.
func (p *panics) logical(w *walker, e *ast.BinaryExpr) {
	p.read(w, e.X)
	var right panics
	right.read(w, e.Y)
	p.other = p.other || right.any()
}

func (p *panics) binary(w *walker, e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ:
		if !w.info.Types[e.X].IsNil() && !w.info.Types[e.Y].IsNil() {
			p.hash(w.info.TypeOf(e.X))
			p.hash(w.info.TypeOf(e.Y))
		}
	case token.QUO, token.REM:
		p.other = p.other || !w.info.IsConstant(e.Y)
	case token.SHL, token.SHR:
		b, ok := w.info.TypeOf(e.Y).Underlying().(*types.Basic)
		p.other = p.other || !w.info.IsConstant(e.Y) && (!ok || b.Info()&types.IsUnsigned == 0)
	}
}

func (p *panics) selector(w *walker, e *ast.SelectorExpr) {
	sel, ok := w.info.Selections[e]
	switch {
	case !ok || sel.Kind() == types.MethodExpr:
	case sel.Kind() == types.MethodVal:
		p.other = p.other || sel.Indirect() || types.IsInterface(sel.Recv()) || typing.IsPointer(sel.Recv())
	case len(sel.Index()) == 1 && sel.Indirect():
		p.deref(w, e.X)
	case sel.Indirect(): // embedded pointers, perhaps
		p.other = true
	}
}

func (p *panics) index(w *walker, e *ast.IndexExpr) {
	if w.info.Types[e.Index].IsType() {
		return // an instantiation
	}
	m, ok := typing.Core(w.info.TypeOf(e.X)).(*types.Map)
	if !ok {
		p.other = true
		return
	}
	p.hash(m.Key())
}

// call notes the conversion of a slice to an array, or to a pointer to one, and all
// that is neither a conversion nor a builtin without effect.
func (p *panics) call(w *walker, e *ast.CallExpr) {
	tv := w.info.Types[e.Fun]
	if !tv.IsType() {
		p.other = p.other || !w.harmless(e)
		return
	}
	array := false
	typing.EachTerm(tv.Type, func(t types.Type) bool {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		_, is := t.Underlying().(*types.Array)
		array = array || is
		return true
	})
	if !array || len(e.Args) != 1 {
		return
	}
	typing.EachTerm(w.info.TypeOf(e.Args[0]), func(t types.Type) bool {
		_, slice := t.Underlying().(*types.Slice)
		p.other = p.other || slice
		return true
	})
}
