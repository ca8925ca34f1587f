package programs

//operators loop-skip loop-once operator-replacement

import "fmt"

type skipNode struct {
	n, m int
	ok   bool
	list []int
	next *skipNode
}

func skipsNil(p *skipNode, q *[3]int) (sum int) {
	for range p.list {
		sum++
	}
	for i, v := range q {
		sum += i + v
	}
	return sum
}

func skipsTarget(xs []int, n int) int {
	arr := [2]int{n}
	for _, arr[n%4] = range xs {
		n++
	}
	return n + arr[0]
}

func skipsKey(m map[any]int, k any) (n int) {
	for range m[k] {
		n++
	}
	return n
}

func leavesOnce(p *skipNode) (sum int) {
	for i := 0; i <= p.n; i++ {
		sum += i
		p = p.next
	}
	return sum
}

func leavesLabeled(p *skipNode, skip bool) (sum int) {
outer:
	for i := 0; i <= p.n; i++ {
		for j := 0; j <= p.m; j++ {
			p = p.next
			if sum++; skip {
				continue outer
			}
		}
	}
	return sum
}

func leavesTarget(xs []int, n int) int {
	var arr [1]int
	for arr[n] = range xs {
		n++
	}
	return n
}

func andNil(p *skipNode, a bool) bool { return a && p.ok }

func orKey(m map[any]bool, k any, a bool) bool { return a || m[k] }

func andEqual(x, y any, a bool) (n int) {
	if a && x == y {
		n++
	}
	if !a || x != y && a {
		n += 2
	}
	return n
}

type skipVerdict bool

func andShift(a skipVerdict, n int) skipVerdict { return a && 1<<n > 2 || !a && 2>>n == 0 }

// CaseSkips: operands that panic, which the original evaluates and the mutant does
// not, or the other way round.
func CaseSkips(in int) string {
	q := &skipNode{n: in, m: in + 1, ok: in%2 == 0, list: []int{1, 2, 3}, next: &skipNode{n: 2, m: 1}}
	p, arr, list := q, &[3]int{1, 2, in}, q.list
	var key any = in
	switch in {
	case 1:
		p, arr = nil, nil
	case 2:
		p, key, list = q.next, []int{1}, nil
	case 3:
		key, list = struct{ f any }{func() {}}, list[:1]
	}
	var s string
	for _, f := range []func() any{
		func() any { return skipsNil(p, arr) },
		func() any { return skipsNil(q, arr) },
		func() any { return skipsTarget(list, in) },
		func() any { return skipsKey(map[any]int{in: 2}, key) },
		func() any { return leavesOnce(q) },
		func() any { return leavesLabeled(q, in > 2) },
		func() any { return leavesTarget(list, in-2) },
		func() any { return andNil(p, in > 0) },
		func() any { return orKey(map[any]bool{1: true}, key, in == 0) },
		func() any { return andEqual(key, key, in > 1) },
		func() any { return andShift(in > 1, in-3) },
	} {
		s += skipped(f)
	}
	return s
}

// skipped returns what a function does, a panic included.
func skipped(f func() any) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r, "; ")
		}
	}()
	return fmt.Sprint(f(), "; ")
}
