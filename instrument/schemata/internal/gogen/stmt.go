package gogen

import (
	"fmt"
	"slices"
	"strings"
)

// loop is a statement around that break or continue can name.
type loop struct {
	label string
	named bool // the label is used
	loops bool // continue works, too
}

// stmts makes up to n statements, each on its own line, in a scope of their
// own.
func (g *gen) stmts(n int) string {
	mark := len(g.scope)
	var b strings.Builder
	for range n {
		if g.fn.left <= 0 {
			break
		}
		g.fn.left--
		b.WriteString("\n" + g.stmt())
		if g.once(12) {
			b.WriteString(" // text")
		}
	}
	if g.nested > 0 {
		g.scope = g.scope[:mark]
	}
	return b.String()
}

// block makes a nested block's statements.
func (g *gen) block(n int) string {
	g.nested++
	defer func() { g.nested-- }()
	return g.stmts(1+g.n(n)) + "\n"
}

// stmt makes a statement.
func (g *gen) stmt() string {
	simple := []func() string{
		g.note, g.define, g.define, g.assign, g.assign, g.opAssign, g.opAssign, g.incDec, g.defineTwo,
		g.mapStmt, g.accumulate, g.localDecl,
	}
	if !g.fn.total {
		simple = append(simple, g.risky, g.risky, g.callTwo, g.effect, g.pointerStmt, g.failIf)
	}
	if g.nested < 3 && !g.once(3) {
		nested := []func() string{
			g.ifStmt, g.ifStmt, g.forStmt, g.forStmt, g.rangeStmt, g.rangeStmt, g.switchStmt, g.typeSwitch,
			g.selectStmt, g.closureStmt, g.gotoStmt, g.blockStmt, g.earlyReturn,
		}
		if !g.fn.total {
			nested = append(nested, g.rangeFunc, g.deferStmt, g.deferStmt, g.guarded)
		}
		return pick(g, nested...)()
	}
	if len(g.loops) > 0 && g.once(4) {
		return g.leave()
	}
	return pick(g, simple...)()
}

const depth = 3

func (g *gen) add(v *variable) { g.scope = append(g.scope, v) }

func (g *gen) note() string {
	var args []string
	for range 1 + g.n(2) {
		args = append(args, g.shown())
	}
	return fmt.Sprintf("%s(%s)", g.helper("note"), strings.Join(args, ","+g.gap()))
}

// shown is an argument of note.
func (g *gen) shown() string {
	for range 3 {
		if t := g.typ(); t.printable(false) {
			if v := g.find(t, false); v != nil {
				return v.name
			}
		}
	}
	t := g.plainType()
	return g.typed(t, depth)
}

func (g *gen) define() string {
	t := g.typ()
	switch g.n(4) {
	case 1:
		e := g.text(t, depth)
		v, mark := g.new(t)
		g.add(v)
		return fmt.Sprintf("var %s %s = %s%s", v.name, g.spell(t), e, mark)
	case 2:
		v, mark := g.new(t)
		g.add(v)
		return fmt.Sprintf("var %s %s%s", v.name, g.spell(t), mark)
	}
	e := g.typed(t, depth)
	v, mark := g.new(t)
	g.add(v)
	return fmt.Sprintf("%s := %s%s", v.name, e, mark)
}

// defineTwo declares two variables, or one and assigns to another.
func (g *gen) defineTwo() string {
	t, u := g.typ(), g.typ()
	e := g.typed(t, depth)
	var f, name, second string
	if old := g.find(u, true); old != nil && g.here(old) {
		name, f = old.name, g.text(u, depth)
	} else {
		f = g.typed(u, depth)
		w, m := g.new(u)
		name, second = w.name, m
		g.add(w)
	}
	v, mark := g.new(t)
	g.add(v)
	return fmt.Sprintf("%s, %s := %s, %s%s%s", v.name, name, e, f, mark, second)
}

// here says whether := in this place assigns to v.
func (g *gen) here(v *variable) bool { return g.nested == 0 && !v.global }

