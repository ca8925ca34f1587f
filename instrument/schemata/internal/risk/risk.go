// Package risk finds what may panic in a statement, with a condition that tells in advance.
package risk

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Risk is an expression that may panic, with a condition that tells in advance.
type Risk struct {
	Kind     operator.Risk
	Node     ast.Expr
	safe     []string       // what must hold for cond, or asserted, to be evaluated
	cond     string         // holds if node would panic
	asserted string         // x.(T), where that is what may panic: it has no cond
	Proves   types.Object   // a variable that is not nil once node has been evaluated
	Why      reasons.Reason // there is no condition
}

// String describes when the risk comes true.
func (r Risk) String() string {
	if r.asserted != "" {
		return r.asserted + " fails"
	}
	return r.condition()
}

func (r Risk) condition() string {
	cond := r.cond
	if len(r.safe) > 0 && strings.Contains(cond, " || ") {
		cond = "(" + cond + ")"
	}
	return strings.Join(append(slices.Clone(r.safe), cond), " && ")
}

// Operand is the condition as an expression, whatever the risk is. The name ok is for a variable.
func (r Risk) Operand(ok string) string {
	if r.asserted == "" {
		return r.condition()
	}
	r.cond = "!func() bool { _, " + ok + " := " + r.asserted + "; return " + ok + " }()"
	return r.condition()
}

// Asserts says whether the risk is an assertion that fails.
func (r Risk) Asserts() bool { return r.asserted != "" }

// Simple says whether the guard is one if statement, which needs no other around.
func (r Risk) Simple() bool {
	if r.asserted == "" {
		return true
	}
	a, ok := r.Node.(*ast.TypeAssertExpr)
	if ok {
		_, ok = a.X.(*ast.Ident)
	}
	return ok
}

// Branch is an if statement without its body, which is entered if the risk comes
// true, or with otherwise, of a simple guard, if it does not. The name ok is for a
// variable. In the copied bodies, the condition is evaluated if gate holds, and is
// the last argument of the call that helper begins.
func (r Risk) Branch(ok, gate, helper string, otherwise bool) (head, tail string) {
	head, cond, outer := "if ", "", slices.Clone(r.safe)
	if r.asserted == "" {
		cond, outer = r.condition(), nil
	} else {
		head, cond = "if _, "+ok+" := "+r.asserted+"; ", "!"+ok
	}
	if helper != "" {
		cond = helper + cond + ")"
		if r.Simple() {
			cond = gate + " && " + cond
		} else {
			outer = slices.Insert(outer, 0, gate)
		}
	}
	if otherwise {
		cond = Negated(cond)
	}
	head, tail = head+cond+" { ", " }"
	if len(outer) > 0 {
		head, tail = "if "+strings.Join(outer, " && ")+" { "+head, tail+" }"
	}
	return head, tail
}

// Negated writes the opposite of a condition, of one comparison with nil as one.
func Negated(cond string) string {
	switch {
	case strings.HasPrefix(cond, "!"):
		return cond[1:]
	case strings.HasSuffix(cond, " == nil") && !strings.Contains(cond, " && "):
		return strings.TrimSuffix(cond, "== nil") + "!= nil"
	}
	return "!(" + cond + ")"
}

// finder collects what may panic in the expressions that a statement evaluates in
// any case, in the order of evaluation as far as there is one. The conditions are
// for code at a position before the statement.
type finder struct {
	cx     *site.Context
	at     token.Pos
	notNil nilness.Vars
	list   []Risk
}

// Find returns what may panic in the expressions that a statement evaluates before any
// body of it. The conditions are for code at a position before it, where the variables
// in notNil are not nil.
func Find(cx *site.Context, s ast.Stmt, at token.Pos, notNil nilness.Vars) []Risk {
	r := &finder{cx: cx, at: at, notNil: notNil}
	r.stmt(s)
	return r.list
}

