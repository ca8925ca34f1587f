package gogen

import (
	"fmt"
	"strings"
)

// kind sorts types by the operations they have.
type kind uint8

const (
	boolean kind = iota
	integer
	float
	complexNumber
	text
	slice
	array
	mapping
	structure
	pointer
	function
	methods // an interface with methods
	anything
	failure // error
	channel
	opaque // a type parameter that nothing is known about
)

// typ is a type as a program writes it; types are identical if their texts are.
type typ struct {
	kind     kind
	text     string
	declared bool // by the program, with that name
	param    bool // a type parameter: kind says what all its types have
	least    string
	most     string // of integers: constants they hold
	key      *typ
	elem     *typ
	length   int
	fields   []field
	params   []*typ
	results  []*typ
	methods  []*fn
	impls    []*typ // types that implement an interface
	generic  *generic
	args     []*typ
	alias    string // another way to write it
	equal    bool   // a type parameter with ==
	ordered  bool   // ... and with <
}

type field struct {
	name     string
	t        *typ
	embedded bool
}

// generic is a generic type; its fields speak of its parameters.
type generic struct {
	name   string
	params []*typ
	fields []field
	method *fn
}

func basic(k kind, text, least, most string) *typ {
	return &typ{kind: k, text: text, least: least, most: most}
}

var (
	boolType   = basic(boolean, "bool", "", "")
	intType    = basic(integer, "int", "-1 << 31", "1<<31 - 1")
	stringType = basic(text, "string", "", "")
	byteType   = basic(integer, "uint8", "0", "255")
	floatType  = basic(float, "float64", "", "")
	anyType    = basic(anything, "any", "", "")
	errorType  = basic(failure, "error", "", "")
)

func basics() []*typ {
	return []*typ{
		intType, stringType, boolType, byteType, floatType,
		basic(integer, "int8", "-128", "127"), basic(integer, "int16", "-0x8000", "0x7fff"),
		basic(integer, "int32", "-2_147_483_648", "'\\U0010ffff'"), basic(integer, "int64", "-1 << 63", "1<<63 - 1"),
		basic(integer, "uint16", "0", "0xffff"), basic(integer, "uint32", "0", "1<<32 - 1"),
		basic(integer, "uint64", "0", "1<<64 - 1"), basic(integer, "uint", "0", "0xffffffff"),
		basic(integer, "uintptr", "0", "0b111"),
		basic(float, "float32", "", ""), basic(complexNumber, "complex128", "", ""),
		anyType, errorType,
	}
}

func sliceOf(t *typ) *typ { return &typ{kind: slice, text: "[]" + t.text, elem: t} }

func pointerTo(t *typ) *typ { return &typ{kind: pointer, text: "*" + t.text, elem: t} }

func mapOf(k, v *typ) *typ {
	return &typ{kind: mapping, text: "map[" + k.text + "]" + v.text, key: k, elem: v}
}

func arrayOf(n int, t *typ) *typ {
	return &typ{kind: array, text: fmt.Sprintf("[%d]%s", n, t.text), length: n, elem: t}
}

func funcOf(params, results []*typ) *typ {
	return &typ{kind: function, text: "func(" + list(params) + ") (" + list(results) + ")", params: params, results: results}
}

func list(types []*typ) string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = t.text
	}
	return strings.Join(texts, ", ")
}

func structOf(name string, fields []field) *typ {
	t := &typ{kind: structure, text: name, fields: fields, declared: name != ""}
	if name == "" {
		t.text = structText(fields)
	}
	return t
}

func structText(fields []field) string {
	var parts []string
	for _, f := range fields {
		if f.embedded {
			parts = append(parts, f.t.text)
		} else {
			parts = append(parts, f.name+" "+f.t.text)
		}
	}
	return "struct{ " + strings.Join(parts, "; ") + " }"
}

// comparable says whether == on t compiles and never panics.
func (t *typ) comparable() bool {
	switch t.kind {
	case slice, mapping, function, methods, anything, failure, channel:
		return false
	case opaque:
		return t.equal
	case array:
		return t.elem.comparable()
	case structure:
		for _, f := range t.fields {
			if !f.t.comparable() {
				return false
			}
		}
	}
	return true
}