// place chooses something of type t to assign to, "" if there is nothing.
func (g *gen) place(t *typ) string {
	if v := g.find(t, true); v != nil && !g.once(4) {
		return v.name
	}
	for _, v := range g.scope {
		if v.fixed || g.once(2) {
			continue
		}
		switch v.t.kind {
		case structure:
			if list := paths(v.t, t); len(list) > 0 {
				v.used = true
				return v.name + "." + pick(g, list...)
			}
		case array:
			if v.t.elem.text == t.text {
				v.used = true
				return fmt.Sprintf("%s[uint(%s)%%%d]", v.name, g.operand(intType, 1).text, v.t.length)
			}
		}
	}
	return ""
}

func (g *gen) assign() string {
	t := g.typ()
	for range 3 {
		if to := g.place(t); to != "" {
			if other := ""; g.once(4) {
				if other = g.place(t); other == "" {
					other = "_"
				}
				return fmt.Sprintf("%s, %s = %s, %s", to, other, g.text(t, depth), g.typed(t, depth))
			}
			return fmt.Sprintf("%s =%s%s", to, g.gap(), g.text(t, depth))
		}
		t = g.typ()
	}
	return "_ = " + g.typed(t, depth)
}

// opAssign makes x op= y.
func (g *gen) opAssign() string {
	for _, v := range g.scope {
		if v.fixed || g.once(3) {
			continue
		}
		if s := g.opAssignTo(v.name, v.t); s != "" {
			v.used = true
			return s
		}
	}
	t := pick(g, intType, floatType, stringType)
	if to := g.place(t); to != "" {
		return g.opAssignTo(to, t)
	}
	return g.define()
}

func (g *gen) opAssignTo(to string, t *typ) string {
	switch t.kind {
	case integer:
		switch op := pick(g, "+", "-", "*", "&", "|", "^", "&^", "<<", ">>", "%", "/"); op {
		case "<<", ">>":
			return fmt.Sprintf("%s %s= %s & 7", to, op, g.operand(byteType, 1).in(5))
		case "%", "/":
			return fmt.Sprintf("%s %s= %s | 1", to, op, g.operand(t, 1).in(4))
		default:
			return fmt.Sprintf("%s %s= %s", to, op, g.text(t, depth))
		}
	case float, complexNumber:
		return fmt.Sprintf("%s %s= %s", to, pick(g, "+", "-", "*"), g.text(t, depth))
	case text:
		return fmt.Sprintf("if len(%s) < 20 { %s += %s }", to, to, g.text(t, 1))
	}
	return ""
}

func (g *gen) incDec() string {
	t := pick(g, g.types...)
	for t.kind != integer && t.kind != float {
		t = intType
	}
	if to := g.place(t); to != "" {
		return to + pick(g, "++", "--")
	}
	return g.note()
}

func (g *gen) mapStmt() string {
	for _, v := range g.scope {
		if v.t.kind == mapping && g.once(2) {
			v.used = true
			switch g.n(4) {
			case 0:
				return fmt.Sprintf("delete(%s, %s)", v.name, g.text(v.t.key, 1))
			case 1:
				key := g.text(v.t.key, 1)
				w, mark := g.new(v.t.elem)
				ok, okMark := g.new(boolType)
				g.add(w)
				g.add(ok)
				return fmt.Sprintf("%s, %s := %s[%s]%s%s", w.name, ok.name, v.name, key, mark, okMark)
			case 2:
				return fmt.Sprintf("if %s != nil && len(%s) < 9 { %s[%s] = %s }", v.name, v.name, v.name, g.text(v.t.key, 1), g.text(v.t.elem, depth))
			}
			if v.fixed {
				return fmt.Sprintf("%s(len(%s))", g.helper("note"), v.name)
			}
			return fmt.Sprintf("clear(%s)", v.name)
		}
	}
	t := mapOf(stringType, g.plainType())
	return g.result(t, "%s", g.mapLiteral(t, 1).text)
}

