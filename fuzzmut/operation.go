package fuzzmut

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
)

// operation is one of a Machine.
type operation struct {
	name     string // "Push", or "push" of a function
	call     string // what stands before the arguments in Go source: "s.Push", or "push"
	isMethod bool
	fn       reflect.Value // of the state first, or wherever it stands
	state    int           // which parameter that is
	tb       int           // and which is a testing.TB; -1 for none
	drawn    []int         // the others
	model    string        // method of the model; "" for none

	modelMethod int // its number
}

var tbType = reflect.TypeFor[testing.TB]()

// asArgument says what helps where no argument can be drawn: it has no tag, as a field has.
func asArgument(err error) error {
	var why *derive.Error
	if !errors.As(err, &why) || why.Ways != "" {
		return err
	}
	own := *why
	own.Ways = "call it in a function of the test, which makes the argument, and name that in Ops; " +
		"or define with fuzzmut.Represent what represents the type"
	return &own
}

// newOperation describes a function on states of a type.
func newOperation(name, call string, fn reflect.Value, state reflect.Type) (*operation, error) {
	t := fn.Type()
	op := &operation{name: name, call: call, fn: fn, state: -1, tb: -1}
	for i := range t.NumIn() {
		switch in := t.In(i); {
		case in == state && op.state < 0:
			op.state = i
		case in == tbType && op.tb < 0:
			op.tb = i
		case in == state || state.Kind() == reflect.Pointer && in == state.Elem():
			return nil, fmt.Errorf("one of its arguments is another %v, and sequences have one only", in)
		default:
			op.drawn = append(op.drawn, i)
		}
	}
	if op.state < 0 {
		return nil, fmt.Errorf("it has no argument of type %v", state)
	}
	for _, i := range op.drawn {
		if err := registry.Arg(t.In(i)); err != nil {
			return nil, asArgument(err)
		}
	}
	return op, nil
}

// unfit is a method that is no operation.
type unfit struct{ name, why string }

// listed is a text of methods that are no operations: a line for each reason.
func listed(left []unfit) string {
	var whys []string
	names := make(map[string][]string)
	for _, m := range left {
		if names[m.why] == nil {
			whys = append(whys, m.why)
		}
		names[m.why] = append(names[m.why], m.name)
	}
	for i, why := range whys {
		whys[i] = strings.Join(names[why], ", ") + ": " + why
	}
	return strings.Join(whys, "\n")
}

// methods lists the exported methods of a type as operations, and says of the others why
// they are none.
func methods(state reflect.Type) (ops []*operation, left []unfit) {
	for i := range state.NumMethod() {
		m := state.Method(i)
		fn := m.Func
		if !fn.IsValid() { // of an interface
			fn = methodOf(state, m)
		}
		op, err := newOperation(m.Name, "s."+m.Name, fn, state)
		if err != nil {
			left = append(left, unfit{m.Name, err.Error()})
			continue
		}
		op.isMethod = true
		ops = append(ops, op)
	}
	return ops, left
}

// methodOf makes a function of a method of an interface type.
func methodOf(state reflect.Type, m reflect.Method) reflect.Value {
	in := []reflect.Type{state}
	for i := range m.Type.NumIn() {
		in = append(in, m.Type.In(i))
	}
	var out []reflect.Type
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		method := args[0].Method(m.Index)
		if m.Type.IsVariadic() {
			return method.CallSlice(args[1:])
		}
		return method.Call(args[1:])
	})
}

// typeArguments stand in the name of an instance of a generic function.
var typeArguments = regexp.MustCompile(`\[[^\]]*\]`)

// functionName splits the name of a function into that of its package, "" for pkg, of the
// type that it is a method of, and its own. ok is false for a function literal.
func functionName(fn reflect.Value, pkg string) (qualifier, receiver, name string, ok bool) {
	f := runtime.FuncForPC(fn.Pointer())
	if f == nil {
		return "", "", "", false
	}
	full := strings.ReplaceAll(typeArguments.ReplaceAllString(f.Name(), ""), "%2e", ".")
	dir, last := path.Split(full)
	home, rest, _ := strings.Cut(last, ".")
	if dir+home != pkg {
		qualifier = home + "."
	}
	if before, after, isMethod := strings.Cut(rest, "."); isMethod {
		receiver, rest = before, after
	}
	return qualifier, receiver, rest, !literalName.MatchString(rest)
}

