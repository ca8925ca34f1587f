package programs

//operators conditional-boundary negate-conditionals math increments void-call-removal primitive-returns empty-returns

import (
	"fmt"
	"strings"
)

// A generic alias, a constraint with a method and a union, and one that speaks of
// its own parameter.
type (
	pairOf[K comparable, V any] = struct {
		key K
		val V
	}
	stringish interface {
		~int | ~uint8
		String() string
	}
	lesser[T any] interface{ less(T) bool }
)

type grade uint8

const (
	low grade = iota + 1<<2
	_
	high
	grades = iota * len("abc")
)

func (g grade) String() string { return "grade " + string(rune('a'+g)) }

func (g grade) less(h grade) bool { return g < h }

func least[T lesser[T]](xs ...T) (least T) {
	for i, x := range xs {
		if i == 0 || x.less(least) {
			least = x
		}
	}
	return least
}

func describe[T stringish](x T) string { return x.String() + fmt.Sprint(x+1) }

func reversed[S ~[]E, E any](s S) func(yield func(int, E) bool) {
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

// Method sets: promoted through a pointer, through an interface, and hidden.
type (
	langNamed interface{ name() string }
	inner     struct{ n int }
	outer     struct {
		*inner
		langNamed
		int
	}
	covering struct {
		outer
		n string
	}
)

func (i inner) name() string { return strings.Repeat("i", i.n) }

func (i *inner) grow(by int) int { i.n += by; return i.n }

func (o outer) name() string { return o.langNamed.name() + o.inner.name() }

func promoted(n int) string {
	o := outer{&inner{n}, inner{2}, n * 3}
	c := covering{o, "x"}
	grow := c.grow
	grow(1)
	byType := (*inner).grow
	if byType(o.inner, 2) > 4 && c.n != "" {
		return c.name() + fmt.Sprint(c.inner.n-c.int, langNamed.name(o))
	}
	return outer.name(c.outer)
}

type matrix [grades][len("xy")]int

func arrays(n int) (m matrix, total int) {
	for i := range m {
		for j := range len(m[i]) {
			m[i][j] = i*n - j
			total += m[i][j]
		}
	}
	window := [2]int(m[grades-1][:])
	if p := (*[1]int)(window[1:]); p[0] > 3 {
		total = -total
	}
	return m, total + [...]int{2: 5, 0: n}[2]
}

func builtins(n int) string {
	m := map[string]int{"a": n, "b": 2}
	s := []int{n, n + 1, 3}
	least, most := min(n, 3, len(m)), max("b", "a", fmt.Sprint(n))
	clear(s[1:])
	if n > 2 {
		clear(m)
	}
	return fmt.Sprint(m, s, least, most, min(1.5, float64(n)), max(2, n))
}

// Each round of a loop has its own variable, in either body.
func langRounds(n int) (out []int) {
	var fs []func() int
	for i := 0; i < n && i < 4; i++ {
		fs = append(fs, func() int { i *= 2; return i })
		defer func() { out = append(out, i+1) }()
	}
	for _, f := range fs {
		out = append(out, f(), f())
	}
	return out
}

func langLabels(n int) string {
	out := ""
block:
	select {
	default:
		if n%2 == 0 {
			break block
		}
		out += "odd"
	}
pick:
	switch {
	case n > 3:
		for i := range n {
			if i == 2 {
				break pick
			}
			out += "."
		}
	default:
		out += "small"
	}
again:
	for i, x := range reversed(strings.Split("a,b,c", ",")) {
		for range 3 {
			if i < n {
				continue again
			}
			out += x
		}
	}
	if len(out) < n {
		out += "-"
		goto again
	}
	return out
}

func switches(v any, s string) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case grade, inner:
		s += fmt.Sprint(x)
	case interface{ grow(int) int }:
		s += fmt.Sprint(x.grow(2))
	case pairOf[string, int]:
		s += x.key[:1] + fmt.Sprint(x.val-1)
	case func(int) int, []byte:
		s += "other"
	}
	switch s {
	case "a", "b":
		return "first"
	case "pk4":
		s += "!"
		fallthrough
	case "":
		return s + "empty"
	default:
		return s
	}
}

// CaseLanguage: what the language has that other programs here have not.
func CaseLanguage(in int) string {
	m, total := arrays(in)
	out := fmt.Sprint(least(high, low, grade(in)), describe(low+grade(in)), promoted(in), m, total, builtins(in), langRounds(in), langLabels(in))
	values := []any{nil, high, inner{in}, &inner{in}, pairOf[string, int]{"key", in}, struct {
		key string
		val int
	}{"k", 5}, func(int) int { return in }, []byte("x"), 3}
	for i, v := range values {
		out += switches(v, []string{"", "a", "p"}[(i+in)%3]) + ";"
	}
	return out
}
