package sequence

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// write writes the file of the fuzz test.
func (s *Sequence) write() {
	body := s.function()
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", s.pkg.Name())
	for _, name := range s.importPaths() {
		if name == "testing" || names(body, s.packageName(name)) {
			fmt.Fprintf(&b, "%s %q\n", s.ImportName(name), name)
		}
	}
	fmt.Fprintf(&b, ")\n\nfunc %s(f *testing.F) {\n", s.Fuzz)
	for _, seed := range s.seeds() {
		fmt.Fprintf(&b, "f.Add([]byte(%q), %q, %q)\n", seed.ops, seed.texts[0], seed.texts[1])
	}
	fmt.Fprintf(&b, "f.Fuzz(func(t *testing.T, ops []byte, text, text2 string) {\n%s(ops, text, text2)\n})\n}\n", s.Function)
	b.WriteString(body)
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		src = []byte(b.String()) // the compiler says what is wrong
	}
	s.Text = src
	before, _, _ := strings.Cut(string(src), "\nfunc "+s.Fuzz+"(")
	s.Line = strings.Count(before, "\n") + 2
}

// names says whether code names something of a package: "time." is a part of "runtime.".
func names(code, pkg string) bool {
	for before, after, ok := strings.Cut(code, pkg+"."); ok; before, after, ok = strings.Cut(after, pkg+".") {
		if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) && last != '.' && last != '_' {
			return true
		}
	}
	return false
}

// Bounds on the inputs that a fuzz test begins with.
const (
	seedsMost = 64
	walksMost = 64
)

// seed is an input that a fuzz test begins with.
type seed struct {
	ops   string
	texts [2]string
}

// seeds are inputs that make a value and call one method, for each method, those that do what
// tests do, and walks.
func (s *Sequence) seeds() (list []seed) {
	for i, c := range s.calls {
		if c.setting && c.receiver < 0 {
			for _, ops := range s.switched(i) {
				list = append(list, seed{ops: ops})
			}
		}
		if c.receiver < 0 || len(list) >= seedsMost {
			continue
		}
		if maker := s.makerOf(c.receiver); maker >= 0 {
			list = append(list, seed{ops: s.record(maker) + s.record(i)})
		}
	}
	list = append(list, s.routed()...)
	list = append(list, s.begin...)
	random := rand.New(rand.NewPCG(uint64(len(s.calls)), 0))
	for range walksMost {
		list = append(list, seed{s.walk(random), s.someTexts(random)})
	}
	return list
}

// plainTexts are texts for walks in addition to those of the tests: a reader of bytes does
// little with fewer than some.
var plainTexts = []string{"", "a", "0000000000000000"}

// someTexts are texts that the search may change.
func (s *Sequence) someTexts(random *rand.Rand) (texts [2]string) {
	for i := range texts {
		if n := random.IntN(len(plainTexts) + len(s.texts)); n < len(plainTexts) {
			texts[i] = plainTexts[n]
		} else {
			texts[i] = s.texts[n-len(plainTexts)]
		}
	}
	return texts
}

// walk is an input of random calls, each on values that calls before it make as a rule. What
// needs several calls is rarely found by changes of bytes.
func (s *Sequence) walk(random *rand.Rand) string {
	var b strings.Builder
	there := make([]bool, len(s.kinds))
	for range s.most {
		var fit []int
		for i, c := range s.calls {
			if c.ready(there) {
				fit = append(fit, i)
			}
		}
		if len(fit) == 0 {
			break
		}
		at := fit[random.IntN(len(fit))]
		op := []byte(s.record(at))
		for i := range op[1:] {
			op[i+1] += byte(random.IntN(3 + max(len(s.texts), 3)))
		}
		b.Write(op)
		for _, r := range s.calls[at].results {
			if r.form == kept && r.kind != noKind {
				there[r.kind] = true
			}
			for _, k := range r.holds {
				there[k] = true
			}
		}
	}
	return b.String()
}

// ready says whether a call can be made with values of the kinds that are there.
func (c *call) ready(there []bool) bool {
	return (c.receiver < 0 || there[c.receiver]) && !slices.ContainsFunc(c.params, func(p param) bool {
		return p.form == keptParam && !slices.ContainsFunc(p.kinds, func(k int) bool { return there[k] })
	})
}

