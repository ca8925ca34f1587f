package sequence

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fuzzmut/fuzzmut/instrument/named"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// A Case is what a test does for one input.
type Case struct {
	Body    string   // statements, each with its line end
	Call    string   // for people: all calls in turn
	Result  string   // what the last one returns
	Title   string   // the names of what is called
	Imports []string // paths
	Begins  bool     // the function of Begin is called first

	calls []string // those of Call
}

// Case writes the statements.
func (s *Steps) Case() Case {
	w := &caseWriter{Sequence: s.sequence, names: make(map[string]int), imports: make(map[string]bool)}
	for _, st := range s.list {
		w.step(st)
	}
	c := Case{Body: w.body.String(), Call: strings.Join(w.shown, "; "), Result: w.result, calls: w.shown, Title: title(w.titles), Begins: w.begins(s.list)}
	for path, used := range w.imports {
		if used {
			c.Imports = append(c.Imports, path)
		}
	}
	slices.Sort(c.Imports)
	return c
}

// caseWriter writes the statements of one test.
type caseWriter struct {
	*Sequence
	body    strings.Builder
	names   map[string]int // how many variables have the name, but for a number
	imports map[string]bool
	shown   []string
	titles  []string
	result  string
}

// variable is a new name.
func (w *caseWriter) variable(base string) string {
	for {
		w.names[base]++
		name := base
		if n := w.names[base]; n > 1 {
			name += strconv.Itoa(n)
		}
		if !w.outerName(name) {
			return name
		}
	}
}

// outerName says whether a variable would hide what the package declares.
func (w *caseWriter) outerName(name string) bool {
	return w.isOutside(name) || w.pkg.Scope().Lookup(name) != nil && !slices.Contains([]string{"got", "err"}, name)
}

// step writes one step.
func (w *caseWriter) step(st *step) {
	if st.call.setting {
		w.set(st)
		return
	}
	if st.buffer != "" {
		st.buffer = w.variable("out")
		w.imports["bytes"] = true
		fmt.Fprintf(&w.body, "var %s bytes.Buffer\n", st.buffer)
	}
	if st.notes() {
		st.calls = w.variable("calls")
		fmt.Fprintf(&w.body, "var %s []string\n", st.calls)
	}
	w.declareHeld(st)
	call := w.source(st)
	title := st.call.function
	if title == "" {
		title = w.kinds[st.call.results[0].kind].source
	}
	w.titles = append(w.titles, title)
	if st.ends {
		w.shown, w.result = append(w.shown, call), "panic"
		w.panics(st, call)
		return
	}
	line := call
	if vars := w.madeNames(st); vars != "" {
		line = vars + " := " + call
	}
	w.shown = append(w.shown, line)
	w.write(st, call)
}

// madeNames names what a step makes for later ones.
func (w *caseWriter) madeNames(st *step) string {
	var names []string
	for _, v := range st.makes {
		if v != nil && v.used {
			names = append(names, w.nameOf(v))
		}
	}
	return strings.Join(names, ", ")
}

// set writes that a variable is set for the rest of the test.
func (w *caseWriter) set(st *step) {
	name := st.call.function
	if st.on != nil {
		name = st.on.expr() + "." + name
	} else if !st.call.state {
		fmt.Fprintf(&w.body, "defer func(was bool) { %[1]s = was }(%[1]s)\n", name)
	}
	line := name + " = " + w.argument(st.args[0], st)
	fmt.Fprintln(&w.body, line)
	w.shown, w.titles, w.result = append(w.shown, line), append(w.titles, name), ""
}

// nameOf names what a step makes, and returns the variable: an element is in one of a list.
func (w *caseWriter) nameOf(v *value) string {
	base := "value"
	if v.kind != noKind {
		base = w.kinds[v.kind].name
	}
	if v.element != "" {
		base += "s"
	}
	variable := w.variable(base)
	v.name = variable + v.element
	return variable
}

// variable is the one that holds a value.
func (v *value) variable() string { return strings.TrimSuffix(v.name, v.element) }

