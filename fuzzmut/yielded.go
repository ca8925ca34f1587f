package fuzzmut

import (
	"reflect"
	"slices"
)

// What an iterator yields stands for it among results: the values, or the keys and values. Their order
// may be that of a map, and so says nothing.
type (
	yieldedValues []any
	yieldedPairs  [][2]any
)

// mostYielded bounds the elements of an iterator: there are some without end.
const mostYielded = 100

// isIterator reports whether a for statement can range over functions of a type.
func isIterator(t reflect.Type) bool {
	return t.Kind() == reflect.Func && (t.CanSeq() || t.CanSeq2())
}

// iterated are results with what iterators yield in their place.
func iterated(results []reflect.Value) []reflect.Value {
	for i, v := range results {
		if isIterator(v.Type()) && !v.IsNil() {
			results[i] = yielded(v)
		}
	}
	return results
}

// yielded runs an iterator.
func yielded(v reflect.Value) reflect.Value {
	if v.Type().CanSeq() {
		var list yieldedValues
		for x := range v.Seq() {
			if list = append(list, x.Interface()); len(list) == mostYielded {
				break
			}
		}
		return reflect.ValueOf(list)
	}
	var list yieldedPairs
	for k, x := range v.Seq2() {
		if list = append(list, [2]any{k.Interface(), x.Interface()}); len(list) == mostYielded {
			break
		}
	}
	return reflect.ValueOf(list)
}

// observable is a result for those who compare it: in types of the language.
func observable(v reflect.Value) any {
	switch list := v.Interface().(type) {
	case yieldedValues:
		return []any(list)
	case yieldedPairs:
		return [][2]any(list)
	default:
		return list
	}
}

// sameYielded reports whether two iterators have yielded the same, in any order; ok is false for
// results that were none.
func sameYielded(a, b reflect.Value) (same, ok bool) {
	switch list := a.Interface().(type) {
	case yieldedValues:
		other, ok := b.Interface().(yieldedValues)
		return ok && permuted(list, other), true
	case yieldedPairs:
		other, ok := b.Interface().(yieldedPairs)
		return ok && permuted(list, other), true
	}
	return false, false
}

// permuted reports whether two lists have the same elements.
func permuted[E any](a, b []E) bool {
	if len(a) != len(b) {
		return false
	}
	rest := slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(rest, func(y E) bool { return same(reflect.ValueOf(&x).Elem(), reflect.ValueOf(&y).Elem()) })
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}
