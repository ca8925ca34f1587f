package target

import "go/types"

// Omits says whether a fuzz test for a function leaves out a last argument that a call may
// have any number of: nothing stands for its values. Functional options are the usual case. flat
// is as in Options: only what go test -fuzz knows is an input then.
func Omits(sig *types.Signature, flat bool) bool {
	elem := variadic(sig)
	if elem == nil {
		return false
	}
	if _, parameter := types.Unalias(elem).(*types.TypeParam); parameter {
		return false // a plain type takes its place
	}
	name, _ := native(elem)
	return name == "" && (flat || opaque(elem))
}

// given is how many arguments a fuzz test has values for.
func given(sig *types.Signature, flat bool) int {
	n := sig.Params().Len()
	if Omits(sig, flat) {
		n--
	}
	return n
}

// FormatAt is the place of the argument that go vet may take for a format, where a function hands it to package fmt
// with the values that follow; -1: there is none. go vet wants a constant that fits the values, or values.
func FormatAt(sig *types.Signature) int {
	elem, at := variadic(sig), sig.Params().Len()-2
	if elem == nil || at < 0 || !types.Identical(sig.Params().At(at).Type(), types.Typ[types.String]) {
		return -1
	}
	if values, ok := elem.Underlying().(*types.Interface); !ok || !values.Empty() {
		return -1
	}
	return at
}

// ParamAt is the type that an argument of a call has to have, one of those of a last parameter that takes any number
// included.
func ParamAt(sig *types.Signature, arg int) types.Type {
	if elem := variadic(sig); elem != nil && arg >= sig.Params().Len()-1 {
		return elem
	}
	return sig.Params().At(arg).Type()
}

// variadic is the type of the values that a call takes any number of; nil: it takes none.
func variadic(sig *types.Signature) types.Type {
	if !sig.Variadic() {
		return nil
	}
	s, ok := sig.Params().At(sig.Params().Len() - 1).Type().Underlying().(*types.Slice)
	if !ok {
		return nil // append's string
	}
	return s.Elem()
}

// opaque says whether no bytes stand for the values of a type: those of functions, of
// channels, and of interfaces that only functions of their package implement.
func opaque(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Pointer:
		return opaque(u.Elem())
	case *types.Interface:
		return sealed(t, u)
	}
	return false
}

// sealed says whether an interface with a name is implemented in its package by functions
// alone, as with options whose method applies them.
func sealed(t types.Type, iface *types.Interface) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || iface.NumMethods() == 0 {
		return false
	}
	found := false
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) || !types.Implements(types.NewPointer(tn.Type()), iface) {
			continue
		}
		if _, fn := tn.Type().Underlying().(*types.Signature); !fn {
			return false
		}
		found = true
	}
	return found
}
