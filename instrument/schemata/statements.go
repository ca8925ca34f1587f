package schemata

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// deletable offers a statement for deletion.
func (w *walker) deletable(s ast.Stmt, kind operator.StmtKind, p site.Position) {
	if !p.InList {
		return
	}
	base, live := w.offer(&operator.Site{Kind: operator.Statement, Stmt: kind, Effect: w.effect(s)}, s, func(operator.Change) (plain.Edit, string) {
		text, why := w.Plain.Keep(s)
		if w.isHalf(s) {
			why = mutants.HalfOfPair
		}
		return plain.Replace(s.Pos(), s.End(), text, "removed "+w.Src.Short(s)), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(s.Pos(), s.End(), "if "+w.Calls.Begin("Do", "", "%d", base)+") { ", " }")
	}
}

func (w *walker) assign(s *ast.AssignStmt, p site.Position) {
	switch s.Tok {
	case token.DEFINE:
		w.commaOk(s, s.Lhs, s.Rhs, p.InList)
	case token.ASSIGN:
		if !w.Effects.Blank(s) {
			w.deletable(s, operator.OtherStmt, p)
		}
		w.commaOk(s, s.Lhs, s.Rhs, p.InList)
		for _, e := range s.Lhs {
			w.target(e)
		}
	default:
		w.deletable(s, operator.OtherStmt, p)
		expressions.OpAssign(w.Context, s, p)
		w.target(s.Lhs[0])
		w.expr(s.Rhs[0], site.Place{Limit: w.rightLimit(s.Tok, s.Lhs[0])})
		return
	}
	w.exprs(s.Rhs...)
}
