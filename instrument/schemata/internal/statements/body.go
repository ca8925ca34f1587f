package statements

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// Then offers to empty the body of an if statement, after it has been walked.
func Then(cx *Function, s *ast.IfStmt, last bool) {
	var why reasons.Reason
	if s.Else == nil && madeFalse(cx, s.Cond) {
		why = reasons.LikeFalse
	}
	offerBody(cx, operator.Then, header(s.Pos(), s.Body.Lbrace+1), s.Body.List, last, why)
}

// NoteThen notes, before the body of an if statement is walked, that its only statement
// makes up the body, where a mutant leaves out both.
func NoteThen(cx *Function, s *ast.IfStmt) {
	if s.Else == nil && madeFalse(cx, s.Cond) {
		if list := control.TrimEmpty(s.Body.List); len(list) == 1 {
			cx.sole[list[0]] = true
		}
	}
}

// Else offers to empty the else branch of an if statement. The parts of an else if are
// changed by themselves.
func Else(cx *Function, s *ast.IfStmt, last bool) {
	if e, ok := s.Else.(*ast.BlockStmt); ok {
		offerBody(cx, operator.Else, header(s.Body.Rbrace+1, e.Lbrace+1), e.List, last, nil)
	}
}

// Case offers to empty a clause of a switch.
func Case(cx *Function, c *ast.CaseClause, last bool) {
	part := operator.Case
	if c.List == nil {
		part = operator.Default
	}
	offerBody(cx, part, header(c.Pos(), c.Colon+1), c.Body, last && control.FallsThrough(c.Body) == nil, nil)
}

// Comm offers to empty a clause of a select.
func Comm(cx *Function, c *ast.CommClause, last bool) {
	part := operator.SelectCase
	if c.Comm == nil {
		part = operator.Default
	}
	offerBody(cx, part, header(c.Pos(), c.Colon+1), c.Body, last, nil)
}

// offerBody offers to leave out all statements of a branch but a fallthrough, unless
// there is a reason not to. It comes after the branch has been walked: where one
// statement is all there is, the mutant that deletes it has been made.
func offerBody(cx *Function, part operator.Part, header ast.Node, list []ast.Stmt, last bool, why reasons.Reason) {
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
	switch {
	case why != nil:
	case last:
		why = reasons.MissingReturn
	case cx.Logs.Only(list):
		why = reasons.LoggingCall
	default:
		why = uninteresting(cx, list)
	}
	cx.Offer(&body{cx, part, header, list, why})
}

// uninteresting returns why all statements of a list are uninteresting; nil if one is not.
func uninteresting(cx *Function, list []ast.Stmt) (why reasons.Reason) {
	for _, s := range list {
		if why = cx.Arid.In(s.Pos(), s.End()); why == nil {
			return nil
		}
	}
	return why
}

type body struct {
	*Function
	part   operator.Part
	header ast.Node
	list   []ast.Stmt
	why    reasons.Reason
}

func (k *body) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Body, Part: k.part}, k.header
}

func (k *body) span() (lo, hi token.Pos) { return k.list[0].Pos(), k.list[len(k.list)-1].End() }

func (k *body) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	if k.why != nil {
		return plain.Edit{}, k.why
	}
	lo, hi := k.span()
	text, why := k.Context.Plain.Keep(&ast.BlockStmt{Lbrace: lo, List: k.list, Rbrace: hi - 1})
	return plain.Replace(lo, hi, text, "emptied the "+partNames[k.part]), why
}

func (k *body) Schemata(base int, _ []operator.Change) {
	lo, hi := k.span()
	do(k.Function, lo, hi, base)
}

// madeFalse says whether a mutant makes a condition always false.
func madeFalse(cx *Function, cond ast.Expr) bool {
	return cx.File.Edited(cond, cx.Plain.Forced(cond, operator.False, false).Text) || cx.Logic.Settled(cond, operator.False) != nil
}

var partNames = map[operator.Part]string{
	operator.Then: "first branch", operator.Else: "else", operator.Case: "case",
	operator.Default: "default", operator.SelectCase: "case",
}
