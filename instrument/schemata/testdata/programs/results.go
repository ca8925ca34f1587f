package programs

//operators named-returns one-returns fresh-returns error-returns null-returns empty-returns primitive-returns true-returns false-returns

import (
	"errors"
	"fmt"
	"strings"
)

type resultErr struct{ code int }

func (e *resultErr) Error() string { return fmt.Sprint("result ", e.code) }

type resultSet map[string][]int

type resultRef *resultSet

func parseResult(n int) (val int, rest string, ok bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v, val %d", r, val)
		}
		if ok {
			val *= 10
		}
	}()
	val, rest = n, strings.Repeat("x", n)
	if n == 1 {
		err = &resultErr{n}
		return
	}
	if n == 2 {
		goto done
	}
	if n == 3 {
		panic("three")
	}
	ok = n > 3
	return
done:
	rest = "done"
	return
}

func namedKinds(n int) (f float64, set resultSet, ref resultRef, any any, fn func() int, ch chan int, arr [2]int8, c complex128, _ int, u uint8) {
	f, set, any = float64(n)/2, resultSet{"k": {n}}, n
	ref = &set
	fn = func() (r int) {
		defer func() { r++ }()
		if r = n; r > 2 {
			return
		}
		return r * 2
	}
	ch = make(chan int, n)
	arr[n%2], c, u = int8(n), complex(f, 1), uint8(n)
	switch {
	case n%2 == 0:
		return
	default:
		for range 3 {
			return
		}
	}
	return
}

func shadowedResult(n int) (err error) {
	if n > 1 {
		n, err := halfResult(n)
		if err != nil {
			return fmt.Errorf("%d: %v", n, err)
		}
	}
	_, err = halfResult(n + 1)
	return
}

func halfResult(n int) (int, error) {
	if n%2 == 1 {
		return n, errors.New("odd")
	}
	return n / 2, nil
}

func halvesResult(n int) (any, error) { return halfResult(n) }

func genericResult[T any, N ~int | ~float64, S ~[]T](v T, n N, s S) (x T, m N, t S, p *T) {
	if n > 2 {
		return v, n + 1, s, &v
	}
	x, m, t = v, n, s
	return
}

func freshResults(n int) ([]int, resultSet, *resultErr, resultRef) {
	if n < 2 {
		return nil, nil, nil, nil
	}
	set := resultSet{"a": {n}}
	return []int{n}, set, &resultErr{n}, &set
}

func hiddenNames(n int) (nil int, err error) {
	type error int
	errors := error(n)
	nil = int(errors)
	if n > 3 {
		return nil, fmt.Errorf("hidden %d", errors)
	}
	return
}

// CaseResults: named results with and without operands, captured by deferred
// functions and shadowed; fresh values and errors.
func CaseResults(in int) string {
	val, rest, ok, err := parseResult(in)
	out := fmt.Sprint(val, rest, ok, err)
	f, set, ref, any, fn, ch, arr, c, _, u := namedKinds(in)
	out += fmt.Sprint(f, set == nil, set, ref == nil, any, cap(ch), ch == nil, arr, c, u)
	if fn != nil {
		out += fmt.Sprint(fn())
	}
	h, err := halvesResult(in)
	out += fmt.Sprint(shadowedResult(in), h, err)
	x, m, t, p := genericResult("v", in, []string{"t"})
	y, k, l, q := genericResult[int, float64, []int](in, 1.5, nil)
	out += fmt.Sprint(x, m, t, t == nil, p == nil, y, k, l, l == nil, q == nil)
	s, set, e, ref := freshResults(in)
	out += fmt.Sprint(s, s == nil, set, set == nil, e == nil, ref == nil)
	if e != nil {
		out += e.Error()
	}
	z, err := hiddenNames(in)
	return out + fmt.Sprint(z, err)
}