// switched are inputs that switch a variable off and on, and make values then.
func (s *Sequence) switched(setting int) (list []string) {
	for i, c := range s.calls {
		if !c.makes() || len(c.params) == 0 || len(list) >= seedsMost/8 {
			continue
		}
		for _, on := range []byte{0, 1} {
			op := []byte(s.record(setting))
			op[2] += on
			maker := []byte(s.record(i))
			for k := range c.params {
				maker[2+k] += 3 // a constant of the tests
			}
			list = append(list, string(op)+string(maker))
		}
	}
	return list
}

// makerOf is the first call of nothing that is kept that makes a value of a kind; -1: none.
func (s *Sequence) makerOf(kind int) int {
	return slices.IndexFunc(s.calls, func(c *call) bool {
		return c.makes() && slices.ContainsFunc(c.results, func(r result) bool { return r.form == kept && r.kind == kind })
	})
}

// zero is the byte that stands for 0: what bytes become that do not matter when an input is
// minimized.
const zero = '0'

// record is a call with plain arguments.
func (s *Sequence) record(call int) string {
	return string([]byte{byte(call) + zero}) + strings.Repeat(string(rune(zero)), s.width-1)
}

// function is the function that makes the calls.
func (s *Sequence) function() string {
	var b strings.Builder
	fmt.Fprintf(&b, `
func %[1]s(ops []byte, text, text2 string) (seen []string) {
	defer func() {
		switch recover().(type) {
		case nil:
		case runtime.Error:
			seen = append(seen, %[2]q)
		default:
			seen = append(seen, %[3]q)
		}
	}()
	%[4]s
	texts := []string{text, text2, ""`, s.Function, crashed, panicked, s.setUp())
	for _, text := range s.texts {
		b.WriteString(", " + strconv.Quote(text))
	}
	fmt.Fprintf(&b, `}
	var made []string
	_ = made
	pick := func(op byte) string {
		n := int(op - %[1]d)
		if n >= %[2]d && len(made) > 0 {
			return made[len(made)-1-(n-%[2]d)%%len(made)]
		}
		return texts[n%%len(texts)]
	}
	_ = pick
`, zero, madeFrom)
	for _, k := range s.kinds {
		fmt.Fprintf(&b, "var %[1]s []%[2]s\n_ = %[1]s\n", k.list, k.element())
	}
	fmt.Fprintf(&b, "for n := 0; n < %d && len(ops) >= %d; n++ {\nop := ops[:%[2]d]\nops = ops[%[2]d:]\nswitch int(op[0]-%[3]d) %% %[4]d {\n", s.most, s.width, zero, len(s.calls))
	for i, c := range s.calls {
		fmt.Fprintf(&b, "case %d:\n%s", i, s.step(c))
	}
	b.WriteString("}\n}\nreturn seen\n}\n" + textFunctions(s.Function) + errorFunction(s.Function))
	if s.holds && slices.ContainsFunc(s.calls, func(c *call) bool { return c.any() > 0 }) {
		b.WriteString(heldFunctions(s.Function))
	}
	return b.String()
}

