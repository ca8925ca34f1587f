// Package literals writes values as Go source, from their texts in golden files: whole, or by the parts
// of them that a test can get at.
package literals

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/named"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// Literals writes values as Go source, from their texts in golden files. It writes those
// values alone that reflect.DeepEqual compares as a caller would: a text has what a caller
// can see, so that a value of unexported fields is not known.
type Literals struct {
	pkg   *types.Package    // of the test
	names map[string]string // of packages, and what else means something in the file; the import path, or ""
}

// Mark precedes the name of a package in a literal: not all literals are used, and so not all
// packages are imported.
const Mark = "\x00"

// New returns literals for a file of tests of a package; names are those that the file uses otherwise.
func New(pkg *types.Package, names ...string) *Literals {
	l := &Literals{pkg: pkg, names: make(map[string]string)}
	for _, name := range names {
		l.names[name] = ""
	}
	return l
}

// Reserve takes note of what the file imports in any case.
func (l *Literals) Reserve(imports []observe.Import) {
	for _, i := range imports {
		l.names[cmp.Or(i.Name, path.Base(i.Path))] = i.Path
	}
}

// imported says whether the file can import a package by its name.
func (l *Literals) imported(p *types.Package) bool {
	if !l.importable(p) {
		return false
	}
	l.names[p.Name()] = p.Path()
	return true
}

// Import is the import of a package by its name; false if the file can't have it.
func (l *Literals) Import(p *types.Package) (observe.Import, bool) {
	return namedImport(p.Name(), p.Path()), l.importable(p)
}

// importable is imported, of a package that the file may do without.
func (l *Literals) importable(p *types.Package) bool {
	if parent, _, internal := strings.Cut("/"+p.Path()+"/", "/internal/"); internal && !strings.HasPrefix("/"+l.pkg.Path()+"/", parent+"/") {
		return false
	}
	have, taken := l.names[p.Name()]
	return (!taken || have == p.Path()) && l.pkg.Scope().Lookup(p.Name()) == nil
}

// Unmark returns code without marks, and the imports that it needs for what they marked.
func (l *Literals) Unmark(code []byte) ([]byte, []observe.Import) {
	var imports []observe.Import
	for name, importPath := range l.names {
		if bytes.Contains(code, []byte(Mark+name+".")) {
			imports = append(imports, namedImport(name, importPath))
		}
	}
	return bytes.ReplaceAll(code, []byte(Mark), nil), imports
}

// namedImport is the import of a package that has a name, which stands there if the path does
// not end with it: an import is the same as that of a fuzz test then.
func namedImport(name, importPath string) observe.Import {
	if name == path.Base(importPath) {
		name = ""
	}
	return observe.Import{Name: name, Path: importPath}
}

// Of returns the literal of a value with a static type; false if there is none.
func (l *Literals) Of(t types.Type, text string) (string, bool) {
	w := &literal{Literals: l, rest: text, ok: true}
	if !types.IsInterface(t) {
		name, ok := shownType(t)
		if !ok {
			return "", false
		}
		w.take(name + " ")
	}
	src := w.value(t, false)
	if !w.ok || w.rest != "" || strings.Count(src, "\n") > linesMost {
		return "", false
	}
	return src, true
}

// Joined is source in one line.
func Joined(src string) string {
	return strings.NewReplacer("{\n", "{", ",\n}", "}", ",\n", ", ").Replace(src)
}

// Bounds on the source of one value, for the one who reads it.
const (
	lineMost  = 140       // characters of a list in one line; a longer one has a line for each element
	linesMost = partsMost // of one value; of a longer one the outer parts are compared
)

// Source is a type as the test's package names it.
func (l *Literals) Source(t types.Type) (string, bool) {
	ok := true
	src := types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.pkg.Path() {
			return ""
		}
		ok = ok && l.imported(p)
		return Mark + p.Name()
	})
	return src, ok
}

// namedBy says whether the test's package can name a type.
func (l *Literals) namedBy(n *types.TypeName) bool {
	return n.Pkg() == nil || n.Exported() || n.Pkg().Path() == l.pkg.Path()
}

// shownType is how a golden file names the type of a value, without type arguments.
func shownType(t types.Type) (string, bool) {
	prefix := ""
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Basic:
			return prefix + types.Typ[u.Kind()].Name(), true
		case *types.Named:
			n := u.Obj()
			if u.TypeArgs().Len() > 0 || n.Pkg() == nil || !n.Exported() {
				return "", false
			}
			return prefix + n.Pkg().Name() + "." + n.Name(), true
		case *types.Pointer:
			prefix, t = prefix+"*", u.Elem()
		case *types.Slice:
			prefix, t = prefix+"[]", u.Elem()
		case *types.Array:
			prefix, t = prefix+"["+strconv.FormatInt(u.Len(), 10)+"]", u.Elem()
		case *types.Map:
			key, ok := shownType(u.Key())
			if !ok {
				return "", false
			}
			prefix, t = prefix+"map["+key+"]", u.Elem()
		case *types.Interface:
			return prefix + "interface {}", u.Empty()
		default:
			return "", false
		}
	}
}

