package programs

import (
	"fmt"
	"math"
	"strings"
)

type path string

type mask uint8

func note(log *strings.Builder, n int) int {
	fmt.Fprint(log, "n", n)
	return n
}

func operands(a, b int, x float64) string {
	var log strings.Builder
	s := []int{a, b, 3}
	c := a - 1 + s[a%3]*b
	c = note(&log, c) - note(&log, a)
	c = c*2 - (b+1)%(a+2)
	c -= -b - -a
	x = x * math.Pi
	y := 7 / (x - 1)
	z := complex(x, 1) - complex(y, 2)
	u := uint64(c&7) | 1<<uint(a)
	v := 1<<uint(b)&^u - u>>1
	return fmt.Sprint(c, x, y, z, u, v, a-b/(a-3), log.String())
}

func compound(a int, s []int) (out int, text string) {
	defer func() {
		if r := recover(); r != nil {
			out, text = -out, text+fmt.Sprint(r)
		}
	}()
	log := new(strings.Builder)
	out += a
	out *= 3
	out &^= 2
	out = out ^ a
	s[note(log, a)%3] += note(log, 5)
	for i := 0; i < 9; i += 2 {
		out -= i
		text += "x"
	}
	m := map[string]string{}
	m["k"] += text
	m["k"] += "y"
	var st struct{ name path }
	st.name += path(m["k"])
	st.name += st.name
	text = log.String() + string(st.name)
	out %= s[a%3] - 5
	return out, text
}

func join[S ~string](dir, name S) S {
	empty := S("")
	ext := S(".go")
	return dir + "/" + (name + ext) + empty
}

func joined(p path, n int) string {
	var string = "s"
	text := string + fmt.Sprint(n) + "t"
	f := func() path { return p + "." + path(text[n%2:]) }
	return text + (string + "u")[:1] + join("a", "b") + fmt.Sprint(join(p, "q"), f(), len(text+string))
}

func complements[T ~uint8 | ~int16](m mask, x T) (T, mask, int) {
	k := ^m &^ ^mask(x)
	n := int(k) -^-int(m)
	return ^(x + 1), ^k | ^(1<<(m&7)), n
}

type agreed bool

func nots(a, b bool, named agreed, calls *int) (agreed, bool) {
	call := func() bool { *calls++; return !a }
	c := !b
	if !call() && !(a == b) || !(c && b) {
		*calls += 10
	}
	switch {
	case !c, !call():
		*calls += 100
	}
	for !c {
		c = !c
	}
	return !named, !(a || call())
}

// CaseOperands: operations that lose an operand or exchange the two, compound
// assignments, joined strings, unary operators.
func CaseOperands(in int) string {
	out, text := compound(in, []int{in, 5, 6})
	x, m, n := complements(mask(in), uint8(in+3))
	y, _, _ := complements(mask(in+1), int16(-in))
	calls := 0
	a, b := nots(in&1 == 1, in&2 == 2, in > 2, &calls)
	return operands(in, 4, float64(in)) + fmt.Sprint(out, text, joined("p", in), x, m, n, y, a, b, calls)
}
