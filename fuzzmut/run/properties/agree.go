package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// validity: what is valid can be parsed, and the other way round.
func validity(a *api) (all []Family) {
	for _, valid := range a.funcs {
		noun, ok := afterVerb(valid.Name(), "IsValid", "Valid", "Validate", "Check", "Is")
		sig := valid.Signature()
		if !ok || sig.Params().Len() != 1 || !isText(sig.Params().At(0).Type()) || sig.Results().Len() == 0 || sig.Results().Len() > 2 {
			continue
		}
		for _, parse := range a.funcs {
			if parse == valid || !parses(parse, noun) {
				continue
			}
			var family Family
			for _, v := range []struct{ cond, sentence string }{
				{"%[1]s != (err == nil)", "%s accepts what %s reads, and nothing else."},
				{"!%[1]s && err == nil", "%s accepts what %s reads."},
				{"%[1]s && err != nil", "%[2]s reads what %[1]s accepts."},
			} {
				if p := a.agreesOn(valid, parse, v.cond, v.sentence); p != nil {
					p.Telling = true
					family = append(family, p)
				}
			}
			if len(family) > 0 {
				all = append(all, family)
			}
		}
	}
	return all
}

// afterVerb returns what follows one of some words at the beginning of a name.
func afterVerb(name string, verbs ...string) (rest string, ok bool) {
	for _, verb := range verbs {
		if rest, ok := strings.CutPrefix(name, verb); ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z') {
			return rest, true
		}
	}
	return "", false
}

// parses says whether a function reads texts as something of that name, "" for anything, and
// returns an error for others.
func parses(fn *types.Func, noun string) bool {
	sig := fn.Signature()
	if sig.Params().Len() != 1 || !isText(sig.Params().At(0).Type()) || sig.Results().Len() != 2 || !isError(sig.Results().At(1).Type()) {
		return false
	}
	rest, ok := afterVerb(fn.Name(), "Parse", "New", "Decode", "Unmarshal")
	if !ok {
		return false
	}
	if rest == noun {
		return true
	}
	n := named(sig.Results().At(0).Type())
	return n != nil && rest == "" && noun == n.Obj().Name() || n != nil && noun == "" && rest == n.Obj().Name()
}

// agreesOn compares what one function accepts with what another reads.
func (a *api) agreesOn(valid, parse *types.Func, cond, sentence string) *Property {
	s := a.of(valid)
	if s == nil {
		return nil
	}
	res := valid.Signature().Results()
	is := s.Local("valid")
	switch {
	case isBool(res.At(0).Type()):
		s.linef("%s := %s", is+strings.Repeat(", _", res.Len()-1), call(valid, s.exprs()))
	case res.Len() == 1 && isError(res.At(0).Type()):
		s.linef("%s := %s == nil", is, call(valid, s.exprs()))
	default:
		return nil
	}
	x := s.Args[0]
	s.linef("_, err := %s", call(parse, []string{s.convert(x.Expr, valid.Signature().Params().At(0).Type(), parse.Signature().Params().At(0).Type())}))
	s.reports(fmt.Sprintf(cond, is), valid.Name()+"("+x.Format+"): %t; "+parse.Name()+": error %v", append(slices.Clone(x.Operands), is, "err")...)
	return s.property(Agreement, valid.Name()+"AgreesWith"+parse.Name(), fmt.Sprintf(sentence, valid.Name(), parse.Name()), false, valid, parse)
}

// twins: a function does the same with the other form of its input.
func twins(a *api) (all []Family) {
	for _, fn := range a.funcs {
		for _, other := range a.funcs {
			if areTwins(fn, other) {
				if p := a.twin(fn, other); p != nil {
					all = append(all, Family{p})
				}
			}
		}
	}
	for _, n := range a.types {
		list := a.methods[n.Obj().Name()]
		for _, fn := range list {
			for _, other := range list {
				if !pointed(fn) && !pointed(other) && areTwins(fn, other) {
					if p := a.twin(fn, other); p != nil {
						all = append(all, Family{p})
					}
				}
			}
		}
	}
	return all
}

// areTwins says whether two functions do the same with two forms of an input. Of two that
// both take texts the first is the one whose name has no form.
func areTwins(fn, other *types.Func) bool {
	if fn == other || !twinTypes(fn, other) {
		return false
	}
	return twinNames(fn.Name(), other.Name()) || twinNames(other.Name(), fn.Name()) && !twinTypes(other, fn)
}

// forms are words of names for the form of an input.
var forms = []string{"Bytes", "String", "Str", "Reader", "FromReader", "Stream", "From", "FromBytes", "FromString"}

