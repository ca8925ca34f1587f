package gogen

import (
	"fmt"
	"strings"
)

// fn is a function or method.
type fn struct {
	name     string
	tparams  []*typ
	params   []*typ
	results  []*typ
	variadic bool
	recv     *typ // of methods
	writes   bool // changes what others can see: not to be called in expressions
	named    []*variable
	left     int  // statements that its body may still have
	total    bool // must not panic
}

// declareConsts declares an iota block of a named type, and some constants.
func (g *gen) declareConsts() {
	var t *typ
	for _, u := range g.types {
		if u.declared && u.kind == integer {
			t = u
		}
	}
	if t != nil {
		a, b, c := g.name("c"), g.name("c"), g.name("c")
		g.declare("const (\n%s %s = iota + 1\n_\n%s\n%s = %s + iota<<1\n)", a, t.text, b, c, a)
		for _, name := range []string{a, b, c} {
			g.consts = append(g.consts, &variable{name: name, t: t})
		}
	}
	for _, d := range []struct{ value, typ string }{{"3", "int"}, {`"const"`, "string"}, {"2.5", "float64"}} {
		name := g.name("c")
		untyped := g.once(2)
		written := d.typ
		if untyped {
			written = ""
		}
		g.declare("const %s %s = %s", name, written, d.value)
		for _, b := range basics() {
			if b.text == d.typ {
				g.consts = append(g.consts, &variable{name: name, t: b, untyped: untyped})
			}
		}
	}
	length := g.consts[len(g.consts)-3] // an array by a constant
	if g.once(2) && length.t.text == "int" {
		elem := g.plainType()
		t := arrayOf(3, elem)
		t.text = fmt.Sprintf("[%s]%s", length.name, elem.text)
		name := g.name("T")
		g.declare("type %s %s", name, t.text)
		t.text, t.declared = name, true
		g.types = append(g.types, t)
	}
}

// declareVars declares variables with initializers that depend on each other, not
// in order, and on a function; and init functions.
func (g *gen) declareVars() {
	g.pure = true
	var names []string
	for range 1 + g.n(3) {
		t := g.plainType()
		a, b, f := g.name("g"), g.name("g"), g.name("g")
		g.declare("var %s %s = %s", a, t.text, b)
		g.declare("var %s = %s[%s](%s)", b, g.helper("id"), t.text, g.text(t, 2))
		ft := funcOf([]*typ{t}, []*typ{g.plainType()})
		g.declare("var %s = %s", f, g.closure(ft, 2).text)
		g.funcs = append(g.funcs, &fn{name: f, params: ft.params, results: ft.results})
		names = append(names, a, b)
	}
	g.pure = false
	g.declare("func init() { %s(%s); %s_start, %[3]s_out = %[3]s_out, nil }", g.helper("note"), strings.Join(names, ", "), g.prefix)
	if g.once(2) {
		g.pure = true
		g.declare("%s", g.finish("func init() {\n"+g.body(&fn{left: 3, total: true}, nil, false)+"\n}"))
		g.pure = false
	}
}

// globals declares the variables that functions read and write.
func (g *gen) globals() []*variable {
	var vars []*variable
	for range 1 + g.n(3) {
		t := g.plainType()
		v := &variable{name: g.name("g"), t: t, global: true, fixed: true}
		g.declare("var %s %s", v.name, t.text)
		vars = append(vars, v)
	}
	return vars
}

// declareFuncs declares functions and methods. Each may call those before it.
func (g *gen) declareFuncs() {
	g.scope = g.globals()
	g.methods()
	for range 2 + g.n(4) {
		g.function(&fn{name: g.name("f"), left: 4 + g.n(8)})
	}
	for range g.n(3) {
		f := &fn{name: g.name("f"), left: 3 + g.n(4), tparams: []*typ{g.typeParam("T")}}
		if g.once(2) {
			f.tparams = append(f.tparams, g.typeParam("U"))
		}
		g.function(f)
	}
}

