package typing_test

import (
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

const declared = `
type num interface{ ~int | ~float64 }
type ints interface{ ~int | ~uint8 }
type both interface{ num; comparable }
type stringer interface{ ~string; String() string }
type mixed interface{ ~int | ~string }
type nested interface{ ints | ~string }
type bytesOrText interface{ ~[]byte | ~string }
type method interface{ String() string }
type own int
type flag bool
type fails struct{}
func (fails) Error() string { return "" }
type aliased = own
`

// typed returns the type of a parameter, in a function with a type parameter T.
func typed(t *testing.T, typ, constraint string) types.Type {
	t.Helper()
	if constraint == "" {
		constraint = "any"
	}
	return checked.Text(t, declared+`func f[T `+constraint+`](x `+typ+`, y T) { }`).Object("x").Type()
}

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		typ, constraint string
		want            operator.Class
		ordered         bool
		kind            int
	}{
		{"int", "", operator.Integer, true, codes.Signed},
		{"own", "", operator.Integer, true, codes.Signed},
		{"aliased", "", operator.Integer, true, codes.Signed},
		{"uint8", "", operator.Integer, true, codes.Unsigned},
		{"uintptr", "", operator.Integer, true, codes.Unsigned},
		{"float32", "", operator.Number, true, codes.Float},
		{"complex128", "", operator.Number, false, codes.Unknown},
		{"string", "", operator.String, true, codes.Text},
		{"bool", "", operator.Bool, false, codes.Unknown},
		{"flag", "", operator.Bool, false, codes.Unknown},
		{"[]int", "", operator.Other, false, codes.Unknown},
		{"any", "", operator.Other, false, codes.Unknown},
		{"T", "any", operator.Other, false, codes.Unknown},
		{"T", "comparable", operator.Other, false, codes.Unknown},
		{"T", "method", operator.Other, false, codes.Unknown},
		{"T", "ints", operator.Integer, true, codes.Unknown}, // of two kinds
		{"T", "~int | ~int8", operator.Integer, true, codes.Signed},
		{"T", "num", operator.Number, true, codes.Unknown},
		{"T", "both", operator.Number, true, codes.Unknown},
		{"T", "~float32 | ~complex64", operator.Number, false, codes.Unknown},
		{"T", "stringer", operator.String, true, codes.Text},
		{"T", "mixed", operator.Other, true, codes.Unknown}, // ordered, but of no class
		{"T", "nested", operator.Other, true, codes.Unknown},
		{"T", "~bool", operator.Bool, false, codes.Unknown},
		{"T", "int", operator.Integer, true, codes.Signed},
	} {
		typ := typed(t, c.typ, c.constraint)
		if got := typing.ClassOf(typ); got != c.want {
			t.Errorf("%s (%s) is of class %v, want %v", c.typ, c.constraint, got, c.want)
		}
		if got := typing.IsOrdered(typ); got != c.ordered {
			t.Errorf("%s (%s): ordered %t", c.typ, c.constraint, got)
		}
		if got := typing.KindOf(typ); got != c.kind {
			t.Errorf("%s (%s) is of kind %v, want %v", c.typ, c.constraint, got, c.kind)
		}
	}
	if typing.ClassOf(nil) != operator.Other || typing.IsOrdered(nil) {
		t.Error("no type has a class, or an order")
	}
}

func TestEachTerm(t *testing.T) {
	for _, c := range []struct {
		typ, constraint string
		terms           string
		listed          bool // the types are
	}{
		{"int", "", "int", true},
		{"T", "any", "", false},
		{"T", "method", "", false},
		{"T", "ints", "int uint8", true},
		{"T", "both", "int float64", true}, // with methods, or comparable, beside
		{"T", "stringer", "string", true},
		{"T", "nested", "int uint8 string", true},
		{"T", "interface{ ints; mixed }", "int uint8", true}, // the first of several lists
	} {
		var terms []string
		ok := typing.EachTerm(typed(t, c.typ, c.constraint), func(t types.Type) bool {
			terms = append(terms, t.String())
			return true
		})
		if got := strings.Join(terms, " "); got != c.terms || ok != c.listed {
			t.Errorf("%s (%s): %q, %t; want %q, %t", c.typ, c.constraint, got, ok, c.terms, c.listed)
		}
	}
}

