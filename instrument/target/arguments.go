package target

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// arguments says where the function's arguments come from.
func (w *writer) arguments(sig *types.Signature) error {
	w.acts = OnlyFails(sig)
	w.imports["testing"] = w.importName("testing")
	for _, name := range []string{"t", "f", "in"} {
		w.names[name] = true
	}
	if w.method {
		recv := sig.Recv()
		a := argument{name: w.local(w.receiverName()), typ: recv.Type(), param: -1}
		a.nonnil = isPointer(recv.Type())
		var err error
		if w.state, err = w.begin(recv.Type()); err != nil {
			return err
		}
		if w.state != nil {
			a.typ, a.value = nil, a.name
		} else if !w.made(&a, recv.Type()) {
			if err := w.derivable(recv.Type(), "its receiver"); err != nil {
				return err
			}
		} else {
			a.typ, a.value = nil, a.name // whether it is a pointer or not
		}
		w.finish(&a)
		w.args = append(w.args, a)
	}
	for i := range given(sig, w.flat) {
		p := sig.Params().At(i)
		a := argument{name: p.Name(), param: i}
		if a.name == "" || a.name == "_" {
			a.name = "arg" + strconv.Itoa(i+1)
		}
		what := "its argument " + a.name
		a.name = w.local(a.name)
		typ, list := p.Type(), sig.Variadic() && i == sig.Params().Len()-1
		if list && w.flat {
			typ, list = variadic(sig), false // one value
		}
		if !w.supplied(&a, typ) && !w.formats(&a, typ) && !w.asText(&a, typ) && !w.made(&a, typ) {
			if err := w.derivable(typ, what); err != nil {
				return err
			}
			a.typ = typ
			a.nonnil = !w.mayBeNil && isPointer(typ)
		}
		w.finish(&a)
		if list {
			a.value += "..."
		}
		w.args = append(w.args, a)
	}
	for _, a := range w.args {
		if a.typ != nil || w.state != nil {
			if n := given(sig, w.flat); FormatAt(sig) >= 0 && n < sig.Params().Len() {
				w.args = append(w.args, argument{name: w.local("args"), value: "nil...", param: n})
			}
			w.fields()
			return nil
		}
	}
	if w.method && w.changes != nil {
		return w.fail("it has no arguments to derive inputs from, and nothing that is drawn makes its receiver; //fuzzmut:target fields draws its fields")
	}
	return w.fail("it has no arguments to derive inputs from")
}

