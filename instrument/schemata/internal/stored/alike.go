package stored

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// alike enters the comparisons of a function whose ways do the same where the operands are the same: one
// assigns an operand to the other, or they give one operand and the other.
func (r *reader) alike(f *Facts, body *ast.BlockStmt) {
	list := func(stmts []ast.Stmt) {
		for i, s := range stmts {
			s, ok := s.(*ast.IfStmt)
			if !ok {
				continue
			}
			otherwise := s.Else
			if otherwise == nil && i+1 < len(stmts) {
				otherwise = stmts[i+1]
			}
			e, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
			if !ok || !isRelation(e.Op) || !r.gives(e, s.Body, otherwise) && (s.Else != nil || !r.equates(e, s.Body)) {
				continue
			}
			if _, known := f.orders[e]; !known {
				f.orders[e] = operator.AnyOrder
			}
			f.orders[e] &^= operator.Same
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		}
		return true
	})
}

// equates says whether a block does no more than to assign one operand of a comparison to the other.
func (r *reader) equates(e *ast.BinaryExpr, block *ast.BlockStmt) bool {
	to, value := assignment(block)
	return value != nil && r.operands(e, to, value)
}

// gives says whether two statements do no more than to return the operands of a comparison, one and the other,
// or to assign these to the same.
func (r *reader) gives(e *ast.BinaryExpr, one, other ast.Stmt) bool {
	x, y := returned(one), returned(other)
	if x == nil || y == nil {
		var to, otherTo ast.Expr
		to, x = assignment(one)
		if otherTo, y = assignment(other); x == nil || y == nil || !r.reads(to) || types.ExprString(to) != types.ExprString(otherTo) {
			return false
		}
		if _, block := other.(*ast.BlockStmt); !block {
			return false // it is made after the first one as well
		}
	}
	return r.operands(e, x, y)
}

// single is the only statement of a block, or a statement that is none.
func single(s ast.Stmt) ast.Stmt {
	block, ok := s.(*ast.BlockStmt)
	switch {
	case !ok:
		return s
	case len(block.List) == 1:
		return block.List[0]
	}
	return nil
}

// assignment is what a statement does that assigns one value, and no more; nil: it does something else.
func assignment(s ast.Stmt) (to, value ast.Expr) {
	a, ok := single(s).(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, nil
	}
	return a.Lhs[0], a.Rhs[0]
}

// returned is what a statement gives that returns one value; nil: it does something else.
func returned(s ast.Stmt) ast.Expr {
	ret, ok := single(s).(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	return ret.Results[0]
}

// operands says whether two expressions are the operands of a comparison, in either order, and whether what is the
// same there can't be distinguished: numbers that are whole, and texts.
func (r *reader) operands(e *ast.BinaryExpr, a, b ast.Expr) bool {
	t := r.info.TypeOf(e.X)
	if !isWhole(t) && !isText(t) || !types.Identical(t, r.info.TypeOf(e.Y)) || !r.reads(e.X) || !r.reads(e.Y) {
		return false
	}
	x, y := types.ExprString(ast.Unparen(e.X)), types.ExprString(ast.Unparen(e.Y))
	one, other := types.ExprString(ast.Unparen(a)), types.ExprString(ast.Unparen(b))
	return one == x && other == y || one == y && other == x
}

// reads says whether an expression reads variables, fields and lengths, and constants, and does nothing else.
func (r *reader) reads(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		return s == nil || s.Kind() == types.FieldVal && r.reads(e.X)
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok || len(e.Args) != 1 {
			return false
		}
		b, ok := r.info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "len" && r.reads(e.Args[0])
	}
	return false
}
