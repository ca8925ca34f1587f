package observe

import (
	"math"
	"reflect"
	"unsafe"
)

// Each kind of content starts its hash with its own mark.
const (
	markNil = iota + 0x51ed270b
	markString
	markBulk
	markList
	markStruct
	markMap
	markPointer
	markInterface
	markPresent
	markIgnored
	markError
	markTime
	markTypeName
	markTruncated
	markDeep
	markCycle
	markSeen
	markPanic
	markNumber
	markHidden
	markUnsorted
)

// maxDepth bounds the pointers and interfaces that are followed one inside the
// other, and so the walker's stack: about 10 MB.
const maxDepth = 10_000

// A walker computes hashes, and trees if asked to. Both come from the same walk, so
// equal hashes and equal trees can't fall apart.
type walker struct {
	opts    *Options
	planner planner
	plans   map[unsafe.Pointer]*plan // by the type word of an interface

	build        bool
	nodes, bytes int    // what may still be visited
	count        uint64 // values visited so far, those that a remembered pointer leads to included
	depth        int
	truncated    bool
	sawSoft      bool
	isolated     int // the number of map keys around
	entriesLeft  int // of maps, that may still be walked in isolation
	track        tracker
	entries      []mapEntry // a stack: maps lie within maps
	hide         *mask      // fields that do not count in this walk; nil: all do
	hidden       map[hiddenIn][]hiding
	anyOrder     bool // the list that comes next counts in any order
}

func newWalker(opts *Options) *walker {
	return &walker{
		opts:   opts,
		plans:  make(map[unsafe.Pointer]*plan),
		hidden: make(map[hiddenIn][]hiding),
		planner: planner{
			compare: opts.Compare,
			ignored: opts.Ignored,
			byType:  make(map[reflect.Type]*plan),
			open:    make(map[*plan]bool),
		},
	}
}

// root walks v and returns its hash and, if build, its tree.
func (w *walker) root(v any, build bool) (uint64, *node) {
	w.build = build
	w.nodes, w.bytes = w.opts.MaxNodes, w.opts.MaxBytes
	w.count, w.depth, w.isolated, w.entriesLeft = 0, 0, 0, isolatedEntries
	w.truncated, w.sawSoft = false, false
	w.anyOrder = w.hide != nil && w.hide.fields[AnyOrder] && leadsToList(v)
	h, n := w.dynamic(v)
	w.anyOrder = false
	w.track.reset()
	return h, n
}

// words is the memory of an interface value.
type words struct {
	typ, data unsafe.Pointer
}

// dynamic walks what an interface holds.
func (w *walker) dynamic(v any) (uint64, *node) {
	if v == nil {
		return w.leaf(nil, kindNil, mix(markNil, 0))
	}
	word := *(*words)(unsafe.Pointer(&v))
	p := w.plans[word.typ]
	if p == nil {
		p = w.planner.of(reflect.TypeOf(v))
		w.plans[word.typ] = p
	}
	var h uint64
	var n *node
	switch {
	case p.equal != nil && p.boxed == boxedDirectly:
		// Rare enough for a copy.
		h, n = w.value(p, copyOf(p, v))
	case p.shape == shapePointer:
		h, n = w.pointer(p, word.data)
	case p.shape == shapeMap:
		h, n = w.mapping(p, reflect.ValueOf(v))
	case p.shape == shapeOpaque:
		h, n = w.opaque(p, word.data == nil)
	case p.shape == shapeError:
		var held unsafe.Pointer
		if p.beside != nil {
			if held = word.data; p.boxed == boxedSomehow {
				held = copyOf(p, v)
			}
		}
		h, n = w.err(p, v.(error), p.boxed == boxedDirectly && word.data == nil, held)
	case p.shape == shapeReflectType:
		h, n = w.typeName(p, v)
	case p.boxed == boxedByPointer:
		h, n = w.value(p, word.data)
	default:
		h, n = w.value(p, copyOf(p, v))
	}
	h = mix(mix(markInterface, p.id), h)
	if w.build {
		n = w.parent(p, kindInterface, h, []*node{n})
	}
	return h, n
}

// copyOf returns the address of a copy of v.
func copyOf(p *plan, v any) unsafe.Pointer {
	c := reflect.New(p.typ)
	c.Elem().Set(reflect.ValueOf(v))
	return c.UnsafePointer()
}

