package literals

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// PartsMost is how many parts of one result a test compares: the outer ones, if there are more.
const partsMost = 40

// readMost is how many parts are read of one result. The text of a value is bounded as well.
const readMost = 1000

// A part is something in a value that has no literal itself: how a test gets at it, and what is
// there, as Go source.
type Part struct {
	Get, Want string
	depth     int  // of the values around it
	hides     bool // fmt shows it by a method
}

// PartsOf lists the parts of a result that a test can name and whose values have literals: fields,
// elements, and what methods return. A value of an interface is taken for what it holds. root is
// the source of the result.
func (l *Literals) PartsOf(t types.Type, text, root string) []Part {
	p := &parts{literal: literal{Literals: l, rest: text, ok: true}}
	if !types.IsInterface(t) {
		name, ok := shownType(t)
		if !ok || !p.next(name+" ") {
			return nil
		}
	}
	p.walk(t, place{root, true})
	return outer(p.list)
}

// outer leaves inner parts out if there are too many, the last ones first.
func outer(list []Part) []Part {
	for len(list) > 1 && linesOf(list) > partsMost {
		deepest := len(list) - 1
		for i := deepest; i >= 0; i-- {
			if list[i].depth > list[deepest].depth {
				deepest = i
			}
		}
		list = slices.Delete(list, deepest, deepest+1)
	}
	return list
}

// linesOf is how many lines the parts have.
func linesOf(list []Part) (n int) {
	for _, p := range list {
		n += 1 + strings.Count(p.Want, "\n")
	}
	return n
}

// Parts reads the text of a value.
type parts struct {
	literal
	list  []Part
	depth int
}

// A place is an expression for a part of a value.
type place struct {
	expr    string
	address bool // it has an address, or is a pointer: methods of pointers can be called on it
}

// field is a selector.
func (at place) field(name string) place { return place{at.expr + "." + name, at.address} }

// target is what a pointer leads to, of type t.
func (at place) target(t types.Type) place {
	if _, ok := t.Underlying().(*types.Struct); ok {
		return place{at.expr, true}
	}
	return place{"(*" + at.expr + ")", true}
}

func (p *parts) add(get, want string) {
	if len(p.list) < readMost {
		p.list = append(p.list, Part{get, want, p.depth, false})
	}
}

// walk reads a value. What has no literal, and no parts that have one, is left out.
func (p *parts) walk(t types.Type, at place) {
	p.depth++
	defer func() { p.depth-- }()
	if w := (literal{Literals: p.Literals, rest: p.rest, ok: true}); p.nameable(t) {
		if src := w.value(t, false); w.ok && strings.Count(src, "\n") <= linesMost {
			p.rest = w.rest
			p.known(t, at, src)
			return
		}
	}
	if IsError(t) {
		p.failure(t, at)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		p.held(u, at)
	case *types.Pointer:
		p.pointee(u.Elem(), at)
	default:
		p.content(t, at)
	}
}

// content reads what a struct, a list or a map holds.
func (p *parts) content(t types.Type, at place) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		p.members(t, at)
	case *types.Slice:
		p.elements(u.Elem(), place{at.expr, true}, true)
	case *types.Array:
		p.elements(u.Elem(), at, false)
	case *types.Map:
		p.entries(u, at)
	default:
		p.pass()
	}
}

// nameable says whether the test's package can name a type.
func (p *parts) nameable(t types.Type) bool {
	_, ok := p.Source(t)
	named, is := types.Unalias(t).(*types.Named)
	return ok && (!is || p.namedBy(named.Obj()))
}

// known adds a part that has a literal.
func (p *parts) known(t types.Type, at place, src string) {
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case src == "nil":
		p.add(at.expr+" == nil", "true")
	case ok && !isNamed(src) && (types.Unalias(t) != types.Type(basic) || basic.Kind() != types.Bool && basic.Kind() != types.Int && basic.Kind() != types.String):
		name, _ := p.Source(t)
		p.addOf(t, at.expr, name+"("+src+")")
	default:
		p.addOf(t, at.expr, src)
	}
}