// nilable says whether t has the value nil.
func (t *typ) nilable() bool {
	switch t.kind {
	case slice, mapping, function, methods, anything, failure, channel, pointer:
		return true
	}
	return false
}

// less says whether t has <.
func (t *typ) less() bool {
	return t.kind == integer || t.kind == float || t.kind == text || t.ordered
}

// key says whether t will do as the key of a map that is printed or sorted.
func (t *typ) isKey() bool {
	return (t.kind == integer || t.kind == text) && !t.param
}

// printable says whether the text of a value is the same in each run; nested, as
// a part of another.
func (t *typ) printable(nested bool) bool {
	switch t.kind {
	case pointer, function, channel, methods:
		return false
	case anything, failure:
		return !nested
	case slice, array:
		return t.elem.printable(true)
	case mapping:
		return t.key.isKey() && t.elem.printable(true)
	case structure:
		for _, f := range t.fields {
			if !f.t.printable(true) {
				return false
			}
		}
	}
	return true
}

// subst puts arguments in place of type parameters.
func (t *typ) subst(params, args []*typ) *typ {
	for i, p := range params {
		if t == p {
			return args[i]
		}
	}
	all := func(types []*typ) []*typ {
		var out []*typ
		for _, t := range types {
			out = append(out, t.subst(params, args))
		}
		return out
	}
	switch {
	case t.generic != nil:
		return t.generic.of(all(t.args))
	case t.declared:
		return t
	}
	switch t.kind {
	case slice:
		return sliceOf(t.elem.subst(params, args))
	case array:
		return arrayOf(t.length, t.elem.subst(params, args))
	case mapping:
		return mapOf(t.key.subst(params, args), t.elem.subst(params, args))
	case pointer:
		return pointerTo(t.elem.subst(params, args))
	case function:
		return funcOf(all(t.params), all(t.results))
	}
	return t
}

// of returns an instance of a generic type.
func (gt *generic) of(args []*typ) *typ {
	t := structOf(gt.name+"["+list(args)+"]", nil)
	t.declared = false
	t.generic, t.args = gt, args
	for _, f := range gt.fields {
		f.t = f.t.subst(gt.params, args)
		t.fields = append(t.fields, f)
	}
	if gt.method != nil {
		m := *gt.method
		m.params, m.results = nil, nil
		for _, p := range gt.method.params {
			m.params = append(m.params, p.subst(gt.params, args))
		}
		for _, r := range gt.method.results {
			m.results = append(m.results, r.subst(gt.params, args))
		}
		t.methods = []*fn{&m}
	}
	return t
}

// typ chooses a type.
func (g *gen) typ() *typ {
	return pick(g, g.types...)
}

// plainType chooses a type whose values print the same in each run.
func (g *gen) plainType() *typ {
	for range 4 {
		if t := g.typ(); t.printable(true) {
			return t
		}
	}
	return intType
}

// declareTypes declares the program's types.
func (g *gen) declareTypes() {
	g.types = basics()
	for range 2 + g.n(4) {
		g.namedBasic()
	}
	for range 1 + g.n(3) {
		g.compositeType()
	}
	for range 1 + g.n(3) {
		g.structType()
	}
	if g.once(2) {
		g.genericType()
	}
	for range 1 + g.n(3) {
		g.compositeType()
	}
	if g.once(2) {
		g.aliases()
	}
}

func (g *gen) namedBasic() {
	of := pick(g, basics()[:16]...)
	t := *of
	t.text, t.declared = g.name("T"), true
	g.declare("type %s %s", t.text, of.text)
	g.types = append(g.types, &t)
}

func (g *gen) compositeType() {
	elem := g.plainType()
	var t *typ
	switch g.n(7) {
	case 0:
		t = sliceOf(elem)
	case 1:
		t = arrayOf(1+g.n(4), elem)
	case 2:
		key := stringType
		if k := g.typ(); k.isKey() {
			key = k
		}
		t = mapOf(key, elem)
	case 3:
		t = funcOf([]*typ{g.typ()}, []*typ{elem})
	case 4:
		t = structOf("", []field{{name: "A", t: elem}, {name: "b", t: g.plainType()}})
	case 5:
		t = sliceOf(sliceOf(elem))
	case 6:
		t = funcOf(nil, []*typ{g.typ()})
	}
	if g.once(3) {
		name := g.name("T")
		g.declare("type %s %s", name, t.text)
		t.text, t.declared = name, true
	}
	g.types = append(g.types, t)
}