// source is the call of a step.
func (w *caseWriter) source(st *step) string {
	c := st.call
	if c.function == "" && len(st.args) > 0 {
		return w.argument(st.args[0], st)
	}
	if c.function == "" {
		return "new(" + w.kinds[c.results[0].kind].source + ")"
	}
	name := c.function
	if st.on != nil {
		name = st.on.expr() + "." + c.function
	}
	if c.field {
		return name
	}
	var args []string
	for _, a := range st.args {
		if arg := w.argument(a, st); arg != "" { // no elements of a list
			args = append(args, arg)
		}
	}
	if c.fn != nil {
		w.unchecked(args, c.fn.Signature())
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// unchecked has a text that may be a format in a variable, with the name of the parameter: go vet compares one that is
// constant with the values that follow.
func (w *caseWriter) unchecked(args []string, sig *types.Signature) {
	at := target.FormatAt(sig)
	if at < 0 || at+1 >= len(args) {
		return
	}
	if _, err := strconv.Unquote(args[at]); err != nil {
		return // it is a variable
	}
	name := sig.Params().At(at).Name()
	if name == "" || name == "_" || w.taken(name) {
		name = "format"
	}
	name = w.variable(name)
	line := name + " := " + args[at]
	fmt.Fprintln(&w.body, line)
	w.shown = append(w.shown, line)
	args[at] = name
}

// argument is an argument as source.
func (w *caseWriter) argument(a arg, st *step) string {
	switch {
	case a.named != "":
		return a.named
	case a.value == nil:
		for _, name := range w.importPaths() {
			if names(a.source, w.packageName(name)) {
				w.imports[name] = true
			}
		}
		return strings.ReplaceAll(strings.Replace(a.source, "&"+writerMark, "&"+st.buffer, 1), callsMark, st.calls)
	case a.pointer && !a.value.pointer:
		return "&" + a.value.expr()
	case !a.pointer && a.value.pointer:
		return "*" + a.value.expr()
	}
	return a.value.expr()
}

// panics writes that a call has to panic.
func (w *caseWriter) panics(st *step, call string) {
	fmt.Fprintf(&w.body, "func() {\ndefer func() {\nif recover() == nil {\n%s\n}\n}()\n%s\n}()\n", goesOn.reported(call+" does not panic"), st.discarded(call))
}

// method is the one of a test that has it fail.
type method string

const (
	goesOn method = "Error"
	ends   method = "Fatal" // what comes after uses the value, and would panic, or say something that nobody understands
)

// reported is a call that has the test fail with a message.
func (m method) reported(message string) string {
	if strings.Contains(message, "%") { // vet takes that for a format
		return fmt.Sprintf("t.%sf(%s)", m, quoted(strings.ReplaceAll(message, "%", "%%")))
	}
	return fmt.Sprintf("t.%s(%s)", m, quoted(message))
}

// discarded is the call of a step as a statement. go vet takes a text that nobody uses for a mistake.
func (st *step) discarded(call string) string {
	says := len(st.call.results) == 1 && (st.call.function == "String" || st.call.function == "Error")
	if strings.HasSuffix(call, ")") && !says {
		return call
	}
	return "_ = " + call
}

// compared is a result that a step compares.
type compared struct {
	differ string // the condition
	shown  string // of what was got
	verb   string
	want   string // as a message says it
}

// write writes a call and what is compared of it.
func (w *caseWriter) write(st *step, call string) {
	var vars []string
	var list, parts []compared
	used := false
	names := w.gotNames(st)
	for i, r := range st.call.results {
		v := st.made(i)
		name := names[i]
		if v != nil && v.used {
			vars, used, name = append(vars, v.variable()), true, v.variable()
			if c, ok := w.compare(r, name, st.seen[i]); ok && (r.said || r.several || r.says || strings.HasPrefix(c.verb, "%T")) {
				list = append(list, c)
			}
			parts = append(parts, w.compareParts(r, name, st.seen[i])...)
			continue
		}
		c, ok := w.compare(r, name, st.seen[i])
		if !ok {
			vars = append(vars, "_")
			continue
		}
		vars, list = append(vars, name), append(list, c)
		parts = append(parts, w.compareParts(r, name, st.seen[i])...)
	}
	buffer, hasBuffer := compared{}, st.buffer != ""
	if hasBuffer {
		buffer = w.text(st.buffer+".String()", st.seen[len(st.seen)-1])
	}
	w.result = results(list, parts, buffer, hasBuffer)
	defer w.compareHeld(st)
	if st.calls != "" && st.called != "" {
		defer w.compareCalls(st)
	}
	assigned := strings.Join(vars, ", ") + " := " + call
	switch {
	case len(list) == 0 && !used:
		fmt.Fprintf(&w.body, "%s\n", st.discarded(call))
	case len(list) == 0:
		fmt.Fprintf(&w.body, "%s\n", assigned)
	case used && len(list) == 1 && list[0].differ == "err != nil":
		fmt.Fprintf(&w.body, "%s\nif err != nil {\nt.Fatal(err)\n}\n", assigned)
	case used:
		fmt.Fprintf(&w.body, "%s\nif %s", assigned, ends.failureAndParts(call, list, parts))
	default:
		fmt.Fprintf(&w.body, "if %s; %s", assigned, goesOn.failureAndParts(call, list, parts))
	}
	if hasBuffer {
		fmt.Fprintf(&w.body, "if got := %s; %s", buffer.shown, goesOn.failure(call+" writes", []compared{{"got != " + buffer.want, "got", "%q", buffer.want}}))
	}
}

// notes says whether a function that is given notes what it is called with.
func (st *step) notes() bool {
	return slices.ContainsFunc(st.args, func(a arg) bool { return strings.Contains(a.source, callsMark) })
}

// compareCalls compares what functions were called with.
func (w *caseWriter) compareCalls(st *step) {
	w.imports["fmt"] = true
	want := unquoted(st.called)
	w.result = strings.TrimPrefix(w.result+", calls "+want, ", ")
	name := st.call.function
	fmt.Fprintf(&w.body, "if got := fmt.Sprintf(\"%%q\", %s); got != %s {\nt.Errorf(%s, got)\n}\n", st.calls, quoted(want), quoted(strings.ReplaceAll(name, "%", "%%")+" calls the function with %s, want "+strings.ReplaceAll(want, "%", "%%")))
}

// made is what a result is to later steps; nil: nothing.
func (st *step) made(i int) *value {
	if i < len(st.makes) {
		return st.makes[i]
	}
	return nil
}

// gotNames are names for the results of a step that are compared.
func (w *caseWriter) gotNames(st *step) []string {
	names := make([]string, len(st.call.results))
	keeps := slices.ContainsFunc(st.makes, func(v *value) bool { return v != nil && v.used })
	n := 0
	for i, r := range st.call.results {
		switch {
		case r.form == asError:
			names[i] = "err"
		case keeps:
			names[i] = w.variable("got")
		case n == 0:
			names[i], n = "got", 1
		default:
			n++
			names[i] = "got" + strconv.Itoa(n)
		}
	}
	return names
}

// compare is how a test compares a result; false: it does not.
func (w *caseWriter) compare(r result, name, seen string) (compared, bool) {
	if seen == unknown {
		return compared{}, false
	}
	if r.says {
		return w.compareFault(r, name, seen)
	}
	switch r.form {
	case nothing:
		return compared{}, false
	case kept, isNil:
		switch {
		case r.several:
			return w.compare(result{form: length}, name, seen)
		case r.isTyped() && seen == typedNil:
			return compared{name + " != nil", name, "%v", "nil"}, true
		case r.isTyped():
			w.imports["fmt"] = true
			return compared{typed(name) + " != " + requoted(seen), typed(name), "%s", unquoted(seen)}, true
		case r.said:
			return w.compare(result{form: asFields}, name, seen)
		case r.form == kept && !r.pointer:
			return compared{}, false
		}
		verb := "%v"
		if r.form == isNil && r.of != nil {
			verb = "%p" // go vet takes another for a call that was forgotten
		}
		if seen == isNilText {
			return compared{name + " != nil", name, verb, "nil"}, true
		}
		if slices.ContainsFunc(r.holds, func(k int) bool { return seen == w.dynamicType(k) }) {
			w.imports["fmt"] = true
			return compared{`fmt.Sprintf("%T", ` + name + ") != " + quoted(seen), name, "%T", seen}, true
		}
		return compared{name + " == nil", name, verb, notNil}, true
	case asError:
		if seen == isNilText {
			return compared{"err != nil", "err", "%v", "nil"}, true
		}
		w.imports["fmt"] = true
		return compared{"fmt.Sprint(err) != " + requoted(strings.TrimPrefix(seen, errorText)), "err", "%v", strings.TrimPrefix(seen, errorText)}, true
	case asBytes:
		return w.text("string("+name+")", seen), true
	case asList:
		w.imports["fmt"] = true
		return compared{"fmt.Sprint(" + name + ") != " + requoted(seen), name, "%v", unquoted(seen)}, true
	case asTexts:
		w.imports["fmt"] = true
		return compared{`fmt.Sprintf("%q", ` + name + ") != " + requoted(seen), name, "%q", unquoted(seen)}, true
	case asFields:
		w.imports["fmt"] = true
		return compared{`fmt.Sprintf("%+v", ` + name + ") != " + requoted(seen), name, "%+v", unquoted(seen)}, true
	case asSource:
		w.imports["fmt"] = true
		return compared{`fmt.Sprintf("%#v", ` + name + ") != " + requoted(seen), name, "%#v", unquoted(seen)}, true
	case length:
		return compared{"len(" + name + ") != " + seen, "len(" + name + ")", "len %d", "len " + seen}, true
	}
	return w.plain(r, name, seen), true
}

// plain compares a number, a text, or a bool.
func (w *caseWriter) plain(r result, name, seen string) compared {
	if r.form == literal {
		if c := w.constants(r, seen); c != "" {
			return compared{name + " != " + c, name, "%v", c}
		}
		if n, err := strconv.ParseInt(seen, 10, 64); err == nil && r.of != nil {
			if c, ok := named.Character(r.of, n); ok {
				return compared{name + " != " + c, name, "%q", c}
			}
		}
	}
	switch {
	case strings.HasPrefix(seen, `"`):
		return w.text(name, seen)
	case strings.HasPrefix(seen, errorText): // in an interface
		w.imports["fmt"] = true
		return compared{"fmt.Sprint(" + name + ") != " + requoted(strings.TrimPrefix(seen, errorText)), name, "%v", strings.TrimPrefix(seen, errorText)}
	case r.form == literal && r.basic == boolForm && seen == "true":
		return compared{"!" + name, name, "%v", seen}
	case r.form == literal && r.basic == boolForm:
		return compared{name, name, "%v", seen}
	case r.form == literal && strings.ContainsAny(seen, "NI"): // NaN, Inf
		w.imports["fmt"] = true
		return compared{"fmt.Sprint(" + name + ") != " + quoted(seen), name, "%v", seen}
	}
	return compared{name + " != " + seen, name, "%v", seen}
}

// text compares a text.
func (w *caseWriter) text(expr, seen string) compared {
	return compared{expr + " != " + requoted(seen), expr, "%q", requoted(seen)}
}

// results are the results of the last call for people.
func results(list, parts []compared, buffer compared, hasBuffer bool) string {
	var texts []string
	for _, c := range list {
		texts = append(texts, c.want)
	}
	for _, c := range parts {
		texts = append(texts, "with "+strings.TrimPrefix(c.shown[strings.IndexAny(c.shown, ".["):], ".")+" "+c.want)
	}
	if hasBuffer {
		texts = append(texts, buffer.want)
	}
	return strings.Join(texts, ", ")
}

// failure is what follows an if: the condition, and the message.
func (m method) failure(call string, list []compared) string {
	var conds, verbs, got, want []string
	for _, c := range list {
		conds, verbs, got, want = append(conds, c.differ), append(verbs, c.verb), append(got, c.shown), append(want, c.want)
	}
	escape := strings.NewReplacer("%", "%%")
	if len(list) == 1 && list[0].want == notNil {
		// What fmt says of nil is up to the type: a nil *time.Location says UTC.
		return fmt.Sprintf("%s {\n%s\n}\n", conds[0], m.reported(call+" = "+isNilText+", want "+notNil))
	}
	message := escape.Replace(call) + " = " + strings.Join(verbs, ", ") + ", want " + escape.Replace(strings.Join(want, ", "))
	return fmt.Sprintf("%s {\nt.%sf(%s, %s)\n}\n", strings.Join(conds, " || "), m, quoted(message), strings.Join(got, ", "))
}

// requoted is a quoted text as it is easier to read.
func requoted(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		return text
	}
	return quoted(s)
}

func unquoted(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		return text
	}
	return s
}

// quoted writes a string as source: as it is, if that is easier to read.
func quoted(s string) string {
	q := strconv.Quote(s)
	if len(q) > len(s)+2 && strconv.CanBackquote(s) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\t' || !unicode.IsPrint(r) }) {
		return "`" + s + "`"
	}
	return q
}
