package typing_test

import (
	"go/ast"
	"go/constant"
	"go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

const declarations = `
import (
	"errors"
	"fmt"
)

type (
	number interface{ ~int | ~float64 }
	text   interface{ ~string | ~[]byte }
	words  []string
	pair   struct{ a, b int }
)

const (
	limit = 7
	debug = false
	small int8 = 3
)

var (
	n     int
	u     uint8
	f     float64
	s     string
	b     bool
	list  words
	array [4]int
	m     map[string]int
	p     *pair
	c     chan int
	err   = errors.New("x")
)

func of[N number, T text](x N, y T) { _, _ = x, y; _ = len(y) }

func use(...any) {}

var _ = fmt.Errorf
`

func code(t *testing.T, statements string) *checked.Code {
	t.Helper()
	return checked.Body(t, declarations, statements)
}

func TestClassAndKind(t *testing.T) {
	c := code(t, "use(n, u, f, s, b, list, p)\n_ = 1i")
	tests := []struct {
		expr  string
		class operator.Class
		kind  int
	}{
		{"n", operator.Integer, codes.Signed},
		{"u", operator.Integer, codes.Unsigned},
		{"f", operator.Number, codes.Float},
		{"s", operator.String, codes.Text},
		{"b", operator.Bool, codes.Unknown},
		{"list", operator.Other, codes.Unknown},
		{"1i", operator.Number, codes.Unknown},
		{"x", operator.Number, codes.Unknown}, // of several kinds
		{"y", operator.Other, codes.Unknown},
	}
	for _, tt := range tests {
		typ := c.Info.TypeOf(c.Expr(tt.expr))
		if got := typing.ClassOf(typ); got != tt.class {
			t.Errorf("class of %s is %v, want %v", tt.expr, got, tt.class)
		}
		if got := typing.KindOf(typ); got != tt.kind {
			t.Errorf("kind of %s is %v, want %v", tt.expr, got, tt.kind)
		}
	}
}

func TestDecided(t *testing.T) {
	for expr, want := range map[string][2]bool{ // value, known
		"debug": {false, true}, "!debug": {true, true}, "debug && b": {false, true}, "b && debug": {false, true},
		"!debug || b": {true, true}, "(!debug) || n > 3": {true, true}, "debug || b": {false, false}, "n > 3": {false, false},
	} {
		c := code(t, "use("+expr+")")
		if value, known := c.Info.Decided(c.Expr(expr)); value != want[0] || known != want[1] {
			t.Errorf("%s: %v, %v", expr, value, known)
		}
	}
}

func TestIsZero(t *testing.T) {
	for expr, want := range map[string]bool{
		"0": true, `""`: true, "pair{}": true, "[2]int{}": true, "0.0": true, "limit - 7": true,
		"1": false, `"a"`: false, "pair{a: 1}": false, "words{}": false, "n": false,
	} {
		c := code(t, "use("+expr+")")
		e := c.Expr(expr)
		if got := c.Info.IsZero(e, types.Default(c.Info.TypeOf(e))); got != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
}

func TestLengthOfAnOperand(t *testing.T) {
	c := code(t, `use(array, list, "abc", &array, s)`)
	for expr, want := range map[string]int64{"array": 4, "list": -1, `"abc"`: 3, "&array": 4, "s": -1} {
		if got := c.Info.Length(c.Expr(expr)); got != want {
			t.Errorf("%s: %d, want %d", expr, got, want)
		}
	}
}

func TestRepresentable(t *testing.T) {
	c := code(t, "use(n, u, f, s, b)")
	tests := []struct {
		expr string
		v    constant.Value
		want bool
	}{
		{"u", constant.MakeInt64(255), true},
		{"u", constant.MakeInt64(256), false},
		{"u", constant.MakeInt64(-1), false},
		{"n", constant.MakeInt64(1 << 31), false}, // on a machine of 32 bits
		{"n", constant.MakeFloat64(1.5), false},
		{"f", constant.MakeFloat64(1.5), true},
		{"s", constant.MakeString("x"), true},
		{"b", constant.MakeString("x"), false},
	}
	for _, tt := range tests {
		if got := typing.Representable(tt.v, c.Info.TypeOf(c.Expr(tt.expr)), constant.MakeInt64(1)); got != tt.want {
			t.Errorf("%s in the type of %s: %v", tt.v, tt.expr, got)
		}
	}
	if !typing.Representable(constant.MakeInt64(1<<40), c.Info.TypeOf(c.Expr("n")), constant.MakeInt64(1<<39)) {
		t.Error("an int that has more than 32 bits already can't have more")
	}
}

func TestConstants(t *testing.T) {
	c := code(t, "use(limit, small, -3, int8(4), n+1, 1<<n, uint8(2)+3, len(array))")
	tests := []struct {
		expr                        string
		constant, typed, ends, left bool // left: has an untyped shift
	}{
		{"limit", true, false, true, false},
		{"small", true, true, true, false},
		{"-3", true, false, true, false},
		{"int8(4)", true, true, true, false},
		{"n+1", false, false, true, false},
		{"1<<n", false, false, false, true},
		{"uint8(2)+3", true, true, true, false},
		{"len(array)", true, true, true, false},
	}
	for _, tt := range tests {
		e := c.Expr(tt.expr)
		if c.Info.IsConstant(e) != tt.constant || c.Info.EndsInConstant(e) != tt.ends || c.Info.HasUntypedShift(e) != tt.left {
			t.Errorf("%s: constant %v, ends in one %v, untyped shift %v", tt.expr, c.Info.IsConstant(e), c.Info.EndsInConstant(e), c.Info.HasUntypedShift(e))
		}
		if tt.constant && c.Info.IsTypedConst(e) != tt.typed {
			t.Errorf("%s: typed %v", tt.expr, !tt.typed)
		}
	}
}

func TestCalls(t *testing.T) {
	c := code(t, `use(errors.New("a"), fmt.Errorf("b"), len(s), new(pair), make(words, 0), make(words, n), pair{}, &pair{})`)
	for expr, want := range map[string]string{`errors.New("a")`: "errors.New", "len(s)": "", `fmt.Errorf("b")`: "fmt.Errorf"} {
		call := c.Expr(expr).(*ast.CallExpr)
		if got := c.Info.CalledFunc(call); got != want {
			t.Errorf("%s calls %q", expr, got)
		}
		if c.Info.MakesError(call) != (want != "") {
			t.Errorf("%s: makes an error %v", expr, c.Info.MakesError(call))
		}
	}
	for expr, want := range map[string]bool{
		"new(pair)": true, "make(words, 0)": true, "make(words, n)": false, "pair{}": true, "&pair{}": true, "len(s)": false,
	} {
		if got := c.Info.IsFresh(c.Expr(expr)); got != want {
			t.Errorf("%s: fresh %v", expr, got)
		}
	}
	if name, _ := c.Info.BuiltinCall(c.Expr("len(s)")); name != "len" {
		t.Errorf("len(s) calls %q", name)
	}
	for expr, want := range map[string]bool{"len(s)": true, "s": false} {
		if got := c.Info.NonNegative(c.Expr(expr)); got != want {
			t.Errorf("%s: never negative %v", expr, got)
		}
	}
}

func TestPredeclared(t *testing.T) {
	c := code(t, "nil := 1\n_ = nil\nuse(n)")
	at := c.Stmt("use(n)").Pos()
	if _, why := c.Info.Predeclared("nil", at); why == "" {
		t.Error("nil is taken for the predeclared one")
	}
	if text, why := c.Info.Predeclared("true", at); text != "true" || why != "" {
		t.Errorf("true is %q, %s", text, why)
	}
}

func TestTypes(t *testing.T) {
	c := code(t, "use(n, s, p, array, err, [1]any{}, struct{ e error }{})")
	for expr, want := range map[string][2]bool{ // has pointers, holds an interface
		"n": {false, false}, "s": {true, false}, "p": {true, false}, "array": {false, false}, "err": {true, true},
		"[1]any{}": {true, true}, "struct{ e error }{}": {true, true},
	} {
		typ := c.Info.TypeOf(c.Expr(expr))
		if typing.HasPointers(typ) != want[0] || typing.HoldsInterface(typ) != want[1] {
			t.Errorf("%s: pointers %v, interface %v", expr, typing.HasPointers(typ), typing.HoldsInterface(typ))
		}
	}
	if !typing.ImplementsError(c.Info.TypeOf(c.Expr("err"))) || typing.ImplementsError(c.Info.TypeOf(c.Expr("p"))) {
		t.Error("what is an error is mistaken")
	}
}
