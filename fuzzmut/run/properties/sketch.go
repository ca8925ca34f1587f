package properties

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// sketch is a fuzz test while its body is written.
type sketch struct {
	*target.Draft
	api  *api
	body []string
}

// sketch begins a fuzz test with values for parameters; nil: there are none. seeds are values
// of all parameters. Values that nothing else makes are set by a method.
func (a *api) sketch(params []*types.Var, seeds [][]constant.Value) *sketch {
	if s := a.made(params, seeds); s != nil {
		return s
	}
	return a.set(params, seeds)
}

// made is a sketch with values that functions make.
func (a *api) made(params []*types.Var, seeds [][]constant.Value) *sketch {
	opts := target.Options{Package: a.pkg, Flat: true, Seeds: seeds}
	params, instead := withNative(params)
	for _, p := range params {
		if m, ok := a.surface.Maker(p.Type()); ok {
			opts.Makers = append(opts.Makers, m)
		} else if a.surface.Hidden(p.Type()) && !supplied(p.Type()) {
			return nil
		}
	}
	d, err := target.NewDraft("it", types.NewTuple(params...), opts)
	if err != nil {
		return nil
	}
	for at, write := range instead {
		if write != nil {
			write(d, &d.Args[at])
		}
	}
	return &sketch{Draft: d, api: a}
}

// withNative has numbers take the place of times, and texts that of lists of texts. What it returns for each
// writes the value.
func withNative(params []*types.Var) (list []*types.Var, instead []func(*target.Draft, *target.Arg)) {
	list, instead = slices.Clone(params), make([]func(*target.Draft, *target.Arg), len(params))
	for i, p := range params {
		switch {
		case isTime(p.Type()):
			list[i], instead[i] = param(p.Name(), types.Typ[types.Int32]), seconds
		case isTexts(p.Type()):
			list[i], instead[i] = param(p.Name(), types.Typ[types.String]), parts
		}
	}
	return list, instead
}

// seconds writes a time: those since 1970.
func seconds(d *target.Draft, arg *target.Arg) {
	arg.Expr, arg.Format = fmt.Sprintf("%s.Unix(int64(%s), 0).UTC()", d.Use("time"), arg.Expr), "time.Unix("+arg.Format+", 0)"
}

// parts writes a list of texts: those between zero bytes.
func parts(d *target.Draft, arg *target.Arg) {
	arg.Expr = fmt.Sprintf("%s.Split(%s, %q)", d.Use("strings"), arg.Expr, "\x00")
	arg.Operands = []string{arg.Expr}
}

func isTime(t types.Type) bool { return types.TypeString(types.Unalias(t), nil) == "time.Time" }

// supplied says whether a type is one of those that a fuzz test has values of anyway.
func supplied(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "io.Reader", "*bytes.Reader", "*strings.Reader", "*bytes.Buffer":
		return true
	}
	return false
}

// of begins a fuzz test that calls a function; for a method the receiver comes first.
func (a *api) of(fn *types.Func) *sketch {
	params, ok := a.params(fn)
	if !ok {
		return nil
	}
	s := a.sketch(params, a.seeds(fn))
	if s != nil && fn.Signature().Recv() != nil && !token.IsIdentifier(s.Args[0].Expr) {
		v := s.Local(params[0].Name())
		s.linef("%s := %s", v, s.Args[0].Expr)
		s.Args[0].Expr = v
	}
	return s
}

// seeds are values for what params lists.
func (a *api) seeds(fn *types.Func) [][]constant.Value {
	list := a.surface.Seeds(fn)
	if fn.Signature().Recv() == nil {
		return list
	}
	for i := range list {
		list[i] = append([]constant.Value{nil}, list[i]...)
	}
	return list
}

// params lists what a call of a function needs, the receiver first.
func (a *api) params(fn *types.Func) (list []*types.Var, ok bool) {
	sig := fn.Signature()
	if sig.Variadic() && !isTexts(sig.Params().At(sig.Params().Len()-1).Type()) {
		return nil, false
	}
	if recv := sig.Recv(); recv != nil {
		n := named(recv.Type())
		list = append(list, param(variable(n), a.valueType(n)))
	}
	for p := range sig.Params().Variables() {
		list = append(list, p)
	}
	return list, true
}

// valueType is the type that values of a named type have here: a pointer if their maker
// returns one, or a method sets them.
func (a *api) valueType(n *types.Named) types.Type {
	if m, ok := a.surface.Maker(n); ok {
		fn := a.pkg.Scope().Lookup(m.Function).(*types.Func)
		if t := fn.Signature().Results().At(0).Type(); named(t) == n {
			return t
		}
	}
	if a.made([]*types.Var{param("v", n)}, nil) == nil && a.setter(n) != nil {
		return types.NewPointer(n) // it is not copied
	}
	return n
}

