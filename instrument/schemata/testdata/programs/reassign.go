package programs

import "fmt"

type yes bool

func source(n int) (int, error) {
	if n > 2 {
		return n, fmt.Errorf("big %d", n)
	}
	return n, nil
}

func bare(n int) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("wrapped: %w", err)
		}
	}()
	x, err := source(n)
	if err != nil {
		return
	}
	y, err := source(x + 2)
	_ = y
	return
}

func params(n int8_, p *int, m map[string]bool, found yes) (s string) {
	get := func() string { return fmt.Sprint(n, p == nil, found) }
	a, n := 1, 7
	b, p := a+1, nil
	c, found := n > 3, n > int8_(b)
	v, found := m["k"]
	s, d := "s", get()
	return s + d + fmt.Sprint(c, v, found)
}

type int8_ int16

func again(n int) (out int, err error) {
top:
	k, err := source(n)
	if n++; n < 4 {
		goto next
	}
	return k, err
next:
	if err == nil {
		goto top
	}
	return
}

// CaseReassign: := at the top of a function that assigns to its parameters and
// results.
func CaseReassign(in int) string {
	x, err := again(in)
	return fmt.Sprint(bare(in), params(int8_(in), &in, map[string]bool{"k": in > 2}, in == 1), x, err)
}
