package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// errorCheck offers a comparison of an error with nil.
func (w *walker) errorCheck(e *ast.BinaryExpr, c site.Place) {
	if e.Op != token.EQL && e.Op != token.NEQ || !w.Info.Types[e.Y].IsNil() || !typing.ImplementsError(w.Info.TypeOf(e.X)) {
		return
	}
	w.answer(&operator.Site{Kind: operator.ErrorCheck, Op: e.Op}, e, c)
}

// errorMatches are the functions that look for an error in a chain.
var errorMatches = map[string]bool{
	"errors.Is": true, "errors.As": true,
	"github.com/pkg/errors.Is": true, "github.com/pkg/errors.As": true,
	"golang.org/x/xerrors.Is": true, "golang.org/x/xerrors.As": true,
}

// errorMatch offers a call of errors.Is or errors.As whose result is used.
func (w *walker) errorMatch(e *ast.CallExpr, c site.Place) {
	if errorMatches[w.Info.CalledFunc(e)] {
		w.answer(&operator.Site{Kind: operator.ErrorMatch}, e, c)
	}
}

// answer offers to force a boolean expression that asks about an error, unless that
// is another site's business already: a result's, or a condition's or term's.
func (w *walker) answer(s *operator.Site, e ast.Expr, c site.Place) {
	do := operator.False
	if s.Op == token.EQL {
		do = operator.True
	}
	switch {
	case w.File.Edited(e, "true"), w.File.Edited(e, "false"):
		return
	case c.Decided && w.Logic.Proposes(&operator.Site{Kind: operator.Term, Class: operator.Bool}, operator.Change{Do: do}):
		return
	}
	t := w.Info.TypeOf(e)
	arg, why := w.Calls.BoolArg(t, e.Pos())
	base, live := w.offer(s, e, func(ch operator.Change) (plain.Edit, string) {
		return w.Plain.Forced(e, ch.Do, c.Operand), why
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.BeginBool("Bool", t, arg, "%d, %s, ", base, helper.Alternatives(live, boolCode)), ")")
	}
}

// wrapVerbs offers each %w in the constant format of fmt.Errorf.
func (w *walker) wrapVerbs(e *ast.CallExpr) {
	if w.Info.CalledFunc(e) != "fmt.Errorf" || len(e.Args) == 0 {
		return
	}
	format := e.Args[0]
	v := w.Info.Value(format)
	if v == nil || v.Kind() != constant.String {
		return
	}
	text := constant.StringVal(v)
	arg, why := w.Calls.TypeArg(types.Typ[types.String], e.Pos(), true)
	for _, at := range verbs(text, 'w') {
		changed := strconv.Quote(text[:at] + "v" + text[at+1:])
		base, live := w.offer(&operator.Site{Kind: operator.WrapVerb}, format, func(operator.Change) (plain.Edit, string) {
			p, reason := w.verbEdit(format, text, at)
			return p, cmp.Or(why, reason)
		})
		if len(live) > 0 {
			w.Calls.Wrap(format.Pos(), format.End(), w.Calls.BeginFor("Lit1", types.Typ[types.String], arg, "%d, ", base), ", "+changed+")")
		}
	}
}

// verbs returns where in a format the verb is the one given.
func verbs(format string, verb byte) []int {
	var found []int
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.[]*", format[i]) >= 0; i++ {
		}
		if i < len(format) && format[i] == verb {
			found = append(found, i)
		}
	}
	return found
}

// verbEdit is the plain edit of the verb at an offset of a format. Where the
// format is written as it reads, only the verb is replaced.
func (w *walker) verbEdit(format ast.Expr, text string, at int) (plain.Edit, string) {
	p := plain.Replace(format.Pos(), format.End(), strconv.Quote(text[:at]+"v"+text[at+1:]), "changed %w to %v")
	if lit, ok := format.(*ast.BasicLit); ok && lit.Value[1:len(lit.Value)-1] == text {
		p.Lo = lit.Pos() + token.Pos(1+at)
		p.Hi, p.Text = p.Lo+1, "v"
	} else if w.Lost(format) {
		return plain.Edit{}, mutants.NoCompile + ": last use of an import or variable"
	}
	return p, ""
}

// recovery offers a call of recover whose result is used. Recover works where the
// deferred function itself calls it, and must not be called at all while the
// mutant is active, so the call stays in place as the right operand of an &&, and
// its result goes through a variable at the top of the function.
func (w *walker) recovery(e *ast.CallExpr) {
	id := typing.CalleeIdent(e)
	if id == nil || id.Name != "recover" || !w.Info.Types[e.Fun].IsBuiltin() || w.Block == nil {
		return
	}
	base, live := w.offer(&operator.Site{Kind: operator.Recover}, e, func(operator.Change) (plain.Edit, string) {
		null, why := w.Info.Predeclared("nil", e.Pos())
		return plain.Replace(e.Pos(), e.End(), "interface{}("+null+")", "did not recover"), why
	})
	if len(live) == 0 {
		return
	}
	kept := fmt.Sprintf("%sp%d", w.Names.Result, w.Src.Off(e.Pos()))
	w.Slow.Insert(w.Src.Off(w.Block.Lbrace)+1, fmt.Sprintf(" var %s %s.Any_;", kept, w.Names.RT))
	before := w.Calls.Begin("Kept", "", "%s && %s", w.Calls.Begin("Recovers", "", "%d)", base), w.Calls.Begin("Keep", "", "%d, &%s, ", base, kept))
	w.Calls.Wrap(e.Pos(), e.End(), before, "), &"+kept+")")
}

// contexts offers the arguments of a call that are passed as a context.Context.
func (w *walker) contexts(e *ast.CallExpr) {
	imported := w.Values.VisibleImports(e.Pos())["context"]
	sig, ok := w.Info.TypeOf(e.Fun).Underlying().(*types.Signature)
	if imported == "" || !ok {
		return
	}
	for i := range min(len(e.Args), sig.Params().Len()) {
		if _, spread := w.Info.TypeOf(e.Args[i]).(*types.Tuple); spread {
			return // f(g()) with several results
		}
		if t := sig.Params().At(i).Type(); typing.IsContext(t) {
			w.context(e.Args[i], t, imported+".Background()")
		}
	}
}

func (w *walker) context(e ast.Expr, t types.Type, background string) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if name := w.Info.CalledFunc(call); name == "context.Background" || name == "context.TODO" {
			return
		}
	}
	arg, why := w.Calls.TypeArg(t, e.Pos(), true)
	base, live := w.offer(&operator.Site{Kind: operator.Context}, e, func(operator.Change) (plain.Edit, string) {
		p := plain.Replace(e.Pos(), e.End(), background, "passed "+background+" instead of "+w.Src.Short(e))
		if !w.Lost(e) && w.Effects.Droppable(e) {
			return p, why
		}
		var reason string
		p.Text, reason = w.Values.Instead(e, t, background)
		return p, cmp.Or(why, reason)
	})
	if len(live) > 0 {
		w.Calls.Wrap(e.Pos(), e.End(), w.Calls.Begin("Alt", arg, "%d, ", base), ", "+background+")")
	}
}