// receiverName is a name for a method's receiver: that of its type, if a variable can
// have it.
func (w *writer) receiverName() string {
	name := Variable(receiver(w.fn).Obj().Name())
	if w.taken(name) {
		return "receiver"
	}
	return name
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// supplied says whether an argument is made of what there is, and of what.
func (w *writer) supplied(a *argument, t types.Type) bool {
	switch types.TypeString(types.Unalias(t), nil) {
	case "context.Context":
		a.value = "t.Context()"
	case "error":
		a.typ = types.Typ[types.String]
		a.value = w.use("errors") + ".New(%s)"
	case "*time.Location":
		a.typ = types.Typ[types.Int8] // quarters of an hour
		a.value = w.use("time") + ".FixedZone(\"\", 900*int(%s))"
	case "testing.TB", "*testing.T":
		a.value = "t"
	case "io.Writer", "io.StringWriter", "io.ByteWriter", "*bytes.Buffer":
		a.before = fmt.Sprintf("var %s %s.Buffer", a.name, w.use("bytes"))
		a.value = "&" + a.name
	case "io.Reader", "io.ReaderAt", "io.ReadSeeker", "io.ByteReader", "io.ByteScanner",
		"io.RuneReader", "io.RuneScanner", "io.Seeker", "io.WriterTo", "*bytes.Reader":
		a.typ = types.NewSlice(types.Typ[types.Byte])
		a.value = w.use("bytes") + ".NewReader(%s)"
	case "*strings.Reader":
		a.typ = types.Typ[types.String]
		a.value = w.use("strings") + ".NewReader(%s)"
	case "io.ReadCloser":
		a.typ = types.NewSlice(types.Typ[types.Byte])
		a.value = fmt.Sprintf("%s.NopCloser(%s.NewReader(%%s))", w.use("io"), w.use("bytes"))
	default:
		return false
	}
	return true
}

// asText has an argument of an empty interface be a text, as tests give it.
func (w *writer) asText(a *argument, t types.Type) bool {
	if u, ok := t.Underlying().(*types.Interface); !ok || !u.Empty() {
		return false
	}
	for _, values := range w.given {
		if a.param < len(values) && values[a.param] != nil && values[a.param].Kind() == constant.String {
			a.typ = types.Typ[types.String]
			return true
		}
	}
	return false
}

// Roles of what a maker is given: see stream.
const (
	reads  = "reads"  // an input is read from it
	writes = "writes" // it takes what is written
)

// stream is the role of an argument that is a reader or a writer; "": it is neither.
func stream(t types.Type) string {
	switch types.TypeString(types.Unalias(t), nil) {
	case "io.Writer", "io.StringWriter", "io.ByteWriter", "*bytes.Buffer":
		return writes
	case "io.Reader", "io.ReaderAt", "io.ReadSeeker", "io.ByteReader", "io.ByteScanner", "io.RuneReader", "io.RuneScanner",
		"io.ReadCloser", "*bytes.Reader", "*strings.Reader":
		return reads
	}
	return ""
}

// Reads says whether a function has a parameter from which it reads its input.
func Reads(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if stream(p.Type()) == reads {
			return true
		}
	}
	return false
}

// finish says how an input becomes the argument.
func (w *writer) finish(a *argument) {
	if a.typ == nil {
		return
	}
	a.native, a.convert = native(a.typ)
	a.partial = w.partial && a.native == "" && holdsUnknown(a.typ, make(map[types.Type]bool))
	if a.value == "" {
		a.value = "%s"
		a.local = w.acts && RefersToMemory(a.typ)
	}
}

// holdsUnknown says whether values of a type may have fields that the library can know nothing of:
// functions, channels and interfaces with methods.
func holdsUnknown(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i).Type()
			switch fu := f.Underlying().(type) {
			case *types.Chan, *types.Signature:
				return true
			case *types.Interface:
				if !fu.Empty() {
					return true
				}
			}
			if holdsUnknown(f, seen) {
				return true
			}
		}
	case *types.Pointer:
		return holdsUnknown(u.Elem(), seen)
	case *types.Slice:
		return holdsUnknown(u.Elem(), seen)
	case *types.Array:
		return holdsUnknown(u.Elem(), seen)
	case *types.Map:
		return holdsUnknown(u.Elem(), seen)
	}
	return false
}

// OnlyFails says whether a function returns nothing, or one error: it acts through its
// arguments.
func OnlyFails(s *types.Signature) bool {
	n := s.Results().Len()
	return n == 0 || n == 1 && types.Identical(s.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}

// RefersToMemory says whether a function may change something for its caller through a
// value of type t. What a decoder stores in is mostly of an empty interface type.
func RefersToMemory(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	case *types.Interface:
		return t.Empty()
	}
	return false
}

// derivable returns an error for a type that no bytes stand for, as far as one can tell
// without running the program, or that the fuzz test can't name.
func (w *writer) derivable(t types.Type, what string) error {
	const ways = "mark a function that creates one and calls this one, or write the fuzz test yourself"
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return w.fail("%s is of type %s, which bytes can't represent; %s", what, w.describe(t), ways)
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return w.fail("%s is of type %s, which bytes can't represent; %s", what, w.describe(t), ways)
		}
	case *types.Pointer:
		return w.derivableElem(u.Elem(), what)
	case *types.Slice:
		return w.derivableElem(u.Elem(), what)
	}
	return w.nameable(t, what)
}

