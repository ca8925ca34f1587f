package programs

//operators arithmetic-deletion string-concatenation operand-exchange primitive-returns false-returns null-returns empty-returns field-clearing append-removal slice-bounds context-background operator-replacement

import (
	"context"
	"fmt"
)

type panicNode struct {
	n, m int
	ok   bool
	name string
	list []int
	ctx  context.Context
	next *panicNode
	sub  struct{ n int }
	*panicInner
}

type panicInner struct{ deep int }

type panicPair struct{ a, b int }

type panicKey struct{ k any }

// tried returns what a function does, a panic included.
func tried(f func() any) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r)
		}
	}()
	return fmt.Sprint(f())
}

// What the mutant's plain edit could drop may panic.

func maySums(p, q *panicNode) (int, int, int) {
	a := p.n + q.n
	b := p.n*q.m - q.n
	a -= q.m
	return a, b, p.n + p.m - q.sub.n
}

func mayDeep(p *panicNode, q panicNode) (int, bool) {
	return p.n ^ q.deep, q.deep > 0
}

func mayShifts(a, n int) int { return a + 1<<n }

func (p *panicNode) num() int { return p.n }

func (p *panicNode) text() string { return p.name + "x" }

func (p *panicNode) words(q *panicNode) string { return "x" + p.name + q.name }

func (p *panicNode) is() bool { return p.ok }

func (p *panicNode) both() (int, bool) { return p.n, p.ok }

func (p *panicNode) address() *int { return &p.m }

func mayEqual(x, y any) bool { return x == y }

func mayEqualPairs(x, y panicKey) (bool, error) { return x == y, nil }

func mayLookup(m map[any]int, k any) int { return m[k] }

func mayLiteral(k any) map[any]int { return map[any]int{k: 1} }

func mayArray(s []int) [2]int { return [2]int(s) }

func mayArrayPointer(s []int) *[2]int { return (*[2]int)(s) }

func mayPair(p *panicNode, n int) panicPair { return panicPair{a: p.n, b: 1 << n} }

func mayAppended(list []int, p *panicNode) []int { return append(list, p.n, p.m) }

func mayAppendedOwn(p *panicNode) []int { return append(p.list, p.n) }

func mayBounded(s string, p *panicNode) string { return s[p.n:p.m] }

func mayBoundedOwn(p *panicNode) []int { return p.list[p.n:p.m] }

func mayValued(ctx context.Context) bool { return ctx == nil }

func mayPassed(p *panicNode) bool { return mayValued(p.ctx) }

func mayExchanged(p *panicNode, n int) int { return p.n - 1<<n }

func mayCompared(x, y any) (r bool) {
	r = x != y
	return
}

// CasePanics: operands that panic, which the mutant does not need.
func CasePanics(in int) string {
	q := &panicNode{n: in, m: in + 1, ok: in%2 == 0, name: "q", list: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	q.panicInner = &panicInner{in}
	q.next = &panicNode{n: 2, m: 1, list: []int{}}
	p, list := q, q.list[:3]
	var key any = in
	switch in {
	case 1:
		p = nil
	case 2:
		p, key, list = q.next, []int{1}, nil
	case 3:
		key, list = panicKey{func() {}}, list[:1]
	}
	m := map[any]int{in: 2}
	var s string
	for _, f := range []func() any{
		func() any { a, b, c := maySums(q, p); return a + 10*b + 100*c },
		func() any { a, b, c := maySums(p, q); return a + 10*b + 100*c },
		func() any { a, b := mayDeep(q, *q.next); return fmt.Sprint(a, b) },
		func() any { return mayShifts(in, in-2) },
		func() any { return p.num() },
		func() any { return p.text() + p.words(q) },
		func() any { return q.words(p) },
		func() any { return p.is() },
		func() any { a, b := p.both(); return fmt.Sprint(a, b) },
		func() any { return p.address() != nil },
		func() any { return mayEqual(key, key) },
		func() any { a, _ := mayEqualPairs(panicKey{key}, panicKey{key}); return a },
		func() any { return mayLookup(m, key) },
		func() any { return len(mayLiteral(key)) },
		func() any { return mayArray(list) },
		func() any { return *mayArrayPointer(list) },
		func() any { return mayPair(q, in-1) },
		func() any { return mayPair(p, in) },
		func() any { return mayAppended(list, p) },
		func() any { return mayAppendedOwn(p) },
		func() any { return mayBounded("abcdefgh", p) },
		func() any { return mayBoundedOwn(p) },
		func() any { return mayPassed(p) },
		func() any { return mayExchanged(q, in-1) },
		func() any { return mayExchanged(p, in) },
		func() any { return mayCompared(key, key) },
	} {
		s += tried(f) + ";"
	}
	return s
}