// addOf is add for a value of type t.
func (p *parts) addOf(t types.Type, get, want string) {
	before := len(p.list)
	p.add(get, want)
	for i := before; i < len(p.list); i++ {
		p.list[i].hides = hides(t, true, nil)
	}
}

// pass reads a value that is left out.
func (p *parts) pass() {
	if p.next("cycle, ") {
		p.word()
		p.take(" up")
		return
	}
	p.skip()
}

// PartsBeside lists the parts of an error that its text says nothing of: exported fields, and the elements of one that
// is a list. root is the source of the error.
func (l *Literals) PartsBeside(t types.Type, text, root string) []Part {
	return slices.DeleteFunc(l.PartsOf(t, text, root), func(p Part) bool { return p.Get == root+".Error()" || p.Get == root+" == nil" })
}

// failure reads an error: what it says is a part, and so is what callers see beside that.
func (p *parts) failure(t types.Type, at place) {
	if p.next("nil") {
		p.add(at.expr+" == nil", "true")
		return
	}
	if !types.IsInterface(t) && !at.address && types.NewMethodSet(t).Lookup(nil, "Error") == nil {
		p.pass()
		return
	}
	w := literal{Literals: p.Literals, rest: p.rest, ok: true}
	said, held := at, t
	if !w.next("error ") {
		shown, rest, _ := strings.Cut(w.rest, " ") // the type that the interface holds
		if strings.ContainsAny(shown, "{[\"") || !strings.HasPrefix(rest, "error ") {
			p.pass()
			return
		}
		w.rest, held = strings.TrimPrefix(rest, "error "), p.declared(shown)
		if src, ok := p.Source(held); held != nil && ok {
			_, pointer := held.(*types.Pointer)
			at = place{at.expr + ".(" + src + ")", pointer}
		} else {
			held = nil
		}
	} else if types.IsInterface(t) {
		held = nil // of a type without a name
	}
	s := w.text()
	if !w.ok {
		p.pass()
		return
	}
	p.add(said.expr+".Error()", Quoted(s))
	p.rest = w.rest
	first := len(p.list)
	if held == nil || !p.next(" ") {
		p.pass()
		return
	}
	if to, ok := types.Unalias(held).(*types.Pointer); ok {
		held, at = to.Elem(), at.target(to.Elem())
	}
	p.content(held, at)
	p.list = append(p.list[:first], slices.DeleteFunc(p.list[first:], func(p Part) bool { return saidIn(s, p) })...)
}

// saidIn says whether a part of an error with a text need not be compared: it is in the text, or nil or empty, as most
// fields of a large error are.
func saidIn(text string, p Part) bool {
	if strings.HasSuffix(p.Get, " == nil") {
		return true
	}
	s, err := strconv.Unquote(p.Want)
	return err == nil && p.Want[0] != '\'' && strings.Contains(text, s)
}

// held reads what an interface holds.
func (p *parts) held(t *types.Interface, at place) {
	if p.next("nil") {
		p.add(at.expr+" == nil", "true")
		return
	}
	shown, rest, _ := strings.Cut(p.rest, " ")
	held := p.declared(shown)
	if held == nil || !types.AssignableTo(held, t) {
		p.pass()
		return
	}
	src, ok := p.Source(held)
	if !ok {
		p.pass()
		return
	}
	p.rest = rest
	_, pointer := held.(*types.Pointer)
	p.walk(held, place{at.expr + ".(" + src + ")", pointer})
}

// pointee reads what a pointer that is not nil leads to, or nil to what has no name.
func (p *parts) pointee(t types.Type, at place) {
	switch {
	case p.next("nil"):
		p.add(at.expr+" == nil", "true")
	case p.next("&"):
		p.walk(t, at.target(t))
	default:
		p.pass()
	}
}