// twinNames says whether two names differ by the form of an input; the second has one.
func twinNames(name, other string) bool {
	for _, form := range forms {
		if strings.HasSuffix(other, form) && strings.TrimSuffix(other, form) == name || strings.HasPrefix(other, form) && strings.TrimPrefix(other, form) == name {
			return true
		}
	}
	return strings.HasSuffix(name, "String") && other == strings.TrimSuffix(name, "String")+"Bytes"
}

// twinTypes says whether the types differ by nothing else, and by that.
func twinTypes(fn, other *types.Func) bool {
	x, y := fn.Signature(), other.Signature()
	if x.Params().Len() != y.Params().Len() || x.Results().Len() != y.Results().Len() || x.Results().Len() == 0 || x.Variadic() != y.Variadic() {
		return false
	}
	differ := false
	for i := range x.Params().Len() {
		p, q := x.Params().At(i).Type(), y.Params().At(i).Type()
		if types.Identical(p, q) {
			continue
		}
		if differ = true; !isText(p) || !isText(q) && types.TypeString(q, nil) != "io.Reader" {
			return false
		}
	}
	for i := range x.Results().Len() {
		p, q := x.Results().At(i).Type(), y.Results().At(i).Type()
		if !types.Identical(p, q) && !(isText(p) && isText(q)) {
			return false
		}
	}
	return differ
}

// twin compares the results of two functions.
// FromBytes may read another form than FromString: that these two agree is a guess.
func (a *api) twin(fn, other *types.Func) *Property {
	s := a.of(fn)
	if s == nil {
		return nil
	}
	x, y := fn.Signature(), other.Signature()
	args := s.exprs()
	first := len(args) - x.Params().Len()
	for i := range x.Params().Len() {
		p, q := x.Params().At(i).Type(), y.Params().At(i).Type()
		at := first + i
		switch {
		case isText(q):
			args[at] = s.convert(args[at], p, q)
		case !types.Identical(p, q) && isString(p):
			args[at] = s.Use("strings") + ".NewReader(" + s.convert(args[at], p, types.Typ[types.String]) + ")"
		case !types.Identical(p, q):
			args[at] = s.Use("bytes") + ".NewReader(" + args[at] + ")"
		}
	}
	format, shown := s.shown(fn, s.Args)
	if !s.compareResults(call(fn, s.exprs()), call(other, args), x.Results(), y.Results(), format, other.Name(), shown) {
		return nil
	}
	return s.property(Agreement, camel(fn)+"AgreesWith"+other.Name(), fmt.Sprintf("%s and %s return the same.", short(fn), short(other)), strings.HasPrefix(fn.Name(), "From"), fn, other)
}

// compareResults compares the results of two calls, errors by whether there is one.
func (s *sketch) compareResults(one, two string, first, second *types.Tuple, format, other string, shown []string) bool {
	var left, right []string
	for i := range first.Len() {
		l, r := "got", "want"
		switch {
		case isError(first.At(i).Type()):
			l, r = "gotErr", "wantErr"
		case isBool(first.At(i).Type()):
			l, r = "ok", "wantOK"
		}
		left, right = append(left, s.Local(l)), append(right, s.Local(r))
	}
	s.linef("%s := %s", strings.Join(left, ", "), one)
	s.linef("%s := %s", strings.Join(right, ", "), two)
	var conds, verbs []string
	for i := range first.Len() {
		t := first.At(i).Type()
		verb := "%v"
		if isError(t) {
			conds = append(conds, fmt.Sprintf("(%s == nil) != (%s == nil)", left[i], right[i]))
		} else {
			equal := s.equalities(t)
			if len(equal) == 0 {
				return false
			}
			l := left[i]
			if u := second.At(i).Type(); !types.Identical(t, u) {
				l = s.convert(l, t, u)
				equal = s.equalities(u)
			}
			conds, verb = append(conds, s.condition(equal[0], l, right[i])), equal[0].verb
			if len(first.At(0).Type().String()) > 0 && first.Len() > 1 && strings.Contains(conds[len(conds)-1], "&&") {
				conds[len(conds)-1] = "(" + conds[len(conds)-1] + ")"
			}
		}
		verbs = append(verbs, verb)
	}
	values := strings.Join(verbs, ", ")
	s.reports(strings.Join(conds, " || "), fmt.Sprintf("%s = %s; %s: %[2]s", format, values, other), slices.Concat(shown, left, right)...)
	return true
}