// Results returns what a call may have given to variables that stands for nothing: nil for
// a pointer, or a negative number. The conditions are for code between the call's statement
// and the next one. What that one asks in its condition has been thought of.
func Results(cx *site.Context, call, next ast.Stmt) (list []Risk) {
	assigned, ok := call.(*ast.AssignStmt)
	if !ok || len(assigned.Rhs) != 1 || assigned.Tok != token.ASSIGN && assigned.Tok != token.DEFINE {
		return nil
	}
	if c, ok := ast.Unparen(assigned.Rhs[0]).(*ast.CallExpr); !ok || cx.Info.Types[c.Fun].IsType() || cx.Info.Types[c.Fun].IsBuiltin() {
		return nil
	}
	for _, e := range assigned.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" || asks(next, id.Name) {
			continue
		}
		switch t := cx.Info.TypeOf(id); {
		case t == nil || typing.IsTypeParam(t):
		case typing.IsPointer(t):
			null, why := cx.Info.Predeclared("nil", next.Pos())
			list = append(list, Risk{Kind: operator.BadResult, Node: id, cond: id.Name + " == " + null, Why: why})
		case signed(t):
			list = append(list, Risk{Kind: operator.BadResult, Node: id, cond: id.Name + " < 0"})
		}
	}
	return list
}

// signed says whether a type is one of integers that may be negative.
func signed(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUnsigned == 0
}

// asks says whether the condition of a statement, or a value that it switches on, is about a variable.
func asks(s ast.Stmt, name string) (found bool) {
	var of ast.Expr
	switch s := s.(type) {
	case *ast.IfStmt:
		of = s.Cond
	case *ast.ForStmt:
		of = s.Cond
	case *ast.SwitchStmt:
		of = s.Tag
	}
	if of == nil {
		return false
	}
	ast.Inspect(of, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// FindOperand is Find for an expression that is evaluated later than its statement begins, or not
// at all. The conditions are for code right before it.
func FindOperand(cx *site.Context, e ast.Expr, notNil nilness.Vars) []Risk {
	r := &finder{cx: cx, at: e.Pos(), notNil: notNil}
	r.expr(e)
	return r.list
}

// stmt collects from what a statement evaluates before any body of it.
func (r *finder) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		r.expr(s.X)
	case *ast.SendStmt:
		r.exprs(s.Chan, s.Value)
	case *ast.IncDecStmt:
		r.target(s.X)
	case *ast.AssignStmt:
		r.assign(s)
	case *ast.GoStmt:
		r.later(s.Call)
	case *ast.DeferStmt:
		r.later(s.Call)
	case *ast.ReturnStmt:
		r.exprs(s.Results...)
	case *ast.DeclStmt:
		r.decl(s)
	case *ast.IfStmt:
		r.stmt(s.Init)
		r.expr(s.Cond)
	case *ast.ForStmt:
		r.stmt(s.Init)
		r.expr(s.Cond)
	case *ast.RangeStmt:
		r.expr(s.X)
	case *ast.SwitchStmt:
		r.stmt(s.Init)
		r.expr(s.Tag)
	case *ast.TypeSwitchStmt:
		r.stmt(s.Init)
		r.stmt(s.Assign)
	}
}

// later collects from a call that is only prepared.
func (r *finder) later(e *ast.CallExpr) {
	if !r.cx.Info.Types[e.Fun].IsBuiltin() {
		r.expr(e.Fun)
	}
	r.exprs(e.Args...)
}

func (r *finder) assign(s *ast.AssignStmt) {
	for _, e := range s.Lhs {
		r.target(e)
	}
	if len(s.Lhs) > len(s.Rhs) {
		r.checked(s.Rhs[0])
	} else {
		r.exprs(s.Rhs...)
	}
	if s.Tok == token.QUO_ASSIGN || s.Tok == token.REM_ASSIGN {
		r.divisor(s.Rhs[0])
	}
}

func (r *finder) decl(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		vs := spec.(*ast.ValueSpec)
		if len(vs.Values) == 1 && len(vs.Names) > 1 {
			r.checked(vs.Values[0])
		} else {
			r.exprs(vs.Values...)
		}
	}
}

// checked collects from an expression of several values, where a type assertion
// does not panic.
func (r *finder) checked(e ast.Expr) {
	if a, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		e = a.X
	}
	r.expr(e)
}

// target collects from an operand that is assigned to.
func (r *finder) target(e ast.Expr) {
	r.expr(e)
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && typing.IsMap(r.cx.Info.TypeOf(x.X)) {
		r.isNil(x, x.X)
	}
}

