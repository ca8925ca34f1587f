package fuzzmut

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// constructor makes states of a Machine.
type constructor struct {
	call    string // what stands before the arguments in Go source: "NewRing"
	source  string // the whole call, if it is none of a function
	unnamed bool   // fn is a function literal
	fn      reflect.Value
	model   reflect.Value // what makes the model of such a state; the zero Value: nothing
	drawn   []reflect.Type
	omitted bool // the last parameter, which a call may have any number of
}

var boolType = reflect.TypeFor[bool]()

// constructors are those that the runner begins sequences with.
func (r *runner[S]) constructors(state reflect.Type) (list []*constructor, err error) {
	switch {
	case r.New != nil && len(r.Constructors) > 0:
		return nil, errors.New("it has New and Constructors. To fix this: give one of them")
	case r.New != nil:
		list = []*constructor{r.newOf()}
	case len(r.Constructors) == 0 && state.Kind() == reflect.Pointer:
		list = []*constructor{zeroOf(state, r.pkg)}
	case len(r.Constructors) == 0:
		return nil, errors.New("no state to begin with: New is nil")
	}
	for i, v := range r.Constructors {
		c, err := newConstructor(v, state, r.pkg)
		if err != nil {
			return nil, fmt.Errorf("constructor %d %w", i+1, err)
		}
		list = append(list, c)
	}
	return list, r.addModels(list)
}

// newOf is New as a constructor.
func (r *runner[S]) newOf() *constructor {
	fn := reflect.ValueOf(r.New)
	qualifier, receiver, name, ok := functionName(fn, r.pkg)
	if !ok || receiver != "" {
		return &constructor{call: "New", unnamed: true, fn: fn}
	}
	return &constructor{call: qualifier + name, fn: fn}
}

// zeroOf makes a pointer to the zero value.
func zeroOf(state reflect.Type, pkg string) *constructor {
	fn := reflect.MakeFunc(reflect.FuncOf(nil, []reflect.Type{state}, false), func([]reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.New(state.Elem()).Convert(state)}
	})
	return &constructor{call: "new", source: "new(" + literal.Type(state.Elem(), pkg) + ")", fn: fn}
}

// newConstructor describes a function that returns states of a type.
func newConstructor(v any, state reflect.Type, pkg string) (*constructor, error) {
	fn := reflect.ValueOf(v)
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, errors.New("is no function")
	}
	qualifier, receiver, name, ok := functionName(fn, pkg)
	if !ok || receiver != "" {
		return nil, errors.New("has no name. To fix this: declare it as a function")
	}
	if !returnsState(fn.Type(), state) {
		return nil, fmt.Errorf("is %s, which has to return %v, and may return an error or a bool with it", name, state)
	}
	c := &constructor{call: qualifier + name + typeArgumentsOf(fn, state, pkg), fn: fn}
	for i := range fn.Type().NumIn() {
		t := fn.Type().In(i)
		if err := registry.Arg(t); err == nil {
			c.drawn = append(c.drawn, t)
		} else if c.omitted = fn.Type().IsVariadic() && i == fn.Type().NumIn()-1; !c.omitted {
			return nil, fmt.Errorf("is %s: %w", name, err)
		}
	}
	return c, nil
}

// returnsState reports whether a function returns states, or what they point to.
func returnsState(fn, state reflect.Type) bool {
	if n := fn.NumOut(); n == 0 || n > 2 || n == 2 && fn.Out(1) != errorType && fn.Out(1) != boolType {
		return false
	}
	return fn.Out(0) == state || state.Kind() == reflect.Pointer && fn.Out(0) == state.Elem()
}

// typeArgumentsOf are those of an instance of a generic function, "[int]", which are those
// of the type that it returns; "" for another function.
func typeArgumentsOf(fn reflect.Value, state reflect.Type, pkg string) string {
	if !strings.HasSuffix(runtime.FuncForPC(fn.Pointer()).Name(), "]") {
		return ""
	}
	name := literal.Type(state, pkg)
	if at := strings.IndexByte(name, '['); at >= 0 {
		return strings.TrimSuffix(name[at:], ")")
	}
	return ""
}

