package risk

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// add adds a risk unless a guard can't help or is there already.
func (r *finder) add(found Risk) {
	same := func(other Risk) bool {
		return other.Why == nil && other.cond == found.cond && other.asserted == found.asserted
	}
	if found.Why == nil {
		if slices.ContainsFunc(r.list, same) {
			return
		}
		if text := found.String(); strings.Contains(text, "\n") || strings.Contains(text, "//") {
			found.Why = reasons.GuardLines
		}
	}
	r.list = append(r.list, found)
}

// Called returns the type of an operand that is a pointer to a struct which a call returns;
// nil of all others. Such an operand is guarded where it stands.
func Called(cx *site.Context, operand ast.Expr) *types.Pointer {
	call, ok := ast.Unparen(operand).(*ast.CallExpr)
	if !ok || cx.Info.Types[call.Fun].IsType() || cx.Info.Types[call.Fun].IsBuiltin() {
		return nil
	}
	p, ok := types.Unalias(cx.Info.TypeOf(operand)).(*types.Pointer)
	if !ok || typing.IsTypeParam(p.Elem()) {
		return nil
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return nil
	}
	return p
}

// isNil adds the use of an operand that must not be nil.
func (r *finder) isNil(node, operand ast.Expr) {
	if Called(r.cx, operand) != nil {
		return
	}
	v := r.cx.Nils.Fixed(operand)
	if v != nil && r.notNil[v] || typing.IsTypeParam(r.cx.Info.TypeOf(operand)) {
		return
	}
	null, why := r.cx.Info.Predeclared("nil", r.at)
	safe, ok := r.pure(operand)
	if !ok {
		why = reasons.GuardEffects
	}
	r.add(Risk{Kind: operator.NilUse, Node: node, safe: safe, cond: r.cx.Src.Node(operand) + " == " + null, Proves: v, Why: why})
}

// divisor adds a division of integers.
func (r *finder) divisor(y ast.Expr) {
	if r.cx.Info.IsConstant(y) || typing.ClassOf(r.cx.Info.TypeOf(y)) != operator.Integer {
		return
	}
	safe, ok := r.pure(y)
	found := Risk{Kind: operator.ZeroDivisor, Node: y, safe: safe, cond: r.cx.Src.Node(y) + " == 0"}
	if !ok {
		found.Why = reasons.GuardEffects
	}
	r.add(found)
}

// assertion adds an assertion of a type.
func (r *finder) assertion(e *ast.TypeAssertExpr) {
	safe, ok := r.pure(e.X)
	found := Risk{Kind: operator.WrongType, Node: e, safe: safe, asserted: r.cx.Src.Node(e)}
	if !ok || !r.inScope(e.Type) {
		found.Why = reasons.GuardEffects
	}
	r.add(found)
}

// sizeLimit is the size from which on a guard intervenes.
const sizeLimit = "1<<20"

// size adds an operand that says how much memory is needed. As much as something
// at hand has already is never too much.
func (r *finder) size(n ast.Expr) {
	b, ok := r.cx.Info.TypeOf(n).Underlying().(*types.Basic)
	if r.cx.Info.IsLength(n) || !ok || b.Info()&types.IsInteger == 0 || typing.IsTypeParam(r.cx.Info.TypeOf(n)) {
		return
	}
	var conds []string
	text := r.cx.Src.Node(n)
	if !r.cx.Info.NonNegative(n) {
		conds = append(conds, text+" < 0")
	}
	switch b.Kind() {
	case types.Int8, types.Int16, types.Uint8, types.Uint16: // can't be bigger
	default:
		conds = append(conds, text+" > "+sizeLimit)
	}
	if len(conds) == 0 {
		return
	}
	safe, pure := r.pure(n)
	found := Risk{Kind: operator.BigSize, Node: n, safe: safe, cond: strings.Join(conds, " || ")}
	if !pure {
		found.Why = reasons.GuardEffects
	}
	r.add(found)
}

// bounds adds an index.
func (r *finder) bounds(e *ast.IndexExpr) {
	if r.cx.Info.IsConstant(e.Index) && r.cx.Info.Length(e.X) >= 0 {
		return // checked by the compiler
	}
	found := Risk{Kind: operator.OutOfBounds, Node: e}
	safe, ok := r.pureAll(r.behind(e.X), e.Index)
	length, why := r.lengthOf("len", e.X)
	index, cant := r.asInt(e.Index)
	found.safe = safe
	switch {
	case !ok:
		found.Why = reasons.GuardEffects
	case why != nil || cant != nil:
		found.Why = cmp.Or(why, cant)
	default:
		found.cond = r.outside(e.Index, index, length)
	}
	r.add(found)
}