// step is source of what a step does.
func (s *Sequence) step(c *call) string {
	var b strings.Builder
	if c.setting {
		before, value := s.argument(c.params[0], 2)
		if c.receiver >= 0 {
			list := s.kinds[c.receiver].list
			return fmt.Sprintf("if len(%s) == 0 {\ncontinue\n}\n%s%s.%s = %s\nseen = append(seen, %q)\n", list, before, picked(list, 1), c.function, value, unknown)
		}
		if c.state {
			return fmt.Sprintf("%s%s = %s\nseen = append(seen, %q)\n", before, c.function, value, unknown)
		}
		return fmt.Sprintf("defer func(was bool) { %[1]s = was }(%[1]s)\n%[1]s = %[2]s\nseen = append(seen, %[3]q)\n", c.function, value, unknown)
	}
	if c.receiver >= 0 {
		k := s.kinds[c.receiver]
		fmt.Fprintf(&b, "if len(%s) == 0 {\ncontinue\n}\n", k.list)
	}
	var args []string
	buffer := ""
	if c.records() {
		fmt.Fprintf(&b, "var %[1]s []string\n_ = %[1]s\n", callsMark)
	}
	for i, p := range c.params {
		before, arg := s.argument(p, i+2)
		if p.form == writerParam {
			buffer = arg[1:]
		}
		b.WriteString(before)
		args = append(args, arg)
	}
	if len(c.unless) > 0 {
		fmt.Fprintf(&b, "if %s {\nseen = append(seen, %q)\ncontinue\n}\n", strings.Join(c.unless, " || "), leftOut)
	}
	expr := s.called(c, args)
	var vars []string
	for i, r := range c.results {
		if v := "v" + strconv.Itoa(i); r.form != nothing {
			vars = append(vars, v)
		} else {
			vars = append(vars, "_")
		}
	}
	switch {
	case !slices.ContainsFunc(c.results, func(r result) bool { return r.form != nothing }):
		b.WriteString(expr + "\n")
	default:
		b.WriteString(strings.Join(vars, ", ") + " := " + expr + "\n")
	}
	var shown []string
	for i, r := range c.results {
		shown = append(shown, r.shown(vars[i], s.Function))
	}
	if buffer != "" {
		shown = append(shown, result{form: written}.shown(buffer, s.Function))
	}
	for i, p := range c.params {
		if p.form == anyParam && s.holds {
			shown = append(shown, fmt.Sprintf("%sChanged(%s, %s)", s.Function, heldBefore(i+2), args[i]))
		} else if p.form == anyParam {
			shown = append(shown, strconv.Quote(unknown))
		}
	}
	if c.records() {
		shown = append(shown, result{form: calls}.shown(callsMark, s.Function))
	}
	if len(shown) == 0 {
		shown = []string{strconv.Quote(unknown)}
	}
	b.WriteString("seen = append(seen, " + strings.Join(shown, ", ") + ")\n")
	b.WriteString(s.keep(c, vars))
	for i, r := range c.results {
		if r.isText() {
			b.WriteString(keepText("string(" + vars[i] + ")"))
		}
	}
	if buffer != "" {
		b.WriteString(keepText(buffer + ".String()"))
	}
	return b.String()
}

// madeFrom is the first byte that stands for a text that a call has returned or written, counted
// from the last, if there is one: what one function writes, another reads.
const madeFrom = 192

// keepText is source that keeps a text for later calls.
func keepText(text string) string {
	return fmt.Sprintf("if said := %s; 0 < len(said) && len(said) <= %d {\nmade = append(made, said)\n}\n", text, textMost)
}

