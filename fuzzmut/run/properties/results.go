package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// repeated: the same call returns the same again. Methods may change their receiver; only
// functions are looked at, and of these none that asks a clock or a random source.
func repeated(a *api) (all []Family) {
	for _, fn := range a.funcs {
		sig := fn.Signature()
		_, changes := afterVerb(fn.Name(), "Must", "Set", "Add", "Register", "Enable", "Disable")
		if sig.Results().Len() == 0 || sig.Params().Len() == 0 || changes || a.surface.Must(fn) != nil || !a.surface.Closed(fn) {
			continue
		}
		s := a.of(fn)
		if s == nil || len(s.Inputs) == 0 {
			continue
		}
		format, shown := s.shown(fn, s.Args)
		source := call(fn, s.exprs())
		if !s.compareResults(source, source, sig.Results(), sig.Results(), format, "again", shown) {
			continue
		}
		all = append(all, Family{s.property(Repeated, fn.Name()+"Repeated", fmt.Sprintf("%s returns the same when it is called again.", fn.Name()), strings.Contains(fn.Name(), "New") || changesArgument(fn), fn)})
	}
	return all
}

// changing are words of functions that are there to change what they are given.
var changing = []string{
	"Append", "Sort", "Reverse", "Shuffle", "Put", "Fill", "Read", "Write", "Copy", "Swap", "Set", "InPlace", "Inplace", "Xor", "XOR", "Destructive", "Unsafe", "Insert", "Delete", "Remove", "Rotate",
}

// changesArgument says whether a function takes bytes, and its name says that it may change them.
func changesArgument(fn *types.Func) bool {
	return slices.ContainsFunc(changing, func(word string) bool { return strings.Contains(fn.Name(), word) }) &&
		slices.ContainsFunc(slices.Collect(fn.Signature().Params().Variables()), func(p *types.Var) bool { return isBytes(p.Type()) })
}

// destinations are names of parameters that are written to.
var destinations = []string{"dst", "dest", "buf", "buffer", "out", "output", "p", "scratch", "to", "target"}

// untouched: a function leaves the bytes that it is given as they are.
func untouched(a *api) (all []Family) {
	for _, fn := range a.funcs {
		sig := fn.Signature()
		if sig.Results().Len() == 0 || slices.ContainsFunc(changing, func(word string) bool { return strings.Contains(fn.Name(), word) }) {
			continue
		}
		s := a.of(fn)
		if s == nil {
			continue
		}
		var checks []func()
		format, shown := s.shown(fn, s.Args)
		for i := range sig.Params().Len() {
			p := sig.Params().At(i)
			if !types.Identical(p.Type(), types.NewSlice(types.Typ[types.Byte])) || slices.Contains(destinations, p.Name()) {
				continue
			}
			before := s.Local("before")
			s.linef("%s := %s.Clone(%s)", before, s.Use("bytes"), s.Args[i].Expr)
			checks = append(checks, func() {
				s.reports(fmt.Sprintf("!%s.Equal(%s, %s)", s.Use("bytes"), before, s.Args[i].Expr), fmt.Sprintf("%s changes its argument, which was %%q", format), append(slices.Clone(shown), before)...)
			})
		}
		if len(checks) == 0 {
			continue
		}
		s.linef("%s", call(fn, s.exprs()))
		for _, check := range checks {
			check()
		}
		all = append(all, Family{s.property(Untouched, fn.Name()+"Untouched", fmt.Sprintf("%s leaves its argument as it is.", fn.Name()), true, fn)})
	}
	return all
}

// zeroOnError: with an error, the other results are zero values.
func zeroOnError(a *api) (all []Family) {
	for _, fn := range a.callable() {
		sig := fn.Signature()
		last := sig.Results().Len() - 1
		if last < 1 || !isError(sig.Results().At(last).Type()) {
			continue
		}
		s := a.of(fn)
		if s == nil {
			continue
		}
		names, conds, verbs := make([]string, last+1), []string(nil), []string(nil)
		for i := range last {
			names[i] = "_"
			if zero := s.zero(sig.Results().At(i).Type()); zero != "" {
				names[i] = s.Local("got")
				conds, verbs = append(conds, names[i]+" != "+zero), append(verbs, "%v")
			}
		}
		if len(conds) == 0 {
			continue
		}
		names[last] = "err"
		s.linef("%s := %s", strings.Join(names, ", "), call(fn, s.exprs()))
		format, shown := s.shown(fn, s.Args)
		cond := strings.Join(conds, " || ")
		if len(conds) > 1 {
			cond = "(" + cond + ")"
		}
		values := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "_" })
		s.reports("err != nil && "+cond, format+" = "+strings.Join(verbs, ", ")+", with the error %v", append(slices.Clone(shown), values...)...)
		all = append(all, Family{s.property(ZeroOnError, camel(fn)+"ZeroOnError", fmt.Sprintf("%s returns nothing but zero values with an error.", short(fn)), true, fn)})
	}
	return all
}

// zero is the zero value of a type as source, for ==; "": there is none.
func (s *sketch) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature, *types.Chan:
		return "nil"
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Struct, *types.Array:
		if types.Comparable(t) && named(t) != nil {
			return "(" + s.TypeName(t) + "{})"
		}
	}
	return ""
}

// bounded: an index is a place in the text, and a count is not negative.
func bounded(a *api) (all []Family) {
	for _, fn := range a.callable() {
		sig := fn.Signature()
		if sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) || sig.Recv() != nil && pointed(fn) && sig.Params().Len() > 0 {
			continue
		}
		_, index := afterVerb(fn.Name(), "Index", "LastIndex")
		_, count := afterVerb(fn.Name(), "Count", "Len", "Num", "Width", "Length")
		count = count || strings.HasSuffix(fn.Name(), "Width") || strings.HasSuffix(fn.Name(), "Count") || strings.HasSuffix(fn.Name(), "Len")
		if !index && !count {
			continue
		}
		s := a.of(fn)
		if s == nil {
			continue
		}
		at := -1
		for i, p := range s.Args {
			if v := i - (len(s.Args) - sig.Params().Len()); at < 0 && v >= 0 && isText(sig.Params().At(v).Type()) && p.Expr != "" {
				at = i
			}
		}
		got := s.Local("got")
		format, shown := s.shown(fn, s.Args)
		cond, sentence := got+" < 0", "%s is not negative."
		if index {
			if at < 0 {
				continue
			}
			cond, sentence = fmt.Sprintf("%s < -1 || %[1]s > len(%s)", got, s.Args[at].Expr), "%s returns a place in its argument, or -1."
		}
		s.linef("%s := %s", got, call(fn, s.exprs()))
		s.reports(cond, format+" = %d", append(slices.Clone(shown), got)...)
		all = append(all, Family{s.property(Bounds, camel(fn)+"Bounds", fmt.Sprintf(sentence, short(fn)), true, fn)})
	}
	return all
}