// accumulate appends to a slice that nobody else sees.
func (g *gen) accumulate() string {
	t := g.plainType()
	g.nested++
	defer func() { g.nested-- }()
	name, i := g.local(), g.local()
	return fmt.Sprintf("{\nvar %s []%s\nfor %s := range %d {\n%s = append(%s, %s)\n_ = %s\n}\n%s(%s, len(%s))\n}", name, t.text, i, 1+g.n(3),
		name, name, g.text(t, depth), i, g.helper("note"), name, name)
}

// localDecl declares a constant or type in the function.
func (g *gen) localDecl() string {
	if g.once(2) {
		name := g.local()
		return fmt.Sprintf("const %s = %s\n_ = %s", name, g.literal(pick(g, intType, stringType)).text, name)
	}
	t := structOf("", []field{{name: "x", t: g.plainType()}, {name: "Y", t: g.plainType()}})
	g.last++
	name := fmt.Sprintf("local%d", g.last)
	lit := g.structLiteral(t, 1).text
	s := fmt.Sprintf("type %s %s", name, t.text)
	v, mark := g.new(&typ{kind: structure, text: name, fields: t.fields})
	g.add(v)
	return fmt.Sprintf("%s\n%s := %s(%s)%s", s, v.name, name, lit, mark)
}

// risky does a single thing that may panic.
func (g *gen) risky() string {
	for range 4 {
		v := g.anyVariable()
		if v == nil {
			continue
		}
		switch t := v.t; {
		case t.kind == slice && !t.param:
			v.used = true
			if g.once(3) && !v.fixed {
				return fmt.Sprintf("%s[%s] = %s", v.name, g.operand(intType, 1).text, g.leaf(t.elem).text)
			}
			if g.once(3) {
				return g.result(t, "%s[%d:%s]", v.name, g.n(3), header(g.operand(intType, 1).text))
			}
			return g.result(t.elem, "%s[%s]", v.name, g.operand(intType, 1).text)
		case t.kind == integer:
			if y := g.find(t, false); y != nil {
				v.used = true
				return g.result(t, "%s %s %s", v.name, pick(g, "/", "%", "<<", ">>"), y.name)
			}
		case t.kind == anything:
			return g.assertion(v)
		case t.kind == pointer:
			v.used = true
			return g.result(t.elem, "*%s", v.name)
		case t.kind == methods:
			v.used = true
			m := t.methods[0]
			g.calls(m)
			return g.result(m.results[0], "%s.%s(%s)", v.name, m.name, strings.Join(g.args(m.params, false, 1), ", "))
		case t.kind == mapping && !v.fixed:
			v.used = true
			return fmt.Sprintf("%s[%s] = %s", v.name, g.leaf(t.key).text, g.leaf(t.elem).text)
		}
	}
	return g.note()
}

func (g *gen) anyVariable() *variable {
	if len(g.scope) == 0 {
		return nil
	}
	return g.scope[len(g.scope)-1-g.n(len(g.scope))]
}

// assertion asserts a type, or asks for it.
func (g *gen) assertion(v *variable) string {
	v.used = true
	t := g.plainType()
	if g.once(2) {
		return g.result(t, "%s.(%s)", v.name, t.text)
	}
	w, mark := g.new(t)
	ok, okMark := g.new(boolType)
	g.add(w)
	g.add(ok)
	return fmt.Sprintf("%s, %s := %s.(%s)%s%s", w.name, ok.name, v.name, t.text, mark, okMark)
}

// result declares a variable for a value.
func (g *gen) result(t *typ, format string, args ...any) string {
	v, mark := g.new(t)
	g.add(v)
	return fmt.Sprintf("%s := %s%s", v.name, fmt.Sprintf(format, args...), mark)
}

