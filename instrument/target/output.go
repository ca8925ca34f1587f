package target

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

// wrapConstructors has functions that do nothing given to constructors that take functions, as
// callbacks. Without a model, values are made together with what they write to, in a struct with an operation that
// returns what was written: a buffer that is drawn for a constructor would be lost.
func (s *sequence) wrapConstructors() {
	w := &wrapper{sequence: s, name: s.typ.Obj().Name()}
	w.typ = s.free(Variable(w.name))
	if len(s.models) == 0 && slices.ContainsFunc(s.constructors, func(c constructor) bool { return c.writes() }) {
		w.typ = s.free(Variable(w.name) + "Output")
		w.keepOutput()
	}
	for i := range s.constructors {
		c := &s.constructors[i]
		if w.out == "" && !slices.ContainsFunc(c.params, isFunction) {
			continue
		}
		fn := s.free("new" + strings.ToUpper(w.typ[:1]) + w.typ[1:])
		if i > 0 {
			fn = s.free(fn + strconv.Itoa(i+1))
		}
		s.decls += "\n" + w.function(c, fn)
		if s.wrapped == nil {
			s.wrapped = make(map[string]string)
		}
		s.wrapped[fn], c.text = c.text, fn
	}
}

// wrapper writes functions that call constructors.
type wrapper struct {
	*sequence
	name string // of the type
	typ  string // of the struct
	out  string // its field that takes what is written; "": there is no struct
}

// keepOutput declares the struct.
func (w *wrapper) keepOutput() {
	written := "Written"
	w.out = "out"
	for i := 2; w.out == w.name || has(w.sequence.typ, w.out); i++ {
		w.out = "out" + strconv.Itoa(i)
	}
	for i := 2; written == w.name || has(w.sequence.typ, written); i++ {
		written = "Written" + strconv.Itoa(i)
	}
	w.output = &output{typ: "*" + w.typ, written: written}
	w.decls += fmt.Sprintf("\n// %s is a %s, and what it writes.\ntype %[1]s struct {\n*%[3]s\n%[4]s %[5]s.Buffer\n}\n", w.typ, w.name, w.typeName(w.sequence.typ), w.out, w.use("bytes"))
	w.decls += fmt.Sprintf("\n// %[2]s returns what was written since it was called last.\nfunc (o *%[1]s) %[2]s() string {\ndefer o.%[3]s.Reset()\nreturn o.%[3]s.String()\n}\n", w.typ, written, w.out)
}

// output is a struct of a value and what that writes.
type output struct {
	typ     string // as Go source: a pointer
	written string // its method that returns what was written
}

// formats says whether an argument is a fmt.State, which is declared for the fuzz test, and has the
// flags that are its input.
func (w *writer) formats(a *argument, t types.Type) bool {
	if types.TypeString(types.Unalias(t), nil) != "fmt.State" || w.flat || w.several || w.decls != "" {
		return false
	}
	typ := w.free(Variable(strings.ReplaceAll(strings.TrimLeft(strings.TrimPrefix(w.testName(), "Fuzz"), "_"), "_", "")) + "State")
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

// function is a function that calls a constructor with the buffer of a new struct in place of
// writers, and with functions that do nothing.
func (w *wrapper) function(c *constructor, fn string) string {
	sig := c.fn.Signature()
	params, args := w.arguments(c)
	result, made, ok := w.typeName(c.result), "made", ""
	if w.out != "" {
		result = "*" + w.typ
	}
	if sig.Results().Len() == 2 {
		result, made, ok = "("+result+", "+w.typeName(sig.Results().At(1).Type())+")", "made, ok", ", ok"
	}
	head := "func " + fn + "(" + params + ") " + result + " {\n"
	call := c.text + "(" + args + ")"
	if w.out == "" {
		return head + "return " + call + "\n}\n"
	}
	set := "o." + w.name + " = &made\n"
	if isPointer(c.result) {
		set = "if made == nil {\nreturn nil" + ok + "\n}\no." + w.name + " = made\n"
	}
	return head + "o := new(" + w.typ + ")\n" + made + " := " + call + "\n" + set + "return o" + ok + "\n}\n"
}

// arguments are those that such a function calls a constructor with, and the parameters that it needs for them.
func (w *wrapper) arguments(c *constructor) (params, args string) {
	sig := c.fn.Signature()
	var names, values []string
	for i, t := range c.params[:given(sig, false)] {
		switch {
		case w.out != "" && stream(t) == writes:
			values = append(values, "&o."+w.out)
		case isFunction(t):
			values = append(values, w.stub(t.Underlying().(*types.Signature)))
		default:
			arg := "arg" + strconv.Itoa(i+1)
			names, values = append(names, arg+" "+w.typeName(t)), append(values, arg)
			if sig.Variadic() && i == len(c.params)-1 {
				values[len(values)-1] += "..."
			}
		}
	}
	return strings.Join(names, ", "), strings.Join(values, ", ")
}

// stub is a function that compares its arguments, if it has the form of one that does, and returns
// zero values otherwise.
func (w *wrapper) stub(sig *types.Signature) string {
	names, body := []string{"_", "_"}, " {}"
	if sig.Results().Len() > 0 {
		body = " { return }"
	}
	result := "_"
	if ordered(sig) {
		names, result, body = []string{"a", "b"}, "less", " { return a < b }"
		if b := sig.Results().At(0).Type().Underlying().(*types.Basic); b.Info()&types.IsInteger != 0 {
			result, body = "order", " {\nswitch {\ncase a < b:\nreturn -1\ncase a > b:\nreturn 1\n}\nreturn 0\n}"
		}
	}
	var params, results []string
	for i := range sig.Params().Len() {
		name := w.typeName(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			name = "..." + strings.TrimPrefix(name, "[]")
		}
		params = append(params, names[min(i, 1)]+" "+name)
	}
	for r := range sig.Results().Variables() {
		results = append(results, result+" "+w.typeName(r.Type()))
	}
	text := "func(" + strings.Join(params, ", ") + ")"
	if len(results) > 0 {
		text += " (" + strings.Join(results, ", ") + ")"
	}
	return text + body
}

// ordered says whether a function can be one that orders two texts or numbers.
func ordered(sig *types.Signature) bool {
	if sig.Params().Len() != 2 || sig.Results().Len() != 1 || sig.Variadic() || !types.Identical(sig.Params().At(0).Type(), sig.Params().At(1).Type()) {
		return false
	}
	arg, ok := sig.Params().At(0).Type().Underlying().(*types.Basic)
	res, basic := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && basic && arg.Info()&types.IsOrdered != 0 && (res.Kind() == types.Bool || res.Kind() == types.Int)
}

// Variable is a variable's name for what has an exported name: "ssrc" for SSRC, "urlPath" for URLPath.
func Variable(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && string(runes[i+1:]) != "s" {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