// musts: a function that panics does so where the other returns an error.
func musts(a *api) (all []Family) {
	for _, must := range a.funcs {
		noun, ok := afterVerb(must.Name(), "Must")
		called := a.surface.Must(must)
		if !ok && called == nil {
			continue
		}
		for _, fn := range a.funcs {
			sig := fn.Signature()
			if (fn != called && (!ok || fn.Name() != noun && fn.Name() != "New"+noun && fn.Name() != "Parse"+noun)) || sig.Results().Len() != 2 || !isError(sig.Results().At(1).Type()) ||
				must.Signature().Results().Len() != 1 || !types.Identical(must.Signature().Results().At(0).Type(), sig.Results().At(0).Type()) ||
				!types.Identical(sig.Params(), must.Signature().Params()) {
				continue
			}
			s := a.of(fn)
			if s == nil {
				continue
			}
			equal := s.equalities(sig.Results().At(0).Type())
			if len(equal) == 0 {
				continue
			}
			want, got, panicked := s.Local("want"), s.Local("got"), s.Local("r")
			format, shown := s.shown(must, s.Args)
			s.linef("%s, err := %s", want, call(fn, s.exprs()))
			s.linef("defer func() {\nif %[1]s := recover(); (%[1]s != nil) != (err != nil) {\nt.Errorf(%[2]q, %[3]s)\n}\n}()",
				panicked, format+" panics with %v; "+fn.Name()+" returns the error %v", strings.Join(append(slices.Clone(shown), panicked, "err"), ", "))
			s.linef("%s := %s", got, call(must, s.exprs()))
			s.reports(s.condition(equal[0], got, want), fmt.Sprintf("%s = %s; %s returns %[2]s", format, equal[0].verb, fn.Name()), append(slices.Clone(shown), got, want)...)
			all = append(all, Family{s.property(Agreement, must.Name()+"AgreesWith"+fn.Name(),
				fmt.Sprintf("%s panics where %s returns an error, and else returns the same.", must.Name(), fn.Name()), false, must, fn)})
		}
	}
	return all
}

// appends: what is appended is what the function without a destination returns.
func appends(a *api) (all []Family) {
	for _, fn := range a.callable() {
		rest, ok := afterVerb(fn.Name(), "Append")
		sig := fn.Signature()
		if !ok || rest == "" || sig.Variadic() || sig.Params().Len() == 0 || !types.Identical(sig.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte])) ||
			!valued(sig.Results()) || !types.Identical(sig.Results().At(0).Type(), sig.Params().At(0).Type()) {
			continue
		}
		for _, other := range a.callable() {
			if p := a.appended(fn, other, rest); p != nil {
				all = append(all, Family{p})
			}
		}
	}
	return all
}

func (a *api) appended(fn, other *types.Func, rest string) *Property {
	x, y := fn.Signature(), other.Signature()
	if other.Name() != rest && other.Name() != "Marshal"+rest && other.Name() != "Format"+rest && !(rest == "Text" && other.Name() == "String") ||
		(x.Recv() == nil) != (y.Recv() == nil) || x.Recv() != nil && named(x.Recv().Type()) != named(y.Recv().Type()) ||
		!valued(y.Results()) || !isText(y.Results().At(0).Type()) || y.Params().Len() != x.Params().Len()-1 || y.Variadic() || y.Results().Len() != x.Results().Len() && y.Results().Len() > 1 {
		return nil
	}
	for i := range y.Params().Len() {
		if !types.Identical(y.Params().At(i).Type(), x.Params().At(i+1).Type()) {
			return nil
		}
	}
	s := a.of(other)
	if s == nil {
		return nil
	}
	want, got := s.Local("want"), s.Local("got")
	s.bind(want, call(other, s.exprs()), y.Results(), "return")
	at := 0
	if x.Recv() != nil {
		at = 1
	}
	args := slices.Insert(s.exprs(), at, `[]byte("> ")`)
	format, shown := s.shown(other, s.Args)
	s.bind(got, call(fn, args), x.Results(), fmt.Sprintf("t.Fatalf(%q, %s)", fn.Name()+" fails where "+format+" does not", strings.Join(shown, ", ")))
	s.reports(fmt.Sprintf(`string(%s) != "> "+string(%s)`, got, want), fmt.Sprintf("%s = %%q; %s with %%q before it: %%q", format, fn.Name()), append(slices.Clone(shown), want, `"> "`, got)...)
	return s.property(Agreement, camel(fn)+"AgreesWith"+other.Name(), fmt.Sprintf("%s appends what %s returns.", short(fn), short(other)), false, fn, other)
}
