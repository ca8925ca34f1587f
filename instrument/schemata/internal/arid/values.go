package arid

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// local returns the variable of the function that an identifier names, nil if it is
// something else.
func (b *body) local(id *ast.Ident) *types.Var {
	obj := b.info.Uses[id]
	if obj == nil {
		obj = b.info.Defs[id]
	}
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pos() < b.root.Pos() || v.Pos() >= b.root.End() {
		return nil
	}
	return v
}

// variable returns the variable that an expression consists of, or nil.
func (b *body) variable(e ast.Expr) *types.Var {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return b.local(id)
	}
	return nil
}

// effectless says whether evaluating an expression does nothing but give its value, log, or
// panic.
func (b *body) effectless(e ast.Expr) bool {
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			fine = false
		case *ast.UnaryExpr:
			fine = fine && n.Op != token.ARROW
		case *ast.CallExpr:
			fine = fine && b.harmless(n)
		}
		return fine
	})
	return fine
}

// harmless says whether a call does nothing but return a value, if its operands do.
func (b *body) harmless(e *ast.CallExpr) bool {
	if name, _ := b.info.BuiltinCall(e); name == "append" {
		return b.isFresh(e.Args[0])
	}
	return b.isHarmless(e)
}

// isFresh says whether an append to a slice writes to no memory that something else sees.
func (b *body) isFresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident:
		v := b.local(e)
		return b.info.Types[e].IsNil() || v != nil && b.fresh[v]
	case *ast.CallExpr:
		if b.info.Types[e.Fun].IsType() {
			return len(e.Args) == 1 && b.info.Types[e.Args[0]].IsNil()
		}
		name, _ := b.info.BuiltinCall(e)
		return name == "make" || name == "append" && b.isFresh(e.Args[0])
	}
	return false
}

// readSlices finds the variables that are fresh, and those whose capacity can be seen.
func (b *body) readSlices() {
	set := func(lhs, rhs []ast.Expr, declared bool) {
		for i, l := range lhs {
			v := b.variable(l)
			if v == nil {
				continue
			}
			before, known := b.fresh[v]
			ok := declared && len(rhs) == 0
			if len(lhs) == len(rhs) {
				b.fresh[v] = true // for append to itself
				ok = b.isFresh(rhs[i])
			}
			b.fresh[v] = ok && (before || !known)
		}
		for _, r := range rhs {
			if v := b.variable(r); v != nil {
				b.resliced[v] = true // by another name, perhaps
			}
		}
	}
	ast.Inspect(b.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			set(n.Lhs, n.Rhs, false)
		case *ast.ValueSpec:
			set(typing.Idents(n.Names), n.Values, true)
		case *ast.Field:
			set(typing.Idents(n.Names), nil, false)
		case *ast.RangeStmt:
			set([]ast.Expr{n.Key, n.Value}, nil, false)
		case *ast.UnaryExpr:
			if v := b.variable(n.X); v != nil && n.Op == token.AND {
				b.fresh[v], b.resliced[v] = false, true
			}
		case *ast.SliceExpr:
			if v := b.variable(n.X); v != nil && (n.Max != nil || n.High != nil && !b.isZero(n.High)) {
				b.resliced[v] = true
			}
		case *ast.CallExpr:
			if name, _ := b.info.BuiltinCall(n); name == "cap" {
				if v := b.variable(n.Args[0]); v != nil {
					b.resliced[v] = true
				}
			}
		}
		return true
	})
}

func (b *body) isZero(e ast.Expr) bool {
	v := b.info.Types[e].Value
	return v != nil && constant.Sign(v) == 0
}

// hint returns the argument of make that only says how much space is reserved, if nobody can
// see how much it is; nil if there is none. Of a slice that is so for a variable whose
// capacity nothing in the function looks at.
func (b *body) hint(e *ast.CallExpr) ast.Expr {
	if name, _ := b.info.BuiltinCall(e); name != "make" {
		return nil
	}
	var hint ast.Expr
	switch typing.Core(b.info.TypeOf(e)).(type) {
	case *types.Map:
		if len(e.Args) == 2 {
			hint = e.Args[1]
		}
	case *types.Slice:
		if len(e.Args) == 3 && b.made()[e] {
			hint = e.Args[2]
		}
	}
	if hint == nil || b.info.IsConstant(hint) || !b.effectless(hint) {
		return nil
	}
	return hint
}

// made returns the calls of make whose slices are kept in variables alone that nothing looks
// at the capacity of.
func (b *body) made() map[*ast.CallExpr]bool {
	if b.slices != nil {
		return b.slices
	}
	b.slices = map[*ast.CallExpr]bool{}
	set := func(lhs, rhs []ast.Expr) {
		for i, r := range rhs {
			call, ok := ast.Unparen(r).(*ast.CallExpr)
			if ok && len(lhs) == len(rhs) {
				v := b.variable(lhs[i])
				b.slices[call] = v != nil && !b.resliced[v]
			}
		}
	}
	ast.Inspect(b.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			set(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			set(typing.Idents(n.Names), n.Values)
		}
		return true
	})
	return b.slices
}
