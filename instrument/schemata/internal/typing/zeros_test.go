package typing_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

const zeros = `package p

import ("errors"; "reflect")

type T struct{ n int; s string }

func (t *T) Set(n int) { t.n = n }
func (t T) Get() int { return t.n }

func empty[X any]() (x X) { return }
func named() (t T) { return t }
func declared[X any]() X { var x X; return x }
func literal() T { return T{} }
func nothing() error { return nil }
func (T) None() *T { return nil }
func one() int { return 1 }
func late() (n int) { defer func() { n = 1 }(); return 0 }
func given(t T) T { return t }
func shadowed() (t T) { var u T; u.n = 1; return u }
func wide() any { var t T; return t }
func two() (a, b T) { return }

var (
	invalid = reflect.Value{}
	none = T{}
	full = T{n: 1}
	set = T{}
	part = T{}
	taken = T{}
	called = T{}
	Known = T{}
	unset T
	failed = errors.New("a")
)

func change() { set = T{n: 1}; part.n++; _ = &taken; called.Set(1); none.Get() }

func f[X any]() { `

func TestZeros(t *testing.T) {
	for body, want := range map[string]bool{
		"_ = empty[int]()":           true,
		"_ = empty[X]()":             true,
		"_ = named()":                true,
		"_ = (declared[T]())":        true,
		"_ = literal()":              true,
		"_ = nothing()":              true,
		"_ = none.None()":            true,
		"_ = one()":                  false,
		"_ = late()":                 false,
		"_ = given(T{})":             false,
		"_ = shadowed()":             false,
		"_ = wide()":                 false, // a T in an interface
		"_ = invalid":                true,
		"_ = none":                   true,
		"_ = full":                   false,
		"_ = set":                    false,
		"_ = part":                   false,
		"_ = taken":                  false,
		"_ = called":                 false,
		"_ = Known":                  false,
		"_ = unset":                  false,
		"_ = failed":                 false,
		"var e any = invalid; _ = e": false,
	} {
		s := checked.File(t, zeros+body+" }")
		s.Info.FindZeros([]*ast.File{s.Src.Syntax})
		fn := s.Src.Syntax.Decls[len(s.Src.Syntax.Decls)-1].(*ast.FuncDecl)
		a := fn.Body.List[len(fn.Body.List)-1].(*ast.AssignStmt)
		if got := s.Info.IsZero(a.Rhs[0], s.Info.TypeOf(a.Rhs[0])); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