// param is a parameter of a fuzz test.
func param(name string, t types.Type) *types.Var { return types.NewParam(0, nil, name, t) }

// named returns the type with a name that t is, or points to; nil: none.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// variable is a name for a value of a type.
func variable(n *types.Named) string { return target.Variable(n.Obj().Name()) }

// short is how sentences and messages call a function: "Parse", "Version.String".
func short(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return named(recv.Type()).Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// linef adds a statement.
func (s *sketch) linef(format string, args ...any) {
	s.body = append(s.body, fmt.Sprintf(format, args...))
}

// reports adds a failure with a message: format with operands.
func (s *sketch) reports(cond, format string, operands ...string) {
	s.linef("if %s {\nt.Errorf(%q, %s)\n}", cond, format, strings.Join(operands, ", "))
}

// call is the source of a call: the receiver is the first argument of a method.
func call(fn *types.Func, args []string) string {
	if fn.Signature().Variadic() && len(args) > 0 {
		args = slices.Clone(args)
		args[len(args)-1] += "..."
	}
	if fn.Signature().Recv() != nil {
		return args[0] + "." + fn.Name() + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return fn.Name() + "(" + strings.Join(args, ", ") + ")"
}

// exprs are the arguments of a call with the values of the fuzz test.
func (s *sketch) exprs() (list []string) {
	for _, a := range s.Args {
		list = append(list, a.Expr)
	}
	return list
}

// shown is how a message shows a call with values of the fuzz test.
func (s *sketch) shown(fn *types.Func, args []target.Arg) (format string, operands []string) {
	var formats []string
	for _, a := range args {
		formats = append(formats, a.Format)
		operands = append(operands, a.Operands...)
	}
	return call(fn, formats), operands
}

// bind calls a function and leaves the fuzz test with a statement where there is no value.
// It reports false where the results are no value with, perhaps, an error or a bool.
func (s *sketch) bind(name, source string, results *types.Tuple, leave string) bool {
	switch {
	case results.Len() == 1:
		s.linef("%s := %s", name, source)
		if _, ok := types.Unalias(results.At(0).Type()).(*types.Pointer); ok && leave == "return" {
			s.linef("if %s == nil {\nreturn\n}", name)
		}
	case results.Len() == 2 && isError(results.At(1).Type()):
		s.linef("%s, err := %s\nif err != nil {\n%s\n}", name, source, leave)
	case results.Len() == 2 && isBool(results.At(1).Type()):
		ok := s.Local("ok")
		s.linef("%s, %s := %s\nif !%[2]s {\n%[4]s\n}", name, ok, source, leave)
	default:
		return false
	}
	return true
}

// valued says whether bind takes results.
func valued(results *types.Tuple) bool {
	return results.Len() == 1 && !isError(results.At(0).Type()) ||
		results.Len() == 2 && (isError(results.At(1).Type()) || isBool(results.At(1).Type()))
}

// An equality is a way to compare two values.
type equality struct {
	differ string // a condition with the values as %[1]s and %[2]s, and the package as %[3]s
	word   string // "equal"
	verb   string // of messages
	needs  string // a package; "": none
}

// equalities are the ways to compare two values of a type, the strictest first; none: there
// is no way.
func (s *sketch) equalities(t types.Type) []equality {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsFloat != 0:
			return []equality{{differ: "%[1]s != %[2]s && !(%[3]s.IsNaN(float64(%[1]s)) && %[3]s.IsNaN(float64(%[2]s)))", word: "the same", verb: "%v", needs: "math"}}
		case u.Info()&types.IsString != 0:
			return []equality{{differ: "%[1]s != %[2]s", word: "the same", verb: "%q"}}
		}
		return []equality{{differ: "%[1]s != %[2]s", word: "the same", verb: "%v"}}
	case *types.Slice:
		if isBytes(t) {
			return []equality{{differ: "!%[3]s.Equal(%[1]s, %[2]s)", word: "the same", verb: "%q", needs: "bytes"}}
		}
	case *types.Signature, *types.Chan:
		return nil
	}
	var list []equality
	if isFlat(t) {
		list = append(list, equality{differ: "%[1]s != %[2]s", word: "equal", verb: "%+v"})
	} else if !holdsFunc(t, make(map[types.Type]bool)) {
		list = append(list, equality{differ: "!%[3]s.DeepEqual(%[1]s, %[2]s)", word: "equal", verb: "%+v", needs: "reflect"})
	}
	if isTime(t) {
		return append(list, equality{differ: "!%[1]s.Equal(%[2]s)", word: "equal by Equal", verb: "%v"}, equality{differ: "%[1]s.Unix() != %[2]s.Unix()", word: "the same second", verb: "%v"})
	}
	n := named(t)
	if n == nil {
		return list
	}
	for _, name := range []string{"Equal", "Equals"} {
		if m := s.api.method(n, name); m != nil && m.Signature().Params().Len() == 1 && m.Signature().Results().Len() == 1 &&
			isBool(m.Signature().Results().At(0).Type()) && types.Identical(m.Signature().Params().At(0).Type(), t) {
			list = append(list, equality{differ: "!%[1]s." + name + "(%[2]s)", word: "equal by " + name, verb: "%v"})
		}
	}
	if m := s.api.method(n, "String"); m != nil && isStringMethod(m) {
		list = append(list, equality{differ: "%[1]s.String() != %[2]s.String()", word: "the same by String", verb: "%v"})
	}
	return list
}

