package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// asText are methods that return what String does, in another form.
var asText = []string{"MarshalText", "Text", "Value", "MarshalJSON", "EncodeText", "ToString", "AsString", "Str"}

// texts: the text forms of a value are the same.
func texts(a *api) (all []Family) {
	for _, n := range a.types {
		show := a.method(n, "String")
		if show == nil || !isStringMethod(show) {
			continue
		}
		for _, m := range a.methods[n.Obj().Name()] {
			if slices.Contains(asText, m.Name()) && m.Signature().Params().Len() == 0 && valued(m.Signature().Results()) {
				if p := a.sameText(m, show); p != nil {
					all = append(all, Family{p})
				}
			}
		}
	}
	return all
}

// sameText compares what a method returns with what String does.
func (a *api) sameText(m, show *types.Func) *Property {
	s := a.of(m)
	if s == nil {
		return nil
	}
	got, want := s.Local("got"), s.Local("want")
	s.bind(got, call(m, s.exprs()), m.Signature().Results(), "return")
	s.linef("%s := %s", want, s.convertTo(call(show, s.exprs()[:1]), show.Signature().Results().At(0).Type(), types.Typ[types.String]))
	t, differ := m.Signature().Results().At(0).Type(), ""
	switch {
	case m.Name() == "MarshalJSON" && isText(t):
		quote := s.Use("strconv") + ".Quote"
		s.linef("if %s(%s) != `\"`+%[2]s+`\"` {\nreturn\n}", quote, want)
		differ = fmt.Sprintf("string(%s) != %s(%s)", got, quote, want)
	case isText(t):
		differ = fmt.Sprintf("string(%s) != %s", got, want)
	case isAny(t): // driver.Value
		differ = fmt.Sprintf("%s != interface{}(%s)", got, want)
	default:
		return nil
	}
	format, shown := s.shown(m, s.Args)
	s.reports(differ, format+" = %q, and as text %q", append(slices.Clone(shown), got, want)...)
	return s.property(Agreement, camel(m)+"AgreesWithString", fmt.Sprintf("%s returns what %s returns.", short(m), short(show)), true, m, show)
}

// setting are methods that set a value from a text.
var setting = []string{"UnmarshalText", "UnmarshalJSON", "Set", "Scan", "Parse", "SetString", "FromString", "DecodeText"}