// literal is the text of one value. What was read so far is not in rest.
type literal struct {
	*Literals
	rest string
	ok   bool // what was read so far has a literal
}

func (w *literal) fail() string {
	w.ok, w.rest = false, ""
	return ""
}

// take reads s.
func (w *literal) take(s string) {
	rest, ok := strings.CutPrefix(w.rest, s)
	if w.rest = rest; !ok {
		w.fail()
	}
}

// next reads s if it comes next.
func (w *literal) next(s string) (ok bool) {
	w.rest, ok = strings.CutPrefix(w.rest, s)
	return ok
}

// word reads up to what may follow a number.
func (w *literal) word() string {
	end := strings.IndexAny(w.rest, " ,:]}\n")
	if end < 0 {
		end = len(w.rest)
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	return word
}

// value reads a value. elided says that its type stands around it.
func (w *literal) value(t types.Type, elided bool) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && !w.namedBy(named.Obj()) || IsError(t) && !types.IsInterface(t) {
		return w.fail()
	}
	var src string
	switch u := t.Underlying().(type) {
	case *types.Basic:
		src = w.Written(t, w.basic(u))
	case *types.Interface:
		return w.dynamic(u)
	case *types.Slice:
		if src = "nil"; !w.next("nil") {
			src = w.list(t, u.Elem(), elided)
		}
	case *types.Array:
		src = w.list(t, u.Elem(), elided)
	case *types.Map:
		if src = "nil"; !w.next("nil") {
			w.take("map{")
			src = w.block(t, "}", elided, func() string { return w.value(u.Key(), true) + w.colon() + w.value(u.Elem(), true) })
		}
	case *types.Struct:
		return w.structure(t, u, elided)
	case *types.Pointer:
		return w.pointer(u.Elem(), elided)
	default:
		return w.fail()
	}
	if _, ok := types.Unalias(t).(*types.Named); ok && strings.HasPrefix(w.rest, ` "`) { // the text of a String method
		w.take(" ")
		w.text()
	}
	return src
}

// label reads the name of a member.
func (w *literal) label() string {
	name, rest, ok := strings.Cut(w.rest, ": ")
	if w.rest = rest; !ok {
		w.fail()
	}
	return name
}

func (w *literal) colon() string {
	w.take(": ")
	return ": "
}

// basic reads a value of a predeclared type.
func (w *literal) basic(t *types.Basic) string {
	if t.Info()&types.IsString != 0 {
		return Quoted(w.text())
	}
	word := w.word()
	switch {
	case t.Kind() == types.Uintptr || t.Kind() == types.UnsafePointer || t.Info()&types.IsComplex != 0:
		return w.fail()
	case word == "true" || word == "false":
	case t.Info()&types.IsFloat != 0:
		if f, err := strconv.ParseFloat(word, 64); err != nil || word == "-0" || f-f != 0 {
			return w.fail() // no literal, or none that == distinguishes
		}
	default:
		if !named.Narrow(t, word) {
			return w.fail()
		}
		if _, err := strconv.ParseInt(word, 10, 64); err != nil {
			if _, err := strconv.ParseUint(word, 10, 64); err != nil {
				return w.fail()
			}
		}
	}
	return word
}

// text reads a string, which may stand on several lines.
func (w *literal) text() string {
	var s strings.Builder
	w.rest = strings.TrimLeft(w.rest, "\n\t")
	for w.ok {
		q, err := strconv.QuotedPrefix(w.rest)
		if err != nil {
			w.fail()
			break
		}
		w.take(q)
		part, _ := strconv.Unquote(q)
		s.WriteString(part)
		if !w.next(" +\n") {
			break
		}
		w.rest = strings.TrimLeft(w.rest, "\t")
	}
	if strings.HasPrefix(w.rest, "...") { // it is cut
		w.fail()
	}
	return s.String()
}

// composite is a composite literal of a type.
func (w *literal) composite(t types.Type, elided bool, body string) string {
	if elided {
		return "{" + body + "}"
	}
	typ, ok := w.Source(t)
	if !ok {
		return w.fail()
	}
	return typ + "{" + body + "}"
}

// block reads members up to what closes them.
func (w *literal) block(t types.Type, end string, elided bool, member func() string) string {
	var members []string
	for w.separator(); w.ok && !w.next(end); w.separator() {
		members = append(members, member())
	}
	return w.composite(t, elided, listed(members))
}