func (g *gen) structType() {
	name := g.name("T")
	fields := []field{{name: "F" + name, t: g.plainType()}}
	for i := range g.n(4) {
		fields = append(fields, field{name: fmt.Sprintf("f%d", i), t: g.plainType()})
	}
	if g.once(2) {
		for _, t := range g.types {
			if t.declared && t.kind == structure && t.generic == nil && g.once(2) {
				fields = append(fields, field{name: t.text, t: t, embedded: true})
				break
			}
		}
	}
	t := structOf(name, fields)
	g.declare("type %s %s", name, structText(fields))
	g.types = append(g.types, t)
	if g.once(2) {
		g.types = append(g.types, pointerTo(t))
	}
}

func (g *gen) genericType() {
	p := g.typeParam("T")
	gt := &generic{name: g.name("G"), params: []*typ{p}}
	gt.fields = []field{{name: "val", t: p}, {name: "rest", t: sliceOf(p)}, {name: "N", t: g.plainType()}}
	g.declare("type %s[T %s] %s", gt.name, p.constraint(), structText(gt.fields))
	g.generics = append(g.generics, gt)
	for range 1 + g.n(2) {
		g.types = append(g.types, gt.of([]*typ{g.argument(p)}))
	}
}

// aliases give types other names.
func (g *gen) aliases() {
	for _, t := range g.types {
		if t.kind == slice && !t.declared && t.alias == "" && g.once(2) {
			name := g.name("A")
			if g.once(2) {
				g.declare("type %s = %s", name, t.text)
				t.alias = name
			} else {
				g.declare("type %s[E any] = []E", name)
				t.alias = name + "[" + t.elem.text + "]"
			}
		}
	}
}

// spell writes a type, perhaps by its other name.
func (g *gen) spell(t *typ) string {
	if t.alias != "" && g.once(2) {
		return t.alias
	}
	return t.text
}

// typeParam makes a type parameter.
func (g *gen) typeParam(name string) *typ {
	switch g.n(5) {
	case 1:
		return &typ{kind: opaque, text: name, param: true, equal: true}
	case 2:
		return &typ{kind: integer, text: name, param: true, least: "0", most: "127"}
	case 3:
		return &typ{kind: opaque, text: name, param: true, equal: true, ordered: true}
	case 4:
		return &typ{kind: text, text: name, param: true}
	}
	return &typ{kind: opaque, text: name, param: true}
}

// constraint writes the constraint of a type parameter.
func (t *typ) constraint() string {
	switch {
	case t.kind == integer:
		return "interface{ ~int | ~int8 | ~uint8 | ~uint16 | ~int64 }"
	case t.kind == text:
		return "~string"
	case t.ordered:
		return "interface{ ~int | ~uint32 | ~float64 | ~string }"
	case t.equal:
		return "comparable"
	}
	return "any"
}

// allows says whether a type satisfies the constraint of a type parameter.
func (t *typ) allows(arg *typ) bool {
	if arg.param || !arg.printable(true) {
		return false
	}
	switch {
	case t.kind == integer:
		switch arg.most {
		case "1<<31 - 1", "127", "255", "0xffff", "1<<63 - 1":
			return arg.kind == integer
		}
		return false
	case t.kind == text:
		return arg.kind == text
	case t.ordered:
		return arg.kind == text || arg.kind == integer && (arg.most == "1<<31 - 1" || arg.most == "1<<32 - 1")
	case t.equal:
		return arg.comparable()
	}
	return true
}

// argument chooses a type argument.
func (g *gen) argument(p *typ) *typ {
	for range 6 {
		if t := g.typ(); p.allows(t) {
			return t
		}
	}
	if p.kind == text {
		return stringType
	}
	return intType
}
