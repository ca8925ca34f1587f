package exec

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Testing is what is needed of package testing and can't have from outside:
// the functions added to it on injection. Tests of this package bring their own.
type Testing struct {
	Seeds   func(f *testing.F) [][]any
	Breeder func(f *testing.F) any // of inputs that are values; nil if there is none
	Only    func(f *testing.F, vals []any)
	Reset   func(t, proto *testing.T, renewContext bool)
	Cleanup func(t *testing.T)
	Result  func(t *testing.T) (failed, skipped bool, output []byte) // there is output if it failed
	Quiet   *bool                                                    // logging does nothing
}

// A Target is the user's fuzz target, ready to be called with values.
type Target struct {
	hooks Testing
	Proto *testing.T // the T of the one real call
	t     *testing.T // lent to the target, reset before each execution
	Renew bool       // the test uses T.Context

	Types []reflect.Type
	Call  func(t *testing.T, vals []any)
}

// ArgTypes returns the types of the fuzz arguments of ff, as Go source. F.Fuzz
// has not checked ff yet; what is not a fuzz target is left for it to refuse.
func ArgTypes(ff any) ([]reflect.Type, bool) {
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

// NewTarget binds ff. The two commonest forms are called directly; reflection
// costs a few hundred nanoseconds, as much as a small target itself.
func NewTarget(ff any, hooks Testing) *Target {
	tg := &Target{hooks: hooks, t: new(testing.T)}
	tg.Types, _ = ArgTypes(ff)
	switch fn := ff.(type) {
	case func(*testing.T, []byte):
		tg.Call = func(t *testing.T, vals []any) { fn(t, vals[0].([]byte)) }
	case func(*testing.T, string):
		tg.Call = func(t *testing.T, vals []any) { fn(t, vals[0].(string)) }
	default:
		v := reflect.ValueOf(ff)
		args := make([]reflect.Value, 1+len(tg.Types))
		tg.Call = func(t *testing.T, vals []any) {
			args[0] = reflect.ValueOf(t)
			for i, val := range vals {
				args[i+1] = reflect.ValueOf(val)
			}
			v.Call(args)
		}
	}
	return tg
}

// TypeNames returns the argument types as Go's corpus files name them.
func (tg *Target) TypeNames() []string {
	names := make([]string, len(tg.Types))
	for i, t := range tg.Types {
		names[i] = t.String()
		if t == reflect.TypeFor[[]byte]() {
			names[i] = "[]byte" // reflect says []uint8
		}
	}
	return names
}

// Zero returns a zero value for each argument.
func (tg *Target) Zero() []any {
	vals := make([]any, len(tg.Types))
	for i, t := range tg.Types {
		vals[i] = reflect.Zero(t).Interface()
	}
	return vals
}

// Check says what is wrong with vals as arguments.
func (tg *Target) Check(vals []any) error {
	if len(vals) != len(tg.Types) {
		return fmt.Errorf("input has %d values, the fuzz target takes %d", len(vals), len(tg.Types))
	}
	for i, v := range vals {
		if reflect.TypeOf(v) != tg.Types[i] {
			return fmt.Errorf("value %d of the input is a %T, the fuzz target takes %v", i+1, v, tg.Types[i])
		}
	}
	return nil
}

// Decode decodes an input, which must be one of the target's.
func (tg *Target) Decode(input []byte) ([]any, error) {
	vals, err := wire.Decode(input)
	if err == nil {
		err = tg.Check(vals)
	}
	return vals, err
}

// Given decodes an input that the coordinator has sent.
func (tg *Target) Given(input []byte) ([]any, error) {
	vals, err := tg.Decode(input)
	if err != nil {
		return nil, fmt.Errorf("input from the coordinator: %w", err)
	}
	return vals, nil
}

// Adopt returns a fuzz target of the same type as ff that calls fn instead.
func Adopt(ff any, fn func(t *testing.T, vals []any)) any {
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

// Clone copies the values that a target could change in place.
func Clone(vals []any) []any {
	c := make([]any, len(vals))
	for i, v := range vals {
		if b, ok := v.([]byte); ok {
			v = append(make([]byte, 0, len(b)), b...)
		}
		c[i] = v
	}
	return c
}