// outside is the condition under which an index is out of bounds.
func (r *finder) outside(e ast.Expr, index, length string) string {
	switch {
	case r.cx.Info.IsConstant(e):
		return length + " <= " + index
	case r.neverNegative(e):
		return index + " >= " + length
	}
	return index + " < 0 || " + index + " >= " + length
}

// slice adds a slice expression.
func (r *finder) slice(e *ast.SliceExpr) {
	found := Risk{Kind: operator.OutOfBounds, Node: e}
	safe, ok := r.pureAll(r.behind(e.X), e.Low, e.High, e.Max)
	cond, why := r.disorder(e)
	switch found.safe = safe; {
	case !ok:
		found.Why = reasons.GuardEffects
	case why != nil:
		found.Why = why
	case cond == "":
		return
	}
	found.cond = cond
	r.add(found)
}

// disorder is the condition under which the operands of a slice expression are
// not in order: 0 <= low <= high <= max <= cap, each where it is there.
func (r *finder) disorder(e *ast.SliceExpr) (cond string, why reasons.Reason) {
	most := "cap"
	if b, ok := r.cx.Info.TypeOf(e.X).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		most = "len"
	}
	var conds []string
	var last ast.Expr
	lastText := ""
	for _, operand := range []ast.Expr{e.Low, e.High, e.Max} {
		if operand == nil {
			continue
		}
		text, cant := r.asInt(operand)
		why = cmp.Or(why, cant)
		switch {
		case last == nil && !r.neverNegative(operand):
			conds = append(conds, text+" < 0")
		case last != nil && !(r.cx.Info.IsConstant(last) && r.cx.Info.IsConstant(operand)) && !r.isZero(last):
			conds = append(conds, lastText+" > "+text)
		case last != nil && r.isZero(last) && !r.neverNegative(operand):
			conds = append(conds, text+" < 0")
		}
		last, lastText = operand, text
	}
	if last == e.Low { // up to the length
		most = "len"
	}
	if last != nil && !r.isZero(last) && !(r.cx.Info.IsConstant(last) && r.cx.Info.Length(e.X) >= 0) {
		limit, cant := r.lengthOf(most, e.X)
		conds, why = append(conds, limit+" < "+lastText), cmp.Or(why, cant)
	}
	return strings.Join(conds, " || "), why
}

func (r *finder) isZero(e ast.Expr) bool {
	v := r.cx.Info.Value(e)
	return v != nil && constant.Sign(v) == 0
}

// neverNegative says whether an operand as written by asInt is never below zero.
func (r *finder) neverNegative(e ast.Expr) bool {
	b, ok := r.cx.Info.TypeOf(e).Underlying().(*types.Basic)
	return r.cx.Info.IsConstant(e) || ok && (b.Kind() == types.Uint8 || b.Kind() == types.Uint16) || ok && b.Info()&types.IsUnsigned == 0 && r.cx.Info.NonNegative(e)
}

// lengthOf writes len(e) or cap(e).
func (r *finder) lengthOf(builtin string, e ast.Expr) (text string, why reasons.Reason) {
	name, why := r.cx.Info.Predeclared(builtin, r.at)
	return fmt.Sprintf("%s(%s)", name, r.cx.Src.Node(e)), why
}

// asInt writes an index as an int.
func (r *finder) asInt(e ast.Expr) (text string, why reasons.Reason) {
	text = r.cx.Src.Node(e)
	if b, ok := types.Unalias(r.cx.Info.TypeOf(e)).(*types.Basic); ok && (b.Kind() == types.Int || b.Info()&types.IsUntyped != 0) {
		return text, nil
	}
	name, why := r.cx.Info.Predeclared("int", r.at)
	return fmt.Sprintf("%s(%s)", name, text), why
}

// indexedOperand is what pure says of the operand of an index or slice expression.
type indexedOperand struct {
	safe []string
	ok   bool
}

// behind is pure for such an operand; a pointer to an array is dereferenced.
func (r *finder) behind(x ast.Expr) indexedOperand {
	t := r.cx.Info.TypeOf(x)
	if typing.IsTypeParam(t) {
		return indexedOperand{}
	}
	safe, ok := r.pure(x)
	if ok && typing.IsPointer(t) {
		safe, ok = r.dereferenced(x, safe)
	}
	return indexedOperand{safe, ok}
}

