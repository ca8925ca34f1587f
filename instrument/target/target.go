// Package target writes fuzz tests for functions: their arguments become those of the
// fuzz test.
//
// Arguments of types that go test -fuzz knows are taken as they are, and the corpus can
// be read. With any others the fuzz test takes them as the fields of a struct, by
// fuzzmut.Fuzz. Arguments in whose values there is nothing to search, a context.Context,
// a testing.TB, a reader or writer of package io, are made of what there is.
package target

import (
	"fmt"
	"go/constant"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Library is the import path of the package that derives values.
const Library = "github.com/fuzzmut/fuzzmut/fuzzmut"

// LibraryModule is the module with it, as go get takes it.
const LibraryModule = "github.com/fuzzmut/fuzzmut"

// A Test is a fuzz test for a function, in its own file.
type Test struct {
	Name     string   // "FuzzParse"
	Function string   // "Parse", "(*Tree).Insert"
	FileName string   // for its file: "parse_fuzz_test.go"
	Text     []byte   // of its file, formatted
	Line     int      // of the fuzz test in it
	Library  bool     // it imports package fuzzmut
	Beyond   string   // the first input that go test -fuzz does not know: "its argument n is of []int"; "": none
	Stands   bool     // some input is no argument of the function, but stands for one
	Methods  []string // that a sequence calls
	Left     []Left   // exported methods that it does not call
	Made     bool     // constructors make what a sequence begins with
	Flat     bool     // it is of Options.Flat
	// Mute says why nothing that the function returns can be compared, whoever calls it: "it has no results"; "": some can,
	// or it is about a type.
	Mute string
	// Wrapped are the constructors that functions of the fuzz test call, by the names of these: Go source for a function.
	Wrapped map[string]string
}

// Left is a method that a sequence does not call, and why: "values of its arguments can't be drawn".
type Left struct{ Method, Reason string }

func (l Left) String() string { return l.Method + ": " + l.Reason }

// leftShown is how many methods LeftOut names for a reason.
const leftShown = 4

// LeftOut says which methods a sequence does not call, in a line: "Each, Walk (values of its arguments can't be drawn)".
// It is "" if it calls all.
func (t *Test) LeftOut() string {
	var reasons, parts []string
	methods := make(map[string][]string)
	for _, l := range t.Left {
		if methods[l.Reason] == nil {
			reasons = append(reasons, l.Reason)
		}
		methods[l.Reason] = append(methods[l.Reason], l.Method)
	}
	for _, reason := range reasons {
		names := methods[reason]
		if n := len(names) - leftShown; n > 1 {
			names = append(names[:leftShown], fmt.Sprintf("%d more", n))
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", strings.Join(names, ", "), reason))
	}
	return strings.Join(parts, "; ")
}

// Options say what a fuzz test is to be.
type Options struct {
	// Property says that the function tests a property: false or an error is a failure.
	Property bool
	// Nil says that arguments that are pointers may be nil.
	Nil bool
	// Package is the package that the fuzz test is to be part of, with its test files.
	Package *types.Package
	// OldGo says that the module is of a Go version without type parameters, for which
	// a file that uses package fuzzmut has to ask itself.
	OldGo bool
	// Taken are names of fuzz tests, in addition to those that Package declares.
	Taken map[string]bool
	// Seeds are inputs to begin with, where go test -fuzz knows the types of all: for each
	// a value for each parameter of the function, nil for one that is not known.
	Seeds [][]constant.Value
	// Makers make values of types whose fields a fuzz test must not choose.
	Makers []Maker
	// Flat makes structs of inputs for their fields, if go test -fuzz knows the types of all
	// and all are exported. No pointer to one is nil then.
	Flat bool
	// Texts has an argument of an empty interface be a text, if Seeds have one for it.
	Texts bool
	// Partial says that fields of arguments keep their zero value if nothing is known of theirs,
	// as those of an interface without implementations: nobody has asked for the fuzz test, who
	// could register some.
	Partial bool
	// Changes says whether a method may change its receiver. The receiver of a method then
	// comes from the constructors of its type and calls of such methods, where there are any.
	// nil: its fields are inputs.
	Changes func(*types.Func) bool
	// Touches says whether a function may change something outside the process. nil: none does.
	Touches func(*types.Func) bool
	// Double says whether something is declared in a test file: what stands for what the program has implements no
	// interface of it. nil: nothing is.
	Double func(types.Object) bool
	// Refuses says whether a constructor may panic where it makes nothing of its arguments. Such an input is skipped
	// then. nil: none does.
	Refuses func(*types.Func) bool
	// Panics are parts of the texts of panics that say that the function must not be given
	// an input. Such an input is skipped.
	Panics []string
	// Model names a type, or a function, for what a sequence of methods is compared with.
	Model string
	// Concurrent has goroutines call the methods of a sequence at once.
	Concurrent bool
	// Zero has a sequence begin with the zero value where none of the constructors can be called: what
	// it shows need not be right, as where two versions are compared.
	Zero bool
	// Without are constructors that are not called, and methods that a sequence does not call.
	Without []string
}

// A Maker is a function whose result stands for a value that is no input: a constructor.
// Its own arguments are the inputs. All are of types that go test -fuzz knows, and its
// result may be followed by an error or a bool.
type Maker struct {
	Type     string // with its import path, without a pointer: "example.com/p.Tree"
	Function string // of the package: "NewTree"
	Seeds    [][]constant.Value
}

// An Error says why no fuzz test can be written for a function.
type Error struct {
	Function string
	Reason   string // "its argument f is of type func(), ..."
}

func (e *Error) Error() string {
	return fmt.Sprintf("no fuzz test can be derived for %s: %s", e.Function, e.Reason)
}

// IsProperty says whether a function has the form of a property: func(args) bool or
// func(args) error.
func IsProperty(fn *types.Func) bool {
	res := fn.Signature().Results()
	return res.Len() == 1 && (types.Identical(res.At(0).Type(), types.Typ[types.Bool]) || isError(res.At(0).Type()))
}

// HasPropertyName says whether a function is named as a property: Prop or Property, and
// after it nothing or no lower-case letter.
func HasPropertyName(fn *types.Func) bool {
	for _, prefix := range []string{"Property", "Prop"} {
		if rest, ok := strings.CutPrefix(fn.Name(), prefix); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// Function is how messages call a function: "Parse", "(*Tree).Insert".
func Function(fn *types.Func) string {
	if n := receiver(fn); n != nil {
		name := n.Obj().Name()
		if _, ok := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); ok {
			name = "(*" + name + ")"
		}
		return name + "." + fn.Name()
	}
	return fn.Name()
}

// receiver returns the type that fn is a method of, or nil.
func receiver(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	return NamedOf(recv.Type())
}

// NamedOf returns the type with a name that t is, or that it points to; nil: it is neither.
func NamedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// Name is the name of the fuzz test for a function: FuzzParse, FuzzTree_Insert.
func Name(fn *types.Func) string {
	name := fn.Name()
	if n := receiver(fn); n != nil {
		name = n.Obj().Name() + "_" + name
	}
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsLower(r) {
		name = "_" + name
	}
	return "Fuzz" + name
}

// FileName is the name of a file for a fuzz test: parse_json_fuzz_test.go for FuzzParseJSON
// and the kind "fuzz".
func FileName(test, kind string) string {
	var b strings.Builder
	runes := []rune(strings.TrimLeft(strings.TrimPrefix(test, "Fuzz"), "_"))
	for i, r := range runes {
		begins := i > 0 && unicode.IsUpper(r) && runes[i-1] != '_' &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String() + "_" + kind + "_test.go"
}

// Write writes the fuzz test for a function. What stands in its way is an *Error.
func Write(fn *types.Func, opts Options) (*Test, error) {
	w := newWriter(fn, opts)
	sig, err := w.instance()
	if err != nil {
		return nil, err
	}
	if err := w.arguments(sig); err != nil {
		return nil, err
	}
	t, err := w.finished(Function(fn), w.text(w.testName(), w.seeds(opts.Seeds)))
	if err == nil {
		t.Beyond, t.Mute = w.beyond(), mute(fn.Signature().Results())
	}
	return t, err
}

// beyond is the first input of a type that go test -fuzz does not know, for people.
func (w *writer) beyond() string {
	for _, a := range w.inputs() {
		if a.native != "" {
			continue
		}
		what := "its argument " + a.name
		if a.param < 0 {
			what = "its receiver"
		}
		return what + " is of " + types.TypeString(a.typ, types.RelativeTo(w.pkg))
	}
	return ""
}

// mute says why no results of a function can be compared; "" if some can.
func mute(results *types.Tuple) string {
	kinds := make(map[string]bool)
	for v := range results.Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Signature:
			kinds["a function"] = true
		case *types.Chan:
			kinds["a channel"] = true
		default:
			return ""
		}
	}
	switch list := slices.Sorted(maps.Keys(kinds)); {
	case len(list) == 0:
		return "it has no results"
	case results.Len() == 1:
		return "its result is " + list[0] + ", which can't be compared"
	}
	return "its results are functions or channels, which can't be compared"
}

// finished is the fuzz test with a text.
func (w *writer) finished(function, text string) (t *Test, err error) {
	t = &Test{Name: w.testName(), Function: function, Library: w.imports[Library] != "", Flat: w.flat}
	t.Stands = t.Library || slices.ContainsFunc(w.args, func(a argument) bool { return a.maker != nil || len(a.parts) > 0 })
	t.FileName = FileName(t.Name, "fuzz")
	if t.Text, err = format.Source([]byte(text)); err != nil {
		return nil, fmt.Errorf("the fuzz test derived for %s is not valid Go, please report: %w\n%s", t.Function, err, text)
	}
	before, _, _ := strings.Cut(string(t.Text), "\nfunc ")
	t.Line = strings.Count(before, "\n") + 2
	return t, nil
}

// newWriter is a writer that has looked at nothing yet.
func newWriter(fn *types.Func, opts Options) *writer {
	var given [][]constant.Value
	if opts.Texts {
		given = opts.Seeds
	}
	return &writer{
		fn: fn, pkg: opts.Package, given: given, property: opts.Property, mayBeNil: opts.Nil, oldGo: opts.OldGo, tests: opts.Taken, makers: opts.Makers, flat: opts.Flat, partial: opts.Partial,
		changes: opts.Changes, touches: opts.Touches, double: opts.Double, refuses: opts.Refuses, panics: opts.Panics, without: opts.Without,
		imports: make(map[string]string), names: make(map[string]bool),
	}
}

// writer writes one fuzz test.
type writer struct {
	fn       *types.Func
	pkg      *types.Package
	property bool
	mayBeNil bool
	oldGo    bool
	tests    map[string]bool // names of fuzz tests
	makers   []Maker
	flat     bool
	partial  bool
	given    [][]constant.Value // seeds that show which arguments of empty interfaces are texts
	changes  func(*types.Func) bool
	touches  func(*types.Func) bool
	double   func(types.Object) bool
	refuses  func(*types.Func) bool
	panics   []string
	without  []string
	state    *state // of the receiver; nil: it is an input, or made of some
	several  bool   // values of one type: inputs have the names of the values that they make

	imports map[string]string // names in the file, by path
	names   map[string]bool   // that are taken in the fuzz target
	typeArg string            // of a generic function: "[int]"
	args    []argument        // the receiver, if there is one, before the others
	method  bool
	acts    bool   // the function acts through its arguments
	decls   string // that follow the fuzz test
	stubs   bool   // functions that do nothing are given to constructors
}

// argument is one of the function's.
type argument struct {
	name    string     // in the fuzz target
	field   string     // in the struct
	typ     types.Type // of the input; nil if none is needed
	nonnil  bool
	partial bool
	native  string // the type that go test -fuzz knows for it, "" if there is none
	convert bool   // which has to be converted
	before  string // a statement before the call
	value   string // what the call is given; %s stands for the input
	local   bool   // observed as a variable
	param   int    // of the function, or of the maker; -1 for the receiver
	parts   []int  // inputs that its maker is given, in before: indexes of args
	maker   *Maker // whose argument it is, if it is no argument of the function
	made    string // the function that makes it
}

func (w *writer) fail(format string, args ...any) error {
	return &Error{Function: Function(w.fn), Reason: fmt.Sprintf(format, args...)}
}

// testName returns the name of the fuzz test, which no other has.
func (w *writer) testName() string {
	name := w.free(Name(w.fn))
	for i := 2; w.tests[name]; i++ {
		name = w.free(strings.TrimRight(name, "0123456789") + strconv.Itoa(i))
	}
	return name
}

// free returns name, or one that the package does not declare.
func (w *writer) free(name string) string {
	for i := 2; ; i++ {
		if w.pkg.Scope().Lookup(name) == nil {
			return name
		}
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(i)
	}
}

// candidates are the types that type parameters stand for, the first that does.
var candidates = []types.Type{
	types.Typ[types.Int], types.Typ[types.String], types.NewSlice(types.Typ[types.Byte]), types.Typ[types.Float64],
	types.Typ[types.Uint64], types.Typ[types.Int64], types.Typ[types.Byte], types.Typ[types.Int32], types.Typ[types.Bool],
}

// instance returns the signature of the function, with types for type parameters.
func (w *writer) instance() (*types.Signature, error) {
	sig := w.fn.Signature()
	if n := receiver(w.fn); n != nil {
		w.method = true
		if params := n.TypeParams(); params.Len() > 0 {
			return w.instantiateReceiver(n, params)
		}
		return sig, nil
	}
	params := sig.TypeParams()
	if params.Len() == 0 {
		return sig, nil
	}
	targs, err := w.typeArguments(params, func(targs []types.Type) (types.Type, error) {
		return types.Instantiate(nil, sig, targs, true)
	})
	if err != nil {
		return nil, err
	}
	t, err := types.Instantiate(nil, sig, targs, true)
	if err != nil {
		return nil, w.fail("%v", err)
	}
	var names []string
	for _, t := range targs {
		names = append(names, types.TypeString(t, nil))
	}
	w.typeArg = "[" + strings.Join(names, ", ") + "]"
	return t.(*types.Signature), nil
}

func (w *writer) instantiateReceiver(n *types.Named, params *types.TypeParamList) (*types.Signature, error) {
	targs, err := w.typeArguments(params, func(targs []types.Type) (types.Type, error) {
		return types.Instantiate(nil, n.Origin(), targs, true)
	})
	if err != nil {
		return nil, err
	}
	t, err := types.Instantiate(nil, n.Origin(), targs, true)
	if err != nil {
		return nil, w.fail("%v", err)
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, w.fn.Pkg(), w.fn.Name())
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil, w.fail("its receiver can't be instantiated")
	}
	return fn.Signature(), nil
}

// typeArguments finds a type for each type parameter.
func (w *writer) typeArguments(params *types.TypeParamList, instantiate func([]types.Type) (types.Type, error)) ([]types.Type, error) {
	targs := make([]types.Type, params.Len())
	for i := range targs {
		targs[i] = candidates[0]
	}
	// A constraint may speak of other parameters, so that all are tried together.
	total := 1
	for range targs {
		total = min(total*len(candidates), 10000)
	}
	for n := range total {
		for i := range targs {
			targs[i] = candidates[n%len(candidates)]
			n /= len(candidates)
		}
		if _, err := instantiate(targs); err == nil {
			return targs, nil
		}
	}
	return nil, w.fail("no plain types satisfy the constraints of its type parameters; mark a function that calls it with your types")
}

// natives are the types of the arguments that go test -fuzz knows.
var natives = map[types.BasicKind]bool{
	types.Bool: true, types.String: true, types.Float32: true, types.Float64: true,
	types.Int: true, types.Int8: true, types.Int16: true, types.Int32: true, types.Int64: true,
	types.Uint: true, types.Uint8: true, types.Uint16: true, types.Uint32: true, types.Uint64: true,
}

// native returns the type that go test -fuzz knows in place of t, and whether t has to
// be converted to.
func native(t types.Type) (name string, convert bool) {
	_, isNamed := types.Unalias(t).(*types.Named)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if natives[u.Kind()] {
			return u.Name(), isNamed
		}
	case *types.Slice:
		if b, ok := types.Unalias(u.Elem()).(*types.Basic); ok && b.Kind() == types.Byte {
			return "[]byte", isNamed
		}
	}
	return "", false
}
