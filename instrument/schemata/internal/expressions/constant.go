package expressions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// constants offers the outermost constant expression, whose alternatives are
// arguments: the compiler checks that they fit the type.
func constants(cx *site.Context, e ast.Expr, p site.Place) {
	tv := cx.Info.Types[e]
	t := types.Default(tv.Type)
	class := typing.ClassOf(t)
	if class == operator.Other {
		return
	}
	k := &constantSite{Context: cx, e: e, place: p, typed: cx.Info.IsTypedConst(e), site: &operator.Site{
		Kind: operator.Constant, Class: class, Type: t, Value: tv.Value, Char: typing.IsChar(e),
		Neighbours: cx.Enums.Neighbours(cx.Info, e),
	}}
	k.arg, k.why = cx.Calls.TypeArg(t, e.Pos(), true)
	if k.why != nil && k.typed {
		k.arg, k.why = "", nil
	}
	cx.Offer(k)
}

type constantSite struct {
	*site.Context
	e     ast.Expr
	place site.Place
	site  *operator.Site
	typed bool // it has its own type
	arg   string
	why   reasons.Reason
}

func (k *constantSite) Describe() (*operator.Site, ast.Node) { return k.site, k.e }

func (k *constantSite) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	p, reason := constantEdit(k.Context, k.e, k.site, k.typed, k.place, ch)
	if k.site.Class == operator.Integer {
		p.Doubt = doubt.Limit(k.place.Compared, k.site.Value, ch.Value)
	}
	return p, cmp.Or(k.why, reason)
}

func (k *constantSite) Schemata(base int, live []operator.Change) {
	before, after := constantCall(k.Context, k.site, k.arg, base, live)
	k.Calls.Wrap(k.e.Pos(), k.e.End(), before, after)
}

// constantCall returns what stands before and after a constant.
func constantCall(cx *site.Context, s *operator.Site, arg string, base int, live []operator.Change) (before, after string) {
	if s.Class == operator.Bool { // the other of two values, at most
		return cx.Calls.BeginBool("Bool", s.Type, arg, "%d, %#x, ", base, codes.Negated), ")"
	}
	if alts := numbers(s, live); alts != "" {
		return cx.Calls.BeginFor("Num", s.Type, arg, "%d, %s, ", base, alts), ")"
	}
	for _, ch := range live {
		after += ", " + constantText(s, ch)
	}
	if len(live) == 1 {
		return cx.Calls.BeginFor("Lit1", s.Type, arg, "%d, ", base), after + ")"
	}
	return cx.Calls.Begin("Alt", arg, "%d, ", base), after + ")"
}

// numbers packs alternatives to an integer that the core can make of it; "" if
// there are others.
func numbers(s *operator.Site, live []operator.Change) string {
	if s.Class != operator.Integer {
		return ""
	}
	for _, ch := range live {
		if numberCode(s.Value, ch.Value) == 0 {
			return ""
		}
	}
	return helper.Alternatives(live, func(ch operator.Change) int { return numberCode(s.Value, ch.Value) })
}

// numberCode returns the core's code for a number in place of another; 0 if
// there is none.
func numberCode(old, v constant.Value) int {
	one := constant.MakeInt64(1)
	for _, made := range []struct {
		value constant.Value
		code  int
	}{
		{constant.MakeInt64(0), codes.Zero},
		{one, codes.One},
		{constant.MakeInt64(-1), codes.MinusOne},
		{constant.BinaryOp(old, token.ADD, one), codes.OneMore},
		{constant.BinaryOp(old, token.SUB, one), codes.OneLess},
		{constant.UnaryOp(token.SUB, old, 0), codes.Minus},
	} {
		if constant.Compare(v, token.EQL, made.value) {
			return made.code
		}
	}
	return 0
}

// constantEdit returns the plain edit that puts another constant in place of
// one.
func constantEdit(cx *site.Context, e ast.Expr, s *operator.Site, typed bool, c site.Place, ch operator.Change) (plain.Edit, reasons.Reason) {
	switch {
	case !typing.Representable(ch.Value, s.Type, s.Value):
		return plain.Edit{}, reasons.Overflows
	case c.Limit != nil && c.Limit(ch.Value) != nil:
		return plain.Edit{}, c.Limit(ch.Value)
	case cx.Lost(e):
		return plain.Edit{}, reasons.LastUse
	}
	text := constantText(s, ch)
	if text == "" {
		return plain.Edit{}, reasons.NoCharacter
	}
	if ch.Const == nil && ch.Value.Kind() == constant.Bool {
		if _, why := cx.Info.Predeclared(text, e.Pos()); why != nil {
			return plain.Edit{}, why
		}
	}
	if typed && ch.Const == nil && !typing.IsDefaultType(s.Type) {
		name, ok := cx.Types.Name(s.Type, e.Pos(), true)
		if !ok {
			return plain.Edit{}, reasons.CantName
		}
		text = name + "(" + text + ")"
	} else if strings.HasPrefix(text, "-") {
		text = cx.Plain.Unglued(e.Pos(), text)
	}
	return plain.Replace(e.Pos(), e.End(), text, fmt.Sprintf("changed %s to %s", cx.Src.Short(e), text)), nil
}

// constantText writes a constant in the form that has the site's kind by default;
// "" if a character has no such form.
func constantText(s *operator.Site, c operator.Change) string {
	if c.Const != nil {
		return c.Const.Name()
	}
	v := c.Value
	switch v.Kind() {
	case constant.Bool:
		return strconv.FormatBool(constant.BoolVal(v))
	case constant.String:
		return strconv.Quote(constant.StringVal(v))
	}
	if s.Char {
		r, ok := constant.Int64Val(constant.ToInt(v))
		if !ok || r < 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			return ""
		}
		return strconv.QuoteRuneToASCII(rune(r))
	}
	if b, ok := s.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		return i.ExactString()
	}
	f, _ := constant.Float64Val(v)
	return strconv.FormatFloat(f, 'g', -1, 64)
}