// isFlat says whether values of a type consist of texts, booleans and whole numbers, so that ==
// compares all of them.
func isFlat(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsBoolean|types.IsInteger) != 0
	case *types.Array:
		return isFlat(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !isFlat(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// holdsFunc says whether values of a type lead to functions, which are equal to nothing for
// reflect.DeepEqual, as far as types tell.
func holdsFunc(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		n := named(t)
		if n == nil || n.Obj().Pkg() == nil {
			return u.NumMethods() == 0 && n == nil
		}
		for _, name := range n.Obj().Pkg().Scope().Names() {
			tn, ok := n.Obj().Pkg().Scope().Lookup(name).(*types.TypeName)
			if ok && !types.IsInterface(tn.Type()) && types.Implements(types.NewPointer(tn.Type()), u) && holdsFunc(tn.Type(), seen) {
				return true
			}
		}
	case *types.Pointer:
		return holdsFunc(u.Elem(), seen)
	case *types.Slice:
		return holdsFunc(u.Elem(), seen)
	case *types.Array:
		return holdsFunc(u.Elem(), seen)
	case *types.Map:
		return holdsFunc(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsFunc(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// condition is the source of a comparison.
func (s *sketch) condition(e equality, a, b string) string {
	if strings.Contains(e.differ, "[2]s.") && strings.HasPrefix(b, "*") { // what a pointer leads to, as a receiver
		b = "(" + b + ")"
	}
	if e.needs == "" {
		return fmt.Sprintf(e.differ, a, b)
	}
	return fmt.Sprintf(e.differ, a, b, s.Use(e.needs))
}

// property is what a sketch has become.
func (s *sketch) property(kind Kind, name, sentence string, guess bool, fns ...*types.Func) *Property {
	p := &Property{Kind: kind, Name: "Fuzz" + name, Sentence: sentence, Guess: guess, Inputs: s.Inputs, Seeds: s.Seeds, draft: s.Draft, body: s.body}
	for _, fn := range fns {
		p.Functions = append(p.Functions, target.Function(fn))
	}
	return p
}

// variants makes a property for each equality of a type: write writes the body with one.
func (a *api) variants(begin func() *sketch, t types.Type, write func(*sketch, equality) *Property) (family Family) {
	s := begin()
	if s == nil {
		return nil
	}
	for i, e := range s.equalities(t) {
		if i > 0 {
			s = begin()
		}
		if p := write(s, e); p != nil {
			family = append(family, p)
		}
	}
	return family
}

// unchecked is the equality of what is read without an error: nothing is compared.
var unchecked equality

// readable is variants with one more, the weakest: what is written is read without an error.
// That the values differ is reported.
func (a *api) readable(begin func() *sketch, t types.Type, write func(*sketch, equality) *Property) Family {
	family := a.variants(begin, t, write)
	if len(family) == 0 {
		return nil
	}
	family[len(family)-1].Telling = true
	if p := write(begin(), unchecked); p != nil {
		family = append(family, p)
	}
	return family
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isBool(t types.Type) bool { return types.Identical(t, types.Typ[types.Bool]) }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

func isText(t types.Type) bool { return isString(t) || isBytes(t) }

func isNative(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok || isBytes(t)
}

// isStringMethod says whether a method is that of fmt.Stringer.
func isStringMethod(m *types.Func) bool {
	sig := m.Signature()
	return m.Name() == "String" && sig.Params().Len() == 0 && sig.Results().Len() == 1 && isString(sig.Results().At(0).Type())
}

// convert is an expression as a value of another text type.
func (s *sketch) convert(expr string, from, to types.Type) string {
	if types.Identical(from, to) {
		return expr
	}
	return s.TypeName(to) + "(" + expr + ")"
}

// camel is the name of a function in that of a fuzz test.
func camel(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return named(recv.Type()).Obj().Name() + fn.Name()
	}
	return fn.Name()
}