// declareEntries declares the functions that Case calls, and Case.
func (g *gen) declareEntries() {
	var reset []string
	for _, v := range g.scope {
		reset = append(reset, fmt.Sprintf("%s = *new(%s)", v.name, v.t.text))
	}
	for range 1 + g.n(3) {
		name := g.name("m")
		g.entries = append(g.entries, name)
		f := &fn{left: 10 + g.n(10)}
		in := []*variable{{name: "in", t: intType}}
		g.declare("%s", g.finish("func "+name+"(in int) {"+g.body(f, in, false)+"\n}"))
	}
	g.entries = append(g.entries, g.everything())
	g.declare("//fuzzmut:ignore support\nfunc Case%s(in int) string {\n%s_left = 120\n%[2]s_out = append([]byte(nil), %[2]s_start...)\n%[3]s\nfor _, f := range []func(int){%[4]s} {\n%[2]s_try(f, in)\n}\nreturn string(%[2]s_out)\n}",
		g.prefix, g.prefix, strings.Join(reset, "\n"), strings.Join(g.entries, ", "))
}

// everything declares a function that calls all others.
func (g *gen) everything() string {
	name := g.name("m")
	var b strings.Builder
	fmt.Fprintf(&b, "func %s(in int) {", name)
	mark := len(g.scope)
	g.scope = append(g.scope, &variable{name: "in", t: intType})
	for _, f := range g.funcs {
		if f.recv != nil && (f.recv.kind == pointer || f.recv.generic != nil) {
			continue
		}
		call := g.invoke(f, g.arguments(f.tparams), 1).text
		if len(f.results) == 1 && f.results[0].printable(false) {
			call = g.helper("note") + "(" + call + ")"
		} else if len(f.results) > 0 {
			call = strings.Repeat("_, ", len(f.results)-1) + "_ = " + call
		}
		fmt.Fprintf(&b, "\n%s_left = 40\n%s(func(in int) {\n%s\n}, in)", g.prefix, g.helper("try"), call)
	}
	b.WriteString("\n}")
	g.scope = g.scope[:mark]
	g.declare("%s", g.finish(b.String()))
	return name
}

// methods gives methods to some types, and declares an interface that two of them
// implement.
func (g *gen) methods() {
	var owners []*typ
	for _, t := range g.types {
		if t.declared && t.kind != anything && t.kind != function {
			owners = append(owners, t)
		}
	}
	for range 1 + g.n(3) {
		g.function(&fn{name: g.name("M"), recv: pick(g, owners...), left: 3 + g.n(4)})
	}
	for _, t := range g.types {
		if t.kind == pointer && g.once(2) {
			g.function(&fn{name: g.name("P"), recv: t, writes: true, left: 3 + g.n(4)})
		}
	}
	for _, gt := range g.generics {
		recv := gt.of(gt.params)
		m := &fn{name: g.name("M"), recv: recv, left: 3}
		g.function(m)
		own := *m
		own.recv = nil
		gt.method = &own
		for _, t := range g.types {
			if t.generic == gt {
				*t = *gt.of(t.args)
			}
		}
	}
	if g.once(2) {
		g.interfaceType(owners)
	}
}

func (g *gen) interfaceType(owners []*typ) {
	m := &fn{name: g.name("I"), params: []*typ{g.plainType()}, results: []*typ{g.plainType()}}
	t := &typ{kind: methods, text: g.name("T"), declared: true, methods: []*fn{m}}
	first := g.n(len(owners))
	for i := range min(2, len(owners)) {
		impl := *m
		impl.recv, impl.left = owners[(first+i)%len(owners)], 3
		g.signed(&impl)
		m.writes = m.writes || impl.writes
		t.impls = append(t.impls, impl.recv)
	}
	g.declare("type %s interface{ %s(%s) (%s) }", t.text, m.name, list(m.params), list(m.results))
	g.types = append(g.types, t)
	g.interfaces = append(g.interfaces, t)
}

