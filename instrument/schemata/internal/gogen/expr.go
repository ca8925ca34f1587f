package gogen

import (
	"fmt"
	"strings"
)

// expr is an expression as text with what is to be known about it.
type expr struct {
	text     string
	prec     int  // of its outermost operator, as in package go/token; 6 for unary ones
	constant bool // the compiler may know its value
	untyped  bool // its type comes from its context
}

const (
	primary = 7
	unary   = 6
)

func prim(format string, args ...any) expr {
	return expr{text: fmt.Sprintf(format, args...), prec: primary}
}

// in returns the text of e as an operand of an operator of a precedence.
func (e expr) in(prec int) string {
	if e.prec < prec {
		return "(" + e.text + ")"
	}
	return e.text
}

// gap is a space, and sometimes a line break or a comment.
func (g *gen) gap() string {
	switch g.n(16) {
	case 14:
		return "\n"
	case 15:
		return " /* , */ "
	}
	return " "
}

// expr makes an expression that can be used where a value of type t is wanted, of
// at most depth levels. It never panics but in a function that it calls.
func (g *gen) expr(t *typ, depth int) expr {
	if depth <= 0 {
		return g.leaf(t)
	}
	switch g.n(8) {
	case 1, 2, 3, 4:
		return g.operation(t, depth-1)
	case 5:
		return g.part(t, depth-1)
	case 6:
		return g.call(t, depth-1)
	case 7:
		return g.wrapped(t, depth-1)
	}
	return g.leaf(t)
}

// typed is expr for places that don't give a constant its type.
func (g *gen) typed(t *typ, depth int) string {
	e := g.expr(t, depth)
	if !e.untyped {
		return e.text
	}
	return g.convert(t, e.text)
}

func (g *gen) convert(t *typ, e string) string {
	if word.FindString(t.text) == t.text {
		return fmt.Sprintf("%s(%s)", t.text, e)
	}
	return fmt.Sprintf("(%s)(%s)", t.text, e)
}

// operand is expr for the operands of operators whose result the compiler must
// not know: it could be out of range.
func (g *gen) operand(t *typ, depth int) expr {
	e := g.expr(t, depth)
	switch {
	case e.constant:
		return prim("%s[%s](%s)", g.helper("id"), t.text, e.text)
	case e.untyped:
		return prim("%s", g.convert(t, e.text))
	}
	return e
}

// text is expr for places between brackets or commas.
func (g *gen) text(t *typ, depth int) string { return g.expr(t, depth).text }

// header is expr for the head of a statement, where a composite literal would be
// taken for a block.
func header(e string) string {
	if strings.Contains(e, "{") {
		return "(" + e + ")"
	}
	return e
}

func (g *gen) leaf(t *typ) expr {
	if !g.once(4) {
		if v := g.find(t, false); v != nil {
			return expr{text: v.name, prec: primary}
		}
	}
	if g.once(3) {
		for _, c := range g.consts {
			if c.t.text == t.text && (!c.untyped || c.t.kind == t.kind) && g.once(2) {
				return expr{text: c.name, prec: primary, constant: true, untyped: c.untyped}
			}
		}
	}
	return g.literal(t)
}

