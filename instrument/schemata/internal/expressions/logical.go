package expressions

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// logical offers to switch between && and || by De Morgan's law, which keeps the right
// operand lazy: a || b is !(!a && !b).
func logical(cx *site.Context, e ast.Expr, p site.Place) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.LAND && b.Op != token.LOR {
		return
	}
	k := &joined{Context: cx, e: b, place: p}
	k.arg, k.why = cx.Calls.BoolArg(cx.Info.TypeOf(b), b.Pos())
	cx.Offer(k)
}

type joined struct {
	*site.Context
	e     *ast.BinaryExpr
	place site.Place
	arg   string
	why   reasons.Reason
}

func (k *joined) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Logical, Op: k.e.Op}, k.e
}

func (k *joined) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	return k.Context.Plain.Swapped(k.e, ch.Op, k.place.Operand), k.why
}

func (k *joined) Schemata(base int, _ []operator.Change) {
	e, t := k.e, k.Info.TypeOf(k.e)
	flags := 0
	if e.Op == token.LOR {
		flags |= codes.DecidedByTrue
	}
	if !k.Effects.Pure(e.Y) {
		flags |= codes.RightHasEffects
	}
	k.Calls.Wrap(e.Pos(), e.End(), k.Calls.BeginBool("Joined", t, k.arg, "%d, ", base), ")")
	k.Calls.Wrap(e.X.Pos(), e.X.End(), k.Calls.BeginBool("Left", t, k.arg, "%d, %d, ", base, flags), ")")
	k.Calls.Wrap(e.Y.Pos(), e.Y.End(), k.Calls.BeginBool("Right", t, k.arg, "%d, %d, ", base, flags), ")")
}

// condition offers the whole condition of a statement.
func condition(cx *site.Context, e ast.Expr, _ site.Place) { offerBoolean(cx, e, operator.Condition) }

// term offers an operand of && or || that is neither itself.
func term(cx *site.Context, e ast.Expr, _ site.Place) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); !ok || b.Op != token.LAND && b.Op != token.LOR {
		offerBoolean(cx, e, operator.Term)
	}
}

func offerBoolean(cx *site.Context, e ast.Expr, kind operator.Kind) {
	if cx.Info.IsConstant(e) {
		return
	}
	k := &boolean{Context: cx, e: e, kind: kind}
	k.arg, k.why = cx.Calls.BoolArg(cx.Info.TypeOf(e), e.Pos())
	cx.Offer(k)
}

// boolean is a condition or a term.
type boolean struct {
	*site.Context
	e    ast.Expr
	kind operator.Kind
	arg  string
	why  reasons.Reason
}

func (k *boolean) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: k.kind, Class: operator.Bool, IsComparison: typing.IsComparison(k.e)}, k.e
}

func (k *boolean) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	return k.Context.Plain.Forced(k.e, ch.Do, k.kind == operator.Term), cmp.Or(k.why, k.Logic.Settled(k.e, ch.Do))
}

func (k *boolean) Schemata(base int, live []operator.Change) {
	k.Calls.WrapBool(k.e, k.Info.TypeOf(k.e), k.arg, base, live)
}
