package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// getters: a method returns what the constructor was given by that name, or of that type.
func getters(a *api) (all []Family) {
	for _, fn := range a.funcs {
		sig := fn.Signature()
		if sig.Params().Len() == 0 || !valued(sig.Results()) {
			continue
		}
		n := named(sig.Results().At(0).Type())
		if n == nil || n.Obj().Pkg() != a.pkg {
			continue
		}
		for i := range sig.Params().Len() {
			if m := a.getter(fn, n, i); m != nil {
				all = append(all, a.gets(fn, m, i))
			}
		}
	}
	return slices.DeleteFunc(all, func(f Family) bool { return len(f) == 0 })
}

// constructing are beginnings of names of functions that make a value of its parts.
var constructing = []string{"New", "From", "Make", "Of", "Build", "Create", "Compose"}

// getter is the method that returns a parameter of a constructor: the one that is named after it, or the
// only one of its type if no other parameter is of that type and the type has a name; nil: there is none.
func (a *api) getter(fn *types.Func, n *types.Named, at int) *types.Func {
	p := fn.Signature().Params().At(at)
	if m := a.unwraps(fn, n); m != nil {
		return m
	}
	_, constructs := afterVerb(strings.TrimPrefix(fn.Name(), n.Obj().Name()), constructing...)
	if !constructs {
		return nil
	}
	var list []*types.Func
	for _, m := range a.methods[n.Obj().Name()] {
		res := m.Signature().Results()
		if m.Signature().Params().Len() != 0 || res.Len() != 1 || !types.Identical(res.At(0).Type(), p.Type()) {
			continue
		}
		if strings.EqualFold(m.Name(), p.Name()) || strings.EqualFold(m.Name(), "Get"+p.Name()) {
			return m
		}
		list = append(list, m)
	}
	same := 0
	for other := range fn.Signature().Params().Variables() {
		if types.Identical(other.Type(), p.Type()) {
			same++
		}
	}
	if _, declared := types.Unalias(p.Type()).(*types.Named); !declared || same > 1 || len(list) != 1 || named(p.Type()) == n {
		return nil
	}
	return list[0]
}

// unwraps is the method that returns the only parameter of a function, and has its name: List and List,
// NewInt and AsInt, StringValue and String; nil: there is none.
func (a *api) unwraps(fn *types.Func, n *types.Named) *types.Func {
	stem := strings.TrimPrefix(fn.Name(), "New")
	for _, end := range []string{"Value", "Val", n.Obj().Name()} {
		stem = strings.TrimSuffix(stem, end)
	}
	if stem == "" || fn.Signature().Params().Len() != 1 {
		return nil
	}
	for _, name := range []string{stem, "As" + stem, "Get" + stem, "To" + stem} {
		m := a.method(n, name)
		if m != nil && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1 && types.Identical(m.Signature().Results().At(0).Type(), fn.Signature().Params().At(0).Type()) {
			return m
		}
	}
	return nil
}

// gets compares what a method returns with what the constructor was given.
func (a *api) gets(fn, m *types.Func, at int) Family {
	sig := fn.Signature()
	return a.variants(func() *sketch { return a.of(fn) }, sig.Params().At(at).Type(), func(s *sketch, e equality) *Property {
		v, want, got := s.Local("v"), s.Local("want"), s.Local("got")
		args := s.exprs()
		s.linef("%s := %s", want, args[at])
		args[at] = want
		s.bind(v, call(fn, args), sig.Results(), "return")
		s.linef("%s := %s.%s()", got, v, m.Name())
		format, shown := s.shown(fn, s.Args)
		s.reports(s.condition(e, got, want), fmt.Sprintf("%s.%s() = %s", format, m.Name(), e.verb), append(slices.Clone(shown), got)...)
		return s.property(Agreement, fn.Name()+"Gives"+m.Name(), fmt.Sprintf("%s of what %s returns is what it was given.", short(m), short(fn)), true, fn, m)
	})
}
