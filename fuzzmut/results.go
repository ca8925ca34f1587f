package fuzzmut

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

var errorType = reflect.TypeFor[error]()

// judged reports whether results of an operation and of its model are to be the
// same: not if they are states, as of methods that return what they belong to, or hold
// what says nothing, as functions and channels do.
func judged(a, b reflect.Value, state reflect.Type) bool {
	if a.Type() != b.Type() || a.Type() == state {
		return false
	}
	k := a.Kind()
	return k != reflect.Func && k != reflect.Chan && k != reflect.UnsafePointer
}

// same reports whether two results are the same. An error says no more than that it is
// one.
func same(a, b reflect.Value) bool {
	if same, ok := sameYielded(a, b); ok {
		return same
	}
	if a.Type() == errorType {
		return a.IsNil() == b.IsNil()
	}
	if a.CanFloat() && math.IsNaN(a.Float()) {
		return math.IsNaN(b.Float())
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// results prints what a call returned.
func results(list []reflect.Value) string {
	texts := make([]string, len(list))
	for i, v := range list {
		switch {
		case v.Kind() == reflect.String:
			texts[i] = strconv.Quote(v.String())
		case v.Kind() == reflect.Func || v.Kind() == reflect.Chan:
			texts[i] = v.Type().String()
		default:
			texts[i] = fmt.Sprint(v)
		}
		if len(texts[i]) > mostResult {
			texts[i] = texts[i][:mostResult] + "…"
		}
	}
	return strings.ReplaceAll(strings.Join(texts, ", "), "\n", " ")
}

// mostResult is how much of a result is shown, in bytes.
const mostResult = 200