// callTwo takes several results of a call.
func (g *gen) callTwo() string {
	var found []*fn
	for _, f := range g.funcs {
		if len(f.results) != 1 && f.recv == nil && len(f.tparams) == 0 {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return g.note()
	}
	f := pick(g, found...)
	call := g.invoke(f, nil, 2).text
	if len(f.results) == 0 || g.once(4) {
		return call
	}
	var names []string
	marks, fresh := "", false
	for _, r := range f.results {
		if g.once(4) {
			names = append(names, "_")
			continue
		}
		v, mark := g.new(r)
		g.add(v)
		names, fresh = append(names, v.name), true
		marks += mark
	}
	if !fresh {
		return strings.Join(names, ", ") + " = " + call
	}
	return strings.Join(names, ", ") + " := " + call + marks
}

// effect calls something that may change variables.
func (g *gen) effect() string {
	for _, f := range g.funcs {
		if f.writes && f.recv == nil && len(f.tparams) == 0 && g.once(2) {
			e := g.invoke(f, nil, 1).text
			if len(f.results) != 1 {
				return e
			}
			return g.result(f.results[0], "%s", e)
		}
	}
	return g.note()
}

// pointerStmt calls a method of a pointer, or sets a field through one.
func (g *gen) pointerStmt() string {
	for _, v := range g.scope {
		if v.t.kind != pointer || g.once(2) {
			continue
		}
		v.used = true
		for _, f := range g.funcs {
			if f.recv != nil && f.recv.text == v.t.text && g.once(2) {
				g.calls(f)
				return fmt.Sprintf("%s.%s(%s)", v.name, f.name, strings.Join(g.args(f.params, f.variadic, 1), ", "))
			}
		}
		f := pick(g, v.t.elem.fields...)
		if g.once(2) {
			if s := g.opAssignTo(v.name+"."+f.name, f.t); s != "" {
				return s
			}
		}
		return fmt.Sprintf("%s.%s = %s", v.name, f.name, g.leaf(f.t).text)
	}
	return g.risky()
}

// failIf panics on a condition.
func (g *gen) failIf() string {
	value := pick(g, `"failure"`, g.helper("fault")+"{7}", "1")
	return fmt.Sprintf("if %s && %s { panic(%s) }", header(g.expr(boolType, 2).in(2)), header(g.expr(boolType, 1).in(3)), value)
}

func (g *gen) cond() string { return header(g.text(boolType, depth)) }

func (g *gen) ifStmt() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	var b strings.Builder
	b.WriteString("if ")
	use := ""
	if g.once(4) {
		t := g.typ()
		e := header(g.typed(t, 2))
		v, m := g.new(t)
		g.add(v)
		fmt.Fprintf(&b, "%s := %s; ", v.name, e)
		use = m
	}
	fmt.Fprintf(&b, "%s {%s%s}", g.cond(), use, g.block(3))
	for g.once(4) {
		fmt.Fprintf(&b, " else if %s {%s}", g.cond(), g.block(2))
	}
	if g.once(3) {
		fmt.Fprintf(&b, " else {%s}", g.block(3))
	}
	return b.String()
}

// looped makes a loop's body, and puts a label before the loop if it needs one.
func (g *gen) looped(head string, before string, loops bool, body func() string) string {
	g.last++
	l := &loop{label: fmt.Sprintf("label%d", g.last), loops: loops}
	g.loops = append(g.loops, l)
	text := head + " {" + before + body() + "}"
	g.loops = g.loops[:len(g.loops)-1]
	if l.named {
		return l.label + ":\n" + text
	}
	return text
}

func (g *gen) forStmt() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	step := g.helper("step") + "()"
	var head string
	switch g.n(4) {
	case 0:
		i := &variable{name: g.local(), t: intType, fixed: true}
		g.add(i)
		head = fmt.Sprintf("for %s := 0; %s < %d && %s; %s++", i.name, i.name, 1+g.n(4), step, i.name)
	case 1:
		head = fmt.Sprintf("for %s && %s", step, header(g.expr(boolType, depth).in(3)))
	case 2:
		return g.looped("for", fmt.Sprintf("\nif !%s {\nbreak\n}", step), true, func() string { return g.block(3) })
	case 3:
		i, j := g.local(), g.local()
		a, b := &variable{name: i, t: intType, fixed: true}, &variable{name: j, t: byteType, fixed: true}
		g.add(a)
		g.add(b)
		head = fmt.Sprintf("for %s, %s := 3, uint8(1); %s > 0 && %s; %s, %s = %s-1, %s<<1", i, j, i, step, i, j, i, j)
	}
	return g.looped(head, "", true, func() string { return g.block(3) })
}