// listed are elements or entries, each in a separate line if they have parts and are too long for one.
func listed(members []string) string {
	one := strings.Join(members, ", ")
	short := !strings.Contains(one, "\n") && utf8.RuneCountInString(one) <= lineMost
	if len(members) < 2 || short || !strings.HasSuffix(one, "}") {
		return one
	}
	return "\n" + strings.Join(members, ",\n") + ",\n"
}

// separator reads what is between members.
func (w *literal) separator() {
	w.next(",")
	w.rest = strings.TrimLeft(w.rest, " \n\t")
	if w.rest == "" {
		w.fail()
	}
}

// list reads a slice that is not nil, or an array.
func (w *literal) list(t, elem types.Type, elided bool) string {
	b, ok := elem.Underlying().(*types.Basic)
	if ok && b.Kind() == types.Uint8 && !IsError(elem) {
		s := w.text()
		if _, array := t.Underlying().(*types.Array); array {
			return w.composite(t, elided, bytesOf(s))
		}
		typ, ok := w.Source(t)
		if !ok {
			return w.fail()
		}
		if s == "" {
			return typ + "{}" // and not nil
		}
		return typ + "(" + Quoted(s) + ")"
	}
	w.take("[")
	return w.block(t, "]", elided, func() string { return w.value(elem, true) })
}

// bytesOf lists the elements of an array: there is no conversion from string in older versions of
// Go. Zeros alone are left out.
func bytesOf(s string) string {
	if strings.Trim(s, "\x00") == "" {
		return ""
	}
	printable := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
	var elems []string
	for _, c := range []byte(s) {
		if printable {
			elems = append(elems, strconv.QuoteRune(rune(c)))
		} else {
			elems = append(elems, fmt.Sprintf("0x%02x", c))
		}
	}
	return strings.Join(elems, ", ")
}

// pointer reads a pointer to what has a composite literal.
func (w *literal) pointer(elem types.Type, elided bool) string {
	if w.next("nil") {
		return "nil"
	}
	w.take("&")
	src := w.value(elem, elided)
	if !strings.HasSuffix(src, "}") {
		return w.fail()
	}
	if elided {
		return src
	}
	return "&" + src
}

// structure reads a struct. All of its fields have to be known. What methods say of it
// follows from these.
func (w *literal) structure(t types.Type, s *types.Struct, elided bool) string {
	known := make(map[string]types.Type)
	for f := range s.Fields() {
		if !f.Exported() || f.Embedded() {
			return w.fail()
		}
		known[f.Name()] = f.Type()
	}
	w.take("{")
	fields, zero := make(map[string]string), make(map[string]bool)
	for w.separator(); w.ok && !w.next("}"); w.separator() {
		name := w.label()
		if typ, ok := known[name]; ok {
			before := literal{rest: w.rest}
			fields[name] = w.value(typ, false)
			zero[name] = isZero(typ, before.word())
		} else if strings.HasSuffix(name, "()") {
			w.skip()
		} else {
			w.fail()
		}
	}
	if len(fields) < len(known) {
		return w.fail()
	}
	var members []string
	for f := range s.Fields() {
		if !zero[f.Name()] {
			members = append(members, f.Name()+": "+fields[f.Name()])
		}
	}
	return w.composite(t, elided, strings.Join(members, ", "))
}

// isZero says whether a field need not be written, by the word that its text begins with. An
// interface that holds a zero is not nil.
func isZero(t types.Type, word string) bool {
	_, basic := t.Underlying().(*types.Basic) // an empty list of bytes is not nil
	return word == "nil" || basic && slices.Contains([]string{"0", `""`, "false"}, word)
}