var literalName = regexp.MustCompile(`^func\d|\.|-fm$`)

// key tells the operation from others of its machine: ".Push" is a method.
func (op *operation) key() string {
	if op.isMethod {
		return "." + op.name
	}
	return op.name
}

// functions makes operations of functions.
func functions(list []any, state reflect.Type, pkg string) ([]*operation, error) {
	var ops []*operation
	for i, v := range list {
		fn := reflect.ValueOf(v)
		if fn.Kind() != reflect.Func || fn.IsNil() {
			return nil, fmt.Errorf("operation %d is no function", i+1)
		}
		qualifier, receiver, name, ok := functionName(fn, pkg)
		if !ok {
			return nil, fmt.Errorf("operation %d has no name. To fix this: declare it as a function or method", i+1)
		}
		call := qualifier + name
		if receiver != "" {
			call = "s." + name
		}
		op, err := newOperation(name, call, fn, state)
		if err != nil {
			return nil, fmt.Errorf("%s can be no operation: %w", name, err)
		}
		op.isMethod = receiver != ""
		if slices.ContainsFunc(ops, func(o *operation) bool { return o.call == call }) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		ops = append(ops, op)
	}
	return ops, nil
}

// against has an operation compared with the method of that name of a model, and reports
// whether there is one.
func (op *operation) against(model reflect.Type) (bool, error) {
	m, ok := model.MethodByName(op.name)
	if !ok {
		return false, nil
	}
	in := m.Type.NumIn() - 1
	if in != len(op.drawn) {
		return false, fmt.Errorf("%s has %d arguments, and that of the model has %d", op.name, len(op.drawn), in)
	}
	for i, k := range op.drawn {
		if a, b := op.fn.Type().In(k), m.Type.In(i+1); a != b {
			return false, fmt.Errorf("argument %d of %s is of type %v, and that of the model is %v", i+1, op.name, a, b)
		}
	}
	if a, b := op.fn.Type().NumOut(), m.Type.NumOut(); a != b {
		return false, fmt.Errorf("%s has %d results, and that of the model has %d", op.name, a, b)
	}
	op.model, op.modelMethod = op.name, m.Index
	return true, nil
}

// signature is what sequences have of an operation.
func (op *operation) signature() derive.Call {
	c := derive.Call{Name: op.name}
	for _, i := range op.drawn {
		c.Args = append(c.Args, op.fn.Type().In(i))
	}
	return c
}

// invoke calls the operation.
func (op *operation) invoke(t testing.TB, state reflect.Value, drawn []reflect.Value) []reflect.Value {
	args := make([]reflect.Value, op.fn.Type().NumIn())
	args[op.state] = state
	if op.tb >= 0 {
		args[op.tb] = reflect.ValueOf(t)
	}
	for i, k := range op.drawn {
		args[k] = drawn[i]
	}
	return called(op.fn, args)
}

// place returns the file of the operation, without its directory, and the line; "" if it has
// none, as what the compiler or package reflect has made.
func (op *operation) place() string { return placeOf(op.fn) }

// placeOf is place of any function.
func placeOf(v reflect.Value) string {
	fn := runtime.FuncForPC(v.Pointer())
	if fn == nil || strings.HasPrefix(fn.Name(), "reflect.") {
		return ""
	}
	file, line := fn.FileLine(fn.Entry())
	if !strings.HasSuffix(file, ".go") {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(file), line)
}

// called calls a function; the last argument of one with any number of them is a slice.
func called(fn reflect.Value, args []reflect.Value) []reflect.Value {
	if fn.Type().IsVariadic() {
		return fn.CallSlice(args)
	}
	return fn.Call(args)
}