func (g *gen) rangeStmt() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	var over string
	var key, val *typ
	switch g.n(5) {
	case 0:
		key = intType
		over = fmt.Sprint(1 + g.n(4))
		if g.once(2) {
			over = "min(3, " + header(g.operand(intType, 1).text) + ")"
		}
	case 1:
		over, key, val = header(g.typed(stringType, 2)), intType, g.named("int32")
	default:
		of := sliceOf(g.plainType())
		for _, v := range g.scope {
			if (v.t.kind == slice || v.t.kind == array || v.t.kind == mapping) && g.once(2) {
				of = v.t
			}
		}
		over = header(g.typed(of, 1))
		key, val = intType, of.elem
		if of.kind == mapping {
			key, val = intType, of.key
			over = fmt.Sprintf("%s(%s)", g.helper("keys"), over)
		}
	}
	k, km := g.new(key)
	names, marks := k.name, km
	g.add(k)
	if val != nil && !g.once(3) {
		v, vm := g.new(val)
		g.add(v)
		names, marks = k.name+", "+v.name, km+vm
		if g.once(4) {
			k.used = true
			names, marks = "_, "+v.name, vm
			g.scope = append(g.scope[:len(g.scope)-2], v)
			return g.looped(fmt.Sprintf("for %s := range %s", names, over), fmt.Sprintf("\nif !%s() { break }%s", g.helper("step"), marks), true, func() string { return g.block(3) })
		}
	}
	return g.looped(fmt.Sprintf("for %s := range %s", names, over), fmt.Sprintf("\nif !%s() { break }%s", g.helper("step"), marks), true, func() string { return g.block(3) })
}

func (g *gen) named(name string) *typ {
	for _, t := range basics() {
		if t.text == name {
			return t
		}
	}
	return intType
}

// rangeFunc ranges over a function.
func (g *gen) rangeFunc() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	k, km := g.new(intType)
	head := fmt.Sprintf("for %s := range %s(%s)", k.name, g.helper("count"), pick(g, "3", "2", "0"))
	marks := km
	if g.once(2) {
		of := g.plainType()
		v, vm := g.new(of)
		head = fmt.Sprintf("for %s, %s := range %s(%s)", k.name, v.name, g.helper("each"), header(g.typed(sliceOf(of), 1)))
		g.add(v)
		marks += vm
	}
	g.add(k)
	return g.looped(head, marks, true, func() string { return g.block(3) })
}

func (g *gen) switchStmt() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	head, use := "switch ", ""
	if g.once(4) {
		t := g.typ()
		e := header(g.typed(t, 1))
		v, m := g.new(t)
		g.add(v)
		head += fmt.Sprintf("%s := %s; ", v.name, e)
		use = m
	}
	var cases []string
	switch g.n(3) {
	case 0:
		cases = []string{"case " + g.text(boolType, 2), "case " + g.operand(boolType, 2).text + ", " + g.text(boolType, 1)}
	case 1:
		head += header(g.operand(intType, 2).text)
		cases = []string{"case 1, 2", "case 0", "case " + g.operand(intType, 1).text}
	case 2:
		head += header(g.operand(stringType, 2).text)
		cases = []string{`case "ab"`, `case "", "zz"`, "case " + g.operand(stringType, 2).text}
	}
	if g.once(2) {
		cases = append(cases, "default")
	}
	return g.looped(head, "\n", false, func() string {
		var b strings.Builder
		for i, c := range cases {
			b.WriteString(c + ":" + use + g.block(2))
			use = ""
			if i < len(cases)-1 && g.once(6) {
				b.WriteString("fallthrough\n")
			}
		}
		return b.String()
	})
}

