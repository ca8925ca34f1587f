package programs

import (
	"errors"
	"fmt"
	"io"
)

type myErr struct{ code int }

func (e *myErr) Error() string { return fmt.Sprint("code ", e.code) }

type pair struct {
	a int
	b string
}

var trace string

func effect(n int) int { trace += fmt.Sprint(n); return n }

func two(n int) (int, error) {
	if n < 0 {
		return 0, &myErr{n}
	}
	if n > 3 {
		return effect(n), io.EOF
	}
	return n * effect(2), nil
}

func relay(n int) (any, error) { return two(n) }

func kinds(n int) (a int, f float64, s string, b bool, p *pair, q pair, e error, l []int, m map[string]int, fn func() int, arr [2]int8) {
	last := n + 1
	return effect(last), float64(n), "s", n > 2, &pair{n, "p"}, pair{b: "q"}, errors.New("e"), []int{n}, map[string]int{"k": n},
		func() int { return n + effect(1) }, [2]int8{1, int8(n)}
}

func lastUse(n int) []int {
	xs := make([]int, 0, 2)
	xs = append(xs, n)
	return xs
}

func index(xs []int, i int) int { return xs[i] / (i - 1) }

func order(n int) (int, bool, int) {
	return effect(n), effect(n+1) > 2, effect(n + 2)
}

func truth(n int) bool {
	switch n {
	case 1:
		return true
	case 2:
		return false
	}
	return n > 3 || effect(n) == 0
}

func iface(n int) any {
	if n == 0 {
		return 0
	}
	return nil
}

// CaseReturns: results of every kind, in order, with their effects kept.
func CaseReturns(in int) string {
	trace = "" //fuzzmut:ignore state shared by executions
	r, err := relay(in - 1)
	a, f, s, b, p, q, e, l, m, fn, arr := kinds(in)
	x, y, z := order(in)
	out := fmt.Sprint(r, err, a, f, s, b, q, e, l, m, arr, lastUse(in), x, y, z, truth(in), iface(in))
	if p != nil {
		out += p.b
	}
	if fn != nil {
		out += fmt.Sprint(fn())
	}
	return out + fmt.Sprint(index([]int{5, 6, 7, 8, 9}, in)) + trace
}
