package programs

//operators nil-guard bounds-guard divisor-guard assertion-guard size-guard result-guard

import (
	"fmt"
	"strings"
)

type guardNode struct {
	next *guardNode
	val  any
	list []int
	arr  *[3]int
	f    func(int) int
	m    map[string]int
}

func (n guardNode) byValue() string    { return fmt.Sprint(n.list) }
func (n *guardNode) byPointer() string { return fmt.Sprint(n == nil) }

type guardedNode interface{ byPointer() string }

type guardList[T any] struct {
	items []T
	next  *guardList[T]
}

func (l *guardList[T]) at(i int) (T, error) {
	item := l.items[i]
	if l.next.items[0:i] == nil {
		return item, fmt.Errorf("no %d", i)
	}
	return item, nil
}

// guardChain returns a node of which less is missing the bigger n is.
func guardChain(n int) *guardNode {
	switch n {
	case 0:
		return nil
	case 1:
		return &guardNode{}
	case 2:
		return &guardNode{next: &guardNode{}, val: "s", list: []int{1}}
	}
	return &guardNode{next: guardChain(n - 2), val: n, list: make([]int, n), arr: &[3]int{1, 2, n},
		f: func(k int) int { return k / (n - 3) }, m: map[string]int{"k": n}}
}

func nilUses(in int) (out string) {
	n := guardChain(in)
	out = n.byPointer()
	out += n.byValue()
	n.next.m["k"] += in
	out += fmt.Sprint(n.f(in))
	for i := 0; n.next.arr[i] < in; i++ {
		out += "+"
	}
	*n.arr = [3]int{in}
	p := &n.next.arr[in%3]
	*p++
	return out + fmt.Sprint(*p, n.m)
}

func guardOrder(in int) string {
	log := ""
	note := func(s string) string { log += s; return s }
	n := guardChain(in)
	defer func() {
		if recover() != nil {
			log += "!"
		}
	}()
	func() {
		defer func() { log += "d" }()
		note(note("a") + n.next.byValue() + note("b"))
	}()
	var i guardedNode
	if in > 2 {
		i = n
	}
	defer i.byPointer()
	x, y := n.list[in-1], n.next.list[len(n.list)-in:]
	log += fmt.Sprint(x, y)
	return log
}

func guardIndices(s []byte, t string, in int, u uint8, k int64) (b byte, sub string, err error) {
	sub = fmt.Sprint() // a call, as that of an error that a guard makes: both burn fuel
	b = s[in] + t[u]
	s[k]--
	var arr [3]int
	arr[in%4]++
outer:
	for _, c := range t[in:u] {
		switch arr[c-'a'] {
		case 1:
			continue outer
		}
		sub += string(c)
	}
	s = s[1:in:u]
	sub += string(s[:len(s)-1]) + t[2:][:k]
	return b, sub, nil
}

func farNodes(in int) string {
	p := guardChain(in + 1)
	out := ""
	for range 3 {
		p.next.val = nil
		if p != nil && p.next != nil {
			p = p.next.next
		}
		out += "."
	}
	return out
}

func guardDivide(n, d int, f float64) int {
	n /= d - 2
	if n%d == 1 && n/(d-3) > 0 {
		return int(f / 2)
	}
	return n
}

func assertGuarded(v any, ok bool) string {
	s := v.(string)
	s += v.(fmt.Stringer).String()
	_, ok = v.(int)
	return fmt.Sprint(s, ok)
}

func assertField(n *guardNode) int {
	k := n.val.(int)
	n.next.val = n.next.val.(int) + k
	return n.next.val.(int)
}

func guardSized(n int, k int16) string {
	b := make([]byte, n, 2*n)
	return string(b) + strings.Repeat("x", int(k)) + fmt.Sprint(len(make(map[int]int, k)))
}

func lazyGuards(n *guardNode, s []int, in int) (out string) {
	if in > 0 && n.next.next != nil && len(s) > 0 || s[in] == in || n.val.(int) < in {
		out += "a"
	} else if s[in-1] > 2 {
		out += "b"
	} else if ok := n.val; ok.(int) > 3 && ok.(int) < 5 {
		out += "c"
	}
	for i := 0; s[i] != in; i++ {
		out += "."
	}
	switch {
	case n == nil:
	case s[in+1] == 7, 6/in == 2 && n.list[0] == 0:
		out += "d"
	}
	return out + fmt.Sprint(in == 1 || n.next.f(in) == 0)
}

func calledGuards(n *guardNode) string {
	next := func() *guardNode { n = n.next; return n }
	out := fmt.Sprint(next().list, (next()).val)
	next().val = out
	n.val = *next()
	return out + next().next.byValue() + next().byPointer()
}

func hiddenNil(n *guardNode) int {
	type len int
	nil := n.next
	return int(len(nil.list[0]))
}

func shadowedGuard(n *guardNode) string {
	if n := n.next; n.next != nil {
		n := n.next
		return n.byValue()
	}
	var deep func(*guardNode) *guardNode
	deep = func(n *guardNode) *guardNode {
		if n.next == nil {
			return n
		}
		return deep(n.next)
	}
	return deep(n).byValue()
}

func tryGuard(f func() string) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint("panic: ", r)
		}
	}()
	return f() + ";"
}

func placeOf(list []int, x int) (at int, p *int) {
	for i := range list {
		if list[i] == x {
			return i, &list[i]
		}
	}
	return -1, nil
}

// resultGuards uses what a call returned where it found nothing.
func resultGuards(list []int, x int) (string, error) {
	at, p := placeOf(list, x)
	text := fmt.Sprint(at)
	at, q := placeOf(list, x+1)
	if at < 0 {
		at = 0
	}
	return fmt.Sprint(text, list[at], *p, *q), nil
}

// CaseGuards: statements that panic for some inputs, and what is done about it.
func CaseGuards(in int) string {
	out := tryGuard(func() string { return nilUses(in) })
	out += tryGuard(func() string { return guardOrder(in) })
	out += tryGuard(func() string {
		b, sub, err := guardIndices([]byte("abcd"), "abcdef", in, uint8(in+1), int64(in)-1)
		return fmt.Sprint(b, sub, err)
	})
	out += tryGuard(func() string { return farNodes(in) })
	for k := range 3 {
		out += tryGuard(func() string { return fmt.Sprint(guardDivide(20, in+k, 3)) })
	}
	out += tryGuard(func() string { return assertGuarded(guardChain(in).val, true) })
	out += tryGuard(func() string { return fmt.Sprint(assertField(guardChain(in))) })
	out += tryGuard(func() string { return guardSized(in-1, int16(in-2)) })
	out += tryGuard(func() string { return fmt.Sprint(hiddenNil(guardChain(in))) })
	out += tryGuard(func() string { return shadowedGuard(guardChain(in)) })
	for k := range 4 {
		out += tryGuard(func() string { return lazyGuards(guardChain(in), []int{3, 1, 2, 3}, in-k) })
		out += tryGuard(func() string { return calledGuards(guardChain(in + 4*k)) })
		out += tryGuard(func() string { return fmt.Sprint(resultGuards([]int{3, 1, 2, 4}, in+k)) })
	}
	l := guardList[string]{items: []string{"a", "b"}}
	if in > 3 {
		l.next = &guardList[string]{}
	}
	return out + tryGuard(func() string { return fmt.Sprint(l.at(in - 2)) })
}
