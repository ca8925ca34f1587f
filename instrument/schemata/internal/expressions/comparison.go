package expressions

import (
	"cmp"
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// comparison offers a comparison. Operands of one ordered type are handed over by
// themselves; of others only the result is.
func comparison(cx *site.Context, e ast.Expr, p site.Place) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || !typing.IsComparison(b) {
		return
	}
	ordered := cx.Info.ComparesOrdered(b)
	if !ordered && b.Op != token.EQL && b.Op != token.NEQ {
		return
	}
	k := &compared{Context: cx, e: b, place: p, ordered: ordered}
	if ordered {
		k.arg, k.why = cx.Calls.TypeArg(cx.Info.TypeOf(b.X), b.Pos(), cx.Info.HasUntypedShift(b.X, b.Y))
		if result := cx.Info.TypeOf(b); !typing.PlainBool(result) {
			name, ok := cx.Types.Name(result, b.Pos(), false)
			if k.conv = "(" + name + ")("; !ok {
				k.why = reasons.CantName
			}
		}
	} else {
		k.arg, k.why = cx.Calls.BoolArg(cx.Info.TypeOf(b), b.Pos())
	}
	k.why = cmp.Or(k.why, cx.Order(b))
	if base := cx.Offer(k); base == 0 && ordered && k.why == nil && records(cx) && !k.differs() {
		k.call(0, nil) // for its operands alone
	}
	if !ordered && k.why == nil {
		recordArrays(cx, b)
	}
}

type compared struct {
	*site.Context
	e       *ast.BinaryExpr
	place   site.Place
	ordered bool
	arg     string
	why     reasons.Reason
	conv    string // begins a conversion to the type of the result
}

func (k *compared) Describe() (*operator.Site, ast.Node) {
	s := logic.ComparisonSite(k.Info, k.Stored, k.e)
	s.Decided = k.place.Decided
	return s, k.e
}

func (k *compared) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do == operator.Swap {
		p := k.Context.Plain.Swapped(k.e, ch.Op, false)
		p.Doubt = doubt.Comparison(k.e.Op, ch.Op)
		return p, k.why
	}
	return k.Context.Plain.Forced(k.e, ch.Do, k.place.Operand), k.why
}

func (k *compared) Schemata(base int, live []operator.Change) {
	if k.ordered {
		k.call(base, live)
		return
	}
	k.Calls.WrapBool(k.e, k.Info.TypeOf(k.e), k.arg, base, live)
}

// call makes a helper call of the comparison.
func (k *compared) call(base int, live []operator.Change) {
	e, end := k.e, ")"
	if k.conv != "" {
		end = "))"
	}
	t := k.Info.TypeOf(e.X)
	kind := typing.KindOf(t)
	if k.differs() {
		kind = codes.Unknown
	}
	what := describe(k.Context, compareCodes[e.Op], kind, k.Info.IsConstant(e.X), k.Info.IsConstant(e.Y))
	begin := k.Calls.BeginFor(compareHelper(k.Context, e.X), t, k.arg, "%d, %s, %#x, ", base, helper.Alternatives(live, compareCode), what)
	k.Calls.Wrap(e.Pos(), e.End(), k.conv+begin, end)
	k.Calls.ReplaceOp(e.OpPos, e.Op, ",")
}

// differs says whether an operand differs from run to run. It is not recorded: what the clock
// says would lead the search by chance.
func (k *compared) differs() bool { return k.Chance.Differs(k.e.X) || k.Chance.Differs(k.e.Y) }

var compareCodes = map[token.Token]int{
	token.LSS: codes.Less, token.LEQ: codes.LessEqual, token.GTR: codes.Greater, token.GEQ: codes.GreaterEqual,
	token.EQL: codes.Equal, token.NEQ: codes.NotEqual,
}

func compareCode(c operator.Change) int {
	switch c.Do {
	case operator.True:
		return codes.AlwaysTrue
	case operator.False:
		return codes.AlwaysFalse
	}
	return compareCodes[c.Op]
}