// addModels gives each constructor what makes its model.
func (r *runner[S]) addModels(list []*constructor) error {
	if len(r.Models) == 0 {
		return nil
	}
	if r.Model != nil || len(r.Models) != len(r.Constructors) {
		return fmt.Errorf("it has %d models for %d constructors. To fix this: give one for each in Models, and no Model", len(r.Models), len(r.Constructors))
	}
	for i, v := range r.Models {
		fn, t := reflect.ValueOf(v), reflect.TypeOf(v)
		if fn.Kind() != reflect.Func || fn.IsNil() || t.NumOut() != 1 || t.IsVariadic() {
			return fmt.Errorf("model %d is no function with one result", i+1)
		}
		if first := reflect.TypeOf(r.Models[0]).Out(0); t.Out(0) != first {
			return fmt.Errorf("model %d is %v, and the first is %v. To fix this: let them be of one type", i+1, t.Out(0), first)
		}
		if !list[i].takesAs(t) {
			return fmt.Errorf("model %d has other parameters than %s. To fix this: give it the same, or none", i+1, list[i].call)
		}
		list[i].model = fn
	}
	return nil
}

// takesAs reports whether a function has the parameters of c, or none.
func (c *constructor) takesAs(t reflect.Type) bool {
	if t.NumIn() == 0 {
		return true
	}
	if t.NumIn() != len(c.drawn) {
		return false
	}
	for i, in := range c.drawn {
		if t.In(i) != in {
			return false
		}
	}
	return true
}

// modelType is the type of the models; nil: there is none.
func (r *runner[S]) modelType() (reflect.Type, error) {
	switch {
	case len(r.Models) > 0:
		return reflect.TypeOf(r.Models[0]).Out(0), nil
	case r.Model == nil:
		return nil, nil
	}
	if t := reflect.TypeOf(r.Model()); t != nil {
		return t, nil
	}
	return nil, errors.New("no model: Model returns nil")
}

// invoke calls the constructor. One that panics with a text, or an error, refuses its arguments: false. What the runtime
// panics with is a fault.
func (c *constructor) invoke(args []reflect.Value) (out []reflect.Value, ok bool) {
	defer func() {
		v := recover()
		if err, fault := v.(runtime.Error); fault {
			panic(err)
		}
		ok = v == nil
	}()
	if c.omitted || !c.fn.Type().IsVariadic() {
		return c.fn.Call(args), true
	}
	return c.fn.CallSlice(args), true
}

// make calls the constructor; false: there is no state.
func (c *constructor) make(args []reflect.Value, state reflect.Type) (reflect.Value, bool) {
	out, ok := c.invoke(args)
	if !ok || len(out) == 2 && (out[1].Type() == boolType && !out[1].Bool() || out[1].Type() == errorType && !out[1].IsNil()) {
		return reflect.Value{}, false
	}
	v := out[0]
	if v.Type() != state {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return p, true
	}
	return v, v.Kind() != reflect.Pointer || !v.IsNil()
}

// begin makes the state of a sequence, and its model. Where a constructor has none, the test
// ends: the input is discarded.
func (s *sequence[S]) begin(t testing.TB, x *term.Term) (state S, model reflect.Value) {
	at, args := s.calls.Begin(x)
	c := s.runner.begin[at]
	s.start = func() string { return s.beginning(c, args) }
	_, own := s.calls.Begin(x) // others: what shows them may not see what becomes of these
	v, ok := c.make(own, reflect.TypeFor[S]())
	if !ok {
		discard(t, c.call)
	}
	state, _ = v.Interface().(S)
	switch _, own = s.calls.Begin(x); {
	case s.Model != nil:
		model = reflect.ValueOf(s.Model())
	case c.model.IsValid() && c.model.Type().NumIn() == 0:
		model = dynamic(c.model.Call(nil)[0])
	case c.model.IsValid():
		model = dynamic(c.model.Call(own)[0])
	}
	return state, model
}

// dynamic is a value without the interface that holds it.
func dynamic(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}
