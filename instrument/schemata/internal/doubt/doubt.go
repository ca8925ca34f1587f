// Package doubt knows changes that are seldom worth a test. They are not proved to make no
// difference, so they stay mutants, and come later in the order of survivors.
package doubt

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// The reasons.
const (
	// HoldsForMore is about equal operands, for which a loop makes no turn and a maximum stays what
	// it is, or about values that may not exist.
	HoldsForMore = "the comparison holds wherever it did, and for few values more"
	// Freed is about elements that a slice no longer has.
	Freed = "only the garbage collector sees what was there"
)

// wider are the operators that hold wherever another does.
var wider = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.NEQ},
	token.GTR: {token.GEQ, token.NEQ},
	token.EQL: {token.LEQ, token.GEQ},
}

// Comparison returns what is to say of another operator in a comparison; "" if nothing is.
func Comparison(was, op token.Token) string {
	for _, w := range wider[was] {
		if w == op {
			return HoldsForMore
		}
	}
	return ""
}

// Limit returns what is to say of v in place of a whole number on the right of a comparison, where
// it is the same as another operator.
func Limit(op token.Token, was, v constant.Value) string {
	one := constant.MakeInt64(1)
	switch {
	case was == nil || was.Kind() != constant.Int || v.Kind() != constant.Int:
	case op == token.LSS && constant.Compare(v, token.EQL, constant.BinaryOp(was, token.ADD, one)),
		op == token.GTR && constant.Compare(v, token.EQL, constant.BinaryOp(was, token.SUB, one)):
		return HoldsForMore
	}
	return ""
}

// Text returns the source of a node.
type Text func(ast.Node) string

// Removed returns what is to say of a statement that is left out; "" if nothing is. The body is that of its
// function.
func Removed(info *typing.Info, body *ast.BlockStmt, s ast.Stmt, text Text) string {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || body == nil {
		return ""
	}
	element, ok := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr)
	if !ok || info.IsMapElement(element) || !isZero(info, body, a.Rhs[0]) {
		return ""
	}
	for _, next := range after(body, s) {
		if cuts(next, element, text) {
			return Freed
		}
	}
	return ""
}

// isZero says whether an expression is the zero value, or a variable that is declared without a value
// and that nothing sets.
func isZero(info *typing.Info, body *ast.BlockStmt, e ast.Expr) bool {
	if info.IsZero(e, info.TypeOf(e)) {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.Uses[id] != nil && declaredOnly(info, body, id)
}

// declaredOnly says whether "var x T" is all that becomes of the variable that is used, but for uses as
// plain values.
func declaredOnly(info *typing.Info, body *ast.BlockStmt, use *ast.Ident) (declared bool) {
	v, ok := info.Uses[use].(*types.Var)
	if !ok {
		return false
	}
	set := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				declared = declared || info.Defs[id] == v && len(n.Values) == 0
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				set = set || info.Mentions(e, v)
			}
		case *ast.UnaryExpr:
			set = set || n.Op == token.AND && info.Mentions(n.X, v)
		case *ast.IncDecStmt:
			set = set || info.Mentions(n.X, v)
		}
		return true
	})
	return declared && !set
}

// after returns the statements that follow one in its list.
func after(body *ast.BlockStmt, s ast.Stmt) (rest []ast.Stmt) {
	in := func(list []ast.Stmt) {
		for i, other := range list {
			if other == s {
				rest = list[i+1:]
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			in(n.List)
		case *ast.CaseClause:
			in(n.Body)
		case *ast.CommClause:
			in(n.Body)
		}
		return rest == nil
	})
	return rest
}

// cuts says whether a statement takes an element off the slice that it is of, from either end.
func cuts(s ast.Stmt, element *ast.IndexExpr, text Text) bool {
	for _, e := range values(s) {
		sl, ok := ast.Unparen(e).(*ast.SliceExpr)
		if !ok || text(sl.X) != text(element.X) {
			continue
		}
		index := text(element.Index)
		if sl.High != nil && text(sl.High) == index || index == "0" && sl.Low != nil && text(sl.Low) == "1" {
			return true
		}
	}
	return false
}

// values are what a statement assigns or returns.
func values(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Rhs
	case *ast.ReturnStmt:
		return s.Results
	}
	return nil
}
