package schemata

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
)

// elsewhere offers a defer or go statement and walks its call.
func (w *walker) elsewhere(s ast.Stmt, at token.Pos, keyword token.Token, call *ast.CallExpr) {
	defer w.call(call)
	if w.Logs.Logs(call) {
		return
	}
	kind, desc := operator.Defer, "made the deferred call at once"
	if keyword == token.GO {
		kind, desc = operator.Go, "made the call in place"
	}
	direct, cant := w.directCall(call)
	base, live := w.offer(&operator.Site{Kind: operator.Statement, Stmt: kind}, s, func(ch operator.Change) (plain.Edit, string) {
		switch {
		case w.isHalf(s):
			return plain.Edit{}, mutants.HalfOfPair
		case ch.Do == operator.InPlace:
			return plain.Replace(at, call.Pos(), "", desc), cant
		}
		text, why := w.Plain.Keep(s)
		return plain.Replace(s.Pos(), s.End(), text, "removed "+w.Src.Short(s)), why
	})
	for i, ch := range live {
		if ch.Do == operator.Delete {
			w.Calls.Wrap(s.Pos(), s.End(), "if "+w.Calls.Begin("Do", "", "%d", base+i)+") { ", " }")
		}
	}
	for i, ch := range live {
		if ch.Do == operator.InPlace {
			w.inPlace(s, at, keyword, call, "if "+w.Calls.Begin("On", "", "%d", base+i)+") { ", direct)
		}
	}
}

// inPlace makes a call in one of two ways. A function literal that is called stays
// in its place, and a variable stands for it in both; everything else is copied.
func (w *walker) inPlace(s ast.Stmt, at token.Pos, keyword token.Token, call *ast.CallExpr, test, direct string) {
	if !isFuncLit(call.Fun) {
		w.Calls.Wrap(s.Pos(), s.End(), test+direct+" } else { ", " }")
		return
	}
	fn := w.literalName(call)
	w.Calls.ReplaceOp(at, keyword, "{ "+fn+" :=")
	w.Calls.Wrap(call.Fun.Pos(), call.Fun.End(), "", fmt.Sprintf("; %s%s } else { %s %s", test, direct, keyword, fn))
	w.Calls.Wrap(s.Pos(), s.End(), "", " } }")
}

func isFuncLit(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.FuncLit)
	return ok
}

// literalName is the variable of the copied body for a function literal.
func (w *walker) literalName(call *ast.CallExpr) string {
	return fmt.Sprintf("%sf%d", w.Names.Result, w.Src.Off(call.Pos()))
}

// directCall returns a call's text, on one line, for the copied body; or why there
// can't be one.
func (w *walker) directCall(call *ast.CallExpr) (text, why string) {
	fun := w.literalName(call)
	if !isFuncLit(call.Fun) {
		if fun, why = w.Src.Flat(call.Fun.Pos(), call.Lparen, call.Fun); why != "" {
			return "", why
		}
	}
	args := make([]ast.Node, len(call.Args))
	for i, arg := range call.Args {
		args[i] = arg
	}
	list, why := w.Src.Flat(call.Lparen+1, call.Rparen, args...)
	if why != "" {
		return "", why
	}
	if helper := helper.Exit(w.Info, call); helper != "" {
		return w.Calls.Begin(helper, "", "%s, %s)", fun, list), ""
	}
	return fun + "(" + list + ")", ""
}