func (w *writer) derivableElem(t types.Type, what string) error {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return w.derivable(t, what)
	}
	return w.nameable(t, what)
}

// nameable returns an error for a type that another package keeps to itself.
func (w *writer) nameable(t types.Type, what string) error {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() != nil && obj.Pkg() != w.pkg && !samePath(obj.Pkg(), w.pkg) && !obj.Exported() {
			return w.fail("%s is of type %s, which this package can't name; mark a function of plain arguments that calls it", what, w.describe(t))
		}
		for i := range t.TypeArgs().Len() {
			if err := w.nameable(t.TypeArgs().At(i), what); err != nil {
				return err
			}
		}
	case *types.Pointer:
		return w.nameable(t.Elem(), what)
	case *types.Slice:
		return w.nameable(t.Elem(), what)
	case *types.Array:
		return w.nameable(t.Elem(), what)
	case *types.Map:
		if err := w.nameable(t.Key(), what); err != nil {
			return err
		}
		return w.nameable(t.Elem(), what)
	}
	return nil
}

// samePath says whether two packages are the same one, perhaps with test files.
func samePath(a, b *types.Package) bool { return a.Path() == b.Path() }

func (w *writer) describe(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if samePath(p, w.pkg) {
			return ""
		}
		return p.Name()
	})
}

// typeName returns a type as the file can write it, and notes the imports.
func (w *writer) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if samePath(p, w.pkg) {
			return ""
		}
		return w.usePackage(p.Path(), p.Name())
	})
}

func (w *writer) use(importPath string) string {
	return w.usePackage(importPath, path.Base(importPath))
}

// usePackage imports a package and returns its name in the file.
func (w *writer) usePackage(importPath, name string) string {
	if have := w.imports[importPath]; have != "" {
		return have
	}
	w.imports[importPath] = w.importName(name)
	return w.imports[importPath]
}

// importName returns a name for an import that nothing in the package or file has.
func (w *writer) importName(name string) string {
	name = w.free(name)
	for i := 2; w.names[name]; i++ {
		name = w.free(strings.TrimRight(name, "0123456789") + strconv.Itoa(i))
	}
	w.names[name] = true
	return name
}

// local returns a name for a variable of the fuzz target, as close to name as there is
// one that hides nothing.
func (w *writer) local(name string) string {
	for s, i := name, 2; ; i++ {
		if !w.taken(s) {
			w.names[s] = true
			return s
		}
		if s = name + "Arg"; w.taken(s) {
			s = name + strconv.Itoa(i)
		}
	}
}

// taken says whether a variable of that name would hide something, or stand for it.
func (w *writer) taken(s string) bool {
	return w.names[s] || w.pkg.Scope().Lookup(s) != nil || types.Universe.Lookup(s) != nil || token.IsKeyword(s) ||
		strings.Contains(" bytes errors strings io math reflect time fuzzmut testing err ", " "+s+" ")
}

// fields names the fields of the struct.
func (w *writer) fields() {
	taken := make(map[string]bool)
	for i := range w.args {
		a := &w.args[i]
		if a.typ == nil {
			continue
		}
		r, size := utf8.DecodeRuneInString(a.name)
		name := string(unicode.ToUpper(r)) + a.name[size:]
		for n := 2; taken[name]; n++ {
			name = a.name + strconv.Itoa(n)
		}
		taken[name] = true
		a.field = name
	}
}

// inputs lists the arguments that are inputs.
func (w *writer) inputs() []argument {
	var list []argument
	for _, a := range w.args {
		if a.typ != nil {
			list = append(list, a)
		}
	}
	return list
}

// library says whether the inputs need package fuzzmut.
func (w *writer) library() bool {
	if w.state != nil {
		return true
	}
	for _, a := range w.inputs() {
		if a.native == "" {
			return true
		}
	}
	return false
}
