package literal_test

import (
	"go/parser"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
)

const pkg = "github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal_test"

type tree struct {
	Left, Right *tree
	key         int
}

type pair[A, B any] struct {
	First  A
	Second B
}

type color uint8

type link *int

type stamp struct {
	at   time.Time
	Any  any
	Size *int64
}

func TestSource(t *testing.T) {
	three, deep := int64(3), new(int)
	for _, tt := range []struct {
		v    any
		want string
	}{
		{5, `5`},
		{int8(-5), `-5`},
		{color(3), `3`},
		{"a\x00", `"a\x00"`},
		{`{"a":1}`, "`{\"a\":1}`"},
		{1.5, `1.5`},
		{float32(0.1), `0.1`},
		{2.0, `2`},
		{math.Inf(-1), `math.Inf(-1)`},
		{math.Copysign(0, -1), `math.Copysign(0, -1)`},
		{complex(1, 2), `complex(1, 2)`},
		{[]any{1, int8(1), 1.0, 1.5, "s", nil, color(2), true}, `[]interface {}{1, int8(1), float64(1), 1.5, "s", nil, color(2), true}`},
		{[]any{link(deep), link(nil)}, `[]interface {}{link(new(int(0))), (link)(nil)}`},
		{[]link{deep, nil}, `[]link{new(int(0)), nil}`},
		{[]byte("ab"), `[]byte("ab")`},
		{[]int(nil), `nil`},
		{[]int{}, `[]int{}`},
		{[][]int{nil, {1}}, `[][]int{nil, []int{1}}`},
		{[2]bool{true}, `[2]bool{true, false}`},
		{map[string]*int{"b": nil, "a": deep}, `map[string]*int{"a": new(int(0)), "b": nil}`},
		{tree{Left: &tree{key: 2}, key: 1}, `tree{Left: &tree{key: 2}, key: 1}`},
		{&tree{}, `&tree{}`},
		{(*tree)(nil), `(*literal_test.tree)(nil)`},
		{pair[string, []color]{"x", []color{1}}, `pair[string,[]color]{First: "x", Second: []color{1}}`},
		{pair[url.Values, *pair[int, bool]]{}, `pair[url.Values,*pair[int,bool]]{}`},
		{struct{ X int }{1}, `struct{ X int }{X: 1}`},
		{stamp{time.Unix(1, 2).UTC(), time.Second, &three}, `stamp{at: time.Unix(1, 2).UTC(), Any: time.Duration(1000000000), Size: new(int64(3))}`},
		{time.Unix(1, 0).In(time.FixedZone("", 60)), `time.Unix(1, 0).In(time.FixedZone("", 60))`},
		{[]*big.Int{big.NewInt(5)}, `[]*big.Int{big.NewInt(5)}`},
		{*big.NewInt(5), `*big.NewInt(5)`},
		{netip.MustParseAddr("::1"), `netip.MustParseAddr("::1")`},
		{[]string{strings.Repeat("long", 20), "b"}, "[]string{\n\t\"" + strings.Repeat("long", 20) + "\",\n\t\"b\",\n}"},
	} {
		got, ok := literal.Source(reflect.ValueOf(tt.v), pkg)
		want := strings.ReplaceAll(tt.want, "literal_test.", "")
		if got != want || !ok {
			t.Errorf("%#v: got %s (%v), want %s", tt.v, got, ok, want)
		}
		if _, err := parser.ParseExpr(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

func TestSourceElsewhere(t *testing.T) {
	loop := &tree{}
	loop.Left = loop
	for _, tt := range []struct {
		v    any
		pkg  string
		want string
		ok   bool
	}{
		{url.URL{Host: "h"}, "other", `url.URL{Host: "h"}`, true},
		{tree{key: 1}, "other", `literal_test.tree{key: 1}`, false},
		{pair[int, tree]{}, "other", `literal_test.pair[int,literal_test.tree]{}`, false},
		{reflect.ValueOf(1), "other", ``, false},
		{func() {}, "other", `nil`, false},
		{*loop, pkg, ``, false},
	} {
		got, ok := literal.Source(reflect.ValueOf(tt.v), tt.pkg)
		if tt.want != "" && strings.ReplaceAll(got, "literal_test.", "literal.") != strings.ReplaceAll(tt.want, "literal_test.", "literal.") || ok != tt.ok {
			t.Errorf("%T: got %s (%v), want %s (%v)", tt.v, got, ok, tt.want, tt.ok)
		}
	}
}
