// Package loop runs inside the rewritten test binary. It takes over f.Fuzz and
// serves the coordinator: it runs the fuzz target in process, measures coverage,
// switches mutants, judges what they change, and breeds new inputs.
//
// The package is injected as "fuzzmutrt/loop". It imports the standard library
// and its sister packages only, and switches every mutant off before it calls
// anything that the user may have chosen to mutate.
package loop

import (
	"fmt"
	"reflect"
	"testing"
)

// Testing is what the loop needs of package testing and can't have from outside:
// the functions added to it on injection. Tests of this package bring their own.
type Testing struct {
	Seeds   func(f *testing.F) [][]any
	Breeder func(f *testing.F) any // of inputs that are values; nil if there is none
	Only    func(f *testing.F, vals []any)
	Reset   func(t, proto *testing.T, renewContext bool)
	Cleanup func(t *testing.T)
	Result  func(t *testing.T) (failed, skipped bool, output []byte)
	Quiet   *bool // logging does nothing
}

// target is the user's fuzz target, ready to be called with values.
type target struct {
	hooks Testing
	proto *testing.T // the T of the one real call
	t     *testing.T // lent to the target, reset before each execution
	renew bool       // the test uses T.Context

	breeder any // see Testing

	types []reflect.Type
	call  func(t *testing.T, vals []any)
}

// argTypes returns the types of the fuzz arguments of ff, as Go source. F.Fuzz
// has not checked ff yet; what is not a fuzz target is left for it to refuse.
func argTypes(ff any) ([]reflect.Type, bool) {
	ft := reflect.TypeOf(ff)
	if ft == nil || ft.Kind() != reflect.Func || ft.NumIn() < 2 || ft.NumOut() != 0 ||
		ft.In(0) != reflect.TypeFor[*testing.T]() {
		return nil, false
	}
	var types []reflect.Type
	for i := 1; i < ft.NumIn(); i++ {
		types = append(types, ft.In(i))
	}
	return types, true
}

// newTarget binds ff. The two commonest forms are called directly; reflection
// costs a few hundred nanoseconds, as much as a small target itself.
func newTarget(ff any, hooks Testing) *target {
	tg := &target{hooks: hooks, t: new(testing.T)}
	tg.types, _ = argTypes(ff)
	switch fn := ff.(type) {
	case func(*testing.T, []byte):
		tg.call = func(t *testing.T, vals []any) { fn(t, vals[0].([]byte)) }
	case func(*testing.T, string):
		tg.call = func(t *testing.T, vals []any) { fn(t, vals[0].(string)) }
	default:
		v := reflect.ValueOf(ff)
		args := make([]reflect.Value, 1+len(tg.types))
		tg.call = func(t *testing.T, vals []any) {
			args[0] = reflect.ValueOf(t)
			for i, val := range vals {
				args[i+1] = reflect.ValueOf(val)
			}
			v.Call(args)
		}
	}
	return tg
}

// typeNames returns the argument types as Go's corpus files name them.
func (tg *target) typeNames() []string {
	names := make([]string, len(tg.types))
	for i, t := range tg.types {
		names[i] = t.String()
		if t == reflect.TypeFor[[]byte]() {
			names[i] = "[]byte" // reflect says []uint8
		}
	}
	return names
}

// zero returns a zero value for each argument.
func (tg *target) zero() []any {
	vals := make([]any, len(tg.types))
	for i, t := range tg.types {
		vals[i] = reflect.Zero(t).Interface()
	}
	return vals
}

// check says what is wrong with vals as arguments.
func (tg *target) check(vals []any) error {
	if len(vals) != len(tg.types) {
		return fmt.Errorf("input has %d values, the fuzz target takes %d", len(vals), len(tg.types))
	}
	for i, v := range vals {
		if reflect.TypeOf(v) != tg.types[i] {
			return fmt.Errorf("value %d of the input is a %T, the fuzz target takes %v", i+1, v, tg.types[i])
		}
	}
	return nil
}

// adopt returns a fuzz target of the same type as ff that calls fn instead.
func adopt(ff any, fn func(t *testing.T, vals []any)) any {
	ft := reflect.TypeOf(ff)
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		vals := make([]any, len(args)-1)
		for i, a := range args[1:] {
			vals[i] = a.Interface()
		}
		fn(args[0].Interface().(*testing.T), vals)
		return nil
	}).Interface()
}

// clone copies the values that a target could change in place.
func clone(vals []any) []any {
	c := make([]any, len(vals))
	for i, v := range vals {
		if b, ok := v.([]byte); ok {
			v = append(make([]byte, 0, len(b)), b...)
		}
		c[i] = v
	}
	return c
}
