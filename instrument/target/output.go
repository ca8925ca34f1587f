package target

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writes says whether a constructor is given what its result writes to.
func (c *constructor) writes() bool {
	for _, t := range c.params {
		if stream(t) == writes {
			return true
		}
	}
	return false
}

// keepOutput has values made together with what they write to, in a struct with an operation that
// returns what was written: a buffer that is drawn for a constructor would be lost.
func (s *sequence) keepOutput() {
	if len(s.models) > 0 || s.typ.TypeArgs().Len() > 0 || !slices.ContainsFunc(s.constructors, func(c constructor) bool { return c.writes() }) {
		return
	}
	name, out, written := s.typ.Obj().Name(), "out", "Written"
	for i := 2; out == name || has(s.typ, out); i++ {
		out = "out" + strconv.Itoa(i)
	}
	for i := 2; written == name || has(s.typ, written); i++ {
		written = "Written" + strconv.Itoa(i)
	}
	typ := s.free(lowered(name) + "Output")
	s.output = &output{typ: "*" + typ, written: written}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s is a %s, and what it writes.\ntype %s struct {\n*%s\n%s %s.Buffer\n}\n", typ, name, typ, name, out, s.use("bytes"))
	fmt.Fprintf(&b, "\n// %s returns what was written since it was called last.\nfunc (o *%s) %s() string {\ndefer o.%s.Reset()\nreturn o.%s.String()\n}\n", written, typ, written, out, out)
	for i := range s.constructors {
		fn := s.free("new" + strings.ToUpper(typ[:1]) + typ[1:])
		if i > 0 {
			fn = s.free(fn + strconv.Itoa(i+1))
		}
		b.WriteString("\n" + s.withOutput(&s.constructors[i], fn, typ, name, out))
		s.constructors[i].text = fn
	}
	s.output.decls = b.String()
}

// output is a struct of a value and what that writes.
type output struct {
	typ     string // as Go source: a pointer
	written string // its method that returns what was written
	decls   string
}

// formats says whether an argument is a fmt.State, which is declared for the fuzz test, and has the
// flags that are its input.
func (w *writer) formats(a *argument, t types.Type) bool {
	if types.TypeString(types.Unalias(t), nil) != "fmt.State" || w.flat || w.several || w.decls != "" {
		return false
	}
	typ := w.free(lowered(strings.ReplaceAll(strings.TrimLeft(strings.TrimPrefix(w.testName(), "Fuzz"), "_"), "_", "")) + "State")
	part := argument{name: w.local("flags"), typ: types.Typ[types.String], param: -1, maker: &Maker{}}
	w.finish(&part)
	a.parts = append(a.parts, len(w.args))
	w.args = append(w.args, part)
	a.before, a.value = a.name+" := "+typ+"{flags: %s}", "&"+a.name
	w.decls = fmt.Sprintf(`
// %[1]s is a fmt.State with flags, without a width and a precision.
type %[1]s struct {
text %[2]s.Buffer
flags string
}

func (s *%[1]s) Write(p []byte) (int, error) { return s.text.Write(p) }

func (s *%[1]s) String() string { return s.text.String() }

func (s *%[1]s) Width() (int, bool) { return 0, false }

func (s *%[1]s) Precision() (int, bool) { return 0, false }

func (s *%[1]s) Flag(c int) bool { return %[3]s.ContainsRune(s.flags, rune(c)) }
`, typ, w.use("bytes"), w.use("strings"))
	return true
}

// has says whether something of a type has a name.
func has(n *types.Named, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), name)
	return obj != nil
}

// withOutput is a function that calls a constructor with the buffer of a new struct in place of
// writers.
func (w *writer) withOutput(c *constructor, fn, typ, field, out string) string {
	sig := c.fn.Signature()
	var params, args []string
	for i, t := range c.params {
		switch {
		case i >= given(sig, false):
		case stream(t) == writes:
			args = append(args, "&o."+out)
		default:
			arg := "arg" + strconv.Itoa(i+1)
			params, args = append(params, arg+" "+w.typeName(t)), append(args, arg)
			if sig.Variadic() && i == len(c.params)-1 {
				args[len(args)-1] += "..."
			}
		}
	}
	call := c.fn.Name() + "(" + strings.Join(args, ", ") + ")"
	result, made, ok := "*"+typ, "made", ""
	if sig.Results().Len() == 2 {
		result, made, ok = "(*"+typ+", "+w.typeName(sig.Results().At(1).Type())+")", "made, ok", ", ok"
	}
	set := "o." + field + " = &made\n"
	if isPointer(c.result) {
		set = "if made == nil {\nreturn nil" + ok + "\n}\no." + field + " = made\n"
	}
	return "func " + fn + "(" + strings.Join(params, ", ") + ") " + result + " {\no := new(" + typ + ")\n" +
		made + " := " + call + "\n" + set + "return o" + ok + "\n}\n"
}

// lowered is a name that begins with a small letter.
func lowered(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[size:]
}
