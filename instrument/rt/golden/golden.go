// Package golden writes observed values as text that stays the same from run to
// run: a golden value is that text, kept beside a corpus entry.
//
// The text of a value depends on its content alone: not on addresses, map order,
// the size of int, or the version of Go. What counts as content is what a caller can
// see of a value, since it is to stay the same when code is refactored:
//
//   - Of a struct, the exported fields, those of embedded structs among them, in the
//     order of their names; the text of its String method, or else of MarshalText,
//     MarshalJSON or Format; and the results of its exported methods without parameters
//     that only return numbers, strings, bools, errors, times or lists of them, unless
//     the results are zero, or an error stands beside them. Such a method is taken if two
//     calls on a copy of the value have the same result, and what can be seen of the copy
//     stays the same. Methods whose name begins with a verb such as Close or Read are not
//     called. If there is nothing else, the text of GoString.
//   - If there is neither a field nor a text, as of a tree, its elements in the order of
//     its iteration, or else what its other methods without parameters lead to.
//   - Of an error, its text, exported fields and methods as above, and the errors it
//     wraps, or else the elements of a list or a map.
//   - Names of unexported types are not written, nor whether a pointer leads to a value of
//     such a type.
//   - Of a struct of the standard library, exported fields and text; all of its fields if
//     it has neither.
//   - Of a uintptr, which may be an address, only whether it is zero.
//
// A View asks for more or less. ViewAll is the content that package observe compares,
// unexported fields too, but that an Equal method is not asked.
//
// The package needs nothing but the standard library, because the text of this file,
// of seen.go, trial.go, format.go and log.go also goes into generated test files (package
// goldentest), with other names for what is declared at package level or imported: no
// field, method or local name may be one of these. What the two write is the same by
// construction. They are written in Go 1.18, as the user's module may be.
package golden