// function declares a function with a random signature.
func (g *gen) function(f *fn) {
	choices := append([]*typ{}, f.tparams...)
	if f.recv != nil && f.recv.generic != nil {
		choices = append(choices, f.recv.args...)
	}
	choose := func() *typ {
		if len(choices) > 0 && !g.once(3) {
			t := pick(g, choices...)
			switch g.n(6) {
			case 4:
				return sliceOf(t)
			case 5:
				return funcOf([]*typ{t}, []*typ{t})
			}
			return t
		}
		if f.recv != nil && f.recv.generic != nil {
			return pick(g, basics()...) // no instance of itself
		}
		return g.typ()
	}
	for range g.n(4) {
		f.params = append(f.params, choose())
	}
	if g.once(4) {
		f.params = append(f.params, sliceOf(choose()))
		f.variadic = true
	}
	if other := g.several(); other != nil && len(choices) == 0 && g.once(3) {
		f.results = other.results // so that one may return what the other does
	} else {
		for range pick(g, 1, 1, 1, 2, 0, 3) {
			f.results = append(f.results, choose())
		}
	}
	if f.recv == nil && len(f.tparams) == 0 && g.once(4) {
		f.writes = true
	}
	g.signed(f)
}

// several returns a function with several results, nil if there is none.
func (g *gen) several() *fn {
	for _, f := range g.funcs {
		if len(f.results) > 1 && f.recv == nil && len(f.tparams) == 0 {
			return f
		}
	}
	return nil
}

// signed declares a function whose signature is known.
func (g *gen) signed(f *fn) {
	var tparams, params, results []string
	for _, p := range f.tparams {
		tparams = append(tparams, p.text+" "+p.constraint())
	}
	var vars []*variable
	recv := ""
	if f.recv != nil {
		v := &variable{name: g.local(), t: f.recv}
		vars = append(vars, v)
		recv = fmt.Sprintf("(%s %s) ", v.name, f.recv.text)
	}
	for i, p := range f.params {
		v := &variable{name: g.local(), t: p}
		vars = append(vars, v)
		written := g.spell(p)
		if f.variadic && i == len(f.params)-1 {
			written = "..." + p.elem.text
		}
		params = append(params, v.name+" "+written)
	}
	named := g.once(3)
	for _, r := range f.results {
		if !named {
			results = append(results, g.spell(r))
			continue
		}
		v := &variable{name: g.local(), t: r}
		vars = append(vars, v)
		f.named = append(f.named, v)
		results = append(results, v.name+" "+r.text)
	}
	generic := ""
	if len(tparams) > 0 {
		generic = "[" + strings.Join(tparams, ", ") + "]"
	}
	head := fmt.Sprintf("func %s%s%s(%s) (%s)", recv, f.name, generic, strings.Join(params, ", "), strings.Join(results, ", "))
	g.declare("%s", g.finish(head+" {"+g.body(f, vars, true)+"\n}"))
	g.funcs = append(g.funcs, f)
}

// body makes a function's body. What it does not use of its variables gets a use.
func (g *gen) body(f *fn, params []*variable, limited bool) string {
	saved, loops, outer := g.scope, g.loops, g.fn
	g.scope, g.loops, g.fn, g.outer = append(saved[:len(saved):len(saved)], params...), nil, f, f
	for _, v := range saved {
		if v.global {
			v.fixed = !f.writes
		}
	}
	var b strings.Builder
	if limited {
		fmt.Fprintf(&b, "\nif !%s() {\nreturn %s\n}", g.helper("step"), strings.Join(g.zeros(f.results), ", "))
	}
	b.WriteString(g.stmts(1 + f.left/2))
	b.WriteString(g.ending(2))
	for _, v := range saved {
		if v.global {
			v.fixed = true
		}
	}
	g.scope, g.loops, g.fn, g.outer = saved, loops, outer, nil
	return b.String()
}

func (g *gen) zeros(types []*typ) []string {
	var list []string
	for _, t := range types {
		switch {
		case t.nilable():
			list = append(list, "nil")
		case t.kind == integer || t.kind == float || t.kind == complexNumber:
			list = append(list, "0")
		case t.kind == text:
			list = append(list, `""`)
		case t.kind == boolean:
			list = append(list, "false")
		default:
			list = append(list, fmt.Sprintf("%s[%s]()", g.helper("zero"), t.text))
		}
	}
	return list
}
