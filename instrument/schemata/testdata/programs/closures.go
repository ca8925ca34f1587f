package programs

import (
	"errors"
	"fmt"
)

func protect(n int) (s string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
			s += "!"
		}
	}()
	defer func() { s += "d" }()
	if n == 2 {
		panic(errors.New("two"))
	}
	var xs []int
	if n == 3 {
		s = fmt.Sprint(xs[n])
	}
	return "fine", nil
}

func adder(start int) (func(int) int, func() int) {
	total := start
	add := func(n int) int {
		total += n
		return total
	}
	return add, func() int { return total - 1 }
}

var table = map[string]func(int, int) int{
	"add": func(a, b int) int { return a + b },
	"max": func(a, b int) int {
		if a > b {
			return a
		}
		return b
	},
}

func nested(n int) string {
	f := func(k int) func() int {
	again:
		for {
			if k > 3 {
				break again
			}
			k++
		}
		return func() int { return k * n }
	}
	return fmt.Sprint(f(n)())
}

func immediately(n int) (r int) {
	defer func(k int) { r += k }(n + 1)
	func() {
		r = n * 2
	}()
	return r
}

type method struct{ n int }

func (m method) value(k int) int { return m.n + k }

func values(n int) int {
	f := method{n}.value
	g := method.value
	return f(1) * g(method{2}, n)
}

// CaseClosures: defer, recover, closures and method values, function literals in
// initialisers.
func CaseClosures(in int) string {
	s, err := protect(in)
	add, get := adder(in)
	add(2)
	x := add(3)
	return fmt.Sprint(s, err, x, get(), table["add"](in, 2), table["max"](in, 2), nested(in), immediately(in), values(in))
}
