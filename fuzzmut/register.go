package fuzzmut

import (
	"math/rand/v2"
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
)

// registry is what this process knows about types, as that of package encoding/gob:
// a type means the same for all tests.
var registry = derive.NewRegistry()

// must reports a mistake in registering, which is one of the program.
func must(err error) {
	if err != nil {
		panic("fuzzmut: " + err.Error())
	}
}

// Implementations says which types the values of the interface type I have: those of
// impls, whose own values do not matter. Only with nil among them is there a nil I.
// New ones belong at the end, to let inputs mean what they meant.
//
//	fuzzmut.Implementations[Expr](Number(0), &Sum{}, &Product{})
//
// The command fuzzmut -write-types finds them, and writes such calls to a test file.
//
// It panics if I is no interface or known already.
func Implementations[I any](impls ...I) {
	list := make([]any, len(impls))
	for i, v := range impls {
		list[i] = v
	}
	must(registry.Implementations(reflect.TypeFor[I](), list))
}

// Anything returns values of the types that an any holds in inputs, if nothing else is said: those
// of JSON, and of a few more that type switches have. So others can be added:
//
//	fuzzmut.Implementations[any](append(fuzzmut.Anything(), Config{}, new(Config))...)
func Anything() []any { return derive.Anything() }

// Values says that T has only these values, as a type with a list of constants has.
// It panics if T is known already.
func Values[T comparable](values ...T) {
	list := make([]reflect.Value, len(values))
	for i := range values {
		list[i] = reflect.ValueOf(&values[i]).Elem()
	}
	must(registry.Values(reflect.TypeFor[T](), list))
}

// Represent says that values of T are made from values of R by from, and that to
// returns an R that a T can be made from. An R that from makes the same T of as of
// another one is no problem. It is the way to values with invariants:
//
//	fuzzmut.Represent(NewSet, (*Set).Elements)
//
// It panics if T is known already.
func Represent[T, R any](from func(R) T, to func(T) R) {
	must(derive.Represent(registry, from, to))
}

// Generate says how values of T are drawn: with numbers up to about size, and as many
// parts. It panics if T is known already.
func Generate[T any](draw func(r *rand.Rand, size int) T) {
	must(derive.Generate(registry, draw))
}

// Mutate says how a value of T is changed to a similar one. It panics if T is known
// already. A method FuzzMutate(*rand.Rand) T does the same.
func Mutate[T any](change func(r *rand.Rand, v T) T) {
	must(derive.Mutate(registry, change))
}
