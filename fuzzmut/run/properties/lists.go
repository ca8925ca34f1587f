package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// textLists: texts that one function joins, another splits. Split and Join.
func textLists(a *api) (all []Family) {
	for _, out := range a.funcs {
		for _, back := range a.funcs {
			if inverse(out.Name(), back.Name()) && joins(out) && splits(back) {
				all = append(all, Family{a.joined(out, back), a.splitAgain(out, back)})
			}
		}
	}
	return all
}

// isTexts says whether a type is a list of texts.
func isTexts(t types.Type) bool { return types.Identical(t, types.NewSlice(types.Typ[types.String])) }

// joins says whether a function makes a text of texts.
func joins(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Params().Len() == 1 && isTexts(sig.Params().At(0).Type()) && valued(sig.Results()) && isText(sig.Results().At(0).Type())
}

// splits says whether a function makes texts of a text.
func splits(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Params().Len() == 1 && isText(sig.Params().At(0).Type()) && valued(sig.Results()) && isTexts(sig.Results().At(0).Type())
}

// joined: the texts that were joined come back. The input has them with a zero byte in between.
func (a *api) joined(out, back *types.Func) *Property {
	s := a.sketch([]*types.Var{param("text", types.NewSlice(types.Typ[types.String]))}, nil)
	s.Seeds = []string{`"a\x00b c"`, `"\x00d"`}
	words, text, got := s.Local("words"), s.Local("joined"), s.Local("got")
	s.linef("%s := %s", words, s.Args[0].Expr)
	s.bind(text, call(out, []string{words}), out.Signature().Results(), "return")
	s.splits(back, got, text, out.Signature().Results().At(0).Type(), words)
	s.differs(got, words, fmt.Sprintf("%%q is joined as %%q, and %s makes %%q of that", back.Name()), words, text, got)
	return s.property(RoundTrip, out.Name()+"RoundTrip", fmt.Sprintf("%s returns the texts that %s was given.", short(back), short(out)), true, out, back)
}

// splitAgain: what was split is the same texts where it is joined and split again.
func (a *api) splitAgain(out, back *types.Func) *Property {
	s := a.of(back)
	words, text, got := s.Local("words"), s.Local("joined"), s.Local("got")
	s.bind(words, call(back, s.exprs()), back.Signature().Results(), "return")
	s.bind(text, call(out, []string{words}), out.Signature().Results(), "return")
	s.splits(back, got, text, out.Signature().Results().At(0).Type(), words)
	s.differs(got, words, fmt.Sprintf("%%q is joined as %%q, and %s makes %%q of that", back.Name()), words, text, got)
	return s.property(RoundTrip, out.Name()+"RoundTrip", fmt.Sprintf("%s returns what it has returned, of what %s makes of that.", short(back), short(out)), true, out, back)
}

// splits is a call that splits a text, and must succeed.
func (s *sketch) splits(back *types.Func, got, text string, from types.Type, words string) {
	p := back.Signature().Params().At(0).Type()
	s.bind(got, call(back, []string{s.convert(text, from, p)}), back.Signature().Results(),
		fmt.Sprintf("t.Fatalf(%q, %s, %s)", "%q is joined as %q, which "+back.Name()+" does not take", words, text))
}

// differs adds a failure where two lists of texts are not the same.
func (s *sketch) differs(got, want, format string, operands ...string) {
	join := s.Use("strings") + ".Join"
	s.reports(fmt.Sprintf("len(%s) != len(%s) || %s(%[1]s, %[4]q) != %[3]s(%[2]s, %[4]q)", got, want, join, "\x00"), format, operands...)
}

// passing: a function that panics with an error it is given, and else returns the value that came with
// it. Must(Parse(s)).
func passing(a *api) (all []Family) {
	for _, must := range a.funcs {
		sig := must.Signature()
		if !strings.Contains(must.Name(), "Must") || sig.Params().Len() != 2 || sig.Variadic() || !isError(sig.Params().At(1).Type()) ||
			sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), sig.Params().At(0).Type()) {
			continue
		}
		at := slices.IndexFunc(a.funcs, func(fn *types.Func) bool {
			return types.Identical(fn.Signature().Results(), types.NewTuple(slices.Collect(sig.Params().Variables())...)) && a.of(fn) != nil
		})
		if at < 0 {
			continue
		}
		if p := a.passed(must, a.funcs[at]); p != nil {
			all = append(all, Family{p})
		}
	}
	return all
}

func (a *api) passed(must, fn *types.Func) *Property {
	s := a.of(fn)
	equal := s.equalities(fn.Signature().Results().At(0).Type())
	if len(equal) == 0 {
		return nil
	}
	want, got, panicked := s.Local("want"), s.Local("got"), s.Local("r")
	format, shown := s.shown(fn, s.Args)
	format = must.Name() + "(" + format + ")"
	s.linef("%s, err := %s", want, call(fn, s.exprs()))
	s.linef("defer func() {\nif %[1]s := recover(); (%[1]s != nil) != (err != nil) {\nt.Errorf(%[2]q, %[3]s)\n}\n}()",
		panicked, format+" panics with %v; the error is %v", strings.Join(append(slices.Clone(shown), panicked, "err"), ", "))
	s.linef("%s := %s(%s, err)", got, must.Name(), want)
	s.reports(s.condition(equal[0], got, want), fmt.Sprintf("%s = %s, not %[2]s", format, equal[0].verb), append(slices.Clone(shown), got, want)...)
	return s.property(Agreement, must.Name()+"Passes", fmt.Sprintf("%s panics with an error, and else returns the value that came with it.", must.Name()), false, must)
}
