package search

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func TestPartsBecomeWhatTheyWereComparedWith(t *testing.T) {
	number := &term.Type{Name: "int8", Kind: term.Int, Bits: 8, Min: uint64(0xff_ff_ff_ff_ff_ff_ff_80), Max: 127}
	real := &term.Type{Name: "float64", Kind: term.Float, Bits: 64}
	text := &term.Type{Name: "string", Kind: term.Text, MaxLen: 8}
	list := &term.Type{Name: "[]int8", Kind: term.List, Elem: number, MaxLen: 4}
	whole := &term.Type{Name: "all", Kind: term.Product, Fields: []term.Field{{Name: "N", Type: number}, {Name: "F", Type: real}, {Name: "T", Type: text}, {Name: "L", Type: list}}}
	if err := whole.Seal(); err != nil {
		t.Fatal(err)
	}
	num := func(n int64) *term.Term { return term.Number(number, uint64(n)) }
	x := &term.Term{Type: whole, Kids: []*term.Term{
		num(-2), term.Number(real, 0x3ff0000000000000), {Type: text, Text: "ab"}, term.NewList(list, []*term.Term{num(5), num(-2)}),
	}}
	show := func(list []*term.Term) string {
		var all []string
		for _, y := range list {
			if y.Type != whole {
				t.Errorf("%v is of type %s", y, y.Type.Name)
			}
			all = append(all, y.String())
		}
		return strings.Join(all, " ")
	}
	const minus2, minus3 = 1<<64 - 2, 1<<64 - 3
	numbers := []struct {
		from, to uint64
		most     int
		want     string
	}{
		{minus2, 100, 9, `{100 1 "ab" [5 -2]} {-2 1 "ab" [5 100]}`},
		{minus2, 100, 1, `{100 1 "ab" [5 -2]}`},
		{5, minus3, 9, `{-2 1 "ab" [-3 -2]}`},
		{2, 4, 9, `{-2 1 "ab\x00a" [5 -2]} {-2 1 "ab" [5 -2 -2 -2]}`}, // lengths
		{2, 5, 9, `{-2 1 "ab\x00ab" [5 -2]}`},                         // and the list is never so long
		{2, 0, 9, `{-2 1 "" [5 -2]} {-2 1 "ab" []}`},
		{2, 1 << 40, 9, ""},
		{0x3ff0000000000000, 0x4000000000000000, 9, `{-2 2 "ab" [5 -2]}`},
		{77, 78, 9, ""},
	}
	for _, tt := range numbers {
		if got := show(MatchNumber(x, tt.from, tt.to, tt.most)); got != tt.want {
			t.Errorf("%d to %d: %s", int64(tt.from), int64(tt.to), got)
		}
	}
	texts := []struct{ from, to, want string }{
		{"ab", "keyword", `{-2 1 "keyword" [5 -2]}`},
		{"b", "xyz", `{-2 1 "axyz" [5 -2]}`},
		{"b", "too much for it", ""},
		{"c", "d", ""},
		{"", "d", ""}, // of a text that is not empty, this says nothing
		{"ab", "ab", ""},
	}
	for _, tt := range texts {
		if got := show(MatchText(x, tt.from, tt.to, 9)); got != tt.want {
			t.Errorf("%q to %q: %s", tt.from, tt.to, got)
		}
	}
	empty := x.Put(term.Path{2}, &term.Term{Type: text})
	if got := show(MatchText(empty, "", "d", 9)); got != `{-2 1 "d" [5 -2]}` {
		t.Errorf("got %s", got)
	}
}
