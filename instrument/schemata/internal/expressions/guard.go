package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/risk"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// A guard before a statement sees what the statement evaluates first and in any case. What
// comes later, or not at all, has a guard where it stands: the right operands of && and ||,
// the condition of a for, which is asked again in each round, of an else if, and of a case.

// lazyGuard is a guard of such an operand.
type lazyGuard struct {
	*site.Context
	risk.Risk
	e    ast.Expr
	op   token.Token // && or || that it is the right operand of
	cond string
	why  reasons.Reason
}

// GuardRight offers guards for the right operand of && and ||.
func GuardRight(cx *site.Context, b *ast.BinaryExpr) {
	if !cx.Guards() {
		return
	}
	notNil := nilness.Vars{}
	if b.Op == token.LAND {
		cx.Nils.Compared(b.X, token.NEQ, notNil)
	} else {
		cx.Nils.Compared(b.X, token.EQL, notNil)
	}
	for _, r := range risk.FindOperand(cx, b.X, notNil) {
		if r.Proves != nil {
			notNil[r.Proves] = true
		}
	}
	guardLazy(cx, b.Y, b.Op, notNil)
}

// GuardLater offers guards for a condition that is evaluated later than its statement begins.
func GuardLater(cx *site.Context, cond ast.Expr) {
	guardLazy(cx, cond, token.ILLEGAL, nilness.Vars{})
}

func guardLazy(cx *site.Context, e ast.Expr, op token.Token, notNil nilness.Vars) {
	if !cx.Guards() || !typing.PlainBool(cx.Info.TypeOf(e)) || cx.Info.IsConstant(e) {
		return
	}
	for _, r := range risk.FindOperand(cx, e, notNil) {
		k := &lazyGuard{Context: cx, Risk: r, e: e, op: op, why: r.Why}
		ok := "ok"
		if strings.Contains(cx.Src.Node(r.Node), ok) {
			ok = cx.Names.Result + ok
		}
		if r.Asserts() {
			_, hidden := cx.Info.Predeclared("bool", e.Pos())
			k.why = cmp.Or(k.why, hidden)
		}
		k.cond = r.Operand(ok)
		cx.Offer(k)
		if r.Proves != nil {
			notNil[r.Proves] = true
		}
	}
}

func (k *lazyGuard) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Guard, Risk: k.Kind, Lazy: true, Op: k.op}, k.Node
}

func (k *lazyGuard) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do == operator.True {
		return plain.Replace(k.e.Pos(), k.e.End(), k.cond+" || "+k.Src.Node(k.e), "took the operand for true if "+k.String()), k.why
	}
	text := risk.Negated(k.cond) + " && " + k.Context.Plain.Parenthesised(k.e, token.LAND.Precedence())
	return plain.Replace(k.e.Pos(), k.e.End(), text, "took the operand for false if "+k.String()), k.why
}

func (k *lazyGuard) Schemata(base int, live []operator.Change) {
	for i, ch := range live {
		asked := k.Calls.Begin("Guards", "", "%d) && ", base+i) + k.Calls.Begin("Guard", "", "%d, ", base+i) + k.cond + ")"
		if ch.Do == operator.True {
			k.Calls.Wrap(k.e.Pos(), k.e.End(), "("+asked+" || (", "))")
			continue
		}
		k.Calls.Wrap(k.e.Pos(), k.e.End(), "(!("+asked+") && (", "))")
	}
}

// calledGuard is a guard of a pointer that a call returns and that is used at once: to ask
// before the statement would be to call twice.
type calledGuard struct {
	*site.Context
	use, e ast.Expr
	name   string // of what it points to
	why    reasons.Reason
}

// GuardCalled offers a guard for an operand that must not be nil where it is used.
func GuardCalled(cx *site.Context, use, operand ast.Expr) {
	p := risk.Called(cx, operand)
	if p == nil || !cx.Guards() {
		return
	}
	k := &calledGuard{Context: cx, use: use, e: operand}
	name, ok := cx.Types.Name(p.Elem(), use.Pos(), true)
	if k.name = name; !ok {
		k.why = reasons.CantName
	}
	_, hidden := cx.Info.Predeclared("nil", use.Pos())
	_, builtin := cx.Info.Predeclared("new", use.Pos())
	k.why = cmp.Or(k.why, hidden, builtin)
	cx.Offer(k)
}

func (k *calledGuard) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Guard, Risk: operator.NilUse, Called: true}, k.use
}

func (k *calledGuard) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	p := k.Names.Result
	text := fmt.Sprintf("func(%s *%s) *%[2]s { if %[1]s == nil { %[1]s = new(%[2]s) }; return %[1]s }(%[3]s)", p, k.name, k.Src.Node(k.e))
	return plain.Replace(k.e.Pos(), k.e.End(), text, "took "+k.Src.Node(k.e)+" for an empty "+k.name+" if it is nil"), k.why
}

func (k *calledGuard) Schemata(base int, _ []operator.Change) {
	k.Calls.Wrap(k.e.Pos(), k.e.End(), k.Calls.Begin("Present", "", "%d, ", base), ")")
}