// keep is source that keeps what a call has made. With an error there is nothing.
func (s *Sequence) keep(c *call, vars []string) string {
	var b strings.Builder
	for i, r := range c.results {
		if r.form != kept {
			continue
		}
		var conds []string
		value := vars[i]
		if r.several {
			conds = append(conds, "len("+value+") > 0")
			value += "[len(" + value + ")-1]"
			if !r.pointer {
				value = "&" + value
			}
		} else if r.pointer {
			conds = append(conds, value+" != nil")
		} else {
			value = "&" + value
		}
		for k, r := range c.results {
			if r.form == asError {
				conds = append(conds, vars[k]+" == nil")
			}
		}
		line := ""
		if r.kind != noKind {
			line = fmt.Sprintf("%[1]s = append(%[1]s, %[2]s)\n", s.kinds[r.kind].list, value)
		}
		if !r.several {
			line += s.keepHeld(r, value)
		}
		if len(conds) > 0 {
			line = "if " + strings.Join(conds, " && ") + " {\n" + line + "}\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// keepHeld is source that keeps what an interface holds.
func (s *Sequence) keepHeld(r result, value string) string {
	if len(r.holds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "switch v := %s.(type) {\n", value)
	for _, k := range r.holds {
		fmt.Fprintf(&b, "case %s:\n%[2]s = append(%[2]s, v)\n", s.kinds[k].element(), s.kinds[k].list)
	}
	return b.String() + "}\n"
}

// called is source of a call.
func (s *Sequence) called(c *call, args []string) string {
	switch {
	case c.function == "" && len(args) > 0:
		return args[0]
	case c.function == "":
		return "new(" + s.kinds[c.results[0].kind].source + ")"
	case c.receiver < 0:
		return c.function + "(" + strings.Join(args, ", ") + ")"
	}
	expr := picked(s.kinds[c.receiver].list, 1) + "." + c.function
	if c.field {
		return expr
	}
	return expr + "(" + strings.Join(args, ", ") + ")"
}

// picked is source of the value of a list that a byte of the record says, counted from the
// last.
func picked(list string, at int) string {
	return fmt.Sprintf("%[1]s[len(%[1]s)-1-int(op[%[2]d]-%[3]d)%%len(%[1]s)]", list, at, zero)
}

// argument is source of an argument, and of statements before.
func (s *Sequence) argument(p param, at int) (before, arg string) {
	text := fmt.Sprintf("pick(op[%d])", at)
	switch p.form {
	case textParam:
		return "", converted(p.convert, text)
	case bytesParam:
		return "", converted(p.convert, "[]byte("+text+")")
	case boolParam:
		return "", converted(p.convert, fmt.Sprintf("(op[%d]-%d)%%2 == 1", at, zero))
	case numberParam:
		if p.signed {
			return "", s.number(p, fmt.Sprintf("int(int8(op[%d]-%d))", at, zero))
		}
		return "", s.number(p, fmt.Sprintf("op[%d]-%d", at, zero))
	case writerParam:
		v := "buffer" + strconv.Itoa(at)
		return "var " + v + " bytes.Buffer\n", "&" + v
	case readerParam:
		return "", "strings.NewReader(" + text + ")"
	case contextParam:
		return "", "context.Background()"
	case choiceParam:
		if len(p.choices) == 1 {
			return "", filled(p.choices[0], text) // its type may be one that the file can't name
		}
		v := "choice" + strconv.Itoa(at)
		choices := filled(strings.Join(p.choices, ", "), pickedText(at, len(p.choices)))
		return fmt.Sprintf("%s := []%s{%s}\n", v, p.typ, choices), fmt.Sprintf("%s[int(op[%d]-%d)%%%d]", v, at, zero, len(p.choices))
	case anyParam:
		return s.anyArgument(p, at)
	case listParam:
		return s.listArgument(p, at)
	}
	return s.keptArgument(p, at)
}

// listMost bounds the elements of a list that is given.
const listMost = 3

// listArgument is source of a list. The byte says how many elements it has, and what they are.
func (s *Sequence) listArgument(p param, at int) (before, arg string) {
	v := "list" + strconv.Itoa(at)
	_, elem := s.argument(*p.elem, at)
	elem = strings.ReplaceAll(elem, fmt.Sprintf("op[%d]", at), "n")
	arg = v
	if p.spread {
		arg += "..."
	}
	return fmt.Sprintf("var %s %s\nfor i, n := 0, op[%d]; i < int(op[%[3]d]-%[4]d)%%%[5]d; i, n = i+1, n+%[6]d {\n%[1]s = append(%[1]s, %[7]s)\n}\n",
		v, p.typ, at, zero, listMost+1, listStep, elem), arg
}

// listStep is what an element is after the one before it.
const listStep = 7

// number is a number of the type of a parameter.
func (s *Sequence) number(p param, expr string) string { return converted(p.convert, expr) }

func converted(to, expr string) string {
	if to == "" {
		return expr
	}
	return to + "(" + expr + ")"
}

// keptArgument is source of a value that a call has made.
func (s *Sequence) keptArgument(p param, at int) (before, arg string) {
	if len(p.kinds) == 1 {
		list := s.kinds[p.kinds[0]].list
		arg = picked(list, at)
		if !p.pointer {
			arg = "*" + arg
		}
		return fmt.Sprintf("if len(%s) == 0 {\ncontinue\n}\n", list), arg
	}
	any := "any" + strconv.Itoa(at)
	before = "var " + any + " []" + p.convert + "\n"
	for _, k := range p.kinds {
		list := s.kinds[k].list
		before += fmt.Sprintf("for _, v := range %s {\n%s = append(%[2]s, v)\n}\n", list, any)
	}
	before += fmt.Sprintf("if len(%s) == 0 {\ncontinue\n}\n", any)
	return before, picked(any, at)
}