// value walks the value of type p at ptr.
func (w *walker) value(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	if w.nodes <= 0 {
		w.truncated = true
		return w.leaf(p, kindTruncated, mix(markTruncated, 0))
	}
	w.nodes--
	w.count++
	h, n := w.content(p, ptr)
	if p.equal != nil {
		w.sawSoft = true
		if w.build {
			n = keep(p, n, ptr)
		}
	}
	return h, n
}

// keep returns n with a copy of the value at ptr, for later comparison.
func keep(p *plan, n *node, ptr unsafe.Pointer) *node {
	c := reflect.New(p.typ).Elem()
	c.Set(reflect.NewAt(p.typ, ptr).Elem())
	own := *n // n may be shared: a remembered pointer's
	own.p, own.value, own.soft = p, &c, true
	return &own
}

func (w *walker) content(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	if w.anyOrder {
		switch p.shape {
		case shapePointer, shapeInterface: // it leads there
		case shapeSlice, shapeArray, shapeBulk, shapeRow:
			w.anyOrder = false
			return w.unsorted(p, ptr)
		default:
			w.anyOrder = false // of what is in there, nothing is known
		}
	}
	switch p.shape {
	case shapeBool, shapeInt, shapeUint, shapeFloat:
		return w.number(p, scalar(p, ptr))
	case shapeComplex:
		return w.complex(p, ptr)
	case shapeString:
		return w.text(p, kindString, markString, *(*string)(ptr))
	case shapeBulk:
		return w.bulk(p, (*sliceHeader)(ptr))
	case shapeRow:
		return w.row(p, ptr)
	case shapeSlice:
		return w.slice(p, (*sliceHeader)(ptr))
	case shapeArray:
		return w.list(p, ptr, p.length)
	case shapeStruct:
		return w.structure(p, ptr)
	case shapeMap:
		return w.mapping(p, reflect.NewAt(p.typ, ptr).Elem())
	case shapePointer:
		return w.pointer(p, *(*unsafe.Pointer)(ptr))
	case shapeInterface:
		return w.deeper(p, func() (uint64, *node) { return w.dynamic(load(p, ptr)) })
	case shapeOpaque:
		return w.opaque(p, *(*unsafe.Pointer)(ptr) == nil)
	case shapeIgnored:
		return w.leaf(p, kindIgnored, mix(markIgnored, 0))
	case shapeError:
		return w.errorAt(p, ptr)
	case shapeTime:
		return w.time(p, ptr)
	case shapeReflectType:
		return w.typeName(p, reflect.NewAt(p.typ, ptr).Elem().Interface())
	case shapeReflectValue:
		return w.reflected(p, *(*reflect.Value)(ptr))
	default: // shapeSyncMap
		return w.syncMap(p, ptr)
	}
}

// load returns the interface value at ptr as an any.
func load(p *plan, ptr unsafe.Pointer) any {
	if p.methods {
		return *(*interface{ M() })(ptr)
	}
	return *(*any)(ptr)
}

// deeper runs f one level down, unless that is too deep.
func (w *walker) deeper(p *plan, f func() (uint64, *node)) (uint64, *node) {
	if w.depth >= maxDepth {
		w.truncated = true
		return w.leaf(p, kindTruncated, mix(markDeep, 0))
	}
	w.depth++
	h, n := f()
	w.depth--
	return h, n
}

// scalar returns the number at ptr as 64 bits. All NaNs are one.
func scalar(p *plan, ptr unsafe.Pointer) uint64 {
	switch p.shape {
	case shapeBool:
		if *(*bool)(ptr) {
			return 1
		}
		return 0
	case shapeFloat:
		if p.bits == 32 {
			return floatBits(float64(*(*float32)(ptr)))
		}
		return floatBits(*(*float64)(ptr))
	}
	signed := p.shape == shapeInt
	switch p.bits {
	case 8:
		if signed {
			return uint64(*(*int8)(ptr))
		}
		return uint64(*(*uint8)(ptr))
	case 16:
		if signed {
			return uint64(*(*int16)(ptr))
		}
		return uint64(*(*uint16)(ptr))
	case 32:
		if signed {
			return uint64(*(*int32)(ptr))
		}
		return uint64(*(*uint32)(ptr))
	}
	return *(*uint64)(ptr)
}