// find chooses a variable of a type that can be seen, or returns nil.
func (g *gen) find(t *typ, assign bool) *variable {
	var found []*variable
	for _, v := range g.scope {
		if v.t.text == t.text && !(assign && v.fixed) {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return nil
	}
	v := found[len(found)-1-g.n(len(found))]
	if !assign {
		v.used = true
	}
	return v
}

var (
	texts  = []string{`"ab"`, `""`, "`r\\n\"w`", `"\x00\u00e9"`, `"héllo, wörld"`, `"a" + "b"`, `"zz"`}
	floats = []string{"1.5", "0", "2", ".25", "1e3", "-3.75", "0x1p-2", "1 << 3", "'a'"}
)

// literal makes a constant, a composite literal, or the like.
func (g *gen) literal(t *typ) expr {
	c := func(s string) expr {
		prec := primary
		switch {
		case strings.Contains(s, " << "):
			prec = 5
		case strings.Contains(s, " + "):
			prec = 4
		case s[0] == '-':
			prec = unary
		}
		return expr{text: s, prec: prec, constant: true, untyped: true}
	}
	switch t.kind {
	case boolean:
		return c(pick(g, "true", "false"))
	case integer:
		list := []string{"1", "0", "2", "7", "'a'", "0x10", "0b101", "1_0", "1<<3 | 2", `len("four")`, "2.0", t.most}
		if t.least != "0" {
			list = append(list, "-1", "-7", t.least)
		}
		e := c(pick(g, list...))
		if strings.Contains(e.text, "<<") {
			e.prec = 4
		}
		e.untyped = e.text != `len("four")`
		if !e.untyped {
			e.text = g.convert(t, e.text)
		}
		return e
	case float:
		return c(pick(g, floats...))
	case complexNumber:
		return c(pick(g, "2i", "1.5", "0", "3"))
	case text:
		return c(pick(g, texts...))
	case opaque:
		return prim("%s[%s]()", g.helper("zero"), t.text)
	}
	if t.nilable() && g.once(4) {
		return expr{text: "nil", prec: primary, untyped: true}
	}
	return g.composite(t, 0)
}

// composite makes a value of a type that has parts.
func (g *gen) composite(t *typ, depth int) expr {
	switch t.kind {
	case slice:
		return g.elements(t, t.text, 4, depth)
	case array:
		name := t.text
		if !t.declared && g.once(3) {
			name = "[...]" + t.elem.text
			return expr{text: name + "{" + strings.Join(g.values(t.elem, t.length, depth), ", ") + "}", prec: primary}
		}
		return g.elements(t, name, t.length+1, depth)
	case mapping:
		if g.once(4) {
			return prim("make(%s)", t.text)
		}
		return g.mapLiteral(t, depth)
	case structure:
		return g.structLiteral(t, depth)
	case pointer:
		if g.once(3) {
			return prim("new(%s)", t.elem.text)
		}
		return expr{text: "&" + g.structLiteral(t.elem, depth).text, prec: unary}
	case function:
		return g.closure(t, depth)
	case channel:
		return prim("make(%s, 2)", t.text)
	case anything:
		return prim("any(%s)", g.typed(g.plainType(), depth))
	case failure:
		switch g.n(3) {
		case 0:
			return prim("%s(%s)", g.helper("fail"), g.text(intType, depth))
		case 1:
			g.imports["errors"] = true
			return prim("errors.New(%s)", g.text(stringType, depth))
		}
		return prim(`fmt.Errorf("%%d: %%w", %s, %s{2})`, g.typed(intType, depth), g.helper("fault"))
	case methods:
		impl := pick(g, t.impls...)
		return prim("%s(%s)", t.text, g.typed(impl, depth))
	}
	return g.leaf(t)
}

// values makes n values for a list.
func (g *gen) values(t *typ, n, depth int) []string {
	var list []string
	for range n {
		list = append(list, g.text(t, depth))
	}
	return list
}

// elements makes a slice or array with fewer than limit elements.
func (g *gen) elements(t *typ, name string, limit, depth int) expr {
	vals := g.values(t.elem, g.n(limit), depth)
	if len(vals) > 1 && g.once(4) { // keyed, and not in order
		vals[0] = fmt.Sprintf("%d: %s", len(vals)-1, vals[0])
		for i, v := range vals[1:] {
			vals[i+1] = fmt.Sprintf("%d: %s", i, v)
		}
	}
	return expr{text: name + "{" + strings.Join(vals, ","+g.gap()) + "}", prec: primary}
}

func (g *gen) mapLiteral(t *typ, depth int) expr {
	var pairs []string
	for i := range g.n(4) {
		key := fmt.Sprint(i * 3)
		if t.key.kind == text {
			key = texts[i]
		}
		pairs = append(pairs, key+": "+g.text(t.elem, depth))
	}
	return expr{text: t.text + "{" + strings.Join(pairs, ", ") + "}", prec: primary}
}

func (g *gen) structLiteral(t *typ, depth int) expr {
	var parts []string
	keyed := g.once(2)
	for _, f := range t.fields {
		switch {
		case !keyed:
			parts = append(parts, g.text(f.t, depth))
		case !g.once(3):
			parts = append(parts, f.name+": "+g.text(f.t, depth))
		}
	}
	return expr{text: t.text + "{" + strings.Join(parts, ","+g.gap()) + "}", prec: primary}
}

// closure makes a function literal that changes nothing.
func (g *gen) closure(t *typ, depth int) expr {
	mark := len(g.scope)
	var params []string
	for _, p := range t.params {
		v := &variable{name: g.local(), t: p, fixed: true}
		g.scope = append(g.scope, v)
		params = append(params, v.name+" "+p.text)
	}
	var results []string
	for _, r := range t.results {
		results = append(results, g.text(r, depth))
	}
	body := "return " + strings.Join(results, ", ")
	if len(t.results) == 1 && g.once(3) {
		body = fmt.Sprintf("if %s { return %s }; %s", header(g.text(boolType, depth)), g.text(t.results[0], depth), body)
	}
	g.scope = g.scope[:mark]
	return prim("func(%s) (%s) { %s }", strings.Join(params, ", "), list(t.results), body)
}

// operation applies an operator or the like that gives t.
func (g *gen) operation(t *typ, depth int) expr {
	switch t.kind {
	case boolean:
		return g.boolean(t, depth)
	case integer:
		return g.integer(t, depth)
	case float, complexNumber:
		return g.number(t, depth)
	case text:
		return g.string(t, depth)
	case slice:
		return g.sliced(t, depth)
	}
	return g.composite(t, depth)
}

func (g *gen) binary(op string, prec int, x, y expr) expr {
	return expr{
		text: x.in(prec) + " " + op + g.gap() + y.in(prec+1), prec: prec,
		constant: x.constant && y.constant, untyped: x.untyped && y.untyped,
	}
}

func (g *gen) boolean(t *typ, depth int) expr {
	switch g.n(6) {
	case 0:
		return g.binary("&&", 2, g.expr(t, depth), g.expr(t, depth))
	case 1:
		return g.binary("||", 1, g.expr(t, depth), g.expr(t, depth))
	case 2:
		e := g.expr(t, depth)
		return expr{text: "!" + e.in(unary), prec: unary, constant: e.constant, untyped: e.untyped}
	case 3:
		if e, ok := g.nilTest(); ok {
			return e
		}
	}
	of := g.typ()
	for !of.comparable() {
		of = pick(g, intType, stringType, byteType, floatType)
	}
	ops := []string{"==", "!="}
	if of.less() {
		ops = append(ops, "<", "<=", ">", ">=")
	}
	e := g.binary(pick(g, ops...), 3, g.operand(of, depth), g.expr(of, depth))
	e.untyped = true
	return e
}

// nilTest compares a variable with nil.
func (g *gen) nilTest() (expr, bool) {
	for _, v := range g.scope {
		if v.t.nilable() && g.once(2) {
			v.used = true
			return expr{text: v.name + pick(g, " == ", " != ") + "nil", prec: 3, untyped: true}, true
		}
	}
	return expr{}, false
}

func (g *gen) integer(t *typ, depth int) expr {
	switch g.n(12) {
	case 0:
		return g.binary("+", 4, g.operand(t, depth), g.expr(t, depth))
	case 1:
		return g.binary("-", 4, g.operand(t, depth), g.expr(t, depth))
	case 2:
		return g.binary("*", 5, g.operand(t, depth), g.expr(t, depth))
	case 3: // never by zero
		y := g.binary("|", 4, g.operand(t, depth), expr{text: "1", prec: primary, constant: true, untyped: true})
		return g.binary(pick(g, "/", "%"), 5, g.operand(t, depth), y)
	case 4:
		y := expr{text: pick(g, "3", "10", "7"), prec: primary, constant: true, untyped: true}
		return g.binary(pick(g, "/", "%"), 5, g.operand(t, depth), y)
	case 5:
		op := pick(g, "&", "|", "^", "&^")
		prec := 5
		if op == "|" || op == "^" {
			prec = 4
		}
		return g.binary(op, prec, g.operand(t, depth), g.expr(t, depth))
	case 6:
		return g.shift(t, depth)
	case 7:
		return expr{text: pick(g, "-", "^", "+") + g.operand(t, depth).in(primary), prec: unary}
	case 8:
		return g.length(t, depth)
	case 9:
		from := pick(g, g.types...)
		if from.kind != integer {
			from = byteType
		}
		return prim("%s", g.convert(t, g.operand(from, depth).text))
	case 10:
		return prim("%s(%s,%s%s)", pick(g, "min", "max"), g.operand(t, depth).text, g.gap(), g.text(t, depth))
	}
	return g.call(t, depth)
}

func (g *gen) shift(t *typ, depth int) expr {
	op := pick(g, "<<", ">>")
	count := pick(g, intType, byteType)
	if g.once(3) {
		return g.binary(op, 5, g.operand(t, depth), expr{text: pick(g, "1", "3", "64"), prec: primary})
	}
	x := expr{text: pick(g, "1", "3"), prec: primary, untyped: true}
	if g.once(2) {
		x = g.operand(t, depth)
	}
	y := g.binary("&", 5, g.operand(count, depth), expr{text: pick(g, "7", "0x3f"), prec: primary, constant: true, untyped: true})
	e := g.binary(op, 5, x, y)
	e.untyped = x.untyped
	return e
}

// length is the length of something, as a number.
func (g *gen) length(t *typ, depth int) expr {
	of := stringType
	for _, v := range g.scope {
		switch v.t.kind {
		case slice, array, mapping, text:
			if g.once(2) {
				of = v.t
			}
		}
	}
	e := prim("len(%s)", g.typed(of, depth))
	e.constant = of.kind == array || of.kind == text
	if t.text != "int" {
		if e.constant {
			e.text = fmt.Sprintf("%s(%s)", g.helper("id"), e.text)
		}
		e = prim("%s", g.convert(t, e.text))
	}
	return e
}

func (g *gen) number(t *typ, depth int) expr {
	switch g.n(6) {
	case 0:
		return g.binary("+", 4, g.operand(t, depth), g.expr(t, depth))
	case 1:
		return g.binary("-", 4, g.operand(t, depth), g.expr(t, depth))
	case 2:
		return g.binary("*", 5, g.operand(t, depth), g.expr(t, depth))
	case 3:
		return g.binary("/", 5, g.operand(t, depth), expr{text: pick(g, "4", "2.5", "1e2"), prec: primary})
	case 4:
		return expr{text: "-" + g.operand(t, depth).in(primary), prec: unary}
	}
	if t.kind == complexNumber {
		return prim("%s", g.convert(t, fmt.Sprintf("complex(%s, %s)", g.operand(floatType, depth).text, g.text(floatType, depth))))
	}
	return prim("%s", g.convert(t, g.operand(pick(g, intType, byteType), depth).text))
}

func (g *gen) string(t *typ, depth int) expr {
	as := func(format string, args ...any) expr {
		e := prim(format, args...)
		if t.text != "string" {
			e = prim("%s", g.convert(t, e.text))
		}
		return e
	}
	switch g.n(6) {
	case 0, 1:
		sum := g.binary("+", 4, g.operand(t, depth), g.expr(t, depth)).text
		if t.text != "string" {
			sum = "string(" + sum + ")"
		}
		return as("%s(%s)", g.helper("cut"), sum)
	case 2:
		g.imports["strings"] = true
		return as("strings.%s(%s)", pick(g, "ToUpper", "TrimSpace"), g.text(stringType, depth))
	case 3:
		return as("string(rune(%s))", g.operand(pick(g, byteType, intType), depth).text)
	case 4:
		s := g.operand(stringType, depth)
		return as("%s[min(%d, len(%s)):]", s.in(primary), g.n(3), s.text)
	}
	return as("%s(fmt.Sprint(%s))", g.helper("cut"), g.typed(g.plainType(), depth))
}

func (g *gen) sliced(t *typ, depth int) expr {
	switch g.n(5) {
	case 0:
		return prim("append(%s(%s),%s%s)", g.helper("clip"), g.typed(t, depth), g.gap(), g.text(t.elem, depth))
	case 1:
		return prim("append(%s(%s), %s...)", g.helper("clip"), g.typed(t, depth), g.typed(t, depth))
	case 2:
		return prim("make(%s, %d)", t.text, g.n(3))
	case 3:
		from := g.plainType()
		to := funcOf([]*typ{from}, []*typ{t.elem})
		e := fmt.Sprintf("%s(%s, %s)", g.helper("map"), g.typed(sliceOf(from), depth), g.closure(to, depth).text)
		return prim("%s", g.convert(t, e))
	}
	return g.composite(t, depth)
}

// wrapped puts an expression into something that gives its value.
func (g *gen) wrapped(t *typ, depth int) expr {
	switch g.n(7) {
	case 1:
		return prim("%s[%s](%s)", g.helper("id"), g.spell(t), g.text(t, depth))
	case 2:
		return prim("%s[%s](%s, %s, %s)", g.helper("choose"), g.spell(t), g.text(boolType, depth), g.text(t, depth), g.text(t, depth))
	case 3:
		return prim("%s()", g.closure(funcOf(nil, []*typ{t}), depth).text)
	case 4:
		return prim("%s{%s, %s}[%s]", sliceOf(t).text, g.text(t, depth), g.text(t, depth), pick(g, "0", "1"))
	case 5:
		return prim("map[bool]%s{true: %s}[%s]", t.text, g.text(t, depth), g.text(boolType, depth))
	case 6:
		return prim("%s{%s: %s}.a", structOf("", []field{{name: "a", t: t}}).text, "a", g.text(t, depth))
	}
	e := g.expr(t, depth)
	e.text, e.prec = "("+e.text+")", primary
	return e
}

// part takes a value out of a variable that has it as a part.
func (g *gen) part(t *typ, depth int) expr {
	type choice struct {
		v *variable
		f func() expr
	}
	var found []choice
	for _, v := range g.scope {
		switch {
		case v.t.kind == structure:
			for _, path := range paths(v.t, t) {
				found = append(found, choice{v, func() expr { return prim("%s.%s", v.name, path) }})
			}
		case v.t.elem == nil || v.t.elem.text != t.text || v.t.kind == pointer:
		case v.t.kind == mapping:
			found = append(found, choice{v, func() expr { return prim("%s[%s]", v.name, g.text(v.t.key, depth)) }})
		case v.t.kind == array:
			found = append(found, choice{v, func() expr {
				if g.once(2) {
					return prim("%s[%d]", v.name, g.n(v.t.length))
				}
				return prim("%s[uint(%s)%%%d]", v.name, g.operand(intType, depth).text, v.t.length)
			}})
		case v.t.kind == slice:
			found = append(found, choice{v, func() expr {
				return prim("func() %s { if len(%s) > 1 { return %[2]s[1] }; return %s }()", t.text, v.name, g.text(t, depth))
			}})
		}
	}
	if len(found) == 0 {
		return g.operation(t, depth)
	}
	c := pick(g, found...)
	c.v.used = true
	return c.f()
}

// paths lists the fields of a struct that have a type, promoted ones too.
func paths(s, t *typ) []string {
	var list []string
	seen := map[string]bool{}
	for _, f := range s.fields {
		seen[f.name] = true
	}
	for _, f := range s.fields {
		if f.t.text == t.text {
			list = append(list, f.name)
		}
		if f.embedded && f.t.kind == structure {
			for _, path := range paths(f.t, t) {
				if !seen[path] {
					list = append(list, path)
				}
			}
		}
	}
	return list
}

// call calls a function or method for its only result.
func (g *gen) call(t *typ, depth int) expr {
	if g.pure {
		return g.leaf(t)
	}
	var found []func() expr
	for _, f := range g.funcs {
		if f.recv != nil && (f.recv.kind == pointer || f.recv.generic != nil) || f.writes {
			continue
		}
		if e, ok := g.callFor(f, t, depth); ok {
			found = append(found, e)
		}
	}
	for _, v := range g.scope {
		if v.t.kind == function && len(v.t.results) == 1 && v.t.results[0].text == t.text && !v.global {
			found = append(found, func() expr {
				v.used = true
				return prim("%s(%s)", v.name, strings.Join(g.args(v.t.params, false, depth), ", "))
			})
		}
		if v.t.kind == methods || v.t.generic != nil {
			for _, m := range v.t.methods {
				if len(m.results) == 1 && m.results[0].text == t.text && !m.writes {
					found = append(found, func() expr {
						v.used = true
						return prim("%s.%s(%s)", v.name, m.name, strings.Join(g.args(m.params, m.variadic, depth), ", "))
					})
				}
			}
		}
	}
	if len(found) == 0 {
		return g.leaf(t)
	}
	return pick(g, found...)()
}

// callFor returns a call of f that gives t, if there is one.
func (g *gen) callFor(f *fn, t *typ, depth int) (func() expr, bool) {
	if len(f.results) != 1 {
		return nil, false
	}
	if len(f.tparams) == 0 {
		return func() expr { return g.invoke(f, nil, depth) }, f.results[0].text == t.text
	}
	for i, p := range f.tparams {
		if f.results[0] == p && p.allows(t) {
			return func() expr {
				args := g.arguments(f.tparams)
				args[i] = t
				return g.invoke(f, args, depth)
			}, true
		}
	}
	return nil, false
}

func (g *gen) arguments(params []*typ) []*typ {
	var args []*typ
	for _, p := range params {
		args = append(args, g.argument(p))
	}
	return args
}

// calls notes that the function under construction calls another: it changes what that
// changes.
func (g *gen) calls(f *fn) {
	if f.writes && g.outer != nil {
		g.outer.writes = true
	}
}

// invoke calls a function with type arguments, or a method of a value.
func (g *gen) invoke(f *fn, args []*typ, depth int) expr {
	g.calls(f)
	params := f.params
	name := f.name
	if len(args) > 0 {
		params = nil
		for _, p := range f.params {
			params = append(params, p.subst(f.tparams, args))
		}
		name += "[" + list(args) + "]"
	}
	if f.recv != nil {
		recv := g.operand(f.recv, depth)
		if g.once(4) { // a method expression
			return prim("%s.%s(%s)", f.recv.text, name, strings.Join(append([]string{recv.text}, g.args(params, f.variadic, depth)...), ", "))
		}
		name = recv.in(primary) + "." + name
	}
	return prim("%s(%s)", name, strings.Join(g.args(params, f.variadic, depth), ","+g.gap()))
}

// args makes arguments for parameters.
func (g *gen) args(params []*typ, variadic bool, depth int) []string {
	var list []string
	for i, p := range params {
		if variadic && i == len(params)-1 {
			if g.once(3) {
				return append(list, g.typed(p, depth)+"...")
			}
			return append(list, g.values(p.elem, g.n(3), depth)...)
		}
		list = append(list, g.text(p, depth))
	}
	return list
}
