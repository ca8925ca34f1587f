package literals

import "go/types"

// Verb is how Printf shows a value of a type whose values are compared as a whole, so that two that differ do not look
// the same: fmt shows what a method String, Error or Format says in place of the value, and that may leave out what
// differs. Numbers have both. Each verb takes the value.
func Verb(t types.Type) string {
	if !hides(t, true, nil) {
		return "%+v"
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsInteger != 0:
			return "%v (%d)"
		case b.Info()&types.IsFloat != 0:
			return "%v (%g)"
		}
		return "%v (%#v)"
	}
	return "%#v"
}

// PartsVerb is Verb for the parts of values, which are of any type.
func PartsVerb(cases [][]Part) string {
	for _, list := range cases {
		for _, p := range list {
			if p.hides {
				return "%+v (%#v)"
			}
		}
	}
	return "%+v"
}

// hides says whether fmt calls a method of a value, or of something in it, to show it. It follows pointers of the value
// itself alone, and calls no methods of fields that are not exported.
func hides(t types.Type, outer bool, within []types.Type) bool {
	if says(t) {
		return true
	}
	for _, o := range within {
		if types.Identical(o, t) {
			return false
		}
	}
	within = append(within, t)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return outer && hides(u.Elem(), false, within)
	case *types.Slice:
		return hides(u.Elem(), false, within)
	case *types.Array:
		return hides(u.Elem(), false, within)
	case *types.Map:
		return hides(u.Key(), false, within) || hides(u.Elem(), false, within)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && hides(f.Type(), false, within) {
				return true
			}
		}
	}
	return false
}

// says says whether a type has a method that fmt shows a value by.
func says(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"String", "Error"} {
		if m := methods.Lookup(nil, name); m != nil {
			sig, ok := m.Type().(*types.Signature)
			if ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]) {
				return true
			}
		}
	}
	m := methods.Lookup(nil, "Format")
	if m == nil {
		return false
	}
	sig, ok := m.Type().(*types.Signature)
	return ok && sig.Params().Len() == 2 && sig.Params().At(0).Type().String() == "fmt.State" && sig.Results().Len() == 0
}
