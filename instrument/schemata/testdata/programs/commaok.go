package programs

//operators comma-ok-inversion

import (
	"fmt"
	"strings"
)

type surely bool

type box struct {
	val  any
	ok   surely
	name string
	next *box
	any
}

type tally map[string]int

func lookups(m tally, deep map[any][]int, x any, c <-chan int, key string) (n int, ok surely) {
	v, ok := m[key]
	w, found := x.(int)
	var s, isText = x.(fmt.Stringer)
	got, open := <-c
	var b box
	b.val, b.ok = deep[v]
	_, b.ok = (m[strings.ToUpper(key)])
	if _, there := deep[key]; there || found {
		n++
	}
	if v, twice := m[key]; twice {
		n += v
	} else if _, isMap := x.(map[string]struct{ a, b int }); !isMap && n > 0 {
		n += 100
	}
	for v, more := <-c; more && n < 1000; v, more = <-c {
		n += v
	}
	switch p, isBox := x.(*box); {
	case isBox:
		n += len(p.name)
	case isText && s != nil, bool(b.ok), !open:
		n += got
	}
	func() {
		var any_ any
		_, any_ = m[key]
		n += len(fmt.Sprint(any_, w))
	}()
	return n, ok
}

func choose(a, b chan string, bx *box) string {
	select {
	case s, ok := <-a:
		return fmt.Sprint(s, ok)
	case bx.val, bx.ok = <-b:
	}
	return fmt.Sprint(bx.val, bx.ok)
}

func keys[M ~map[K]V, K comparable, V any](m M, k K) (int, bool) {
	_, ok := m[k]
	return len(m), ok
}

func isA[T any](x any) string {
	t, ok := x.(T)
	return fmt.Sprint(t, ok)
}

// CaseCommaOk: the ok of map indices, assertions and receives.
func CaseCommaOk(in int) string {
	c := make(chan int, 9)             //fuzzmut:ignore
	for _, n := range []int{4, 5, 6} { //fuzzmut:ignore
		c <- n
	}
	close(c) //fuzzmut:ignore
	var x any = in
	if in%2 == 0 { //fuzzmut:ignore
		x = &box{name: "xx"}
	}
	n, ok := lookups(tally{"k1": 10, "K2": 20}, map[any][]int{10: nil, "k3": {1}}, x, c, fmt.Sprint("k", in)) //fuzzmut:ignore
	a, b := make(chan string, 1), make(chan string, 1)                                                        //fuzzmut:ignore
	if in > 2 {                                                                                               //fuzzmut:ignore
		close(a)
	} else {
		b <- "sent"
	}
	count, there := keys(tally{"y": 1}, strings.Repeat("y", in))                                                   //fuzzmut:ignore
	return fmt.Sprint(n, ok, choose(a, b, &box{}), count, there, isA[int](x), isA[fmt.Stringer](x), isA[box](nil)) //fuzzmut:ignore
}