// skip reads a value whose type is not known.
func (w *literal) skip() {
	depth := 0
	for w.ok && w.rest != "" {
		switch c := w.rest[0]; {
		case c == '"' || c == '\n' && strings.HasPrefix(strings.TrimLeft(w.rest, "\n\t"), `"`):
			w.text()
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case depth == 0 && strings.IndexByte(",\n)]}", c) >= 0:
			return
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		w.rest = w.rest[1:]
	}
}

// dynamic reads what an interface without methods holds.
func (w *literal) dynamic(t *types.Interface) string {
	if w.next("nil") {
		return "nil"
	}
	if !t.Empty() {
		return w.fail()
	}
	shown, rest, _ := strings.Cut(w.rest, " ")
	for strings.HasSuffix(shown, "interface") { // the type has a blank in it
		more, after, _ := strings.Cut(rest, " ")
		shown, rest = shown+" "+more, after
	}
	held := w.dynamicType(shown)
	if held == nil {
		return w.fail()
	}
	w.rest = rest
	src := w.value(held, false)
	basic, ok := held.Underlying().(*types.Basic)
	if named := types.Unalias(held) != types.Type(basic); !ok || !named && (basic.Kind() == types.Bool || basic.Kind() == types.Int || basic.Kind() == types.String) {
		if src == "nil" {
			return w.fail() // of a type, which is not the nil of an interface
		}
		return src
	}
	typ, ok := w.Source(held)
	if !ok {
		return w.fail()
	}
	if isNamed(src) {
		return src
	}
	return typ + "(" + src + ")"
}

// dynamicType is the type of a value in an interface, as golden files show it; nil: it is not known.
func (l *Literals) dynamicType(shown string) types.Type {
	if shown == "[]uint8" {
		return types.NewSlice(types.Universe.Lookup("byte").Type())
	}
	if elem, ok := strings.CutPrefix(shown, "[]"); ok {
		if t := l.dynamicType(elem); t != nil {
			return types.NewSlice(t)
		}
		return nil
	}
	if elem, ok := strings.CutPrefix(shown, "*"); ok {
		if t := l.dynamicType(elem); t != nil {
			return types.NewPointer(t)
		}
		return nil
	}
	if both, ok := strings.CutPrefix(shown, "map["); ok {
		key, elem, _ := strings.Cut(both, "]") // keys are no slices
		k, e := l.dynamicType(key), l.dynamicType(elem)
		if k == nil || e == nil || !types.Comparable(k) {
			return nil
		}
		return types.NewMap(k, e)
	}
	if shown == "interface {}" {
		return types.NewInterfaceType(nil, nil)
	}
	for _, b := range types.Typ {
		if b.Info()&types.IsUntyped == 0 && b.Kind() != types.Invalid && b.Name() == shown {
			return b
		}
	}
	return l.declared(shown)
}

// declared is the type with a name as golden files show it: of the test's package, or of one
// that this imports, directly or not. nil: there is none, or several.
func (l *Literals) declared(shown string) types.Type {
	name := strings.TrimLeft(shown, "*")
	pkg, name, ok := strings.Cut(name, ".")
	if !ok || !token.IsIdentifier(name) {
		return nil
	}
	var found []types.Type
	seen := map[*types.Package]bool{l.pkg: true}
	for todo := []*types.Package{l.pkg}; len(todo) > 0; todo = todo[1:] {
		if tn, ok := todo[0].Scope().Lookup(name).(*types.TypeName); ok && todo[0].Name() == pkg && !tn.IsAlias() && l.namedBy(tn) {
			found = append(found, tn.Type())
		}
		for _, i := range todo[0].Imports() {
			if !seen[i] {
				seen[i] = true
				todo = append(todo, i)
			}
		}
	}
	if len(found) != 1 {
		return nil
	}
	t := found[0]
	if n, ok := t.(*types.Named); !ok || n.TypeParams().Len() > 0 {
		return nil
	}
	for range strings.Count(shown, "*") {
		t = types.NewPointer(t)
	}
	return t
}

// IsError reports whether values of a type are written as errors are.
func IsError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// SaidBy is what fmt.Sprint says of a value of a type that has a text, from what a golden
// file has; false if that does not follow.
func SaidBy(t types.Type, text string) (string, bool) {
	shown, rest, _ := strings.Cut(text, " ")
	if IsError(t) && !types.IsInterface(t) && types.NewMethodSet(t).Lookup(nil, "Format") == nil {
		return SaidByError(text)
	}
	if types.IsInterface(t) {
		if !strings.HasPrefix(shown, "*") {
			return "", false // its String method may need a pointer
		}
	} else if !speaks(t) {
		return "", false
	}
	w := &literal{rest: rest, ok: true}
	w.next("&")
	w.take("{")
	for w.separator(); w.ok && !w.next("}"); w.separator() {
		name := w.label()
		if name != "String()" {
			w.skip()
		} else if s := w.text(); w.ok {
			return Quoted(s), true
		}
	}
	return "", false
}

// speaks reports whether fmt.Sprint calls the String method of values of a type.
func speaks(t types.Type) bool {
	methods := types.NewMethodSet(t)
	return methods.Lookup(nil, "String") != nil && methods.Lookup(nil, "Format") == nil && !IsError(t)
}

// SaidByError is what fmt.Sprint says of an error, whatever else a golden file has of it.
func SaidByError(text string) (string, bool) {
	if text == "nil" {
		return Quoted("<nil>"), true
	}
	if shown, rest, _ := strings.Cut(text, " "); shown != "error" {
		text = rest // after the type
	}
	w := &literal{rest: text, ok: true}
	w.take("error ")
	s := w.text()
	beside := strings.HasPrefix(w.rest, " {") || strings.HasPrefix(w.rest, " [") || strings.HasPrefix(w.rest, " map{")
	return Quoted(s), w.ok && (w.rest == "" || beside)
}
