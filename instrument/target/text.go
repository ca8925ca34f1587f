package target

import (
	"fmt"
	"go/types"
	"go/version"
	"maps"
	"path"
	"slices"
	"strings"
)

// text returns the source of the file. The seeds are lists of arguments.
func (w *writer) text(name string, seeds []string) string {
	body := w.target()
	var b strings.Builder
	if w.oldGo && w.library() {
		b.WriteString("//go:build go1.18\n\n")
	}
	fmt.Fprintf(&b, "package %s\n\n", w.pkg.Name())
	w.writeImports(&b)
	call := "f.Fuzz("
	if w.library() {
		call = w.imports[Library] + ".Fuzz(f, "
	}
	if w.state != nil {
		call = w.imports[Library] + ".FuzzAfter(f, " + w.machine() + ", "
	}
	fmt.Fprintf(&b, "\nfunc %s(f *%s.F) {\n", name, w.imports["testing"])
	for _, seed := range seeds {
		fmt.Fprintf(&b, "\tf.Add(%s)\n", seed)
	}
	fmt.Fprintf(&b, "\t%s%s)\n}\n", call, body)
	b.WriteString(w.decls)
	return b.String()
}

// writeImports writes the import declaration: the standard library before the rest.
func (w *writer) writeImports(b *strings.Builder) {
	var lines [2][]string
	for _, p := range slices.Sorted(maps.Keys(w.imports)) {
		line := fmt.Sprintf("%q", p)
		if name := w.imports[p]; name != path.Base(p) {
			line = name + " " + line
		}
		domain, _, _ := strings.Cut(p, "/")
		group := 0
		if strings.Contains(domain, ".") {
			group = 1
		}
		lines[group] = append(lines[group], line)
	}
	if len(w.imports) == 1 {
		fmt.Fprintf(b, "import %s\n", lines[0][0])
		return
	}
	b.WriteString("import (\n" + strings.Join(lines[0], "\n") + "\n\n" + strings.Join(lines[1], "\n") + "\n)\n")
}

// target returns the fuzz target: a function literal.
func (w *writer) target() string {
	o := w.opening()
	return w.literal(o, slices.Concat(w.skips(), o.body, []string{w.check(o.args, o.from)}))
}

// skips are the statements that skip an input with a documented panic.
func (w *writer) skips() []string {
	if len(w.panics) == 0 {
		return nil
	}
	var tests []string
	for _, text := range w.panics {
		tests = append(tests, fmt.Sprintf("!%s.Contains(%s.Sprint(v), %q)", w.use("strings"), w.use("fmt"), text))
	}
	return []string{fmt.Sprintf("defer func() {\nv := recover()\nif v == nil {\nreturn\n}\nif %s {\npanic(v)\n}\nt.Skip(v)\n}()", strings.Join(tests, " && "))}
}

// machine is the literal of the Machine that makes the receiver.
func (w *writer) machine() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.Machine[%s]{\n", w.imports[Library], w.state.name)
	if len(w.state.constructors) > 0 {
		fmt.Fprintf(&b, "Constructors: []any{%s},\n", strings.Join(w.state.constructors, ", "))
	}
	b.WriteString("Ops: []any{")
	for _, op := range w.state.ops {
		b.WriteString("\n" + op + ",")
	}
	if len(w.state.ops) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "},\nMost: %s,\n}", most)
	return b.String()
}

// literal returns a fuzz target with statements.
func (w *writer) literal(o *opening, body []string) string {
	return fmt.Sprintf("func(t *%s.T, %s) {\n%s\n}", w.imports["testing"], strings.Join(o.params, ", "), strings.Join(body, "\n"))
}

// opening is what stands in a fuzz target before the function is called.
type opening struct {
	params []string          // of the target
	from   map[string]string // what stands for an input, by the argument's name
	body   []string          // statements
	args   []string          // of the call, the receiver first
}

// tag is that of the field in which an argument is.
func (a *argument) tag() string {
	var options []string
	if a.nonnil {
		options = append(options, "nonnil")
	}
	if a.partial {
		options = append(options, "partial")
	}
	return strings.Join(options, ",")
}