// members reads a struct: its fields, and what its methods return.
func (p *parts) members(t types.Type, at place) {
	if IsTime(t) {
		p.time(at)
		return
	}
	if !p.next("{") {
		p.pass()
		return
	}
	for p.separator(); p.ok && !p.next("}"); p.separator() {
		name := p.label()
		method, call := strings.CutSuffix(name, "()")
		obj, _, _ := types.LookupFieldOrMethod(t, true, p.pkg, method)
		switch obj := obj.(type) {
		case *types.Var:
			if !call && obj.IsField() {
				p.walk(obj.Type(), at.field(name))
				continue
			}
		case *types.Func:
			sig := obj.Signature()
			if call && sig.Params().Len() == 0 && sig.Results().Len() == 1 && (at.address || types.NewMethodSet(t).Lookup(obj.Pkg(), method) != nil) {
				p.walk(sig.Results().At(0).Type(), place{at.expr + "." + name, false})
				continue
			}
		}
		p.pass()
	}
}

// time reads an instant.
func (p *parts) time(at place) {
	end := strings.IndexAny(p.rest, " ,\n]}")
	if end < 0 {
		end = len(p.rest)
	}
	if src, ok := Time("time.Time " + p.rest[:end]); ok && p.imports("time") {
		p.add(at.expr+".Equal("+src+")", "true")
	}
	p.pass()
}

// imports says whether the file can import a package of the standard library by its name.
func (p *parts) imports(name string) bool { return p.imported(types.NewPackage(name, name)) }

// elements reads a slice, whose length is a part, or an array.
func (p *parts) elements(t types.Type, at place, slice bool) {
	if p.next("nil") {
		p.add(at.expr+" == nil", "true")
		return
	}
	if !p.next("[") {
		p.pass()
		return
	}
	slot, n := len(p.list), 0
	if slice {
		p.add("len("+at.expr+")", "")
	}
	for p.separator(); p.ok && !p.next("]"); p.separator() {
		p.walk(t, place{at.expr + "[" + strconv.Itoa(n) + "]", at.address})
		n++
	}
	if slice {
		p.counted(slot, n)
	}
	p.annotation()
}

// counted says how many elements there are, if the text has all of them.
func (p *parts) counted(slot, n int) {
	switch {
	case slot >= len(p.list):
	case p.ok:
		p.list[slot].Want = strconv.Itoa(n)
	default:
		p.list = slices.Delete(p.list, slot, slot+1)
	}
}

// annotation reads the text of a String method after a value.
func (p *parts) annotation() {
	if strings.HasPrefix(p.rest, ` "`) {
		p.take(" ")
		p.text()
	}
}

// entries reads a map.
func (p *parts) entries(t *types.Map, at place) {
	if p.next("nil") {
		p.add(at.expr+" == nil", "true")
		return
	}
	basic, ok := t.Key().Underlying().(*types.Basic)
	if !ok || !p.next("map{") {
		p.pass()
		return
	}
	slot := len(p.list)
	p.add("len("+at.expr+")", "")
	n := 0
	for p.separator(); p.ok && !p.next("}"); p.separator() {
		key := p.basic(basic)
		p.annotation()
		p.colon()
		_, pointer := t.Elem().Underlying().(*types.Pointer)
		p.walk(t.Elem(), place{at.expr + "[" + key + "]", pointer})
		n++
	}
	p.counted(slot, n)
	p.annotation()
}

// PartsType is the type of a function that returns parts of a result with what they are to be.
func PartsType(typ string) string { return "func(got " + typ + ") [][2]any" }

// PartsCell is such a function.
func PartsCell(typ string, list []Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s {\nreturn [][2]any{\n", PartsType(typ))
	for _, p := range list {
		fmt.Fprintf(&b, "{%s, %s},\n", p.Get, p.Want)
	}
	b.WriteString("}\n}")
	return b.String()
}

// shownMost is how many parts of a result are shown for people.
const shownMost = 3

// Shown is what the part is as people read it.
func (p Part) Shown() string {
	if held, ok := strings.CutPrefix(p.Get, "got.("); ok { // what an interface holds
		if _, more, ok := strings.Cut(held, ")."); ok {
			return more
		}
	}
	if strings.HasPrefix(p.Get, "got[") {
		return strings.TrimPrefix(p.Get, "got")
	}
	return strings.TrimPrefix(p.Get, "got.")
}

// ShownParts are the first parts of a result as people read them.
func ShownParts(list []Part) string {
	var texts []string
	for _, p := range list[:min(len(list), shownMost)] {
		texts = append(texts, p.Shown()+": "+Joined(p.Want))
	}
	if more := len(list) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
