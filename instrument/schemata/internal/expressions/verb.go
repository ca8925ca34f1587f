package expressions

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// wrapVerbs offers each %w in the constant format of fmt.Errorf.
func wrapVerbs(cx *site.Context, e ast.Expr, _ site.Place) {
	call := e.(*ast.CallExpr)
	if cx.Info.CalledFunc(call) != "fmt.Errorf" || len(call.Args) == 0 {
		return
	}
	format := call.Args[0]
	v := cx.Info.Value(format)
	if v == nil || v.Kind() != constant.String {
		return
	}
	text := constant.StringVal(v)
	arg, why := cx.Calls.TypeArg(types.Typ[types.String], e.Pos(), true)
	for _, at := range verbs(text, 'w') {
		cx.Offer(&verb{Context: cx, format: format, text: text, at: at, arg: arg, why: why})
	}
}

type verb struct {
	*site.Context
	format ast.Expr
	text   string // the format's value
	at     int    // offset of the verb in it
	arg    string
	why    reasons.Reason
}

func (k *verb) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.WrapVerb}, k.format
}

func (k *verb) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := verbEdit(k.Context, k.format, k.text, k.at)
	return p, cmp.Or(k.why, reason)
}

func (k *verb) Schemata(base int, _ []operator.Change) {
	changed := strconv.Quote(k.text[:k.at] + "v" + k.text[k.at+1:])
	k.Calls.Wrap(k.format.Pos(), k.format.End(), k.Calls.BeginFor("Lit1", types.Typ[types.String], k.arg, "%d, ", base), ", "+changed+")")
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
func verbEdit(cx *site.Context, format ast.Expr, text string, at int) (plain.Edit, reasons.Reason) {
	p := plain.Replace(format.Pos(), format.End(), strconv.Quote(text[:at]+"v"+text[at+1:]), "changed %w to %v")
	if lit, ok := format.(*ast.BasicLit); ok && lit.Value[1:len(lit.Value)-1] == text {
		p.Lo = lit.Pos() + token.Pos(1+at)
		p.Hi, p.Text = p.Lo+1, "v"
	} else if cx.Lost(format) {
		return plain.Edit{}, reasons.LastUse
	}
	return p, nil
}
