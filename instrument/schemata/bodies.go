package schemata

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

func (w *walker) ifStmt(s *ast.IfStmt, p site.Position) {
	w.stmt(s.Init, site.Position{})
	value, known := w.Info.Decided(s.Cond)
	if known && !value {
		w.neverThen(s, p)
		return
	}
	w.condition(s.Cond)
	why := ""
	if s.Else == nil && w.madeFalse(s.Cond) {
		why = sameAsFalse
		if list := control.TrimEmpty(s.Body.List); len(list) == 1 {
			w.sole[list[0]] = true
		}
	}
	w.stmts(s.Body.List, p.Last)
	w.emptyBody(operator.Then, w.header(s.Pos(), s.Body.Lbrace+1), s.Body.List, p.Last, why)
	if known && s.Else != nil {
		w.silenced(s.Else.Pos(), "block", mutants.UnreachableCode, func() { w.stmt(s.Else, site.Position{Last: p.Last}) })
		return
	}
	w.stmt(s.Else, site.Position{Last: p.Last})
	if e, ok := s.Else.(*ast.BlockStmt); ok { // the parts of an else if are changed by themselves
		w.emptyBody(operator.Else, w.header(s.Body.Rbrace+1, e.Lbrace+1), e.List, p.Last, "")
	}
}

const sameAsFalse = mutants.NoChange + " as the condition always false"

// madeFalse says whether a mutant makes a condition always false.
func (w *walker) madeFalse(cond ast.Expr) bool {
	return w.File.Edited(cond, w.Plain.Forced(cond, operator.False, false).Text) || w.Logic.Settled(cond, operator.False) != ""
}

// caseBody walks the body of a clause of a switch.
func (w *walker) caseBody(c *ast.CaseClause, p site.Position) {
	w.stmts(c.Body, p.Last)
	part := operator.Case
	if c.List == nil {
		part = operator.Default
	}
	last := p.Last && control.FallsThrough(c.Body) == nil
	w.emptyBody(part, w.header(c.Pos(), c.Colon+1), c.Body, last, "")
}

// commBody offers the body of a clause of a select.
func (w *walker) commBody(c *ast.CommClause, p site.Position) {
	part := operator.SelectCase
	if c.Comm == nil {
		part = operator.Default
	}
	w.emptyBody(part, w.header(c.Pos(), c.Colon+1), c.Body, p.Last, "")
}

// header stands for the part of a statement before its body, which names the
// mutants of the body: their IDs survive edits inside.
func (w *walker) header(lo, hi token.Pos) ast.Node {
	return &ast.BlockStmt{Lbrace: lo, Rbrace: hi - 1}
}

var partNames = map[operator.Part]string{
	operator.Then: "first branch", operator.Else: "else", operator.Case: "case",
	operator.Default: "default", operator.SelectCase: "case",
}

// emptyBody offers to leave out all statements of a branch but a fallthrough, unless
// there is a reason not to. It comes after the branch has been walked: where one
// statement is all there is, the mutant that deletes it has been made.
func (w *walker) emptyBody(part operator.Part, header ast.Node, list []ast.Stmt, last bool, why string) {
	list = control.TrimEmpty(list)
	if control.FallsThrough(list) != nil {
		list = control.TrimEmpty(list[:len(list)-1])
	}
	for len(list) > 0 && control.IsEmpty(list[0]) {
		list = list[1:]
	}
	if len(list) == 0 {
		return
	}
	lo, hi := list[0].Pos(), list[len(list)-1].End()
	all := &ast.BlockStmt{Lbrace: lo, List: list, Rbrace: hi - 1}
	switch {
	case why != "":
	case last:
		why = mutants.MissingReturn
	case w.Logs.Only(list):
		why = mutants.LoggingCall
	}
	base, live := w.offer(&operator.Site{Kind: operator.Body, Part: part}, header, func(operator.Change) (plain.Edit, string) {
		if why != "" {
			return plain.Edit{}, why
		}
		text, why := w.Plain.Keep(all)
		return plain.Replace(lo, hi, text, "emptied the "+partNames[part]), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(lo, hi, "if "+w.Calls.Begin("Do", "", "%d", base)+") { ", " }")
	}
}
