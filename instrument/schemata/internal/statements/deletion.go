package statements

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// deletion offers a statement for deletion.
func deletion(cx *Function, s ast.Stmt, p site.Position) {
	if kind, ok := deletable(cx, s, p); ok && p.InList {
		cx.Offer(&deleted{cx, s, kind, effect(cx, s)})
	}
}

// deletable says whether a statement can be left out, and what kind it is of.
func deletable(cx *Function, s ast.Stmt, p site.Position) (kind operator.StmtKind, ok bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok {
			_, receive := ast.Unparen(s.X).(*ast.UnaryExpr)
			return operator.OtherStmt, receive
		}
		if cx.Logs.Logs(call) || p.Last && cx.Info.IsPanic(s) { // without it the function would need a return
			return 0, false
		}
		if tv := cx.Info.Types[call]; tv.IsVoid() {
			return operator.VoidCall, true
		}
	case *ast.AssignStmt:
		return operator.OtherStmt, s.Tok != token.DEFINE && (s.Tok != token.ASSIGN || !cx.Effects.Blank(s))
	case *ast.SendStmt, *ast.IncDecStmt:
	default:
		return 0, false
	}
	return operator.OtherStmt, true
}

type deleted struct {
	*Function
	s      ast.Stmt
	kind   operator.StmtKind
	effect operator.Effect
}

func (k *deleted) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Statement, Stmt: k.kind, Effect: k.effect}, k.s
}

func (k *deleted) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	text, why := k.Context.Plain.Keep(k.s)
	switch {
	case isHalf(k.Function, k.s):
		why = reasons.HalfOfPair
	case why == nil && k.Stored.Same(k.s):
		why = reasons.ThereAlready
	}
	p := plain.Replace(k.s.Pos(), k.s.End(), text, "removed "+k.Src.Short(k.s))
	p.Doubt = doubt.Removed(k.Info, k.Block, k.s, k.Src.Node)
	return p, why
}

func (k *deleted) Schemata(base int, _ []operator.Change) { do(k.Function, k.s.Pos(), k.s.End(), base) }

// effect returns the effect of a statement that has only one, on a slice or map,
// and notes the call that it consists of: the whole statement is offered, not the
// call once more.
func effect(cx *Function, s ast.Stmt) operator.Effect {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if cx.Info.IsMapElement(s.X) {
			return operator.WritesMap
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return 0
		}
		name, call := cx.Info.BuiltinCall(s.Rhs[0])
		switch {
		case name == "append" && cx.Src.Node(call.Args[0]) == cx.Src.Node(s.Lhs[0]) && cx.Effects.EffectlessAll(call.Args):
			cx.Deleted[call] = true
			return operator.Appends
		case cx.Info.IsMapElement(s.Lhs[0]):
			return operator.WritesMap
		}
	case *ast.ExprStmt:
		switch name, call := cx.Info.BuiltinCall(s.X); name {
		case "copy":
			if cx.Effects.EffectlessAll(call.Args) {
				cx.Deleted[call] = true
				return operator.Copies
			}
		case "delete", "clear":
			return operator.Deletes
		}
	}
	return 0
}
