package sequence

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// TextHole stands in a literal for a text that the search may change.
const TextHole = "textOfTheInput"

// asTested is what stands for an argument that the tests give values for: of an empty interface
// any of these, a text or a number, of a type that nothing else stands for one of these, and of a
// map or another module's struct these in addition.
func (s *Sequence) asTested(p param, fn *types.Func, i int, t types.Type) param {
	empty := false
	if u, ok := t.Underlying().(*types.Interface); ok {
		empty = u.Empty()
	}
	more := p.form == choiceParam && s.extends(t)
	if s.passed == nil || fn == nil || p.form != noParam && !empty && !more {
		return p
	}
	list := s.passed(fn, i, t)
	switch {
	case len(list) == 0:
		return p
	case more:
		for _, source := range list {
			if !slices.Contains(p.choices, source) {
				p.choices = append(slices.Clip(p.choices), source)
			}
		}
		return p
	case empty:
		return param{form: anyParam, choices: withPlain(list), typ: "interface{}"}
	}
	if !s.importable(t) {
		return p
	}
	return param{form: choiceParam, choices: list, typ: s.source(t)}
}

// extends says whether what tests give for an argument comes in addition to what its type gives: of maps, and of
// structs of other modules.
func (s *Sequence) extends(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Map); ok {
		return true
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && s.outside[n.Obj().Pkg().Path()] != ""
}

// importable says whether the file can name a type with what it may import.
func (s *Sequence) importable(t types.Type) bool {
	return Within(t, func(path string) bool { return s.canName(path) || slices.Contains(s.importPaths(), path) })
}

// withPlain adds values of plain types to what tests give for an empty interface, and where that
// is a pointer at times, pointers.
func withPlain(list []string) []string {
	plain := []string{"nil", "true", "-1.5", `[]interface{}{1, "a"}`, `map[string]interface{}{"a": ` + TextHole + "}"}
	if slices.ContainsFunc(list, func(source string) bool {
		return strings.HasPrefix(source, "new(") || strings.HasPrefix(source, "&")
	}) {
		plain = append(plain, "new(int)", "new(uint8)", "new(bool)", "new(float64)", "new(string)", "new([]string)", "new(map[string]string)", "new(interface{})")
	}
	for _, source := range plain {
		if !slices.Contains(list, source) {
			list = append(list, source)
		}
	}
	return list
}

// anyArgument is source of an argument of an empty interface, and of statements before: a byte
// says which value it is, and of a text which one.
func (s *Sequence) anyArgument(p param, at int) (before, arg string) {
	v, n := "any"+strconv.Itoa(at), len(p.choices)+2
	var b strings.Builder
	fmt.Fprintf(&b, "var %s %s\nswitch n := int(op[%d]-%d); n %% %d {\n", v, p.typ, at, zero, n)
	for i, choice := range p.choices {
		fmt.Fprintf(&b, "case %d:\n%s = %s\n", i, v, filled(choice, pickedText(at, n)))
	}
	fmt.Fprintf(&b, "case %d:\n%s = %s\ndefault:\n%[2]s = n / %[4]d\n}\n", n-2, v, pickedText(at, n), n)
	if s.holds {
		fmt.Fprintf(&b, "%s := %sHeld(%s)\n", heldBefore(at), s.Function, v)
	}
	return b.String(), v
}

func heldBefore(at int) string { return "held" + strconv.Itoa(at) }

// pickedText is source of the text that a byte says together with one of n choices.
func pickedText(at, n int) string {
	return fmt.Sprintf("pick(byte(int(op[%d]-%d)/%d)+%[2]d)", at, zero, n)
}

// filled is a choice with source of a text in it.
func filled(choice, text string) string { return strings.ReplaceAll(choice, TextHole, text) }

// anyValue reads an argument of an empty interface.
func (r *reader) anyValue(p param, n int) arg {
	n = int(byte(n))
	all := len(p.choices) + 2
	switch k := n % all; {
	case k < len(p.choices):
		return arg{source: filled(p.choices[k], quoted(r.text(n/all)))}
	case k == len(p.choices):
		return arg{source: quoted(r.text(n / all))}
	}
	return arg{source: strconv.Itoa(n / all)}
}

// heldMost is how long what is in an argument may be, as JSON, that a test compares.
const heldMost = 600

// heldFunctions are the functions of the fuzz test that show what a call has put into an
// argument, as far as it is exported.
func heldFunctions(name string) string {
	return fmt.Sprintf(`
func %[1]sHeld(v interface{}) string {
	data, err := json.Marshal(v)
	if err != nil || len(data) > %[2]d {
		return %[3]q
	}
	return strconv.Quote(string(data))
}

func %[1]sChanged(before string, v interface{}) string {
	if after := %[1]sHeld(v); after != before {
		return after
	}
	return %[3]q
}
`, name, heldMost, unknown)
}

// any counts the arguments of empty interfaces.
func (c *call) any() (n int) {
	for _, p := range c.params {
		if p.form == anyParam {
			n++
		}
	}
	return n
}

// takeHeld takes what a call has put into its arguments off what was seen of it.
func (st *step) takeHeld() {
	n := st.call.any()
	held := st.seen[len(st.seen)-n:]
	st.seen = st.seen[:len(st.seen)-n]
	for i, p := range st.call.params {
		if p.form != anyParam {
			continue
		}
		if held[0] != unknown {
			st.args[i].held = held[0]
		}
		held = held[1:]
	}
}

// declareHeld writes variables for arguments into which a call puts something.
func (w *caseWriter) declareHeld(st *step) {
	for i := range st.args {
		a := &st.args[i]
		if a.held == "" {
			continue
		}
		value := w.argument(*a, st)
		a.source = w.variable("value")
		line := a.source + " := " + value
		fmt.Fprintln(&w.body, line)
		w.shown = append(w.shown, line)
	}
}

// compareHeld compares what a call has put into its arguments.
func (w *caseWriter) compareHeld(st *step) {
	for _, a := range st.args {
		if a.held == "" {
			continue
		}
		w.imports["encoding/json"] = true
		want := unquoted(a.held)
		w.result = strings.TrimPrefix(w.result+", "+a.source+" is "+want, ", ")
		message := st.call.function + " makes " + a.source + " %s, want " + strings.ReplaceAll(want, "%", "%%")
		fmt.Fprintf(&w.body, "if got, err := json.Marshal(%s); err != nil || string(got) != %s {\nt.Errorf(%s, got)\n}\n", a.source, quoted(want), quoted(message))
	}
}

// Optional are packages that the file of a fuzz test or a test imports if literals of the tests
// need them, by path. A package under test that declares such a name has no such literals.
func Optional(pkg *types.Package) []string {
	return slices.DeleteFunc(slices.Clone(optional), func(p string) bool { return pkg.Scope().Lookup(path.Base(p)) != nil })
}

var optional = []string{"bufio", "encoding/csv", "encoding/json", "math", "math/big", "net/url"}

// importPaths are all packages that a file may import, in their order.
func (s *Sequence) importPaths() []string {
	list := append(slices.Clone(importNames), Optional(s.pkg)...)
	list = slices.AppendSeq(list, maps.Keys(s.outside))
	slices.Sort(list)
	return list
}