// pureAll is pure for an indexed operand and its indices.
func (r *finder) pureAll(x indexedOperand, indices ...ast.Expr) (safe []string, ok bool) {
	safe, ok = x.safe, x.ok
	for _, e := range indices {
		if e == nil {
			continue
		}
		if typing.IsTypeParam(r.cx.Info.TypeOf(e)) {
			return nil, false
		}
		more, pure := r.pure(e)
		safe, ok = union(safe, more), ok && pure
	}
	return safe, ok
}

// pure says whether an expression can be evaluated before the statement, without
// effects and without a panic if the conditions in safe hold, tested in order.
func (r *finder) pure(e ast.Expr) (safe []string, ok bool) {
	if r.cx.Info.IsConstant(e) {
		return nil, r.inScope(e)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.pure(e.X)
	case *ast.Ident:
		_, ok := r.cx.Info.Uses[e].(*types.Var)
		return nil, ok && r.inScope(e)
	case *ast.SelectorExpr:
		return r.pureField(e)
	case *ast.StarExpr:
		safe, ok := r.pure(e.X)
		if !ok {
			return nil, false
		}
		return r.dereferenced(e.X, safe)
	case *ast.IndexExpr:
		return r.pureElement(e)
	case *ast.UnaryExpr:
		if e.Op == token.ADD || e.Op == token.SUB || e.Op == token.XOR {
			return r.pure(e.X)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			return r.pureAll(indexedOperand{ok: true}, e.X, e.Y)
		}
	case *ast.CallExpr:
		return r.pureCall(e)
	}
	return nil, false
}

// dereferenced adds to safe that a pointer is not nil.
func (r *finder) dereferenced(x ast.Expr, safe []string) ([]string, bool) {
	if v := r.cx.Nils.Fixed(x); v != nil && r.notNil[v] {
		return safe, true
	}
	null, why := r.cx.Info.Predeclared("nil", r.at)
	return union(safe, []string{r.cx.Src.Node(x) + " != " + null}), why == nil
}

// pureField is pure for a field or a variable of another package.
func (r *finder) pureField(e *ast.SelectorExpr) (safe []string, ok bool) {
	sel, isField := r.cx.Info.Selections[e]
	if !isField {
		_, isVar := r.cx.Info.Uses[e.Sel].(*types.Var)
		return nil, isVar && r.inScope(e)
	}
	if sel.Kind() != types.FieldVal || len(sel.Index()) > 1 { // perhaps through an embedded pointer
		return nil, false
	}
	if safe, ok = r.pure(e.X); ok && typing.IsPointer(sel.Recv()) {
		return r.dereferenced(e.X, safe)
	}
	return safe, ok
}

// pureElement is pure for an element of a slice, an array or a string. That of a
// map could be looked up while another goroutine writes to it.
func (r *finder) pureElement(e *ast.IndexExpr) (safe []string, ok bool) {
	if typing.IsMap(r.cx.Info.TypeOf(e.X)) || r.cx.Info.Types[e.Index].IsType() {
		return nil, false
	}
	safe, ok = r.pureAll(r.behind(e.X), e.Index)
	if !ok || r.cx.Info.IsConstant(e.Index) && r.cx.Info.Length(e.X) >= 0 {
		return safe, ok
	}
	length, why := r.lengthOf("len", e.X)
	index, cant := r.asInt(e.Index)
	if !r.neverNegative(e.Index) {
		safe = union(safe, []string{index + " >= 0"})
	}
	return union(safe, []string{index + " < " + length}), cmp.Or(why, cant) == nil
}

// pureCall is pure for a length or a conversion between numbers.
func (r *finder) pureCall(e *ast.CallExpr) (safe []string, ok bool) {
	fun := r.cx.Info.Types[e.Fun]
	switch id := typing.CalleeIdent(e); {
	case len(e.Args) != 1 || !r.inScope(e.Fun):
		return nil, false
	case fun.IsType():
		if !typing.Numeric(typing.ClassOf(fun.Type)) || !typing.Numeric(typing.ClassOf(r.cx.Info.TypeOf(e.Args[0]))) {
			return nil, false
		}
	case !fun.IsBuiltin() || id == nil || id.Name != "len" && id.Name != "cap":
		return nil, false
	}
	return r.pure(e.Args[0])
}

// inScope says whether all names in an expression mean the same before the
// statement.
func (r *finder) inScope(e ast.Expr) bool {
	scope := r.cx.Info.Pkg.Scope().Innermost(r.at)
	same := scope != nil
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			same = same && r.inScope(n.X)
			return false
		case *ast.Ident:
			if obj := r.cx.Info.Uses[n]; obj != nil && same {
				_, found := scope.LookupParent(n.Name, r.at)
				same = found == obj
			}
		}
		return same
	})
	return same
}

// union appends to a list what is not in it.
func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
