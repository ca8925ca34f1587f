package golden

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TypeKey is a type's key in Renderer.Views.
func TypeKey(t reflect.Type) string {
	name := t.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return t.PkgPath() + "." + name
}

// hidden says whether a type, or what it points to, has a name that callers can't use.
func hidden(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t.Name() != "" && t.PkgPath() != "" && !exported(t.Name())
}

func exported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// typeText is the name of a type, with _ for names that callers can't use.
func (p *printer) typeText(t reflect.Type) string {
	if p.view == ViewAll {
		return t.String()
	}
	if hidden(t) {
		return "_"
	}
	if name := t.Name(); name != "" {
		i := strings.IndexByte(name, '[')
		if i < 0 || !strings.ContainsRune(name[i:], '.') {
			return t.String()
		}
		return t.String()[:strings.IndexByte(t.String(), '[')] + "[_]" // an argument may be of any type
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + p.typeText(t.Elem())
	case reflect.Slice:
		return "[]" + p.typeText(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + p.typeText(t.Elem())
	case reflect.Map:
		return "map[" + p.typeText(t.Key()) + "]" + p.typeText(t.Elem())
	case reflect.Struct:
		return "struct"
	case reflect.Func:
		return "func"
	case reflect.Chan:
		return "chan"
	}
	return t.String()
}

// unnamed writes a pointer, in an interface, to a value of a type without a name.
func (p *printer) unnamed(v reflect.Value) {
	if v.IsNil() {
		p.add("nil pointer")
		return
	}
	at, begin := len(p.out), p.depth
	p.value(addressable(v))
	if strings.HasPrefix(string(p.out[at:]), "&") && p.depth == begin {
		p.out = append(p.out[:at], p.out[at+1:]...)
	}
}

// standardRoots begin the import paths of the standard library.
const standardRoots = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar" +
	" flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices" +
	" sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak "

// standard says whether a type is declared in the standard library.
func standard(t reflect.Type) bool {
	root := t.PkgPath()
	if i := strings.IndexByte(root, '/'); i >= 0 {
		root = root[:i]
	}
	return root != "" && strings.Contains(standardRoots, " "+root+" ")
}

// A style is what follows from a type for all of its values. To find that out takes longer
// than to write one of them.
type style struct {
	viewKey   string // in Renderer.Views
	regular   bool   // its values are written by their structure
	bare      bool   // a struct of the standard library in which a caller would see nothing
	numeric   bool   // an array or slice of numbers
	annotated bool   // the text of its values is appended to their content
	texts     string // textMethod
	message   bool   // a message of protocol buffers
}

// styleOf finds out the style of a type, once.
func (s *common) styleOf(t reflect.Type) *style {
	if known := s.styles[t]; known != nil {
		return known
	}
	y := &style{viewKey: TypeKey(t), message: IsMessage(t)}
	if !y.message { // the text of one differs from build to build
		y.texts = textMethod(t)
	}
	switch t.PkgPath() {
	case "time", "reflect", "sync", "internal/sync", "math/big":
	default:
		y.regular = !ignored(t) && (t.Kind() == reflect.Interface || !t.Implements(reflect.TypeFor[error]())) &&
			(t.Kind() != reflect.Pointer || !t.Implements(reflect.TypeFor[reflect.Type]()))
	}
	switch t.Kind() {
	case reflect.Struct:
		y.bare = standard(t) && y.texts == "" && len(s.fieldsOf(t)) == 0
	case reflect.Array, reflect.Slice:
		y.numeric = isNumber(t.Elem())
	}
	y.annotated = t.Name() != "" && t.PkgPath() != "" && t.Kind() != reflect.Struct && t.Kind() != reflect.Interface && !standard(t) &&
		(y.texts == "String" || y.texts == "MarshalText")
	if s.styles == nil {
		s.styles = make(map[reflect.Type]*style)
	}
	s.styles[t] = y
	return y
}

// common is what the printers of one value have in common.
type common struct {
	styles   map[reflect.Type]*style
	fields   map[reflect.Type][]reflect.StructField
	members  map[object][]member
	reached  map[object]bool // what methods have led to
	followed int             // results that lead further
	kept     []reflect.Value // what members are of, so that nothing else gets its address
}

// maxFollowed bounds what is followed through methods of types without fields or text.
const maxFollowed = 256

// A member is a part of a value that a caller can see.
type member struct {
	label string
	parts []reflect.Value // several results, or elements
	keys  []reflect.Value // of elements that have keys
	many  bool            // elements
	plain string          // text, if there are no parts
	owned bool            // the parts belong to a copy
}

// fieldsOf lists the fields of a struct that a caller can see, those of embedded structs
// among them, by name.
func (s *common) fieldsOf(t reflect.Type) []reflect.StructField {
	if list, ok := s.fields[t]; ok {
		return list
	}
	var list []reflect.StructField
	var closed []string // embedded structs that are written as a field
	of := IsMessage(t)
	place := func(f reflect.StructField) string { return fmt.Sprint(f.Index) }
	for _, f := range reflect.VisibleFields(t) {
		within := false
		for _, c := range closed {
			within = within || strings.HasPrefix(place(f), strings.TrimSuffix(c, "]")+" ")
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if f.Anonymous && inner.Kind() == reflect.Struct {
			if !standard(inner) {
				continue // its fields follow
			}
			closed = append(closed, place(f))
		}
		if !within && f.IsExported() && !ignored(f.Type) && !(of && !IsMessageField(f.Name)) {
			list = append(list, f)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	if s.fields == nil {
		s.fields = make(map[reflect.Type][]reflect.StructField)
	}
	s.fields[t] = list
	return list
}

// readable returns a field of a struct, exported or not. It is not valid if it is in an
// embedded struct that is not there.
func readable(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		f := v.Field(i)
		v = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
	}
	return v
}

// seen writes what a caller can see of a struct.
func (p *printer) seen(v reflect.Value) {
	members := p.members(v)
	if len(members) == 0 {
		p.add("opaque")
		return
	}
	p.block("{", "}", len(members), func(i int) { p.writeMember(members[i]) })
}

// writeMember writes a member.
func (p *printer) writeMember(m member) {
	p.add(m.label)
	p.add(": ")
	owned := p.owned
	p.owned = owned || m.owned
	switch {
	case m.many:
		p.block("[", "]", len(m.parts), func(i int) {
			if len(m.keys) > 0 {
				p.value(m.keys[i])
				p.add(": ")
			}
			p.value(m.parts[i])
		})
	case len(m.parts) == 0:
		p.add(m.plain)
	case len(m.parts) == 1:
		p.value(m.parts[0])
	default:
		p.block("(", ")", len(m.parts), func(i int) { p.value(m.parts[i]) })
	}
	p.owned = owned
}

// members lists what a caller can see of a struct: fields, text, methods.
func (p *printer) members(v reflect.Value) []member {
	o := object{at: v.Addr().Pointer(), typ: v.Type()}
	if list, ok := p.shared.members[o]; ok {
		return list
	}
	if p.shared.members == nil {
		p.shared.members = make(map[object][]member)
		p.shared.reached = make(map[object]bool)
	}
	p.shared.reached[o] = true
	var list []member
	if p.view == "" || p.view == ViewExported {
		list = p.fields(v)
	}
	if p.view == "" {
		if text := p.textOf(v); text.label != "" {
			list = append(list, text)
		}
	}
	if p.view == "" && !standard(v.Type()) && !(len(list) > 0 && p.shared.styleOf(v.Type()).message) {
		list = append(list, p.methods(v, list)...)
	}
	if s, ok := v.Addr().Interface().(fmt.GoStringer); ok && len(list) == 0 && p.view == "" {
		m := member{label: "GoString()", plain: "panic"}
		p.guarded(func() { m.plain = p.quoted(s.GoString()) })
		list = []member{m}
	}
	p.shared.members[o] = list
	p.shared.kept = append(p.shared.kept, v)
	return list
}

// fields lists the fields of a struct.
func (p *printer) fields(v reflect.Value) []member {
	var list []member
	for _, f := range p.shared.fieldsOf(v.Type()) {
		if x := readable(v, f.Index); x.IsValid() && !p.without(v.Type(), f.Name) {
			list = append(list, member{label: f.Name, parts: []reflect.Value{x}})
		}
	}
	return list
}

// without says whether a view leaves a field or method of a type out.
func (p *printer) without(t reflect.Type, name string) bool {
	return len(p.renderer.Views) > 0 && p.renderer.Views[TypeKey(t)+"."+name] == ViewNone
}

// textMethods have a text of a value, in order of preference.
var textMethods = []struct {
	method string
	of     reflect.Type
}{
	{"Error", reflect.TypeFor[error]()},
	{"String", reflect.TypeFor[fmt.Stringer]()},
	{"MarshalText", reflect.TypeFor[interface{ MarshalText() ([]byte, error) }]()},
	{"MarshalJSON", reflect.TypeFor[interface{ MarshalJSON() ([]byte, error) }]()},
	{"Format", reflect.TypeFor[fmt.Formatter]()},
}

// textMethod is the method that has the text of values of type t; "" if there is none.
func textMethod(t reflect.Type) string {
	for _, m := range textMethods {
		if reflect.PointerTo(t).Implements(m.of) {
			return m.method
		}
	}
	return ""
}

// textOf is the text of a value that can be addressed.
func (p *printer) textOf(v reflect.Value) (m member) {
	method := ""
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		method = p.shared.styleOf(v.Type()).texts
	}
	if method == "" || p.without(v.Type(), method) {
		return m
	}
	var s string
	var err error
	panicked := p.guarded(func() {
		switch x := v.Addr().Interface().(type) {
		case error:
			s = x.Error()
		case fmt.Stringer:
			s = x.String()
		case interface{ MarshalText() ([]byte, error) }:
			var b []byte
			b, err = x.MarshalText()
			s = string(b)
		case interface{ MarshalJSON() ([]byte, error) }:
			var b []byte
			b, err = x.MarshalJSON()
			s = string(b)
		case fmt.Formatter:
			s = fmt.Sprintf("%v", x)
		}
	})
	m.label = method + "()"
	switch {
	case panicked:
		m.plain = "panic"
	case err != nil:
		m.plain = "error"
	default:
		m.plain = p.quoted(s)
	}
	return m
}

// quoted is a text in one line.
func (p *printer) quoted(s string) string {
	q := printer{flat: true}
	q.text(s)
	return string(q.out)
}

// annotate appends the text of a value. Its style says whether it is asked.
func (p *printer) annotate(v reflect.Value) {
	if m := p.textOf(v); m.plain != "panic" && m.plain != "error" && !p.endsWith(m.plain) {
		p.add(" " + m.plain)
	}
}

// endsWith reports whether what was written so far ends with s. It copies nothing: there may
// be much of it, and this is asked for each value.
func (p *printer) endsWith(s string) bool {
	return len(p.out) >= len(s) && string(p.out[len(p.out)-len(s):]) == s
}

// failure writes an error: its text, what else a caller can see of it, and what it wraps.
func (p *printer) failure(v reflect.Value) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		p.add("nil")
		return
	}
	var s string
	begin := len(p.out)
	panicked := p.recovered(func() { s = v.Interface().(error).Error() })
	if panicked != nil {
		p.out = p.out[:begin]
		p.add("panic in Error: ")
		switch r := panicked.(type) {
		case string:
			p.text(r)
		default:
			p.add(reflect.TypeOf(r).String())
		}
		return
	}
	p.add("error ")
	p.text(s)
	if p.view == ViewAll || p.view == ViewString || p.view == ViewOpaque {
		return
	}
	if v.Kind() == reflect.Pointer { // a field may lead back to it
		o := object{at: v.Pointer(), typ: v.Type()}
		if _, again := p.open[o]; again {
			return
		}
		p.open[o] = p.depth
		defer delete(p.open, o)
	}
	members := p.errorMembers(v, s)
	if len(members) > 0 {
		p.depth++
		p.block(" {", "}", len(members), func(i int) { p.writeMember(members[i]) })
		p.depth--
	} else {
		p.failures(v)
	}
}