func floatBits(f float64) uint64 {
	if f != f {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

func (w *walker) number(p *plan, bits uint64) (uint64, *node) {
	h := mix(markNumber, bits)
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kindNumber, hash: h, bits: bits}
}

func (w *walker) complex(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	var c complex128
	if p.bits == 64 {
		c = complex128(*(*complex64)(ptr))
	} else {
		c = *(*complex128)(ptr)
	}
	re, im := floatBits(real(c)), floatBits(imag(c))
	h := mix(mix(markNumber, re), im)
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kindNumber, hash: h, bits: re, imag: im}
}

// text walks a string, as far as the budget goes.
func (w *walker) text(p *plan, kind nodeKind, mark uint64, s string) (uint64, *node) {
	full := len(s)
	cut := w.spend(full)
	h := mix(mix(mark, uint64(full)), hashString(s[:cut]))
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kind, hash: h, bits: uint64(full), text: string([]byte(s[:cut]))}
}

// spend takes n bytes from the budget and returns how many there were.
func (w *walker) spend(n int) int {
	if n > w.bytes {
		n, w.truncated = w.bytes, true
	}
	w.bytes -= n
	return n
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// bulk walks a slice of integers as the memory it is.
func (w *walker) bulk(p *plan, s *sliceHeader) (uint64, *node) {
	if s.data == nil {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	size := s.len * int(p.elem.bits/8)
	return w.text(p, kindBulk, markBulk, unsafe.String((*byte)(s.data), size))
}

// row walks an array of integers as the memory it is.
func (w *walker) row(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	return w.text(p, kindBulk, markBulk, unsafe.String((*byte)(ptr), int(p.typ.Size())))
}

func (w *walker) slice(p *plan, s *sliceHeader) (uint64, *node) {
	if s.data == nil {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	if !p.cyclic || s.len == 0 {
		return w.list(p, s.data, s.len)
	}
	data, length := s.data, s.len
	return w.tracked(p, data, length, func() (uint64, *node) { return w.list(p, data, length) })
}

// list walks n elements from base.
func (w *walker) list(p *plan, base unsafe.Pointer, n int) (uint64, *node) {
	h := mix(markList, uint64(n))
	size := p.elem.typ.Size()
	var kids []*node
	for i := range n {
		kh, kn := w.value(p.elem, unsafe.Add(base, uintptr(i)*size))
		h = mix(h, kh)
		if w.build {
			kids = append(kids, kn)
		}
		if w.nodes <= 0 {
			break // the mark of truncation, if any more follow, is n
		}
	}
	if !w.build {
		return h, nil
	}
	nd := w.parent(p, kindList, h, kids)
	nd.bits = uint64(n)
	return h, nd
}

func (w *walker) structure(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	h := uint64(markStruct)
	var kids []*node
	if w.build {
		kids = make([]*node, 0, len(p.fields))
	}
	var hide []hiding
	if w.hide != nil {
		hide = w.hiddenOf(p)
	}
	for i := range p.fields {
		f := &p.fields[i]
		var kh uint64
		var kn *node
		if hide != nil && hide[i] == doesNot {
			kh, kn = w.leaf(f.plan, kindHidden, mix(markHidden, 0))
		} else {
			w.anyOrder = hide != nil && hide[i] == inAnyOrder
			kh, kn = w.value(f.plan, unsafe.Add(ptr, f.offset))
			w.anyOrder = false
		}
		h = mix(h, kh)
		if w.build {
			kids = append(kids, kn)
		}
	}
	if !w.build {
		return h, nil
	}
	return h, w.parent(p, kindStruct, h, kids)
}

func (w *walker) pointer(p *plan, to unsafe.Pointer) (uint64, *node) {
	if to == nil {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	if !p.cyclic {
		return w.target(p, to)
	}
	return w.tracked(p, to, 1, func() (uint64, *node) { return w.target(p, to) })
}

func (w *walker) target(p *plan, to unsafe.Pointer) (uint64, *node) {
	h, n := w.value(p.elem, to)
	h = mix(markPointer, h)
	if !w.build {
		return h, nil
	}
	return h, w.parent(p, kindPointer, h, []*node{n})
}

func (w *walker) opaque(p *plan, isNil bool) (uint64, *node) {
	if isNil {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	return w.leaf(p, kindPresent, mix(markPresent, 0))
}

func (w *walker) leaf(p *plan, kind nodeKind, h uint64) (uint64, *node) {
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kind, hash: h}
}

func (w *walker) parent(p *plan, kind nodeKind, h uint64, kids []*node) *node {
	n := &node{p: p, kind: kind, hash: h, kids: kids}
	for _, k := range kids {
		n.soft = n.soft || k.soft
	}
	return n
}
