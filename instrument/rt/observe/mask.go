package observe

import (
	"reflect"
	"unsafe"
)

// A mask names fields of structs that do not count in a value, by [fieldKey], or whose
// order does not, with AnyOrder after it. It does not change: a recording knows by it how its
// hashes were made.
type mask struct {
	fields map[string]bool
}

// with returns a mask that hides one field more; m may be nil.
func (m *mask) with(field string) *mask {
	more := &mask{fields: map[string]bool{field: true}}
	if m != nil {
		for f := range m.fields {
			more.fields[f] = true
		}
	}
	return more
}

// list returns the fields, sorted.
func (m *mask) list() []string {
	if m == nil {
		return nil
	}
	list := make([]string, 0, len(m.fields))
	for f := range m.fields {
		list = append(list, f)
	}
	mergeSort(list, make([]string, len(list)), func(a, b *string) bool { return *a < *b })
	return list
}

// fieldKey names a field of a struct type: "example.com/p.T.Name". Type arguments do not
// count. Views of golden texts have the same keys: see golden.TypeKey.
func fieldKey(t reflect.Type, name string) string {
	typ := t.Name()
	for i := range len(typ) {
		if typ[i] == '[' {
			typ = typ[:i]
			break
		}
	}
	return t.PkgPath() + "." + typ + "." + name
}

// AnyOrder after a field says that the elements of its list count in any order; alone, those
// of the value itself.
const AnyOrder = "[]"

// A hiding is what a mask does to a field.
type hiding uint8

const (
	counts hiding = iota
	doesNot
	inAnyOrder
)

// hiddenIn is a struct type under a mask.
type hiddenIn struct {
	mask *mask
	plan *plan
}

// hiddenOf says what the mask of this walk does to the fields of a struct; nil: nothing.
func (w *walker) hiddenOf(p *plan) []hiding {
	key := hiddenIn{w.hide, p}
	list, known := w.hidden[key]
	if known {
		return list
	}
	for i := range p.fields {
		how, field := counts, fieldKey(p.typ, p.fields[i].name)
		switch {
		case w.hide.fields[field]:
			how = doesNot
		case w.hide.fields[field+AnyOrder]:
			how = inAnyOrder
		default:
			continue
		}
		if list == nil {
			list = make([]hiding, len(p.fields))
		}
		list[i] = how
	}
	w.hidden[key] = list
	return list
}

// leadsToList says whether a value is a list, or a pointer to something.
func leadsToList(v any) bool {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return true
	}
	return false
}

// unsorted walks a list whose elements count in any order.
func (w *walker) unsorted(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	base, n := ptr, p.length
	switch p.shape {
	case shapeSlice, shapeBulk:
		s := (*sliceHeader)(ptr)
		if base, n = s.data, s.len; base == nil {
			return w.leaf(p, kindNil, mix(markNil, 0))
		}
	case shapeRow:
		n = p.typ.Len()
	}
	sum, size := uint64(0), p.elem.typ.Size()
	var kids []*node
	for i := 0; i < n && w.nodes > 0; i++ {
		kh, kn := w.value(p.elem, unsafe.Add(base, uintptr(i)*size))
		sum += mix(markUnsorted, kh)
		if w.build {
			kids = append(kids, kn)
		}
	}
	h := mix(mix(markUnsorted, uint64(n)), sum)
	if !w.build {
		return h, nil
	}
	mergeSort(kids, make([]*node, len(kids)), func(a, b **node) bool { return (*a).hash < (*b).hash })
	nd := w.parent(p, kindList, h, kids)
	nd.bits = uint64(n)
	return h, nd
}

// sameElements says whether two lists have the same elements, in whatever order.
func sameElements(a, b *node) bool {
	if a.bits != b.bits || len(a.text) != len(b.text) || len(a.kids) != len(b.kids) {
		return false
	}
	left := make(map[uint64]int)
	each := func(n *node, do func(h uint64)) {
		for _, k := range n.kids {
			do(k.hash)
		}
		if n.kind == kindBulk {
			for i := 0; i < len(n.text); i += int(n.p.elem.bits / 8) {
				do(numberAt(n, i).bits)
			}
		}
	}
	each(a, func(h uint64) { left[h]++ })
	each(b, func(h uint64) {
		if left[h]--; left[h] == 0 {
			delete(left, h)
		}
	})
	return len(left) == 0
}