import (
	"encoding/hex"
	"hash/fnv"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Bounds on what is written. A string, a value or a list of values that is longer
// is cut, and its length and a hash of the whole stand for the rest.
const (
	maxString   = 1 << 10  // bytes of one string
	maxNumbers  = 1 << 10  // of a list of numbers
	maxLines    = 80       // of one value
	maxBytes    = 4 << 10  // of one value
	maxValues   = 32 << 10 // bytes of the values of one execution
	maxNodes    = 1 << 16  // values within a value; what lies beyond does not count
	maxNesting  = 1000     // pointers and interfaces one inside the other; likewise
	maxIndent   = 24       // levels; deeper ones are written in one line
	lineWidth   = 72       // bytes of a structure that is written in one line
	numbersLine = 16       // numbers in a line
)

// A View says how much of a value is written.
type View string

// The views. The zero View is what a caller can see.
const (
	ViewAll      View = "all"      // unexported fields, too, and the names of all types
	ViewExported View = "exported" // exported fields and the text of errors: no other method is called
	ViewString   View = "string"   // the text alone, of what has one
	ViewNone     View = "none"     // nothing
	ViewOpaque   View = "opaque"   // of a type: its text, or nothing
)

// A Renderer writes values. The zero Renderer is ready for use.
type Renderer struct {
	// Views are those of types, by import path and name: "example.com/p.T". They hold
	// for values of the type and what these lead to. A field or method of a type,
	// "example.com/p.T.Name", that has ViewNone is not written.
	Views map[string]View
	// Guard runs call, which calls a method of a value, and returns what it panicked
	// with, or nil. A call that is cut short counts as one that panics. Nil: only panics
	// are recovered.
	Guard func(call func()) (panicked any)
	// Times is how many times the usual bounds on lines and bytes of one value hold; 0: once.
	Times int
}

// Render writes what a caller can see of v.
func Render(v any) string { return new(Renderer).Write(v, "") }

// Write writes v: its dynamic type and its content, over as many lines as it takes.
func (r *Renderer) Write(v any, view View) string {
	p := printer{renderer: r, view: view, nodes: maxNodes, open: make(map[object]int), shared: new(common)}
	p.dynamic(reflect.ValueOf(v))
	s := string(p.out)
	mostLines, mostBytes := maxLines, maxBytes
	if r.Times > 0 {
		mostLines, mostBytes = maxLines*r.Times, maxBytes*r.Times
	}
	lines := strings.SplitN(s, "\n", mostLines+1)
	if len(lines) <= mostLines && len(s) <= mostBytes {
		return s
	}
	head := strings.Join(lines[:least(len(lines), mostLines)], "\n")
	if len(head) > mostBytes {
		head = head[:mostBytes] // of ASCII, but for names
		if i := strings.LastIndexByte(head, '\n'); i > mostBytes/2 {
			head = head[:i]
		}
	}
	return strings.ToValidUTF8(head, "") + "\n... cut: " + strconv.Itoa(strings.Count(s, "\n")+1) + " lines, " +
		strconv.Itoa(len(s)) + " bytes, hash " + hash(s)
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func hash(s string) string {
	h := fnv.New128a()
	h.Write([]byte(s))
	return digest(h.Sum(nil))
}

// digest is what is written of a hash.
func digest(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// object is what a pointer, map or slice refers to.
type object struct {
	at  uintptr
	typ reflect.Type
	len int
}

// A printer writes one value. All values it is given can be addressed and read,
// unexported fields too.
type printer struct {
	renderer *Renderer
	view     View
	out      []byte
	nodes    int            // that may still be visited
	open     map[object]int // from the root to what is being written: how deep
	depth    int
	indent   int
	flat     bool // in one line
	limit    int  // of out, if flat is an attempt: what is longer is not needed; 0: none
	owned    bool // what is written is a copy, whose methods may be called as it is
	shared   *common
}

func (p *printer) add(s string) { p.out = append(p.out, s...) }

// dynamic writes what an interface holds. That of an unexported type has no name.
func (p *printer) dynamic(v reflect.Value) {
	if !v.IsValid() {
		p.add("nil")
		return
	}
	if p.view != ViewAll && hidden(v.Type()) {
		if v.Kind() == reflect.Pointer {
			p.unnamed(v)
			return
		}
		if v = addressable(v); v.Kind() != reflect.Struct && p.view == "" {
			if m := p.textOf(v); m.label != "" && m.label != "Error()" {
				p.add("{" + m.label + ": " + m.plain + "}") // callers can't get at the rest
				return
			}
		}
		p.value(v)
		return
	}
	p.add(p.typeText(v.Type()) + " ")
	p.value(addressable(v))
}

// addressable returns v, or a copy of it, in a form that can be addressed.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func (p *printer) value(v reflect.Value) {
	if p.nodes--; p.nodes < 0 || p.depth > maxNesting {
		p.add("...")
		return
	}
	if p.tooLong() {
		return
	}
	outer := p.view
	s := p.shared.styleOf(v.Type())
	if w, ok := p.renderer.Views[s.viewKey]; ok {
		p.view = w
	}
	switch {
	case p.view == ViewNone:
		p.add("not observed")
	case !s.regular && p.special(v):
	case (p.view == ViewString || p.view == ViewOpaque) && p.onlyText(v):
	default:
		p.content(v, s)
		if s.annotated && p.view == "" {
			p.annotate(v)
		}
	}
	p.view = outer
}

// onlyText writes the text of a value, if it has one, and says whether there is no more to
// write.
func (p *printer) onlyText(v reflect.Value) bool {
	switch m := p.textOf(v); {
	case m.label != "":
		p.add(m.plain)
	case p.view == ViewOpaque:
		p.add("opaque")
	default:
		return false
	}
	return true
}

// content writes a value by its kind.
func (p *printer) content(v reflect.Value, s *style) {
	switch v.Kind() {
	case reflect.Bool:
		p.add(strconv.FormatBool(v.Bool()))
	case reflect.Float32, reflect.Float64:
		p.add(float(v.Float(), v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		c, bits := v.Complex(), v.Type().Bits()/2
		p.add("(" + float(real(c), bits) + ", " + float(imag(c), bits) + "i)")
	case reflect.String:
		p.text(v.String())
	case reflect.Struct:
		if p.view == ViewAll || s.bare {
			p.structure(v)
		} else {
			p.seen(v)
		}
	case reflect.Array:
		p.list(v, s)
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		p.reference(v, s)
	default:
		p.add(integer(v))
	}
}

// reference writes a value that can be nil.
func (p *printer) reference(v reflect.Value, s *style) {
	if v.IsNil() {
		p.add("nil")
		return
	}
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		p.add("not nil")
		return
	case reflect.Interface:
		p.depth++
		p.dynamic(v.Elem())
		p.depth--
		return
	}
	o := object{at: v.Pointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		if o.len = v.Len(); o.len == 0 || s.numeric {
			p.list(v, s)
			return
		}
	}
	if at, again := p.open[o]; again {
		p.add("cycle, " + strconv.Itoa(p.depth-at) + " up")
		return
	}
	p.open[o] = p.depth
	p.depth++
	switch v.Kind() {
	case reflect.Slice:
		p.list(v, s)
	case reflect.Map:
		p.mapping(v)
	default:
		p.add("&")
		p.value(v.Elem())
	}
	p.depth--
	delete(p.open, o)
}

func isNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 && !t.Implements(reflect.TypeFor[error]())
}

func integer(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.Kind() != reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case v.Uint() != 0:
		return "not 0"
	}
	return "0"
}

func float(f float64, bits int) string {
	if math.IsNaN(f) {
		return "NaN"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// text writes a string in ASCII, since what can be printed as it is depends on the
// version of Go. One of several lines is written in as many.
func (p *printer) text(s string) {
	cut := s[:least(len(s), maxString)]
	if p.flat || len(cut) <= lineWidth || strings.IndexByte(cut, '\n') < 0 {
		p.out = strconv.AppendQuoteToASCII(p.out, cut)
	} else {
		lines := strings.SplitAfter(cut, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		p.indent++
		for i, line := range lines {
			if p.newline(); i < len(lines)-1 {
				p.add(strconv.QuoteToASCII(line) + " +")
			} else {
				p.add(strconv.QuoteToASCII(line))
			}
		}
		p.indent--
	}
	if len(cut) < len(s) && !p.tooLong() {
		p.add("... " + strconv.Itoa(len(s)) + " bytes, hash " + hash(s))
	}
}

// newline begins a line of a block, or in flat text nothing.
func (p *printer) newline() {
	if p.flat {
		return
	}
	p.out = append(p.out, '\n')
	for i := 0; i < p.indent; i++ {
		p.out = append(p.out, '\t')
	}
}

// block writes members between two brackets: in one line if they fit, else each on
// its own. write writes the i-th member.
func (p *printer) block(before, after string, n int, write func(i int)) {
	if n == 0 {
		p.add(before)
		p.add(after)
		return
	}
	if !p.flat && p.inOneLine(before, after, n, write) {
		return
	}
	flat := p.flat
	p.flat = flat || p.indent >= maxIndent
	p.add(before)
	p.indent++
	for i := 0; i < n; i++ {
		if p.flat && i > 0 {
			p.add(", ")
		}
		p.newline()
		write(i)
	}
	p.indent--
	p.newline()
	p.add(after)
	p.flat = flat
}

// inOneLine tries block in one line. It leaves no trace unless that succeeds.
func (p *printer) inOneLine(before, after string, n int, write func(i int)) bool {
	begin, nodes := len(p.out), p.nodes
	p.flat, p.limit = true, begin+lineWidth
	p.block(before, after, n, write)
	p.flat, p.limit = false, 0
	if len(p.out) <= begin+lineWidth && p.nodes >= 0 {
		return true
	}
	p.out, p.nodes = p.out[:begin], nodes
	return false
}

func (p *printer) structure(v reflect.Value) {
	of := p.shared.styleOf(v.Type()).message
	var fields []int
	for i := 0; i < v.NumField(); i++ {
		if f := v.Type().Field(i); f.Name != "_" && !ignored(f.Type) && !(of && !IsMessageField(f.Name)) {
			fields = append(fields, i)
		}
	}
	p.block("{", "}", len(fields), func(i int) {
		f := v.Field(fields[i])
		p.add(v.Type().Field(fields[i]).Name + ": ")
		p.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // readable, exported or not
	})
}

func (p *printer) list(v reflect.Value, s *style) {
	n := v.Len()
	switch {
	case s.numeric && v.Type().Elem().Kind() == reflect.Uint8:
		p.text(string(v.Bytes()))
	case s.numeric:
		p.numbers(v)
	default:
		p.block("[", "]", n, func(i int) { p.value(v.Index(i)) })
	}
}

// numbers writes a list of numbers, many to a line. There may be millions of them, and their texts are not kept.
func (p *printer) numbers(v reflect.Value) {
	n := v.Len()
	shown := make([]string, 0, least(n, maxNumbers))
	q := printer{renderer: p.renderer, view: p.view, nodes: math.MaxInt, flat: true, shared: p.shared}
	for i := 0; i < cap(shown); i++ {
		q.out = q.out[:0]
		q.value(v.Index(i))
		shown = append(shown, string(q.out))
	}
	if p.block("[", "]", (len(shown)+numbersLine-1)/numbersLine, func(i int) {
		p.add(strings.Join(shown[i*numbersLine:least((i+1)*numbersLine, len(shown))], ", "))
	}); len(shown) == n || p.tooLong() {
		return
	}
	sum := fnv.New128a()
	sum.Write([]byte(strings.Join(shown, " ")))
	plain := q.plainInteger(v.Type().Elem())
	for i := len(shown); i < n; {
		q.out = q.out[:0]
		for ; i < n && len(q.out) < maxBytes; i++ {
			switch q.out = append(q.out, ' '); {
			case !plain:
				q.value(v.Index(i))
			case v.Index(i).CanInt():
				q.out = strconv.AppendInt(q.out, v.Index(i).Int(), 10)
			default:
				q.out = strconv.AppendUint(q.out, v.Index(i).Uint(), 10)
			}
		}
		sum.Write(q.out)
	}
	p.add("... " + strconv.Itoa(n) + " numbers, hash " + digest(sum.Sum(nil)))
}

// plainInteger says whether value writes all values of a type as their decimal digits. To find that out for each
// takes much longer than to write one.
func (p *printer) plainInteger(t reflect.Type) bool {
	if t.Kind() < reflect.Int || t.Kind() > reflect.Uint64 || p.view != "" && p.view != ViewAll && p.view != ViewExported {
		return false
	}
	s := p.shared.styleOf(t)
	_, asked := p.renderer.Views[s.viewKey]
	return s.regular && !asked && (!s.annotated || p.view != "")
}

// tooLong says whether an attempt to write in one line has failed. Nothing more is needed then.
func (p *printer) tooLong() bool { return p.limit > 0 && len(p.out) > p.limit }

// mapping writes a map's entries in the order of the texts of their keys, and where
// these are alike, of their values.
func (p *printer) mapping(v reflect.Value) {
	type entry struct {
		number     float64 // of a key that is one
		key, value string
	}
	var entries []entry
	share := p.nodes / (2*v.Len() + 1) // so that the order in which entries come does not matter
	for iter := v.MapRange(); iter.Next(); {
		e := entry{key: p.part(iter.Key(), share, true), value: p.part(iter.Value(), share, p.flat || p.indent >= maxIndent)}
		e.number, _ = strconv.ParseFloat(e.key, 64)
		entries = append(entries, e)
		if p.limit > 0 && len(entries) > lineWidth {
			break // too long for a line in any case
		}
	}
	sort.Slice(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		switch {
		case a.number < b.number || a.number > b.number:
			return a.number < b.number
		case a.key != b.key:
			return a.key < b.key
		}
		return a.value < b.value
	})
	p.nodes -= least(p.nodes, 2*v.Len())
	p.block("map{", "}", len(entries), func(i int) {
		value := entries[i].value
		if p.limit > 0 && strings.Contains(value, "\n") {
			value = strings.Repeat(" ", lineWidth) // not in one line, then
		}
		p.add(entries[i].key + ": " + value)
	})
}

// part writes a part of a map apart from the rest.
func (p *printer) part(v reflect.Value, nodes int, flat bool) string {
	q := *p
	q.out, q.nodes, q.indent, q.flat, q.limit = nil, nodes, p.indent+1, flat, 0
	if p.limit > 0 {
		q.limit = lineWidth
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	q.value(c)
	return string(q.out)
}

// ignored says whether values of a type are not behavior.
func ignored(t reflect.Type) bool {
	switch t.PkgPath() {
	case "sync", "sync/atomic", "internal/sync", "internal/race", "internal/abi":
		return t.Name() != "Map"
	}
	return false
}

// location is the text of a place: its name, and where the name says nothing of it, how far from
// UTC its clocks are in winter and, if that is something else, in summer.
func location(l *time.Location) string {
	name := l.String()
	text := "location " + strconv.QuoteToASCII(name)
	if name == "UTC" || name == "Local" || strings.Contains(name, "/") {
		return text // of the system, or of the database of zones
	}
	january, july := offset(l, time.January), offset(l, time.July)
	if text += " " + january; july != january {
		text += " " + july
	}
	return text
}

// offset is how far from UTC the clocks of a place are in a month.
func offset(l *time.Location, m time.Month) string {
	return time.Date(2020, m, 1, 0, 0, 0, 0, l).Format("-07:00:00")
}

// special writes values of the types that are not written by their structure.
func (p *printer) special(v reflect.Value) bool {
	t := v.Type()
	if ignored(t) {
		p.add("ignored")
		return true
	}
	if t.Kind() == reflect.Interface {
		return false
	}
	if t.Implements(reflect.TypeFor[error]()) {
		p.failure(v)
		return true
	}
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		p.add(x.UTC().Format(time.RFC3339Nano))
	case *time.Location:
		p.add(location(x))
	case *reflect.Value:
		p.reflected(*x)
	case interface{ Range(f func(k, v any) bool) }:
		if t.PkgPath() != "sync" && t.PkgPath() != "internal/sync" {
			return false
		}
		m := make(map[any]any)
		x.Range(func(k, v any) bool { m[k] = v; return true })
		p.value(reflect.ValueOf(&m).Elem())
	case interface{ Text(base int) string }: // *big.Int, whose words depend on the machine
		if t.PkgPath() != "math/big" {
			return false
		}
		p.add(x.Text(10))
	case interface {
		Text(format byte, prec int) string
	}: // *big.Float
		if t.PkgPath() != "math/big" {
			return false
		}
		p.add(x.Text('p', 0))
	default:
		if t.Kind() != reflect.Pointer || v.IsNil() {
			return false
		}
		rt, ok := v.Interface().(reflect.Type)
		if !ok {
			return false
		}
		p.add("type " + p.typeText(rt))
	}
	return true
}

// reflected writes what a reflect.Value holds.
func (p *printer) reflected(v reflect.Value) {
	switch {
	case !v.IsValid():
		p.add("nil")
	case v.CanInterface():
		p.dynamic(reflect.ValueOf(v.Interface()))
	case v.CanAddr():
		p.dynamic(reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem())
	default:
		p.add("type " + p.typeText(v.Type()))
	}
}
