package properties

import (
	"fmt"
	"go/types"
	"slices"
)

// commuting are names of functions whose two values may change places.
var commuting = []string{
	"Add", "Plus", "Sum", "Mul", "Multiply", "Times", "Product", "Min", "Max", "And", "Or", "Xor", "Union", "Intersect", "Intersection", "SymmetricDifference",
	"GCD", "Gcd", "LCM", "Lcm", "Distance", "Dot",
}

// undoing are functions of two values with those that take back what they do, stepping are those of one value,
// and mirroring are those that take themselves back.
var (
	undoing   = map[string]string{"Add": "Sub", "Sub": "Add", "Plus": "Minus", "Minus": "Plus"}
	stepping  = map[string]string{"Next": "Prev", "Prev": "Next", "Succ": "Pred", "Pred": "Succ", "Inc": "Dec", "Dec": "Inc", "Increment": "Decrement", "Decrement": "Increment", "Previous": "Next"}
	mirroring = []string{"Neg", "Negate", "Negated", "Opposite", "Invert", "Inverse", "Not", "Conj", "Conjugate", "Transpose", "Flip", "Mirror", "Reverse", "Reversed"}
)

// algebraic: two values may change places, one function takes back what another does, and one
// takes back what it has done itself. The values are neither pointers nor lists, which a function
// may change, nor floating-point numbers.
func algebraic(a *api) (all []Family) {
	for _, fn := range a.callable() {
		params, t := a.closed(fn)
		switch {
		case t == nil:
		case len(params) == 2 && slices.Contains(commuting, fn.Name()):
			all = append(all, a.commutes(fn, params))
		case len(params) == 1 && slices.Contains(mirroring, fn.Name()):
			all = append(all, a.takesBack(fn, fn, params, t))
		}
		if back := a.sibling(fn, stepping[fn.Name()]); t != nil && len(params) == 1 && back != nil {
			if other, same := a.closed(back); len(other) == 1 && same != nil && types.Identical(same, t) {
				all = append(all, a.takesBack(fn, back, params, t))
			}
		}
		if back := a.sibling(fn, undoing[fn.Name()]); t != nil && len(params) == 2 && back != nil {
			if other, same := a.closed(back); len(other) == 2 && same != nil && types.Identical(same, t) {
				all = append(all, a.takesBack(fn, back, params, t))
			}
		}
	}
	return slices.DeleteFunc(all, func(f Family) bool { return len(f) == 0 })
}

// closed lists what a call of a function needs, if these are values of one type, and that type if
// the function returns such a value as well; nil: it does not.
func (a *api) closed(fn *types.Func) (params []*types.Var, t types.Type) {
	sig := fn.Signature()
	params, ok := a.params(fn)
	if !ok || len(params) == 0 || sig.Results().Len() != 1 {
		return nil, nil
	}
	if recv := sig.Recv(); recv != nil {
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); pointer {
			return nil, nil
		}
	}
	for _, p := range params {
		if !types.Identical(p.Type(), params[0].Type()) || !plainValue(p.Type()) {
			return nil, nil
		}
	}
	if res := sig.Results().At(0).Type(); types.Identical(res, params[0].Type()) || len(params) == 2 && plainValue(res) {
		return params, res
	}
	return nil, nil
}

// plainValue says whether nothing can change a value of a type that a function is given, and two
// of them that are equal are the same.
func plainValue(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) == 0
	case *types.Struct:
		for f := range u.Fields() {
			if b, ok := f.Type().Underlying().(*types.Basic); ok && b.Info()&(types.IsFloat|types.IsComplex) != 0 {
				return false
			}
		}
		return true
	}
	_, array := t.Underlying().(*types.Array)
	return array
}

// sibling is a method of the same type, or a function, with a name; nil: there is none.
func (a *api) sibling(fn *types.Func, name string) *types.Func {
	list := a.funcs
	if recv := fn.Signature().Recv(); recv != nil {
		list = a.methods[named(recv.Type()).Obj().Name()]
	}
	if at := slices.IndexFunc(list, func(other *types.Func) bool { return other.Name() == name }); at >= 0 {
		return list[at]
	}
	return nil
}

// commutes: what a function returns is the same if its values change places.
func (a *api) commutes(fn *types.Func, params []*types.Var) Family {
	two := []*types.Var{param("x", params[0].Type()), param("y", params[0].Type())}
	res := fn.Signature().Results()
	return a.variants(func() *sketch { return a.sketch(two, nil) }, res.At(0).Type(), func(s *sketch, e equality) *Property {
		one, other := s.Local("one"), s.Local("other")
		x, y := s.Args[0], s.Args[1]
		s.linef("%s := %s", one, says(fn, x, y))
		s.linef("%s := %s", other, says(fn, y, x))
		format, shown := s.shown(fn, s.Args)
		s.reports(s.condition(e, one, other), fmt.Sprintf("%s = %s, and the other way round %[2]s", format, e.verb), append(shown, one, other)...)
		return s.property(Algebra, camel(fn)+"Commutes", fmt.Sprintf("%s returns the same if its two values change places.", short(fn)), false, fn)
	})
}

// takesBack: a function makes of what another has returned what that was given.
func (a *api) takesBack(fn, back *types.Func, params []*types.Var, t types.Type) Family {
	if !types.Identical(params[0].Type(), t) {
		return nil
	}
	values := []*types.Var{param("x", t), param("y", t)}[:len(params)]
	return a.variants(func() *sketch { return a.sketch(values, nil) }, t, func(s *sketch, e equality) *Property {
		was, got := s.Local("was"), s.Local("got")
		s.linef("%s := %s", was, s.Args[0].Expr)
		args := s.exprs()
		args[0] = was
		args[0] = call(fn, args)
		s.linef("%s := %s", got, call(back, args))
		format, shown := s.shown(fn, s.Args)
		name, sentence := camel(fn)+"TakenBack", fmt.Sprintf("%s takes back what %s does.", short(back), short(fn))
		if fn == back {
			name, sentence = camel(fn)+"TakesBack", fmt.Sprintf("%s takes back what it has done.", short(fn))
		}
		s.reports(s.condition(e, got, was), fmt.Sprintf("%s of %s = %s", back.Name(), format, e.verb), append(shown, got)...)
		fns := []*types.Func{fn, back}
		return s.property(Algebra, name, sentence, true, slices.Compact(fns)...)
	})
}
