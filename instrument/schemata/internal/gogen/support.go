package gogen

import "strings"

// supportText is in every program: the record of what it does, its budget, and
// helpers that keep it within bounds. What initializers use is not to be mutated:
// it has run when a mutant is chosen.
const supportText = `
var (
	P_out   []byte
	P_start []byte
	P_left  = 200
)

// note records values.
//
//fuzzmut:ignore support
func P_note(vs ...any) {
	for _, v := range vs {
		P_out = fmt.Append(P_out, v, " ")
	}
	if len(P_out) > 6000 {
		sum := uint32(2166136261)
		for _, b := range P_out {
			sum = (sum ^ uint32(b)) * 16777619
		}
		P_out = fmt.Append(nil, sum, " ")
	}
}

// step uses up one step of the budget, and says whether there was one.
//
//fuzzmut:ignore support
func P_step() bool {
	P_left--
	return P_left > 0
}

// try calls f and records its panic.
//
//fuzzmut:ignore support
func P_try(f func(int), in int) {
	defer func() {
		if r := recover(); r != nil {
			P_note("recovered", r)
		}
	}()
	f(in)
}

//fuzzmut:ignore support
func P_cut(s string) string { return s[:min(len(s), 40)] }

//fuzzmut:ignore support
func P_clip[S ~[]E, E any](s S) S {
	s = s[:min(len(s), 12)]
	return s[:len(s):len(s)]
}

//fuzzmut:ignore support
func P_keys[M ~map[K]V, K interface{ ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~string }, V any](m M) []K {
	var keys []K
	for k := range m {
		i := 0
		for i < len(keys) && keys[i] < k {
			i++
		}
		keys = append(keys[:i], append([]K{k}, keys[i:]...)...)
	}
	return keys
}

//fuzzmut:ignore support
func P_id[T any](x T) T { return x }

//fuzzmut:ignore support
func P_zero[T any]() (zero T) { return }

//fuzzmut:ignore support
func P_choose[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

//fuzzmut:ignore support
func P_map[T, U any, S ~[]T](s S, f func(T) U) []U {
	out := make([]U, len(s))
	for i, x := range s {
		out[i] = f(x)
	}
	return out
}

func P_count(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && P_step(); i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func P_each[S ~[]E, E any](s S) func(yield func(int, E) bool) {
	return func(yield func(int, E) bool) {
		for i, e := range s {
			if !P_step() || !yield(i, e) {
				break
			}
		}
	}
}

type P_fault struct{ Code int }

//fuzzmut:ignore support
func (f P_fault) Error() string { return fmt.Sprint("fault ", f.Code) }

//fuzzmut:ignore support
func (f *P_fault) raise(n int) { f.Code += n; panic(*f) }

//fuzzmut:ignore support
func P_fail(code int) error {
	if code&1 == 0 {
		return nil
	}
	return P_fault{code}
}
`

func (g *gen) support() string {
	return strings.ReplaceAll(supportText, "P_", g.prefix+"_")
}
