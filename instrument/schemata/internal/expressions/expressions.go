// Package expressions has the kinds of sites at expressions. A kind is a file: it finds
// its sites, and has their plain edits and their schemata.
package expressions

import (
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// An Occasion is where the walk over the code asks for sites.
type Occasion int

const (
	Value     Occasion = iota // an expression whose value is used; before its parts
	Constant                  // a constant, as large as it is
	Called                    // a call of a function; before its parts
	Converted                 // a conversion; before its operand
	Indexed                   // an index expression; after its operand, before its index
	Condition                 // the condition of a statement, as a whole
	Term                      // an operand of && or ||
)

// A kind offers all sites at an expression, if the expression is of the right form.
type kind func(cx *site.Context, e ast.Expr, p site.Place)

// kinds are the kinds of sites, in the order in which their mutants are numbered.
var kinds = map[Occasion][]kind{
	Constant: {constants},
	Value: {
		logical, comparison, errorCheck, arithmetic, negation, complement, not, errorMatch, recovery,
		length, appended, copied, extreme, bounds,
	},
	Called:    {recordSearch, wrapVerbs, contexts, arguments},
	Converted: {conversions},
	Indexed:   {recordLookup, element},
	Condition: {condition},
	Term:      {term},
}

// Offer offers all sites at an expression.
func Offer(o Occasion, cx *site.Context, e ast.Expr, p site.Place) {
	for _, k := range kinds[o] {
		k(cx, e, p)
	}
}

// builtinCall returns the name of the builtin that an expression calls, "" if it is
// something else, or that in parentheses, which are walked by themselves.
func builtinCall(cx *site.Context, e ast.Expr) (string, *ast.CallExpr) {
	if _, ok := e.(*ast.CallExpr); !ok {
		return "", nil
	}
	return cx.Info.BuiltinCall(e)
}
