package typing_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

func TestRepresentable(t *testing.T) {
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	zero := constant.MakeInt64(0)
	for _, c := range []struct {
		about string
		v     constant.Value
		typ   types.Type
		old   constant.Value
		want  bool
	}{
		{"the greatest int8", constant.MakeInt64(127), basic(types.Int8), zero, true},
		{"one more", constant.MakeInt64(128), basic(types.Int8), zero, false},
		{"the least int8", constant.MakeInt64(-128), basic(types.Int8), zero, true},
		{"one less", constant.MakeInt64(-129), basic(types.Int8), zero, false},
		{"below zero in uint16", constant.MakeInt64(-1), basic(types.Uint16), zero, false},
		{"the greatest uint16", constant.MakeInt64(1<<16 - 1), basic(types.Uint16), zero, true},
		{"the greatest uint64", constant.MakeUint64(math.MaxUint64), basic(types.Uint64), zero, true},
		{"the greatest int64 and one", constant.MakeUint64(math.MaxInt64 + 1), basic(types.Int64), zero, false},
		{"an int of 32 bits", constant.MakeInt64(math.MaxInt32), basic(types.Int), zero, true},
		{"too large for a machine of 32 bits", constant.MakeInt64(math.MaxInt32 + 1), basic(types.Int), zero, false},
		{"unless the old value is", constant.MakeInt64(math.MaxInt32 + 2), basic(types.Int), constant.MakeInt64(math.MaxInt32 + 1), true},
		{"the least int of 32 bits", constant.MakeInt64(math.MinInt32), basic(types.Int), zero, true},
		{"one less than it", constant.MakeInt64(math.MinInt32 - 1), basic(types.Int), zero, false},
		{"an uint of 32 bits", constant.MakeInt64(math.MaxUint32), basic(types.Uint), zero, true},
		{"too large an uint", constant.MakeInt64(math.MaxUint32 + 1), basic(types.Uint), zero, false},
		{"a whole number written as a fraction", constant.MakeFloat64(3), basic(types.Int8), zero, true},
		{"a fraction", constant.MakeFloat64(0.5), basic(types.Int8), zero, false},
		{"a fraction in float32", constant.MakeFloat64(0.5), basic(types.Float32), zero, true},
		{"too large for float32", constant.MakeFloat64(1e300), basic(types.Float32), zero, false},
		{"in float64", constant.MakeFloat64(1e300), basic(types.Float64), zero, true},
		{"too large for float64", constant.BinaryOp(constant.MakeFloat64(1e300), token.MUL, constant.MakeFloat64(1e300)), basic(types.Float64), zero, false},
		{"complex numbers are left alone", zero, basic(types.Complex128), zero, false},
		{"a string", constant.MakeString("a"), basic(types.String), constant.MakeString(""), true},
		{"a number as a string", zero, basic(types.String), constant.MakeString(""), false},
		{"a boolean", constant.MakeBool(true), basic(types.Bool), constant.MakeBool(false), true},
		{"an interface", zero, types.NewInterfaceType(nil, nil), zero, false},
	} {
		if got := typing.Representable(c.v, c.typ, c.old); got != c.want {
			t.Errorf("%s: %t", c.about, got)
		}
	}
}

func TestRepresentableByAllTerms(t *testing.T) {
	for _, c := range []struct {
		constraint string
		v          int64
		want       bool
	}{
		{"~int | ~int8", 127, true},
		{"~int | ~int8", 128, false},
		{"~int | ~float64", 128, true},
		{"~int8 | ~uint8", -1, false},
		{"any", 0, false},
	} {
		typ := typed(t, "T", c.constraint)
		if got := typing.Representable(constant.MakeInt64(c.v), typ, constant.MakeInt64(0)); got != c.want {
			t.Errorf("%d for %s: %t", c.v, c.constraint, got)
		}
	}
}

