package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

func (w *walker) returnStmt(s *ast.ReturnStmt) {
	switch {
	case w.results == nil || len(s.Results) == 0:
	case len(s.Results) < w.results.Len():
		w.returnCall(s)
	default:
		for i := range s.Results {
			w.result(s, i)
		}
	}
	w.exprs(s.Results...)
}

// result hands one operand of a return statement to a helper.
func (w *walker) result(s *ast.ReturnStmt, i int) {
	e, t := s.Results[i], w.results.At(i).Type()
	site := &operator.Site{
		Kind: operator.Result, Class: classOf(t), Type: t,
		Value: w.value(e), IsZero: w.isZero(e, t),
	}
	inferred := types.Identical(w.info.TypeOf(e), t) && !w.isConstant(e) && !w.hasUntypedShift(e) && site.Class != operator.Bool
	if site.Class == operator.Bool {
		inferred = plainBool(t)
	}
	arg, why := w.typeArg(t, s.Pos(), !inferred)
	base, live := w.offer(site, e, func(ch operator.Change) (plain, string) {
		p, reason := w.resultEdit(s, i, t, ch.Do)
		return p, cmp.Or(why, reason)
	})
	switch {
	case len(live) == 0:
	case site.Class == operator.Bool:
		w.wrap(e.Pos(), e.End(), w.helper("Bool", arg, "%d, %s, ", base, alternatives(live, boolCode)), ")")
	default:
		w.wrap(e.Pos(), e.End(), w.helper("Ret", arg, "%d, ", base), ")")
	}
}

// isZero says whether an expression obviously gives the zero value of t.
func (w *walker) isZero(e ast.Expr, t types.Type) bool {
	if w.info.Types[e].IsNil() {
		return true
	}
	if types.IsInterface(t) && !isTypeParam(t) {
		return false
	}
	if v := w.value(e); v != nil {
		switch v.Kind() {
		case constant.String:
			return constant.StringVal(v) == ""
		case constant.Bool:
			return false
		}
		return constant.Sign(v) == 0
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	switch w.info.TypeOf(e).Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// resultEdit is the plain edit that returns another value in the place of result
// i. What the result's expression does besides is kept.
func (w *walker) resultEdit(s *ast.ReturnStmt, i int, t types.Type, do operator.Action) (plain, string) {
	e := s.Results[i]
	val, why := w.valueText(t, do, s.Pos())
	if why != "" {
		return plain{}, why
	}
	p := plain{lo: e.Pos(), hi: e.End(), text: val, desc: fmt.Sprintf("returned %s instead of %s", val, w.f.short(e))}
	lost := len(w.r.uses.lost(w.f.tok, e.Pos(), e.End())) > 0
	if !lost && w.pure(e) {
		return p, ""
	}
	old := w.f.node(e)
	switch do {
	case operator.True:
		p.text = old + " || true"
		return p, ""
	case operator.False:
		p.text = w.parenthesised(e, token.LAND.Precedence()) + " && false"
		return p, ""
	}
	if w.purePrefix(s.Results[:i]) {
		p.lo, p.hi = s.Pos(), s.End()
		p.text = fmt.Sprintf("_ = %s; %s%s%s", old, w.f.text(s.Pos(), e.Pos()), val, w.f.text(e.End(), s.End()))
		return p, ""
	}
	name, ok := w.r.types.name(t, s.Pos(), true)
	switch {
	case !ok:
		return plain{}, cantName
	case strings.Contains(old, "recover"):
		return plain{}, "recover can't be moved into a function literal"
	}
	p.text = fmt.Sprintf("func() %s { _ = %s; return %s }()", name, old, val)
	return p, ""
}

func (w *walker) purePrefix(list []ast.Expr) bool {
	for _, e := range list {
		if !w.pure(e) {
			return false
		}
	}
	return true
}

// valueText writes the value a result mutant returns, for a plain edit.
func (w *walker) valueText(t types.Type, do operator.Action, pos token.Pos) (text, why string) {
	switch {
	case do == operator.True:
		return w.predeclared("true", pos)
	case do == operator.False:
		return w.predeclared("false", pos)
	case isTypeParam(t):
		name, ok := w.r.types.name(t, pos, true)
		if _, hidden := w.predeclared("new", pos); !ok || hidden != "" {
			return "", cantName
		}
		return "*new(" + name + ")", ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsNumeric != 0:
			return "0", ""
		case u.Info()&types.IsString != 0:
			return `""`, ""
		}
	case *types.Struct, *types.Array:
		name, ok := w.r.types.name(t, pos, true)
		if !ok {
			return "", cantName
		}
		return name + "{}", ""
	}
	return w.predeclared("nil", pos)
}

// predeclared returns a predeclared name if it has its meaning at pos.
func (w *walker) predeclared(name string, pos token.Pos) (text, why string) {
	if scope := w.r.Pkg.Scope().Innermost(pos); scope != nil {
		if _, obj := scope.LookupParent(name, pos); obj == types.Universe.Lookup(name) {
			return name, ""
		}
	}
	return "", name + " is declared otherwise here"
}

// returnCall gives the results of `return f()` names, so that each can be handed
// to a helper.
func (w *walker) returnCall(s *ast.ReturnStmt) {
	call := s.Results[0]
	tuple, ok := w.info.TypeOf(call).(*types.Tuple)
	if !ok {
		return
	}
	operands := make([]string, tuple.Len())
	any := false
	for i := range operands {
		operands[i] = fmt.Sprintf("%s%d", w.r.names.result, i)
		t := w.results.At(i).Type()
		site := &operator.Site{Kind: operator.Result, Class: classOf(t), Type: t}
		isBool := site.Class == operator.Bool
		arg, why := w.typeArg(t, s.Pos(), !types.Identical(tuple.At(i).Type(), t))
		base, live := w.offer(site, s, func(ch operator.Change) (plain, string) {
			p, reason := w.returnCallEdit(s, i, tuple.Len(), t, ch.Do)
			return p, cmp.Or(why, reason)
		})
		switch {
		case len(live) == 0:
			continue
		case isBool:
			operands[i] = w.helper("Bool", arg, "%d, %s, %s)", base, alternatives(live, boolCode), operands[i])
		default:
			operands[i] = w.helper("Ret", arg, "%d, %s)", base, operands[i])
		}
		any = true
	}
	if !any {
		return
	}
	var vars []string
	for i := range operands {
		vars = append(vars, fmt.Sprintf("%s%d", w.r.names.result, i))
	}
	w.replaceOp(s.Return, token.RETURN, "{ "+strings.Join(vars, ", ")+" :=")
	w.wrap(call.Pos(), call.End(), "", "; return "+strings.Join(operands, ", ")+" }")
}

// returnCallEdit is the plain edit for result i of n of `return f()`.
func (w *walker) returnCallEdit(s *ast.ReturnStmt, i, n int, t types.Type, do operator.Action) (plain, string) {
	val, why := w.valueText(t, do, s.Pos())
	if why != "" {
		return plain{}, why
	}
	vars, operands := make([]string, n), make([]string, n)
	for j := range n {
		vars[j] = fmt.Sprintf("%s%d", w.r.names.result, j)
		operands[j] = vars[j]
	}
	vars[i], operands[i] = "_", val
	return plain{
		s.Pos(), s.End(),
		fmt.Sprintf("{ %s := %s; return %s }", strings.Join(vars, ", "), w.f.node(s.Results[0]), strings.Join(operands, ", ")),
		fmt.Sprintf("returned %s for result %d of %s", val, i, w.f.short(s.Results[0])),
	}, ""
}
