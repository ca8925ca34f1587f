package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// somethings: a function that says that it has succeeded has a value to show for it, and one that makes a text
// of a text makes something of something.
func somethings(a *api) (all []Family) {
	for _, fn := range a.callable() {
		if res := fn.Signature().Results(); !valued(res) || res.Len() == 1 && !isText(res.At(0).Type()) {
			continue
		}
		var family Family
		for _, given := range []bool{false, true} {
			if p := a.something(fn, given); p != nil {
				family = append(family, p)
			}
		}
		if len(family) > 0 {
			all = append(all, family)
		}
	}
	return all
}

// something is the property; given leaves out calls with an empty text. Nil: it does not apply.
func (a *api) something(fn *types.Func, given bool) *Property {
	s := a.of(fn)
	if s == nil {
		return nil
	}
	sig := fn.Signature()
	texts := s.textsOf(fn)
	if given && len(texts) == 0 {
		return nil
	}
	t := sig.Results().At(0).Type()
	zero := s.zero(t)
	if isBytes(t) {
		zero = `""`
	}
	if basic, ok := t.Underlying().(*types.Basic); zero == "" || ok && basic.Info()&types.IsString == 0 {
		return nil // 0 and false are values like others
	}
	if given {
		s.linef("if %s {\nreturn\n}", strings.Join(texts, " || "))
	}
	got := s.Local("got")
	s.bind(got, call(fn, s.exprs()), sig.Results(), "return")
	value := got
	if isBytes(t) {
		value = "string(" + got + ")"
	}
	format, shown := s.shown(fn, s.Args)
	s.reports(value+" == "+zero, format+" = %v", append(slices.Clone(shown), got)...)
	sentence := "%s returns a value that is not zero, or says that it has none."
	if sig.Results().Len() == 1 {
		sentence = "%s returns a text that is not empty."
	}
	if given {
		sentence = strings.TrimSuffix(sentence, ".") + ", if no text that it is given is empty."
	}
	return s.property(Something, camel(fn)+"GivesSomething", fmt.Sprintf(sentence, short(fn)), true, fn)
}

// textsOf are conditions that say that the texts are empty that a function is given.
func (s *sketch) textsOf(fn *types.Func) (list []string) {
	first := len(s.Args) - fn.Signature().Params().Len()
	for i := range fn.Signature().Params().Len() {
		if isText(fn.Signature().Params().At(i).Type()) {
			list = append(list, "len("+s.Args[first+i].Expr+") == 0")
		}
	}
	return list
}

// monotone: a greater number has no smaller result.
func monotone(a *api) (all []Family) {
	for _, fn := range a.callable() {
		params, ok := a.params(fn)
		res := fn.Signature().Results()
		if !ok || len(params) != 1 || res.Len() != 1 || !isNumber(params[0].Type()) || !isNumber(res.At(0).Type()) || fn.Signature().Recv() != nil && pointed(fn) {
			continue
		}
		if p := a.rising(fn, params[0].Type()); p != nil {
			all = append(all, Family{p})
		}
	}
	return all
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// rising compares the results for two numbers, and for one and the next.
func (a *api) rising(fn *types.Func, t types.Type) *Property {
	s := a.sketch([]*types.Var{param("x", t), param("y", t)}, nil)
	if s == nil {
		return nil
	}
	x, y, next := s.Args[0], s.Args[1], s.Local("next")
	s.linef("%s := %s + 1", next, x.Expr)
	of := func(arg target.Arg) string { return call(fn, []string{receiver(fn, arg.Expr)}) }
	for _, other := range []target.Arg{y, {Expr: next, Format: "%v", Operands: []string{next}}} {
		s.reports(fmt.Sprintf("%s < %s && %s > %s", x.Expr, other.Expr, of(x), of(other)),
			short(fn)+" of "+x.Format+" is %v, and of "+other.Format+" %v", slices.Concat(x.Operands, []string{of(x)}, other.Operands, []string{of(other)})...)
	}
	return s.property(Order, camel(fn)+"Monotone", short(fn)+" of a greater number is not smaller.", true, fn)
}
