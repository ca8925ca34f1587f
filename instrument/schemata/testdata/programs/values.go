package programs

//operators min-max-swap conversion-truncation conversion-extension argument-swap field-clearing

import (
	"fmt"
	"strings"
)

type maybe bool

type node2 struct {
	val  any
	ok   maybe
	name string
	next *node2
	any
}

type weights struct {
	vals []int
	top  int
}

func (s *weights) pop() int { s.top--; return s.vals[s.top] } //fuzzmut:ignore

func minmax(a, b int, x float64, s string, u uint8) string {
	return fmt.Sprint(min(a, b), max(a, b, 3), min(x, 2), max(s, "m"), min(u, 7, uint8(a)), max(1<<u, b), min(distance(a), distance(b)))
}

type distance int

func lowest[T ~int | ~string](a, b T) T { return min(a, b) }

func conversions(b byte, i int, u uint32, s int16, r rune) string {
	type id uint16
	return fmt.Sprint(int(b), uint32(b)<<8, int8(b), uint64(i), int32(i), id(i), u, uint16(u), int(u), uint64(s), int(s), (uint8)(r), uint32(s)+uint32(r), int64(id(i))*3)
}

func arguments(f func(a, b int, rest ...int) string, x, y int, s *weights) string {
	out := f(x, y) + f(x, 3, y, x) + f(x+1, y*2) + between("a", "b", "c") + either2[int](x, y) + either2("p", string(rune('a'+x)))
	out += f(s.top, x) + f(s.top, x, s.pop()) + f(s.pop(), s.top)
	g := s.weigh
	out += g(x, y, nil, s) + s.weigh(x-y, y/(x+1), s, s)
	defer func(a, b int) { s.top = a - b }(x, y)
	return out
}

func (s *weights) weigh(a, b int, p, q *weights) string { return fmt.Sprint(a-b, p == nil, q == nil) }

func between(lo, mid, hi string) string { return lo + "<" + mid + "<" + hi }

func either2[T any](a, b T) string { return fmt.Sprint(a, "|", b) }

type wrapper[T any] struct {
	val T
	fn  func() T
}

func fields[T any](v T, in int, err error, flag maybe) string {
	name := fmt.Sprint("n", in)
	b := &node2{val: v, ok: flag && in > 1, name: strings.ToUpper(name), next: &node2{val: in, ok: maybe(in > 2), any: err}}
	g := wrapper[T]{val: v, fn: func() T { return v }}
	list := []node2{{name: name}, {val: g.val}}
	m := map[string]*node2{"k": {name: "c" + name, next: b}}
	var only int = in * 2
	z := struct {
		n    int
		s    []int
		f, g float64
	}{n: only, s: []int{in}, f: float64(in) / 2, g: 1 << 3}
	fn := ""
	if g.fn != nil {
		fn = fmt.Sprint(g.fn())
	}
	return fmt.Sprint(b.val, b.ok, b.name, b.next.val, b.next.ok, b.next.any, fn, list, m["k"].name, m["k"].next == b, z)
}

// CaseValues: min and max, conversions, arguments and fields of struct literals.
func CaseValues(in int) string {
	out := minmax(in, 2, float64(in)/2, fmt.Sprint("m", in), uint8(in)) + fmt.Sprint(lowest(in, 3), lowest("a", fmt.Sprint(in)))                    //fuzzmut:ignore
	out += conversions(byte(in*60), in*100000, uint32(in)<<30, int16(in-3), rune(in*70000))                                                       //fuzzmut:ignore
	out += arguments(func(a, b int, rest ...int) string { return fmt.Sprint(a, b, rest, ";") }, in, 2, &weights{vals: []int{1, 2, 3, 4}, top: 4}) //fuzzmut:ignore
	return out + fields(in, in, nil, true) + fields("t", in, fmt.Errorf("e"), in == 3)                                                            //fuzzmut:ignore
}