// value checks a declaration of a variable and returns its value.
func value(t *testing.T, e, more string) (*typing.Info, ast.Expr) {
	t.Helper()
	s := checked.Text(t, `import ("unsafe"; "errors"; "fmt"); var _ unsafe.Pointer; var _ = errors.New; var _ = fmt.Sprint
const (untyped = 3; half = 0.5; typed uint8 = 4; text = "abc"; on = true)
type own int
var (n int; u uint; m map[string]int; sl []int; arr [3]int; ptr *[4]int; str string; ch chan int; c, d bool; fn func(); err error; any2 any; pair struct{ a, b int })
func two() (int, int); func iter(func(int) bool)
`+more+`
var it = `+e)
	spec := s.Src.Syntax.Decls[len(s.Src.Syntax.Decls)-1].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	return s.Info, spec.Values[0]
}

func TestIsTypedConst(t *testing.T) {
	for e, want := range map[string]bool{
		`1`: false, `'a'`: false, `untyped`: false, `typed`: true, `(typed)`: true, `-untyped`: false, `^typed`: true,
		`untyped + 1`: false, `typed + 1`: true, `1 + typed`: true, `1 << untyped`: false, `typed << 1`: true,
		`1 << typed`: false, `typed < 5`: false, `own(3)`: true, `len("abc")`: true, `unsafe.Sizeof(n)`: true,
	} {
		if info, e2 := value(t, e, ""); info.IsTypedConst(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestHasUntypedShift(t *testing.T) {
	for e, want := range map[string]bool{
		`1 << u`: true, `1 << untyped`: false, `n << u`: false, `n + 1<<u`: true, `n + (1 << u)`: true,
		`uint64(1) << u`: true, // coarse: a typed constant is taken for one
		`1 >> u`:         true, `n`: false, `func() int { return 1 << u }()`: true,
	} {
		if info, e2 := value(t, e, ""); info.HasUntypedShift(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
	info, e := value(t, `1 << u`, "")
	if info.HasUntypedShift() || !info.HasUntypedShift(&ast.Ident{}, e) {
		t.Error("one of several expressions counts, none does not")
	}
}

func TestUntypedDefault(t *testing.T) {
	for e, want := range map[string]types.BasicKind{
		`1 << untyped`: types.Int, `2.0`: types.Float64, `untyped`: types.Int, `half`: types.Float64, `untyped + half`: types.Float64,
		`typed`: types.Uint8, `typed + 1`: types.Uint8, `3 + 0i`: types.Float64,
	} {
		if info, e2 := value(t, e, ""); info.UntypedDefault(e2) != types.Type(types.Typ[want]) {
			t.Errorf("%s: %v", e, info.UntypedDefault(e2))
		}
	}
}

func TestEndsInConstant(t *testing.T) {
	for e, want := range map[string]bool{
		`3`: true, `untyped`: true, `n + 1`: true, `n - untyped`: true, `(n + 1)`: true, `1 + n`: false, `n * 2`: false, `n`: false, `n + u2`: false,
	} {
		if info, e2 := value(t, e, "var u2 int"); info.EndsInConstant(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestDecided(t *testing.T) {
	for e, want := range map[string]string{
		`on`: "true", `!on`: "false", `c`: "", `!c`: "", `on || c`: "true", `c || on`: "true", `on && c`: "",
		`!on && c`: "false", `c && !on`: "false", `(c && d) && !on`: "false", `!(c || on)`: "false", `n > 3`: "",
		`c || d`: "", `1 > 2`: "false", `!on || c`: "",
	} {
		got := ""
		info, e2 := value(t, e, "")
		if v, known := info.Decided(e2); known {
			got = map[bool]string{true: "true", false: "false"}[v]
		}
		if got != want {
			t.Errorf("%s is %q, want %q", e, got, want)
		}
	}
}

func TestIsZero(t *testing.T) {
	for _, c := range []struct {
		e, typ string
		want   bool
	}{
		{`0`, "int", true},
		{`untyped - 3`, "int", true},
		{`1`, "int", false},
		{`0.0`, "float64", true},
		{`""`, "string", true},
		{`"a"`, "string", false},
		{`n`, "int", false},
		{`false`, "bool", false}, // the operators for booleans have it
		{`nil`, "[]int", true},
		{`[]int{}`, "[]int", false},
		{`[3]int{}`, "[3]int", true},
		{`([3]int{})`, "[3]int", true},
		{`[3]int{1}`, "[3]int", false},
		{`struct{ a, b int }{}`, "struct{ a, b int }", true},
		{`struct{ a int; s string; ok bool }{s: "", ok: false}`, "struct{ a int; s string; ok bool }", true},
		{`struct{ a int; s string; ok bool }{0, "", false}`, "struct{ a int; s string; ok bool }", true},
		{`struct{ a int; s string; ok bool }{ok: true}`, "struct{ a int; s string; ok bool }", false},
		{`struct{ a int; s string; ok bool }{n, "", false}`, "struct{ a int; s string; ok bool }", false},
		{`struct{ x any; e error; l []int }{nil, nil, nil}`, "struct{ x any; e error; l []int }", true},
		{`struct{ x any }{0}`, "struct{ x any }", false},
		{`struct{ x any }{x: false}`, "struct{ x any }", false},
		{`struct{ l []int }{l: []int{}}`, "struct{ l []int }", false},
		{`struct{ p struct{ q int } }{p: struct{ q int }{q: 0}}`, "struct{ p struct{ q int } }", true},
		{`[2]struct{ q int }{1: {}}`, "[2]struct{ q int }", true},
		{`[2]*struct{ q int }{1: {}}`, "[2]*struct{ q int }", false},
		{`[3]bool{false, false}`, "[3]bool", true},
		{`[3]int{2: 0, 1: 4}`, "[3]int", false},
		{`[]struct{}{{}}`, "[]struct{}", false},
		{`nil`, "any", true},
		{`0`, "any", false}, // an interface that holds 0
		{`[3]int{}`, "any", false},
	} {
		s := checked.Text(t, `const untyped = 3; var n int; func f() { var it `+c.typ+` = `+c.e+`; _ = it }`)
		spec := checked.First[*ast.ValueSpec](s, "it")
		if got := s.Info.IsZero(spec.Values[0], s.Object("it").Type()); got != c.want {
			t.Errorf("%s as %s: %t", c.e, c.typ, got)
		}
	}
}

// A type parameter's zero value is one of the type it stands for.
func TestIsZeroOfTypeParameters(t *testing.T) {
	s := checked.Text(t, `func f[T ~int](x T) { x = 0; x = 1 }`)
	for text, want := range map[string]bool{"0": true, "1": false} {
		if got := s.Info.IsZero(s.FirstExpr(text), s.Object("x").Type()); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestIsChar(t *testing.T) {
	for e, want := range map[string]bool{`'a'`: true, `('a')`: true, `97`: false, `"a"`: false, `'a' + 1`: false} {
		if _, e2 := value(t, e, ""); typing.IsChar(e2) != want {
			t.Errorf("%s: %t", e, !want)
		}
	}
}

func TestValueOfNothing(t *testing.T) {
	info, e := value(t, `3`, "")
	if info.Value(nil) != nil {
		t.Error("no expression has a value")
	}
	if v := info.Value(e); v == nil || !constant.Compare(v, token.EQL, constant.MakeInt64(3)) {
		t.Errorf("%v", v)
	}
	if !info.AllConstant(nil) || !info.AllConstant([]ast.Expr{e, e}) || info.AllConstant([]ast.Expr{e, &ast.Ident{}}) {
		t.Error("all are constant, or are not")
	}
}

func TestIsDefaultType(t *testing.T) {
	for k, want := range map[types.BasicKind]bool{
		types.Int: true, types.Float64: true, types.String: true, types.Bool: true,
		types.Int32: false, types.Uint8: false, types.Float32: false, types.Complex128: false,
	} {
		if typing.IsDefaultType(types.Typ[k]) != want {
			t.Errorf("%v: %t", types.Typ[k], !want)
		}
	}
	if typing.IsDefaultType(typed(t, "own", "")) {
		t.Error("a named type is no default")
	}
}
