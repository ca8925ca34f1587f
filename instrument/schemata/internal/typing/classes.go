package typing

import (
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// EachTerm calls yield for the types a type may stand for: the terms of a type
// parameter's constraint, or t itself. It returns false if yield did, or if a
// type parameter is not limited to a list of types.
func EachTerm(t types.Type, yield func(types.Type) bool) bool {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return yield(t)
	}
	return eachEmbedded(tp.Constraint(), yield)
}

// eachEmbedded does it for a constraint. An intersection of several lists is
// taken for its first: every type in it is in that one.
func eachEmbedded(t types.Type, yield func(types.Type) bool) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return yield(t)
	}
	for i := range iface.NumEmbeddeds() {
		switch e := types.Unalias(iface.EmbeddedType(i)).(type) {
		case *types.Union:
			for j := range e.Len() {
				if !eachEmbedded(e.Term(j).Type(), yield) {
					return false
				}
			}
			return true
		default:
			if inner, ok := e.Underlying().(*types.Interface); ok && inner.IsMethodSet() {
				continue // methods only, or comparable
			}
			return eachEmbedded(e, yield)
		}
	}
	return false
}

// ClassOf returns the operations a type has.
func ClassOf(t types.Type) operator.Class {
	if t == nil {
		return operator.Other
	}
	class, mixed := operator.Other, false
	ok := EachTerm(t, func(t types.Type) bool {
		c := basicClass(t)
		switch {
		case class == operator.Other:
			class = c
		case class != c:
			if !Numeric(class) || !Numeric(c) {
				return false
			}
			mixed = true
		}
		return c != operator.Other
	})
	switch {
	case !ok:
		return operator.Other
	case mixed:
		return operator.Number
	}
	return class
}

// Numeric says whether values of a class are numbers.
func Numeric(c operator.Class) bool { return c == operator.Integer || c == operator.Number }

func basicClass(t types.Type) operator.Class {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return operator.Other
	}
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		return operator.Integer
	case info&types.IsNumeric != 0:
		return operator.Number
	case info&types.IsString != 0:
		return operator.String
	case info&types.IsBoolean != 0:
		return operator.Bool
	}
	return operator.Other
}

// IsOrdered says whether all values of a type can be compared with <.
func IsOrdered(t types.Type) bool {
	return t != nil && EachTerm(t, func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsOrdered != 0
	})
}

// Core returns the underlying type that all types t may stand for share, or nil.
func Core(t types.Type) types.Type {
	var u types.Type
	EachTerm(t, func(t types.Type) bool {
		if u == nil {
			u = t.Underlying()
		}
		return true
	})
	return u
}

// IsTypeParam says whether a type is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// IsPointer says whether the underlying type is a pointer.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsMap says whether all types that a type may stand for are maps.
func IsMap(t types.Type) bool {
	_, ok := Core(t).(*types.Map)
	return ok
}

// PlainBool says whether t is bool, or untyped bool, and no named type.
func PlainBool(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// IsError says whether a type is error.
func IsError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// ImplementsError says whether a type has the methods of error.
func ImplementsError(t types.Type) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return t != nil && !IsTypeParam(t) && types.Implements(t, iface)
}

// IsContext says whether a type is context.Context.
func IsContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// HasPointers says whether values of a type may point to memory: a function that
// does one thing more with them makes the compiler move that memory to the heap,
// for all mutants of the function and for the original.
func HasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return HasPointers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if HasPointers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return ClassOf(t) != operator.Integer && ClassOf(t) != operator.Number
}

// HoldsInterface says whether values of a type may have an interface in them, outside of
// what they point to.
func HoldsInterface(t types.Type) bool {
	if IsTypeParam(t) {
		found, terms := false, 0
		ok := EachTerm(t, func(t types.Type) bool {
			terms++
			found = found || HoldsInterface(t)
			return true
		})
		return found || !ok || terms == 0
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return HoldsInterface(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if HoldsInterface(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// IsPackageLevel says whether an object is declared outside of functions.
func IsPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// KindOf returns the kind of the values of a type, if all that the type may stand
// for are of one.
func KindOf(t types.Type) int {
	kind, first := codes.Unknown, true
	ok := EachTerm(t, func(t types.Type) bool {
		k := basicKind(t)
		same := first || k == kind
		kind, first = k, false
		return same
	})
	if !ok {
		return codes.Unknown
	}
	return kind
}

func basicKind(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return codes.Unknown
	}
	switch info := b.Info(); {
	case info&types.IsUnsigned != 0:
		return codes.Unsigned
	case info&types.IsInteger != 0:
		return codes.Signed
	case info&types.IsFloat != 0:
		return codes.Float
	case info&types.IsString != 0:
		return codes.Text
	}
	return codes.Unknown
}

// Dereferences says whether a selection uses what a pointer points to: all but that of a
// method that takes the pointer itself.
func Dereferences(sel *types.Selection) bool {
	if !IsPointer(sel.Recv()) {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	return !ok || len(sel.Index()) > 1 || !IsPointer(fn.Signature().Recv().Type())
}
