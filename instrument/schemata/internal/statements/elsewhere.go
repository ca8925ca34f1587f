package statements

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// elsewhere offers a defer or go statement.
func elsewhere(cx *Function, s ast.Stmt, _ site.Position) {
	k := &later{Function: cx, s: s}
	switch s := s.(type) {
	case *ast.GoStmt:
		k.at, k.keyword, k.call, k.kind, k.desc = s.Go, token.GO, s.Call, operator.Go, "made the call in place"
	case *ast.DeferStmt:
		k.at, k.keyword, k.call, k.kind, k.desc = s.Defer, token.DEFER, s.Call, operator.Defer, "made the deferred call at once"
	default:
		return
	}
	if cx.Logs.Logs(k.call) {
		return
	}
	k.direct, k.cant = directCall(cx, k.call)
	cx.Offer(k)
}

// later is a call that another goroutine makes, or that is made later.
type later struct {
	*Function
	s       ast.Stmt
	at      token.Pos
	keyword token.Token
	call    *ast.CallExpr
	kind    operator.StmtKind
	desc    string
	direct  string // the call by itself, or why there can't be one
	cant    reasons.Reason
}

func (k *later) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Statement, Stmt: k.kind}, k.s
}

func (k *later) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	switch {
	case isHalf(k.Function, k.s):
		return plain.Edit{}, reasons.HalfOfPair
	case ch.Do == operator.InPlace:
		return plain.Replace(k.at, k.call.Pos(), "", k.desc), k.cant
	}
	text, why := k.Context.Plain.Keep(k.s)
	return plain.Replace(k.s.Pos(), k.s.End(), text, "removed "+k.Src.Short(k.s)), why
}

func (k *later) Schemata(base int, live []operator.Change) {
	for i, ch := range live {
		if ch.Do == operator.Delete {
			do(k.Function, k.s.Pos(), k.s.End(), base+i)
		}
	}
	for i, ch := range live {
		if ch.Do == operator.InPlace {
			inPlace(k.Function, k.s, k.at, k.keyword, k.call, "if "+k.Calls.Begin("On", "", "%d", base+i)+") { ", k.direct)
		}
	}
}

// inPlace makes a call in one of two ways. A function literal that is called stays
// in its place, and a variable stands for it in both; everything else is copied.
func inPlace(cx *Function, s ast.Stmt, at token.Pos, keyword token.Token, call *ast.CallExpr, test, direct string) {
	if !isFuncLit(call.Fun) {
		cx.Calls.Wrap(s.Pos(), s.End(), test+direct+" } else { ", " }")
		return
	}
	fn := literalName(cx, call)
	cx.Calls.ReplaceOp(at, keyword, "{ "+fn+" :=")
	cx.Calls.Wrap(call.Fun.Pos(), call.Fun.End(), "", fmt.Sprintf("; %s%s } else { %s %s", test, direct, keyword, fn))
	cx.Calls.Wrap(s.Pos(), s.End(), "", " } }")
}

func isFuncLit(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.FuncLit)
	return ok
}

// literalName is the variable of the copied body for a function literal.
func literalName(cx *Function, call *ast.CallExpr) string {
	return fmt.Sprintf("%sf%d", cx.Names.Result, cx.Src.Off(call.Pos()))
}

// directCall returns a call's text, on one line, for the copied body; or why there
// can't be one.
func directCall(cx *Function, call *ast.CallExpr) (text string, why reasons.Reason) {
	fun := literalName(cx, call)
	if !isFuncLit(call.Fun) {
		if fun, why = cx.Src.Flat(call.Fun.Pos(), call.Lparen, call.Fun); why != nil {
			return "", why
		}
	}
	args := make([]ast.Node, len(call.Args))
	for i, arg := range call.Args {
		args[i] = arg
	}
	list, why := cx.Src.Flat(call.Lparen+1, call.Rparen, args...)
	if why != nil {
		return "", why
	}
	if helper := cmp.Or(helper.Exit(cx.Info, call), helper.Costly(cx.Info, call)); helper != "" {
		return cx.Calls.Begin(helper, "", "%s, %s)", fun, list), nil
	}
	return fun + "(" + list + ")", nil
}
