package fuzzmutrt

import "unsafe"

// Byte is byte, under a name that the code around a call can't shadow.
type Byte = byte

// ObsN passes on the N results of a call, and shows them to the oracle while
// Observing. The site's number is the length of the array type S, so that a call
// with several results can be the only argument; the other type parameters are
// inferred.

func Obs1[S, A any](a A) A {
	if Observing {
		ObserveHook(site[S](), []any{a})
	}
	return a
}

func Obs2[S, A, B any](a A, b B) (A, B) {
	if Observing {
		ObserveHook(site[S](), []any{a, b})
	}
	return a, b
}

func Obs3[S, A, B, C any](a A, b B, c C) (A, B, C) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c})
	}
	return a, b, c
}

func Obs4[S, A, B, C, D any](a A, b B, c C, d D) (A, B, C, D) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c, d})
	}
	return a, b, c, d
}

func Obs5[S, A, B, C, D, E any](a A, b B, c C, d D, e E) (A, B, C, D, E) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c, d, e})
	}
	return a, b, c, d, e
}

func Obs6[S, A, B, C, D, E, F any](a A, b B, c C, d D, e E, f F) (A, B, C, D, E, F) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c, d, e, f})
	}
	return a, b, c, d, e, f
}

func Obs7[S, A, B, C, D, E, F, G any](a A, b B, c C, d D, e E, f F, g G) (A, B, C, D, E, F, G) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c, d, e, f, g})
	}
	return a, b, c, d, e, f, g
}

func Obs8[S, A, B, C, D, E, F, G, H any](a A, b B, c C, d D, e E, f F, g G, h H) (A, B, C, D, E, F, G, H) {
	if Observing {
		ObserveHook(site[S](), []any{a, b, c, d, e, f, g, h})
	}
	return a, b, c, d, e, f, g, h
}

// Obs1P shows the result of a call, and what the call may have changed at the pointer p.
func Obs1P[S, A, P any](a A, p *P) A {
	if Observing {
		ObserveHook(site[S](), []any{a, p})
	}
	return a
}

// Obs1PP is Obs1P for two pointers.
func Obs1PP[S, A, P, Q any](a A, p *P, q *Q) A {
	if Observing {
		ObserveHook(site[S](), []any{a, p, q})
	}
	return a
}

// mostYielded bounds the elements of an iteration that are shown: there are some without end.
const mostYielded = 1000

// Yield1 returns an iterator that yields what f does. While Observing, it shows the elements to
// the oracle when an iteration ends, as one list: where their order is that of a map, they can be
// compared all the same.
func Yield1[S any, F ~func(func(V) bool), V any](f F) F {
	if !Observing || f == nil {
		return f
	}
	return func(yield func(V) bool) {
		list := []V{}
		f(func(v V) bool {
			if len(list) < mostYielded {
				list = append(list, v)
			}
			return yield(v)
		})
		if Observing {
			ObserveHook(site[S](), []any{list})
		}
	}
}

// Yield2 is Yield1 for an iterator over pairs.
func Yield2[S any, F ~func(func(K, V) bool), K, V any](f F) F {
	if !Observing || f == nil {
		return f
	}
	return func(yield func(K, V) bool) {
		list := []struct { // no name of a field is declared in what generated tests copy: that would be renamed
			Key K
			Val V
		}{}
		f(func(k K, v V) bool {
			if len(list) < mostYielded {
				list = append(list, struct {
					Key K
					Val V
				}{k, v})
			}
			return yield(k, v)
		})
		if Observing {
			ObserveHook(site[S](), []any{list})
		}
	}
}

// ObsArgs shows values that a call may have changed, after it. The result is
// true, so that it can stand before a condition; callers test Observing
// themselves, or vals would be allocated each time.
func ObsArgs(site uint32, vals ...any) bool {
	if Observing {
		ObserveHook(site, vals)
	}
	return true
}

// ObsOps returns f, the fuzz test of a sequence of operations. The results of these are
// observed at sites that follow each other, from first on, in the order of the names.
func ObsOps[F any](f F, first uint32, names ...string) F {
	OpFirst, OpNames = first, names
	return f
}

// Second returns cond. In `if x, err := f(&v); Second(ObsArgs(…), cond)` it gives
// an observation a place after f and before cond, whatever cond's boolean type.
func Second[B ~bool](_ bool, cond B) B { return cond }

// site returns the number that the array type S stands for.
func site[S any]() uint32 {
	var s S
	return uint32(unsafe.Sizeof(s))
}
