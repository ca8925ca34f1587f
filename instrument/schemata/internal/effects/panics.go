package effects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// A helper gets the value of an operand, so the mutants of a site evaluate it even
// where their plain edits could do without: the original's panic is theirs, too. A
// plain edit may drop an operand only if that can't be noticed either.

// Droppable says whether a plain edit can leave an operand out: evaluating it has
// no effects, and it can't panic unless one of the others does, which stay and are
// evaluated in any case.
func (fx *Effects) Droppable(e ast.Expr, others ...ast.Expr) bool {
	if !fx.Pure(e) {
		return false
	}
	var dropped, kept panics
	if dropped.read(fx, e); dropped.other {
		return false
	}
	for _, o := range others {
		if o != nil && fx.Pure(o) { // a call could set the pointer
			kept.read(fx, o)
		}
	}
	for key := range dropped.derefs {
		if !kept.derefs[key] {
			return false
		}
	}
	return true
}

// DroppableAll says whether all operands of a list can be left out.
func (fx *Effects) DroppableAll(list []ast.Expr, others ...ast.Expr) bool {
	for _, e := range list {
		if !fx.Droppable(e, others...) {
			return false
		}
	}
	return true
}

// PanicsAlike says whether two operands panic in the same way if both do, so that
// it does not matter which is evaluated first.
func (fx *Effects) PanicsAlike(x, y ast.Expr) bool {
	var a, b panics
	a.read(fx, x)
	b.read(fx, y)
	return !a.any() || !b.any() || !a.other && !b.other
}

// panics is how expressions without effects can panic.
type panics struct {
	derefs map[string]bool // of the pointers that are dereferenced in any case
	other  bool
}

func (p *panics) any() bool { return p.other || len(p.derefs) > 0 }

// read adds what an expression may do.
func (p *panics) read(fx *Effects, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := fx.info.Types[x]; tv.IsType() || tv.Value != nil {
			return false
		}
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				p.logical(fx, x)
				return false
			}
			p.binary(fx, x)
		case *ast.StarExpr:
			p.deref(fx, x.X)
		case *ast.SelectorExpr:
			p.selector(fx, x)
		case *ast.IndexExpr:
			p.index(fx, x)
		case *ast.CallExpr:
			p.call(fx, x)
		case *ast.CompositeLit:
			if m, ok := typing.Core(fx.info.TypeOf(x)).(*types.Map); ok && len(x.Elts) > 0 {
				p.hash(m.Key())
			}
		case *ast.SliceExpr, *ast.TypeAssertExpr:
			p.other = true
		}
		return true
	})
}

func (p *panics) deref(fx *Effects, x ast.Expr) {
	if p.derefs == nil {
		p.derefs = map[string]bool{}
	}
	p.derefs[fx.Key(ast.Unparen(x))] = true
}

// hash notes that a value of a type is hashed, or compared, which only interfaces
// can make fail.
func (p *panics) hash(t types.Type) { p.other = p.other || typing.HoldsInterface(t) }

// logical reads an operation whose right operand may not be evaluated.
func (p *panics) logical(fx *Effects, e *ast.BinaryExpr) {
	p.read(fx, e.X)
	var right panics
	right.read(fx, e.Y)
	p.other = p.other || right.any()
}

func (p *panics) binary(fx *Effects, e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ:
		if !fx.info.Types[e.X].IsNil() && !fx.info.Types[e.Y].IsNil() {
			p.hash(fx.info.TypeOf(e.X))
			p.hash(fx.info.TypeOf(e.Y))
		}
	case token.QUO, token.REM:
		p.other = p.other || !fx.info.IsConstant(e.Y)
	case token.SHL, token.SHR:
		b, ok := fx.info.TypeOf(e.Y).Underlying().(*types.Basic)
		p.other = p.other || !fx.info.IsConstant(e.Y) && (!ok || b.Info()&types.IsUnsigned == 0)
	}
}

func (p *panics) selector(fx *Effects, e *ast.SelectorExpr) {
	sel, ok := fx.info.Selections[e]
	switch {
	case !ok || sel.Kind() == types.MethodExpr:
	case sel.Kind() == types.MethodVal:
		p.other = p.other || sel.Indirect() || types.IsInterface(sel.Recv()) || typing.IsPointer(sel.Recv())
	case len(sel.Index()) == 1 && sel.Indirect():
		p.deref(fx, e.X)
	case sel.Indirect(): // embedded pointers, perhaps
		p.other = true
	}
}

func (p *panics) index(fx *Effects, e *ast.IndexExpr) {
	if fx.info.Types[e.Index].IsType() {
		return // an instantiation
	}
	m, ok := typing.Core(fx.info.TypeOf(e.X)).(*types.Map)
	if !ok {
		p.other = true
		return
	}
	p.hash(m.Key())
}

// call notes the conversion of a slice to an array, or to a pointer to one, and all
// that is neither a conversion nor a builtin without effect.
func (p *panics) call(fx *Effects, e *ast.CallExpr) {
	tv := fx.info.Types[e.Fun]
	if !tv.IsType() {
		p.other = p.other || !fx.Harmless(e)
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
	typing.EachTerm(fx.info.TypeOf(e.Args[0]), func(t types.Type) bool {
		_, slice := t.Underlying().(*types.Slice)
		p.other = p.other || slice
		return true
	})
}

// Key is the same for expressions that are written the same and name the same
// objects.
func (fx *Effects) Key(e ast.Expr) string {
	key := fx.src.Node(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := fx.info.Uses[id]; obj != nil {
				key += fmt.Sprintf(" %d", obj.Pos())
			}
		}
		return true
	})
	return key
}
