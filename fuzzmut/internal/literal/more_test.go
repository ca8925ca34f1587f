package literal_test

import (
	"go/parser"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
)

type (
	name     string
	ratio    float32
	flag     bool
	list     []name
	dict     map[name]ratio
	vector   [2]ratio
	embedded struct {
		*tree
		Rest struct {
			N int `json:"n"`
		}
	}
)

// Values in interfaces have their types written, for an expression has no other way to
// tell them.
func TestSourceInsideInterfaces(t *testing.T) {
	double, nan := 1.5, float32(math.NaN())
	for _, c := range []struct {
		v    any
		want string
	}{
		{name("a"), `name("a")`},
		{flag(true), `flag(true)`},
		{ratio(1.5), `ratio(1.5)`},
		{float32(0.1), `float32(0.1)`},
		{nan, `float32(math.NaN())`},
		{ratio(math.Inf(1)), `ratio(math.Inf(1))`},
		{float32(math.Copysign(0, -1)), `float32(math.Copysign(0, -1))`},
		{1e300, `1e+300`},
		{uint64(math.MaxUint64), `uint64(18446744073709551615)`},
		{uintptr(7), `uintptr(7)`},
		{'a', `int32(97)`},
		{complex64(complex(1, -2)), `complex64(complex(1, -2))`},
		{complex(math.Inf(-1), 0.5), `complex(math.Inf(-1), 0.5)`},
		{list(nil), `list(nil)`},
		{list{}, `list{}`},
		{list{"a"}, `list{"a"}`},
		{dict(nil), `dict(nil)`},
		{dict{"b": 2, "a": 1}, `dict{"a": 1, "b": 2}`},
		{vector{1}, `vector{1, 0}`},
		{[]byte{}, `[]uint8{}`},
		{[]byte("\xff\"`"), "[]byte(\"\\xff\\\"`\")"},
		{&double, `new(float64(1.5))`},
		{&[]int{1}, `&[]int{1}`},
		{&map[string]int{}, `&map[string]int{}`},
		{&[1]int{2}, `&[1]int{2}`},
		{new(*tree), `new((*tree)(nil))`},
		{struct{}{}, `struct{}{}`},
		{[]struct {
			A int `json:"a"`
		}{{1}}, "[]struct{ A int `json:\"a\"` }{struct{ A int `json:\"a\"` }{A: 1}}"},
		{embedded{tree: &tree{key: 1}}, `embedded{tree: &tree{key: 1}}`},
		{time.Time{}, `time.Time{}`},
		{*new(big.Int).Lsh(big.NewInt(1), 70), `*func() *big.Int { n, _ := new(big.Int).SetString("1180591620717411303424", 10); return n }()`},
		{new(big.Int).Lsh(big.NewInt(-1), 70), `func() *big.Int { n, _ := new(big.Int).SetString("-1180591620717411303424", 10); return n }()`},
		{netip.MustParsePrefix("10.0.0.0/8"), `netip.MustParsePrefix("10.0.0.0/8")`},
		{netip.MustParseAddrPort("[::1]:80"), `netip.MustParseAddrPort("[::1]:80")`},
		{netip.Addr{}, `netip.Addr{}`},
	} {
		holder := []any{c.v}
		got, ok := literal.Source(reflect.ValueOf(holder), pkg)
		// What is long stands on its own line.
		got = strings.NewReplacer("{\n\t", "{", ",\n}", "}").Replace(got)
		if want := "[]interface {}{" + c.want + "}"; got != want || !ok {
			t.Errorf("%#v: got %s (%v), want %s", c.v, got, ok, want)
		}
		if _, err := parser.ParseExpr(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

func TestWhatNoExpressionGives(t *testing.T) {
	for what, v := range map[string]any{
		"a channel":    make(chan int),
		"in a slice":   []func(){func() {}},
		"in interface": []any{(func())(nil)}, // of a type that no expression has by itself
	} {
		if got, ok := literal.Source(reflect.ValueOf(v), pkg); ok {
			t.Errorf("%s: %.80s", what, got)
		}
	}
	if got, ok := literal.Source(reflect.ValueOf([]func(){nil}), pkg); !ok || got != "[]func(){nil}" {
		t.Errorf("no function at all: %s, %v", got, ok)
	}
}

func TestNamesOfTypes(t *testing.T) {
	for _, c := range []struct {
		t         reflect.Type
		pkg, want string
	}{
		{reflect.TypeFor[tree](), pkg, "tree"},
		{reflect.TypeFor[tree](), "other", "literal.tree"},
		{reflect.TypeFor[*[]map[name][3]*tree](), pkg, "*[]map[name][3]*tree"},
		{reflect.TypeFor[netip.Addr](), pkg, "netip.Addr"},
		{reflect.TypeFor[struct {
			tree
			A, B int
		}](), pkg, "struct{ tree; A int; B int }"},
		{reflect.TypeFor[pair[time.Time, []tree]](), pkg, "pair[time.Time,[]tree]"},
		{reflect.TypeFor[error](), pkg, "error"},
	} {
		// The test package's name is that of the package, with or without _test.
		if got := strings.ReplaceAll(literal.Type(c.t, c.pkg), "literal_test.", "literal."); got != c.want {
			t.Errorf("%v in %s: %s, want %s", c.t, c.pkg, got, c.want)
		}
	}
}

// Public has a name that other packages can write; its type argument may have none.
type Public[T any] struct{ V T }

func TestTypeArgumentsHaveToBeNameable(t *testing.T) {
	for _, c := range []struct {
		v   any
		pkg string
		ok  bool
	}{
		{Public[int]{}, "other", true},
		{Public[time.Duration]{}, "other", true},
		{Public[Public[netip.Addr]]{}, "other", true},
		{Public[tree]{}, pkg, true},
		{Public[tree]{}, "other", false},
		{Public[[]*tree]{}, "other", false},
		{Public[Public[tree]]{}, "other", false},
	} {
		if got, ok := literal.Source(reflect.ValueOf(c.v), c.pkg); ok != c.ok {
			t.Errorf("in %s: %s (%t)", c.pkg, got, ok)
		}
	}
}