func (g *gen) typeSwitch() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	of := pick(g, anyType, anyType, errorType)
	if len(g.interfaces) > 0 && g.once(3) {
		of = g.interfaces[0]
	}
	x := g.operand(of, 2).text
	types := []*typ{g.plainType(), g.plainType(), intType}
	switch of.kind {
	case failure:
		types = []*typ{structOf(g.helper("fault"), []field{{name: "Code", t: intType}})}
	case methods:
		types = of.impls
	}
	v := &variable{name: g.local(), t: of}
	return g.looped(fmt.Sprintf("switch %s := %s.(type)", v.name, header(x)), "\n", false, func() string {
		var b strings.Builder
		seen := map[string]bool{}
		for i, t := range types {
			if t.kind == anything || t.kind == failure || seen[t.text] {
				continue
			}
			seen[t.text] = true
			own := *v
			own.t = t
			c := t.text
			if i == 1 && !seen["bool"] && of.kind == anything {
				seen["bool"] = true
				c, own.t = t.text+", bool", of
			}
			g.add(&own)
			fmt.Fprintf(&b, "case %s:%s\n_ = %s", c, g.block(2), v.name)
			g.scope = g.scope[:len(g.scope)-1]
			b.WriteString("\n")
		}
		if g.once(2) {
			b.WriteString("case nil:" + g.block(1))
		}
		if g.once(2) {
			b.WriteString("default:" + g.block(1))
		}
		return b.String()
	})
}

// selectStmt has one channel that is ready at most, or a default.
func (g *gen) selectStmt() string {
	mark := len(g.scope)
	defer func() { g.scope = g.scope[:mark] }()
	t := g.plainType()
	ch := g.local()
	send := ""
	if g.once(2) {
		send = fmt.Sprintf("\n%s <- %s", ch, g.text(t, 2))
	}
	if g.once(4) {
		send += fmt.Sprintf("\nclose(%s)", ch)
	}
	var sel string
	if send == "" && g.once(2) {
		sel = fmt.Sprintf("case %s <- %s:", ch, g.text(t, 1))
	} else {
		v, m := g.new(t)
		ok, okm := g.new(boolType)
		sel = fmt.Sprintf("case %s, %s := <-%s:%s%s", v.name, ok.name, ch, m, okm)
		g.add(v)
		g.add(ok)
	}
	text := g.looped("select", "\n", false, func() string {
		s := sel + g.block(2)
		g.scope = g.scope[:mark]
		return s + "default:" + g.block(2)
	})
	return fmt.Sprintf("{\n%s := make(chan %s, 2)%s\n%s\n}", ch, t.text, send, text)
}

// closureStmt declares a function that captures variables, and calls it.
func (g *gen) closureStmt() string {
	t := g.typ()
	f := &fn{results: []*typ{t}, left: 3, total: g.fn.total}
	name, p := g.local(), &variable{name: g.local(), t: g.typ()}
	g.nested++
	body := g.inner(f, p)
	g.nested--
	arg := g.text(p.t, 1)
	s := fmt.Sprintf("%s := func(%s %s) %s {%s\n}\n", name, p.name, p.t.text, t.text, body)
	return s + g.result(t, "%s(%s)", name, arg)
}

// inner makes the body of a function literal, which sees what is around it.
func (g *gen) inner(f *fn, params ...*variable) string {
	saved, loops, outer := g.scope, g.loops, g.fn
	g.scope, g.loops, g.fn = append(saved[:len(saved):len(saved)], params...), nil, f
	text := g.block(f.left) + g.ending(1)
	g.scope, g.loops, g.fn = saved, loops, outer
	return text
}

// deferStmt defers something that may recover and change results.
func (g *gen) deferStmt() string {
	switch g.n(3) {
	case 0:
		return "defer " + g.note()
	case 1:
		f := &fn{left: 2}
		g.nested++
		body := g.inner(f)
		g.nested--
		return "defer func() {" + body + "\n}()"
	}
	set := ""
	for _, v := range g.fn.named {
		if g.once(2) {
			set += fmt.Sprintf("\n%s = %s", v.name, g.leaf(v.t).text)
		}
	}
	return fmt.Sprintf("defer func() {\nif r := recover(); r != nil {\n%s(r)%s\n}\n}()", g.helper("note"), set)
}