func (w *writer) opening() *opening {
	inputs := w.inputs()
	o := &opening{params: make([]string, len(inputs)), from: make(map[string]string)}
	switch {
	case !w.library():
		for i, a := range inputs {
			o.params[i] = a.name + " " + a.native
			o.from[a.name] = a.name
		}
	case len(inputs) == 1 && !inputs[0].nonnil && !inputs[0].partial && w.state == nil:
		w.use(Library)
		o.params[0] = inputs[0].name + " " + w.typeName(inputs[0].typ)
		o.from[inputs[0].name] = inputs[0].name
	default:
		w.use(Library)
		var fields []string
		for _, a := range inputs {
			field := a.field + " " + w.typeName(a.typ)
			if tag := a.tag(); tag != "" {
				field += " `fuzz:\"" + tag + "\"`"
			}
			fields = append(fields, field)
			o.from[a.name] = "in." + a.field
		}
		o.params = []string{"in struct {\n" + strings.Join(fields, "\n") + "\n}"}
	}
	if w.state != nil {
		if len(inputs) == 0 {
			o.params = []string{"_ struct{}"}
		}
		o.params = append([]string{w.args[0].name + " " + w.state.name}, o.params...)
	}
	for _, a := range w.args {
		for _, i := range a.parts {
			part := &w.args[i]
			a.before = strings.Replace(a.before, "%s", strings.Replace(part.value, "%s", w.converted(o, *part), 1), 1)
		}
		if a.before != "" {
			o.body = append(o.body, a.before)
		}
		if a.maker != nil {
			continue
		}
		input := w.converted(o, a)
		if a.local && input != a.name {
			o.body = append(o.body, a.name+" := "+input)
			input = a.name
		}
		o.args = append(o.args, strings.Replace(a.value, "%s", input, 1))
	}
	return o
}

// converted is an input as a value of its type.
func (w *writer) converted(o *opening, a argument) string {
	if a.convert && !w.library() {
		return w.typeName(a.typ) + "(" + o.from[a.name] + ")"
	}
	return o.from[a.name]
}

// callee returns the function with its receiver, and the other arguments.
func (w *writer) callee(args []string) (string, []string) {
	if w.method {
		return args[0] + "." + w.fn.Name(), args[1:]
	}
	name := w.fn.Name()
	if !samePath(w.fn.Pkg(), w.pkg) {
		name = w.usePackage(w.fn.Pkg().Path(), w.fn.Pkg().Name()) + "." + name
	}
	return name + w.typeArg, args
}

// check calls the function, and looks at its result if it is a property.
func (w *writer) check(args []string, from map[string]string) string {
	callee, rest := w.callee(args)
	call := callee + "(" + strings.Join(rest, ", ") + ")"
	switch {
	case !w.property && w.iterates():
		return w.iteration(call)
	case !w.property:
		return call
	case isError(w.fn.Signature().Results().At(0).Type()):
		return "if err := " + call + "; err != nil {\nt.Error(err)\n}"
	case w.library():
		return "if !" + call + " {\nt.Error(\"" + Function(w.fn) + " is false\")\n}"
	}
	var verbs, values []string
	for _, a := range w.inputs() {
		verb := "%v"
		if a.native == "string" || a.native == "[]byte" {
			verb = "%q"
		}
		verbs, values = append(verbs, verb), append(values, from[a.name])
	}
	return fmt.Sprintf("if !%s {\nt.Errorf(\"%s(%s) is false\", %s)\n}", call, Function(w.fn), strings.Join(verbs, ", "), strings.Join(values, ", "))
}

// mostIterated bounds an iteration: there are iterators without end.
const mostIterated = 100

// iterates says whether the function returns an iterator and nothing else, and the package has range
// statements for it.
func (w *writer) iterates() bool {
	res := w.fn.Signature().Results()
	return !w.flat && res.Len() == 1 && len(Yielded(res.At(0).Type())) > 0 && version.Compare(w.pkg.GoVersion(), "go1.23") >= 0
}

// iteration runs the iterator that a call returns.
func (w *writer) iteration(call string) string {
	name := "n"
	for slices.ContainsFunc(w.args, func(a argument) bool { return a.name == name }) {
		name += "n"
	}
	return fmt.Sprintf("%[1]s := 0\nfor range %[2]s {\nif %[1]s++; %[1]s == %[3]d {\nbreak\n}\n}", name, call, mostIterated)
}

// Yielded returns the types of what an iterator yields, values or keys and values. It returns none if t is no
// iterator over elements: func(func(V) bool) or func(func(K, V) bool), as those of package iter.
func Yielded(t types.Type) (elements []types.Type) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() > 0 {
		return nil
	}
	yield, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Signature)
	if !ok || yield.Variadic() || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil
	}
	if n := yield.Params().Len(); n != 1 && n != 2 {
		return nil
	}
	for v := range yield.Params().Variables() {
		elements = append(elements, v.Type())
	}
	return elements
}
