package expressions

import (
	"go/ast"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// errorCheck offers a comparison of an error with nil.
func errorCheck(cx *site.Context, e ast.Expr, p site.Place) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || !cx.Info.Types[b.Y].IsNil() || !typing.ImplementsError(cx.Info.TypeOf(b.X)) {
		return
	}
	offerAnswer(cx, &operator.Site{Kind: operator.ErrorCheck, Op: b.Op}, e, p)
}

// errorMatch offers a call of errors.Is or errors.As whose result is used.
func errorMatch(cx *site.Context, e ast.Expr, p site.Place) {
	if call, ok := e.(*ast.CallExpr); ok && errorMatches[cx.Info.CalledFunc(call)] {
		offerAnswer(cx, &operator.Site{Kind: operator.ErrorMatch}, e, p)
	}
}

// offerAnswer offers to force a boolean expression that asks about an error, unless
// another site does that already: a result, or a condition or term.
func offerAnswer(cx *site.Context, s *operator.Site, e ast.Expr, p site.Place) {
	k := &answer{Context: cx, e: e, place: p, site: s}
	if forcedElsewhere(cx, s, e, p) {
		cx.Unit.Count(k)
		return
	}
	k.arg, k.why = cx.Calls.BoolArg(cx.Info.TypeOf(e), e.Pos())
	cx.Offer(k)
}

// forcedElsewhere says whether another site offers the change of an answer.
func forcedElsewhere(cx *site.Context, s *operator.Site, e ast.Expr, p site.Place) bool {
	do := operator.False
	if s.Op == token.EQL {
		do = operator.True
	}
	return cx.File.Edited(e, "true") || cx.File.Edited(e, "false") ||
		p.Decided && cx.Logic.Proposes(&operator.Site{Kind: operator.Term, Class: operator.Bool}, operator.Change{Do: do})
}

type answer struct {
	*site.Context
	e     ast.Expr
	place site.Place
	site  *operator.Site
	arg   string
	why   reasons.Reason
}

func (k *answer) Describe() (*operator.Site, ast.Node) { return k.site, k.e }

func (k *answer) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	return k.Context.Plain.Forced(k.e, ch.Do, k.place.Operand), k.why
}

func (k *answer) Schemata(base int, live []operator.Change) {
	k.Calls.WrapBool(k.e, k.Info.TypeOf(k.e), k.arg, base, live)
}

// errorMatches are the functions that look for an error in a chain.
var errorMatches = map[string]bool{
	"errors.Is": true, "errors.As": true,
	"github.com/pkg/errors.Is": true, "github.com/pkg/errors.As": true,
	"golang.org/x/xerrors.Is": true, "golang.org/x/xerrors.As": true,
}