func TestEachTermStops(t *testing.T) {
	n := 0
	ok := typing.EachTerm(typed(t, "T", "nested"), func(types.Type) bool {
		n++
		return n < 2
	})
	if ok || n != 2 {
		t.Errorf("%d terms, %t", n, ok)
	}
}

func TestPredicatesOfTypes(t *testing.T) {
	for _, c := range []struct {
		typ, constraint                                                       string
		param, pointer, isMap, plainBool, err, pointers, holdsInterface, fail bool
	}{
		{typ: "int"},
		{typ: "T", constraint: "ints", param: true},
		{typ: "T", param: true, pointers: true, holdsInterface: true}, // whatever it stands for
		{typ: "T", constraint: "comparable", param: true, pointers: true, holdsInterface: true},
		{typ: "T", constraint: "~[2]any | ~int", param: true, pointers: true, holdsInterface: true},
		{typ: "*int", pointer: true, pointers: true},
		{typ: "map[int]int", isMap: true, pointers: true},
		{typ: "T", constraint: "~map[string]int", param: true, isMap: true, pointers: true},
		{typ: "bool", plainBool: true},
		{typ: "flag"},
		{typ: "error", err: true, pointers: true, holdsInterface: true, fail: true},
		{typ: "fails", fail: true},
		{typ: "*fails", pointer: true, pointers: true, fail: true},
		{typ: "any", pointers: true, holdsInterface: true},
		{typ: "string", pointers: true},
		{typ: "struct{ a, b int }"},
		{typ: "struct{ a int; b string }", pointers: true},
		{typ: "struct{ a int; b any }", pointers: true, holdsInterface: true},
		{typ: "[2]int"},
		{typ: "[2]struct{ e error }", pointers: true, holdsInterface: true},
		{typ: "[]any", pointers: true}, // compared with nil alone
		{typ: "float64"},
		{typ: "func()", pointers: true},
	} {
		typ := typed(t, c.typ, c.constraint)
		for _, p := range []struct {
			name      string
			got, want bool
		}{
			{"type parameter", typing.IsTypeParam(typ), c.param},
			{"pointer", typing.IsPointer(typ), c.pointer},
			{"map", typing.IsMap(typ), c.isMap},
			{"plain bool", typing.PlainBool(typ), c.plainBool},
			{"error", typing.IsError(typ), c.err},
			{"has pointers", typing.HasPointers(typ), c.pointers},
			{"holds interface", typing.HoldsInterface(typ), c.holdsInterface},
			{"implements error", typing.ImplementsError(typ), c.fail},
		} {
			if p.got != p.want {
				t.Errorf("%s (%s): %s %t", c.typ, c.constraint, p.name, p.got)
			}
		}
	}
	if typing.ImplementsError(nil) {
		t.Error("no type implements error")
	}
	if !typing.PlainBool(types.Typ[types.UntypedBool]) {
		t.Error("the result of a comparison is a plain bool")
	}
}

func TestIsContext(t *testing.T) {
	s := checked.Text(t, `import ("context"; "go/build"); type Context interface{}; type alias = context.Context
func f(a context.Context, b Context, c build.Context, d alias, e *context.Context) { }`)
	for name, want := range map[string]bool{"a": true, "b": false, "c": false, "d": true, "e": false} {
		if got := typing.IsContext(s.Object(name).Type()); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestCore(t *testing.T) {
	for _, c := range []struct{ typ, constraint, want string }{
		{"own", "", "int"},
		{"T", "~[]byte | bytesOrText", "[]byte"},
		{"T", "any", ""},
		{"T", "ints", "int"}, // the first stands for all
		{"aliased", "", "int"},
	} {
		got := ""
		if u := typing.Core(typed(t, c.typ, c.constraint)); u != nil {
			got = u.String()
		}
		if got != c.want {
			t.Errorf("%s (%s): %q, want %q", c.typ, c.constraint, got, c.want)
		}
	}
}

func TestIsPackageLevel(t *testing.T) {
	s := checked.Text(t, `var top int; func f(param int) { local := 1; _ = local }; type s struct{ field int }`)
	for name, want := range map[string]bool{"top": true, "f": true, "s": true, "param": false, "local": false, "field": false} {
		if got := typing.IsPackageLevel(s.Object(name)); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if typing.IsPackageLevel(types.Universe.Lookup("true")) {
		t.Error("true is no package's")
	}
}