func (r *finder) exprs(list ...ast.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *finder) expr(e ast.Expr) {
	if e == nil {
		return
	}
	if tv := r.cx.Info.Types[e]; tv.IsType() || tv.Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.expr(e.X)
	case *ast.BinaryExpr:
		r.binary(e)
	case *ast.UnaryExpr:
		r.expr(e.X)
	case *ast.StarExpr:
		r.expr(e.X)
		r.isNil(e, e.X)
	case *ast.SelectorExpr:
		r.selector(e)
	case *ast.IndexExpr:
		r.index(e)
	case *ast.SliceExpr:
		r.exprs(e.X, e.Low, e.High, e.Max)
		if typing.IsPointer(r.cx.Info.TypeOf(e.X)) {
			r.isNil(e, e.X)
		}
		r.slice(e)
	case *ast.TypeAssertExpr:
		r.expr(e.X)
		if e.Type != nil {
			r.assertion(e)
		}
	case *ast.CompositeLit:
		r.composite(e)
	case *ast.CallExpr:
		r.call(e)
	}
}

func (r *finder) binary(e *ast.BinaryExpr) {
	r.expr(e.X)
	if e.Op == token.LAND || e.Op == token.LOR {
		return
	}
	r.expr(e.Y)
	if e.Op == token.QUO || e.Op == token.REM {
		r.divisor(e.Y)
	}
}

func (r *finder) selector(e *ast.SelectorExpr) {
	sel, ok := r.cx.Info.Selections[e]
	if !ok || sel.Kind() == types.MethodExpr {
		return
	}
	r.expr(e.X)
	recv := sel.Recv()
	if sel.Kind() == types.MethodVal && types.IsInterface(recv) && !typing.IsTypeParam(recv) {
		r.isNil(e, e.X)
		return
	}
	if typing.Dereferences(sel) {
		r.isNil(e, e.X)
	}
}

func (r *finder) index(e *ast.IndexExpr) {
	r.expr(e.X)
	t := r.cx.Info.TypeOf(e.X)
	if r.cx.Info.Types[e.Index].IsType() || typing.IsMap(t) {
		r.expr(e.Index) // an instantiation has no values to look at
		return
	}
	r.expr(e.Index)
	if typing.IsPointer(t) {
		r.isNil(e, e.X)
	}
	r.bounds(e)
}

func (r *finder) composite(e *ast.CompositeLit) {
	_, fields := typing.Core(r.cx.Info.TypeOf(e)).(*types.Struct)
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			r.expr(elt)
			continue
		}
		if !fields {
			r.expr(kv.Key)
		}
		r.expr(kv.Value)
	}
}

func (r *finder) call(e *ast.CallExpr) {
	fun := r.cx.Info.Types[e.Fun]
	if !fun.IsType() && !fun.IsBuiltin() {
		r.expr(e.Fun)
		if r.isFuncVar(e.Fun) {
			r.isNil(e, e.Fun)
		}
	}
	r.exprs(e.Args...)
	for _, size := range sizes(r.cx, e) {
		r.size(size)
	}
}

// isFuncVar says whether an expression is a variable or field of a function type.
func (r *finder) isFuncVar(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := r.cx.Info.Uses[e].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := r.cx.Info.Uses[e.Sel].(*types.Var)
		return ok
	}
	return false
}

// sizers are the functions that ask for as much memory as an argument says, with
// the argument's number.
var sizers = map[string]int{
	"strings.Repeat": 1, "bytes.Repeat": 1, "slices.Grow": 1, "slices.Repeat": 1,
}

// sizes returns the operands of a call that say how much memory it needs.
func sizes(cx *site.Context, e *ast.CallExpr) []ast.Expr {
	if id := typing.CalleeIdent(e); id != nil && id.Name == "make" && cx.Info.Types[e.Fun].IsBuiltin() {
		return e.Args[1:]
	}
	if i, ok := sizers[cx.Info.CalledFunc(e)]; ok && i < len(e.Args) {
		return e.Args[i : i+1]
	}
	sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Grow" || len(e.Args) != 1 {
		return nil
	}
	fn, ok := cx.Info.Uses[sel.Sel].(*types.Func)
	if ok && fn.Pkg() != nil && (fn.Pkg().Path() == "strings" || fn.Pkg().Path() == "bytes") {
		return e.Args
	}
	return nil
}
