package programs

import "fmt"

//needs go1.27

// What Go 1.27 brings: generic methods, keys of promoted fields, and generic functions
// that what they are assigned to completes.

type g127Box struct{ n int }

type g127Point struct{ X, Y int }

type g127Named struct {
	g127Point
	*g127Extra
	Name string
}

type g127Extra struct{ Tag string }

type g127Func func(int) int

func (b g127Box) apply[T any](f func(int) T, or T) T {
	if b.n > 4 {
		return or
	}
	return f(b.n + 1)
}

func (b *g127Box) fold[A comparable](start A, f func(A, int) A) (acc A) {
	acc = start
	for i := range b.n {
		next := f(acc, i)
		if next == acc {
			break
		}
		acc = next
	}
	return
}

func g127Same[T any](x T) T { return x }

func g127Twice[N ~int | ~float64](x N) N { return 2 * x }

func CaseGo127(n int) string {
	b := &g127Box{n}
	v := g127Named{X: n + 1, Y: n * 2, Name: "p"}
	w := &g127Named{g127Extra: &g127Extra{Tag: "t"}, Y: v.X}
	fs := []g127Func{g127Same, g127Twice}
	c := make(chan g127Func, 1)
	select { // nothing blocks, whatever is changed
	case c <- g127Twice:
	default:
	}
	f := g127Func(g127Same)
	if n%2 == 0 {
		f = g127Twice
	}
	g := g127Func(g127Same)
	select {
	case g = <-c:
	default:
	}
	method := b.apply[string]
	expr := (*g127Box).fold[int]
	return fmt.Sprint(v, w.Tag, w.Y, fs[n&1](n), f(3), g(n),
		method(func(i int) string { return fmt.Sprint(i) }, "or"),
		b.apply(func(i int) float64 { return float64(i) / 2 }, 0.5),
		expr(b, 1, func(a, i int) int { return a + i*i }))
}
