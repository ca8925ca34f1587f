package target

import (
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Draft is the beginning of a fuzz test with several calls: its fuzz target has values for
// some parameters, and somebody else writes what it does with them. Its inputs are of types
// that go test -fuzz knows.
type Draft struct {
	Args []Arg // for each parameter
	// Inputs are the types of the inputs, as go test -fuzz knows them.
	Inputs []string
	// Seeds are inputs, as lists of arguments.
	Seeds []string

	w *writer
	o *opening
}

// An Arg is the value of one parameter.
type Arg struct {
	Expr string // each use makes a new reader
	// Format and Operands show the value in a message: "Parse(%q)" and "s".
	Format   string
	Operands []string
}

// NewDraft begins a fuzz test. An *Error names a parameter without values; name is
// the function that the error is about.
func NewDraft(name string, params *types.Tuple, opts Options) (*Draft, error) {
	fn := types.NewFunc(0, opts.Package, name, types.NewSignatureType(nil, nil, nil, params, types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.Int])), false))
	w := newWriter(fn, opts)
	w.several = true
	if err := w.arguments(fn.Signature()); err != nil {
		return nil, err
	}
	if w.library() {
		return nil, w.fail("it takes arguments that are no texts or numbers, nor made of such")
	}
	d := &Draft{w: w, o: w.opening(), Seeds: w.seeds(opts.Seeds)}
	for _, a := range w.inputs() {
		d.Inputs = append(d.Inputs, a.native)
	}
	for _, a := range w.args {
		if a.maker == nil {
			d.Args = append(d.Args, d.arg(a))
		}
	}
	return d, nil
}

// arg says how an argument is written, and shown.
func (d *Draft) arg(a argument) Arg {
	arg := Arg{Expr: d.o.args[len(d.Args)]}
	switch {
	case len(a.parts) > 0 && a.made != "":
		var formats []string
		for _, i := range a.parts {
			part := &d.w.args[i]
			formats = append(formats, strings.Replace(part.value, "%s", verb(*part), 1))
			if part.typ != nil {
				arg.Operands = append(arg.Operands, part.name)
			}
		}
		arg.Format = a.made + "(" + strings.Join(formats, ", ") + ")"
	case len(a.parts) > 0:
		arg.Format, arg.Operands = "%+v", []string{arg.Expr}
	case a.typ == nil: // no input stands for it, as for a context
		arg.Format = strings.ReplaceAll(arg.Expr, "%", "%%")
	default:
		arg.Format, arg.Operands = verb(a), []string{a.name}
	}
	return arg
}

// verb shows an input.
func verb(a argument) string {
	if a.native == "string" || a.native == "[]byte" {
		return "%q"
	}
	return "%v"
}

// Local returns a name for a variable, as close to name as there is one that hides nothing.
func (d *Draft) Local(name string) string { return d.w.local(name) }

// Use imports a package of the standard library, and returns its name.
func (d *Draft) Use(importPath string) string { return d.w.use(importPath) }

// Texts are the inputs that are texts, each as source of a string.
func (d *Draft) Texts() (list []string) {
	for _, a := range d.w.inputs() {
		switch a.native {
		case "string":
			list = append(list, a.name)
		case "[]byte":
			list = append(list, "string("+a.name+")")
		}
	}
	return list
}

// TypeName returns a type as source.
func (d *Draft) TypeName(t types.Type) string { return d.w.typeName(t) }

// A Part is a fuzz test without its file.
type Part struct {
	Text    string            // of the function, with its comment
	Imports map[string]string // their names by path
}

// Write writes the fuzz test with statements, and with inputs as lists of arguments.
func (d *Draft) Write(name, comment string, body, seeds []string) (Part, error) {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		b.WriteString("// " + line)
	}
	fmt.Fprintf(&b, "func %s(f *%s.F) {\n", name, d.w.imports["testing"])
	for _, seed := range seeds {
		fmt.Fprintf(&b, "\tf.Add(%s)\n", seed)
	}
	fmt.Fprintf(&b, "\tf.Fuzz(%s)\n}\n", d.w.literal(d.o, slices.Concat(d.o.body, body)))
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return Part{}, fmt.Errorf("the fuzz test %s is not valid Go, please report: %w\n%s", name, err, b.String())
	}
	return Part{Text: string(text), Imports: maps.Clone(d.w.imports)}, nil
}

// Join writes a test file of parts for a package. Mark is a comment before its clause.
func Join(pkg, mark string, parts ...Part) ([]byte, error) {
	imports := make(map[string]string)
	for _, p := range parts {
		for _, at := range slices.Sorted(maps.Keys(p.Imports)) {
			if have, ok := imports[at]; ok && have != p.Imports[at] {
				return nil, fmt.Errorf("package %s has the names %s and %s", path.Base(at), have, p.Imports[at])
			}
			imports[at] = p.Imports[at]
		}
	}
	var b strings.Builder
	if mark != "" {
		b.WriteString(mark + "\n")
	}
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	(&writer{imports: imports}).writeImports(&b)
	for _, p := range parts {
		b.WriteString("\n" + p.Text)
	}
	return format.Source([]byte(b.String()))
}

// Seed returns an input as a list of arguments for f.Add; false if one has no literal.
func Seed(vals []any) (string, bool) {
	var list []string
	for _, v := range vals {
		switch v := v.(type) {
		case string:
			list = append(list, strconv.Quote(v))
		case []byte:
			list = append(list, "[]byte("+strconv.Quote(string(v))+")")
		case bool, int:
			list = append(list, fmt.Sprint(v))
		case float32, float64:
			if text := fmt.Sprint(v); !strings.ContainsAny(text, "NI") { // NaN, Inf
				list = append(list, fmt.Sprintf("%T(%s)", v, text))
				continue
			}
			return "", false
		default:
			list = append(list, fmt.Sprintf("%T(%v)", v, v))
		}
	}
	return strings.Join(list, ", "), true
}
