// Package golden writes observed values as text that stays the same from run to
// run: a golden value is that text, kept beside a corpus entry.
//
// The text of a value depends on its content alone: not on addresses, map order,
// the size of int, or the version of Go. What counts as content is what package
// observe compares, with these exceptions: an Equal method is not asked, since there
// is no second value to hold against the first, and of a uintptr, which may be an
// address, only whether it is zero counts.
//
// The package needs nothing but the standard library, because the text of this file, of
// format.go and of log.go also goes into generated test files (package goldentest), with other
// names for what is declared at package level or imported: no field, method or local
// name may be one of these. What the two write is the same by construction. They are
// written in Go 1.18, as the user's module may be.
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

// Render writes v: its dynamic type and its content, over as many lines as it takes.
func Render(v any) string {
	p := printer{nodes: maxNodes, open: make(map[object]int)}
	p.dynamic(reflect.ValueOf(v))
	s := string(p.out)
	lines := strings.SplitN(s, "\n", maxLines+1)
	if len(lines) <= maxLines && len(s) <= maxBytes {
		return s
	}
	head := strings.Join(lines[:least(len(lines), maxLines)], "\n")
	if len(head) > maxBytes {
		head = head[:maxBytes] // of ASCII, but for names
		if i := strings.LastIndexByte(head, '\n'); i > maxBytes/2 {
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
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// object is what a pointer, map or slice refers to.
type object struct {
	at  uintptr
	typ reflect.Type
	len int
}

// A printer writes one value. All values it is given can be addressed and read,
// unexported fields too.
type printer struct {
	out    []byte
	nodes  int            // that may still be visited
	open   map[object]int // on the way from the root to what is being written: how deep
	depth  int
	indent int
	flat   bool // in one line
	limit  int  // of out, if flat is an attempt: what is longer is not needed; 0: none
}

func (p *printer) add(s string) { p.out = append(p.out, s...) }

// dynamic writes what an interface holds.
func (p *printer) dynamic(v reflect.Value) {
	if !v.IsValid() {
		p.add("nil")
		return
	}
	p.add(v.Type().String() + " ")
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
	if p.limit > 0 && len(p.out) > p.limit || p.special(v) {
		return
	}
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
		p.structure(v)
	case reflect.Array:
		p.list(v)
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		p.reference(v)
	default:
		p.add(integer(v))
	}
}

// reference writes a value that can be nil.
func (p *printer) reference(v reflect.Value) {
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
		if o.len = v.Len(); o.len == 0 || isNumber(v.Type().Elem()) {
			p.list(v)
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
		p.list(v)
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
	lines := strings.SplitAfter(cut, "\n")
	if p.flat || len(lines) < 2 || len(cut) <= lineWidth {
		p.add(strconv.QuoteToASCII(cut))
	} else {
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
	if len(cut) < len(s) {
		p.add("... " + strconv.Itoa(len(s)) + " bytes, hash " + hash(s))
	}
}

// newline begins a line of a block, or in flat text nothing.
func (p *printer) newline() {
	if !p.flat {
		p.out = append(append(p.out, '\n'), strings.Repeat("\t", p.indent)...)
	}
}

// block writes members between two brackets: in one line if they fit, else each on
// its own. write writes the i-th member.
func (p *printer) block(before, after string, n int, write func(i int)) {
	if n == 0 {
		p.add(before + after)
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
	var fields []int
	for i := 0; i < v.NumField(); i++ {
		if f := v.Type().Field(i); f.Name != "_" && !ignored(f.Type) {
			fields = append(fields, i)
		}
	}
	p.block("{", "}", len(fields), func(i int) {
		f := v.Field(fields[i])
		p.add(v.Type().Field(fields[i]).Name + ": ")
		p.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // readable, exported or not
	})
}

func (p *printer) list(v reflect.Value) {
	n := v.Len()
	switch {
	case v.Type().Elem().Kind() == reflect.Uint8 && isNumber(v.Type().Elem()):
		p.text(string(v.Bytes()))
	case isNumber(v.Type().Elem()):
		p.numbers(v)
	default:
		p.block("[", "]", n, func(i int) { p.value(v.Index(i)) })
	}
}

// numbers writes a list of numbers, many to a line.
func (p *printer) numbers(v reflect.Value) {
	var all []string
	q := printer{nodes: math.MaxInt}
	for i := 0; i < v.Len(); i++ {
		q.out = q.out[:0]
		q.value(v.Index(i))
		all = append(all, string(q.out))
	}
	shown := all[:least(len(all), maxNumbers)]
	if p.block("[", "]", (len(shown)+numbersLine-1)/numbersLine, func(i int) {
		p.add(strings.Join(shown[i*numbersLine:least((i+1)*numbersLine, len(shown))], ", "))
	}); len(shown) < len(all) {
		p.add("... " + strconv.Itoa(len(all)) + " numbers, hash " + hash(strings.Join(all, " ")))
	}
}

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
	q := printer{nodes: nodes, open: p.open, depth: p.depth, indent: p.indent + 1, flat: flat}
	if p.limit > 0 {
		q.limit = lineWidth
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	q.value(c)
	return string(q.out)
}

// ignored says whether values of a type are not behaviour.
func ignored(t reflect.Type) bool {
	switch t.PkgPath() {
	case "sync", "sync/atomic", "internal/sync", "internal/race", "internal/abi":
		return t.Name() != "Map"
	}
	return false
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
		p.add("location " + strconv.QuoteToASCII(x.String()))
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
		p.add("type " + rt.String())
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
		p.add("type " + v.Type().String())
	}
}

// failure writes an error: its text.
func (p *printer) failure(v reflect.Value) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		p.add("nil")
		return
	}
	begin := len(p.out)
	defer func() {
		if r := recover(); r != nil {
			p.out = p.out[:begin]
			p.add("panic in Error: ")
			switch r := r.(type) {
			case string:
				p.text(r)
			default:
				p.add(reflect.TypeOf(r).String())
			}
		}
	}()
	s := v.Interface().(error).Error()
	p.add("error ")
	p.text(s)
}
