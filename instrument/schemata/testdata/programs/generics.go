package programs

import "fmt"

type number interface {
	~int | ~int8 | ~float64
}

type whole interface{ ~int | ~uint8 }

type meters float64

func total[T number](xs ...T) T {
	var t T
	for _, x := range xs {
		t += x
		t = t*2 - 1
	}
	if t > 10 {
		return -t
	}
	return t
}

func bitsOf[T whole](x T) T { return x&3 | x<<1 }

func largest[K comparable, V number](m map[K]V, keys []K) (best K, ok bool) {
	var top V
	for _, k := range keys {
		if v, found := m[k]; found && (!ok || v > top) {
			best, top, ok = k, v, true
		}
	}
	return best, ok
}

type list[T any] struct {
	head *node[T]
	n    int
}

type node[T any] struct {
	val  T
	next *node[T]
}

func (l *list[T]) push(v T) *list[T] {
	l.head = &node[T]{v, l.head}
	l.n++
	return l
}

func (l *list[E]) first() (E, bool) {
	if l.head == nil {
		var zero E
		return zero, false
	}
	return l.head.val, l.n > 0
}

func apply[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

type boolish interface{ ~bool }

func either[B boolish](a, b B) B { return a || !b }

// CaseGenerics: functions and types with type parameters.
func CaseGenerics(in int) string {
	var l list[string]
	if in > 1 {
		l.push("a").push("b")
	}
	s, ok := l.first()
	k, found := largest(map[string]int{"x": in, "y": 3}, []string{"x", "y", "z"})
	return fmt.Sprint(total(in, 2), total[meters](1.5, meters(in)), total(int8(in)), bitsOf(uint8(in)), bitsOf(in), s, ok, k, found,
		apply([]int{in, 1}, func(n int) string { return fmt.Sprint(n + 1) }), either(in > 2, in == 1))
}