// sameError says whether a method has returned the error that it was called of, or a copy.
func (p *printer) sameError(v reflect.Value, text string, result reflect.Value) bool {
	if result.Kind() != reflect.Interface || result.IsNil() || result.Elem().Type() != v.Type() {
		return false
	}
	same := false
	panicked := p.recovered(func() { same = result.Elem().Interface().(error).Error() == text })
	return same && panicked == nil
}

// failures writes the elements of an error that is a list or a map, as of all that is wrong with a text: its own text
// may show some of them, or a part of each. Texts and numbers are left to it.
func (p *printer) failures(v reflect.Value) {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if hidden(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		kind := v.Type().Elem().Kind()
		if v.Len() == 0 || kind == reflect.String || isNumber(v.Type().Elem()) {
			return
		}
	default:
		return
	}
	p.add(" ")
	p.content(addressable(v), p.shared.styleOf(v.Type()))
}

// errorMembers lists what a caller can see of an error beside its text.
func (p *printer) errorMembers(v reflect.Value, text string) []member {
	var list []member
	e := v
	for e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	if !e.IsValid() {
		return nil
	}
	wraps := true
	if e.Kind() == reflect.Struct {
		for _, m := range p.members(addressable(e)) {
			if strings.HasSuffix(m.label, "()") && m.label == textMethod(e.Type())+"()" {
				continue // Error says what there is to say
			}
			if len(m.parts) == 1 && p.sameError(v, text, m.parts[0]) {
				continue
			}
			list = append(list, m)
			if len(m.parts) == 1 && m.parts[0].Type() == reflect.TypeFor[error]() && !m.parts[0].IsNil() {
				wraps = false // it is a field
			}
		}
	}
	if p.view != "" || !wraps {
		return list
	}
	var causes []error
	one := false
	p.guarded(func() {
		switch x := v.Interface().(type) {
		case interface{ Unwrap() error }:
			one = true
			if err := x.Unwrap(); err != nil {
				causes = []error{err}
			}
		case interface{ Unwrap() []error }:
			causes = x.Unwrap()
		}
	})
	m := member{label: "Unwrap()", many: !one}
	for i := range causes {
		m.parts = append(m.parts, reflect.ValueOf(&causes[i]).Elem())
	}
	if len(m.parts) > 0 {
		list = append(list, m)
	}
	return list
}