// guarded runs statements that may panic, and goes on.
func (g *gen) guarded() string {
	f := &fn{left: 3}
	g.nested++
	body := g.inner(f)
	g.nested--
	return fmt.Sprintf("func() {\ndefer func() { %s(recover() != nil) }()%s\n}()", g.helper("note"), body)
}

// gotoStmt jumps back, as a loop, or over a block.
func (g *gen) gotoStmt() string {
	g.last++
	label := fmt.Sprintf("label%d", g.last)
	if g.once(2) {
		cond := g.cond()
		return fmt.Sprintf("{\nif %s { goto %s }\n{%s}\n%s:\n%s\n}", cond, label, g.block(2), label, g.note())
	}
	body := g.block(2)
	return fmt.Sprintf("{\n%s:\n{%s}\nif %s() && %s { goto %s }\n}", label, body, g.helper("step"), header(g.expr(boolType, 2).in(3)), label)
}

// blockStmt is a block, in which a variable may hide another.
func (g *gen) blockStmt() string {
	if v := g.anyVariable(); v != nil && !v.global && !slices.Contains(g.fn.named, v) && g.once(2) {
		inner := *v
		inner.fixed = false
		v.used, inner.used = true, true
		mark := len(g.scope)
		g.add(&inner)
		body := g.block(3)
		g.scope = g.scope[:mark]
		return fmt.Sprintf("{\n%s := %s\n_ = %s%s}", v.name, v.name, v.name, body)
	}
	return "{" + g.block(3) + "}"
}

// leave ends a loop or a round of it.
func (g *gen) leave() string {
	l := g.loops[g.n(len(g.loops))]
	verb := "break"
	if l.loops && g.once(2) {
		verb = "continue"
	}
	l.named = true
	return fmt.Sprintf("if %s { %s %s }", g.cond(), verb, l.label)
}

func (g *gen) earlyReturn() string {
	return fmt.Sprintf("if %s {\n%s\n}", g.cond(), g.returnStmt())
}

func (g *gen) returnStmt() string {
	f := g.fn
	switch {
	case len(f.results) == 0, len(f.named) > 0 && g.once(3):
		return "return"
	case len(f.results) > 1 && !f.total:
		for _, other := range g.funcs {
			if list(other.results) == list(f.results) && other.recv == nil && len(other.tparams) == 0 && (f.writes || !other.writes) {
				return "return " + g.invoke(other, nil, 1).text
			}
		}
	}
	var values []string
	for _, r := range f.results {
		values = append(values, g.text(r, depth))
	}
	return "return " + strings.Join(values, ","+g.gap())
}

// ending makes the last statement of a function, which has to be a terminating
// one if there are results.
func (g *gen) ending(depth int) string {
	if len(g.fn.results) == 0 {
		return ""
	}
	if depth > 0 {
		switch g.n(8) {
		case 4:
			return fmt.Sprintf("\nif %s {%s\n} else {%s\n}", g.cond(), g.ending(depth-1), g.ending(depth-1))
		case 5:
			return fmt.Sprintf("\nswitch {\ncase %s:%s\ndefault:%s\n}", g.text(boolType, 2), g.ending(depth-1), g.ending(depth-1))
		case 6:
			g.last++
			label := g.last
			return fmt.Sprintf("\nlabel%d: for {\nif !%s() {%s\n}\nif %s { continue label%d }\n%s\n}", label, g.helper("step"), g.ending(depth-1), g.cond(), label, g.returnStmt())
		case 7:
			if !g.fn.total {
				return fmt.Sprintf("\nif %s {\n%s\n}\npanic(%s{3})", g.cond(), g.returnStmt(), g.helper("fault"))
			}
		}
	}
	return "\n" + g.returnStmt()
}