// settings: a method sets a value from a text as the function does that parses it.
func settings(a *api) (all []Family) {
	for _, n := range a.types {
		parse := a.parser(n)
		if parse == nil {
			continue
		}
		for _, m := range a.methods[n.Obj().Name()] {
			sig := m.Signature()
			if !slices.Contains(setting, m.Name()) || !pointed(m) || sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() != 1 || !isError(sig.Results().At(0).Type()) {
				continue
			}
			if p := sig.Params().At(0).Type(); !isText(p) && !isAny(p) {
				continue
			}
			var family Family
			for _, strict := range []bool{true, false} {
				if p := a.setAs(n, m, parse, strict); p != nil {
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

// parser is the function that reads values of a type; nil: there is none.
func (a *api) parser(n *types.Named) *types.Func {
	name := n.Obj().Name()
	for _, want := range []string{"Parse" + name, "Parse", "New" + name, "New", name + "FromString", "FromString", "Decode" + name} {
		for _, fn := range a.funcs {
			sig := fn.Signature()
			if fn.Name() == want && sig.Params().Len() == 1 && isText(sig.Params().At(0).Type()) && a.reads(fn) &&
				sig.Results().Len() == 2 && isError(sig.Results().At(1).Type()) && named(sig.Results().At(0).Type()) == n {
				return fn
			}
		}
	}
	return nil
}

// setAs compares what a method sets with what a function returns. Where it is not strict, the method may
// take more.
func (a *api) setAs(n *types.Named, set, parse *types.Func, strict bool) *Property {
	s := a.of(parse)
	if s == nil {
		return nil
	}
	from, res := parse.Signature().Params().At(0).Type(), parse.Signature().Results().At(0).Type()
	_, pointer := types.Unalias(res).(*types.Pointer)
	equal := s.equalities(n)
	if len(equal) == 0 {
		return nil
	}
	want, got := s.Local("want"), s.Local("got")
	text, x := s.Args[0], s.Args[0].Expr
	switch to := set.Signature().Params().At(0).Type(); {
	case set.Name() == "UnmarshalJSON":
		x = s.convertTo(x, from, types.Typ[types.String])
		s.linef("if %s.Quote(%s) != `\"`+%[2]s+`\"` {\nreturn\n}", s.Use("strconv"), x)
		x = s.convertTo("`\"`+"+x+"+`\"`", types.Typ[types.String], to)
	case isText(to):
		x = s.convertTo(x, from, to)
	}
	s.linef("%s, err := %s", want, call(parse, s.exprs()))
	if !strict {
		s.linef("if err != nil {\nreturn\n}")
	}
	left := got
	if s.blank(got, n) {
		left = "*" + got
	}
	failed := s.Local("failed")
	s.linef("%s := %s.%s(%s)", failed, got, set.Name(), x)
	s.reports(fmt.Sprintf("(%s == nil) != (err == nil)", failed), parse.Name()+" of "+text.Format+": error %v; "+set.Name()+": error %v", append(slices.Clone(text.Operands), "err", failed)...)
	right := want
	if pointer {
		right = "*" + want
	}
	s.reports("err == nil && "+s.condition(equal[0], parenthesized(left, equal[0]), parenthesized(right, equal[0])), fmt.Sprintf("%s of %s is %s, but %s %[3]s", set.Name(), text.Format, equal[0].verb, parse.Name()), append(slices.Clone(text.Operands), left, right)...)
	sentence := "%s takes what %s takes, and sets the value that this returns."
	if strict {
		sentence = "%s takes what %s takes, and nothing else, and sets the value that this returns."
	}
	return s.property(Agreement, camel(set)+"AgreesWith"+parse.Name(), fmt.Sprintf(sentence, short(set), short(parse)), true, set, parse)
}

// wrappers: a function does what the method of that name does: of its first argument, or of the value that
// is made of nothing.
func wrappers(a *api) (all []Family) {
	for _, fn := range a.funcs {
		for _, n := range a.types {
			if m := a.method(n, fn.Name()); m != nil {
				if p := a.wraps(fn, m, n); p != nil {
					all = append(all, Family{p})
				}
			}
		}
	}
	return all
}

func (a *api) wraps(fn, m *types.Func, n *types.Named) *Property {
	x, y := fn.Signature(), m.Signature()
	s := a.of(fn)
	if s == nil || len(s.Inputs) == 0 || x.Variadic() || x.Results().Len() == 0 || !types.Identical(x.Results(), y.Results()) {
		return nil
	}
	params := slices.Collect(x.Params().Variables())
	args := s.exprs()
	var other string
	switch identical := func(list []*types.Var) bool { return types.Identical(types.NewTuple(list...), y.Params()) }; {
	case len(params) > 0 && named(params[0].Type()) == n && identical(params[1:]):
		if _, pointer := types.Unalias(params[0].Type()).(*types.Pointer); pointed(m) && !pointer || a.changes(m) {
			return nil
		}
		first := s.Local("first")
		s.linef("%s := %s", first, args[0])
		args[0] = first
		other = call(m, args)
	case identical(params):
		made := a.madeOfNothing(n)
		if made == "" {
			return nil
		}
		other = call(m, append([]string{made}, args...))
	default:
		return nil
	}
	format, shown := s.shown(fn, s.Args)
	if !s.compareResults(call(fn, args), other, x.Results(), y.Results(), format, short(m), shown) {
		return nil
	}
	return s.property(Agreement, fn.Name()+"AgreesWith"+camel(m), fmt.Sprintf("%s and %s return the same.", short(fn), short(m)), true, fn, m)
}

// madeOfNothing is source of a value of a type that needs no argument; "": no function makes one.
func (a *api) madeOfNothing(n *types.Named) string {
	for _, name := range []string{"New" + n.Obj().Name(), "New", "Default", "Default" + n.Obj().Name()} {
		fn, ok := a.pkg.Scope().Lookup(name).(*types.Func)
		if ok && fn.Signature().TypeParams().Len() == 0 && fn.Signature().Params().Len() == 0 && fn.Signature().Results().Len() == 1 && named(fn.Signature().Results().At(0).Type()) == n {
			return name + "()"
		}
	}
	return ""
}

// streamed: what a function or method writes to a writer is what the other returns.
func streamed(a *api) (all []Family) {
	list := a.callable()
	for _, fn := range list {
		at, rest := writerParam(fn)
		if at < 0 {
			continue
		}
		for _, other := range list {
			if p := a.writesSame(fn, other, at, rest); p != nil {
				all = append(all, Family{p})
			}
		}
	}
	return all
}

// writerParam is the only parameter of a function that is a writer, and the others; -1: there is none.
func writerParam(fn *types.Func) (at int, rest []*types.Var) {
	at = -1
	sig := fn.Signature()
	for i := range sig.Params().Len() {
		if p := sig.Params().At(i); types.TypeString(p.Type(), nil) == "io.Writer" && at < 0 {
			at = i
		} else {
			rest = append(rest, p)
		}
	}
	if sig.Variadic() || sig.Results().Len() > 2 || sig.Results().Len() > 0 && !isError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return -1, nil
	}
	return at, rest
}

// writing are beginnings of names of functions that write.
var writing = []string{"WriteTo", "Write", "Fprint", "Fformat", "F", "EncodeTo", "Encode", "RenderTo", "Render", "MarshalTo", "Marshal", "PrintTo", "Print", "DumpTo", "Dump", "FormatTo"}

// returning are beginnings of names of functions that return what others write.
var returning = []string{"", "Sprint", "S", "String", "Bytes", "Marshal", "Format", "Encode", "Render", "Print", "Dump", "WriteTo", "Write", "To"}

// sameForm says whether two names are of functions that say the same, one to a writer.
func sameForm(writes, returns string) bool {
	for _, w := range writing {
		rest, ok := afterVerb(writes, w)
		if !ok {
			continue
		}
		for _, r := range returning {
			if name := r + rest; name != writes && (returns == name || returns == name+"String" || returns == name+"Bytes" || returns == name+"ToString" || returns == name+"ToBytes") {
				return true
			}
		}
	}
	return returns == writes+"String" || returns == writes+"Bytes" || returns == writes+"ToString" || returns == writes+"ToBytes"
}

func (a *api) writesSame(fn, other *types.Func, at int, rest []*types.Var) *Property {
	x, y := fn.Signature(), other.Signature()
	if fn == other || !sameForm(fn.Name(), other.Name()) || (x.Recv() == nil) != (y.Recv() == nil) || x.Recv() != nil && named(x.Recv().Type()) != named(y.Recv().Type()) ||
		y.Variadic() || !types.Identical(types.NewTuple(rest...), y.Params()) || !valued(y.Results()) || !isText(y.Results().At(0).Type()) {
		return nil
	}
	s := a.of(other)
	if s == nil {
		return nil
	}
	want, out := s.Local("want"), s.Local("out")
	args := s.exprs()
	s.bind(want, call(other, args), y.Results(), "return")
	s.linef("var %s %s.Buffer", out, s.Use("bytes"))
	if x.Recv() != nil {
		at++
	}
	source := call(fn, slices.Insert(args, at, "&"+out))
	format, shown := s.shown(other, s.Args)
	if n := x.Results().Len(); n == 0 {
		s.linef("%s", source)
	} else {
		s.linef("if %s := %s; err != nil {\nt.Fatalf(%q, %s)\n}", strings.Repeat("_, ", n-1)+"err", source, fn.Name()+" fails where "+format+" does not: %v", strings.Join(append(slices.Clone(shown), "err"), ", "))
	}
	s.reports(fmt.Sprintf("%s.String() != string(%s)", out, want), format+" = %q, but "+fn.Name()+" writes %q", append(slices.Clone(shown), want, out+".String()")...)
	return s.property(Agreement, camel(fn)+"AgreesWith"+other.Name(), fmt.Sprintf("%s writes what %s returns.", short(fn), short(other)), true, fn, other)
}
