package derive

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// header is what a slice is in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// text makes a text of a string type.
func (d *deriver) text(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "min", "max", "oneof", "utf8")
	if err != nil {
		return err
	}
	if tg.oneof != nil {
		return d.oneof(p, tg, s)
	}
	p.typ.Kind, p.text, p.exact = term.Text, true, !tg.utf8
	if err := d.lengths(p.typ, tg, s); err != nil {
		return err
	}
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		text := x.Text
		if tg.utf8 {
			text = valid(text)
		}
		*(*string)(dst) = text
	}
	p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
		text := *(*string)(src)
		if tg.utf8 && !utf8.ValidString(text) {
			return nil, bound("is %q, which is not valid UTF-8", text)
		}
		return &term.Term{Type: p.typ, Text: strings.Clone(text)}, nil
	}
	return nil
}

// valid puts a question mark in place of each byte that is no UTF-8, so that lengths
// stay what they are.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			b = append(b, '?')
		} else {
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return string(b)
}

// plainBytes reports whether elements of type t, with a tag, are just bytes.
func (d *deriver) plainBytes(t reflect.Type, tag string) bool {
	_, rep := d.reg.rep(t)
	return t.Kind() == reflect.Uint8 && tag == "" && !rep && d.reg.values[t] == nil &&
		d.generator(t) == nil && d.mutator(t) == nil
}

// array makes a product, and a text of bytes.
func (d *deriver) array(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "elem")
	if err != nil {
		return err
	}
	elem, n := p.rtype.Elem(), p.rtype.Len()
	if d.plainBytes(elem, tg.elem) {
		t := p.typ
		t.Kind, t.MinLen, t.MaxLen, t.Numeric = term.Text, n, n, elem.PkgPath() != ""
		p.text, p.exact = true, true
		p.set = func(dst unsafe.Pointer, x *term.Term) { copy(unsafe.Slice((*byte)(dst), n), x.Text) }
		p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
			return &term.Term{Type: t, Text: string(unsafe.Slice((*byte)(src), n))}, nil
		}
		return nil
	}
	if n > term.MaxNodes {
		return d.fail(s, "", "has %d elements, but a value can have only %d parts", n, term.MaxNodes)
	}
	e, err := d.plan(elem, tg.elem, s.to("[]"))
	if err != nil {
		return err
	}
	fields := make([]field, n)
	for i := range fields {
		fields[i] = field{fmt.Sprintf("[%d]", i), uintptr(i) * elem.Size(), e}
	}
	p.product(fields)
	return nil
}

// slice makes a list, and a text of bytes.
func (d *deriver) slice(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "nonnil", "min", "max", "elem")
	if err != nil {
		return err
	}
	t := p.typ
	t.Kind, t.Nilable = term.List, !tg.nonnil
	if err := d.lengths(t, tg, s); err != nil {
		return err
	}
	elem := p.rtype.Elem()
	if d.plainBytes(elem, tg.elem) {
		t.Kind, t.Numeric = term.Text, elem.PkgPath() != ""
		p.text = true
		p.set = func(dst unsafe.Pointer, x *term.Term) {
			if x.Text != "" || x.Bits != 0 || !t.Nilable {
				*(*[]byte)(dst) = []byte(x.Text)
			}
		}
		p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
			b := *(*[]byte)(src)
			return &term.Term{Type: t, Text: string(b), Bits: t.Present(b != nil)}, nil
		}
		return nil
	}
	e, err := d.plan(elem, tg.elem, s.to("[]"))
	if err != nil {
		return err
	}
	t.Elem = e.typ
	d.elements(p, e, elem)
	return nil
}

// elements carries slices over.
func (d *deriver) elements(p, e *plan, elem reflect.Type) {
	t, size := p.typ, elem.Size()
	p.elem = row(e)
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		n := len(x.Kids)
		if n == 0 && x.Bits == 0 && t.Nilable {
			return
		}
		data := p.elem.make(n)
		for i, k := range x.Kids {
			e.set(unsafe.Add(data, uintptr(i)*size), k)
		}
		*(*header)(dst) = header{data, n, n}
	}
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) {
		h := (*header)(src)
		if depth == 0 && h.len > 0 {
			return nil, errDeep
		}
		x := &term.Term{Type: t, Kids: make([]*term.Term, h.len)}
		for i := range x.Kids {
			var err error
			if x.Kids[i], err = e.get(unsafe.Add(h.data, uintptr(i)*size), depth-1); err != nil {
				return nil, under(fmt.Sprintf("[%d]", i), err)
			}
		}
		if h.len == 0 {
			x.Bits = t.Present(h.data != nil)
		}
		return x, nil
	}
}

// row are elements, one after the other.
func row(e *plan) elsewhere {
	if numbers := e.numbers(); numbers != nil {
		return elsewhere{e, numbers}
	}
	slice := reflect.SliceOf(e.rtype)
	return elsewhere{e, func(n int) unsafe.Pointer { return reflect.MakeSlice(slice, n, n).UnsafePointer() }}
}

// numbers makes memory for elements that are all in their bits. It is nil for others: reflect, which makes
// theirs, allocates twice.
func (p *plan) numbers() func(n int) unsafe.Pointer {
	switch p.store {
	case term.Stored8:
		return func(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]uint8, n))) }
	case term.Stored16:
		return func(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]uint16, n))) }
	case term.Stored32, term.StoredFloat32:
		return func(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]uint32, n))) }
	case term.Stored64:
		return func(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]uint64, n))) }
	}
	return nil
}

// mapping makes a set of pairs.
func (d *deriver) mapping(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "nonnil", "max", "elem", "key")
	if err != nil {
		return err
	}
	t := p.typ
	t.Kind, t.Nilable, t.Set = term.List, !tg.nonnil, true
	if err := d.lengths(t, tg, s); err != nil {
		return err
	}
	key, err := d.plan(p.rtype.Key(), tg.key, s.to("[key]"))
	if err != nil {
		return err
	}
	elem, err := d.plan(p.rtype.Elem(), tg.elem, s.to("[]"))
	if err != nil {
		return err
	}
	t.Elem = &term.Type{Name: "an entry of " + t.Name, Kind: term.Product, Fields: []term.Field{
		{Name: "key", Type: key.typ}, {Name: "value", Type: elem.typ},
	}}
	p.key, p.elem = row(key), row(elem)
	p.set = func(dst unsafe.Pointer, x *term.Term) { setMap(p, key, elem, dst, x) }
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) { return getMap(p, key, elem, src, depth) }
	return nil
}

// setMap makes a map. Of keys that are equal for Go the first one stays; those that
// can't be compared, or equal nothing, are left out.
func setMap(p, key, elem *plan, dst unsafe.Pointer, x *term.Term) {
	if len(x.Kids) == 0 && x.Bits == 0 && p.typ.Nilable {
		return
	}
	m := reflect.MakeMapWithSize(p.rtype, len(x.Kids))
	k, v := reflect.New(key.rtype), reflect.New(elem.rtype)
	distinct := key.distinct()
	for _, pair := range x.Kids {
		k.Elem().SetZero()
		key.set(k.UnsafePointer(), pair.Kids[0])
		if !distinct && (!findable(k.Elem()) || m.MapIndex(k.Elem()).IsValid()) {
			continue
		}
		v.Elem().SetZero()
		elem.set(v.UnsafePointer(), pair.Kids[1])
		m.SetMapIndex(k.Elem(), v.Elem())
	}
	reflect.NewAt(p.rtype, dst).Elem().Set(m)
}

// distinct reports whether Go's values are as different as their terms: floats are not, since 0 is -0, and
// NaN is not itself.
func (p *plan) distinct() bool {
	for _, f := range p.fields {
		if !f.plan.distinct() {
			return false
		}
	}
	return p.inside || p.exact || p.store != 0 && p.typ.Kind != term.Float
}

// makeMap makes a map of keys and elements. Of keys that are equal the first one stays.
func (p *plan) makeMap(dst, keys, elems unsafe.Pointer, n int) {
	m := reflect.MakeMapWithSize(p.rtype, n)
	k, e := reflect.SliceAt(p.rtype.Key(), keys, n), reflect.SliceAt(p.rtype.Elem(), elems, n)
	for i := n - 1; i >= 0; i-- {
		m.SetMapIndex(k.Index(i), e.Index(i))
	}
	reflect.NewAt(p.rtype, dst).Elem().Set(m)
}

// findable reports whether a key can be found in a map again.
func findable(k reflect.Value) bool { return k.Comparable() && k.Equal(k) }

func getMap(p, key, elem *plan, src unsafe.Pointer, depth int) (*term.Term, error) {
	m := reflect.NewAt(p.rtype, src).Elem()
	if depth == 0 && m.Len() > 0 {
		return nil, errDeep
	}
	var pairs []*term.Term
	for it := m.MapRange(); it.Next(); {
		k, v := reflect.New(key.rtype), reflect.New(elem.rtype)
		k.Elem().Set(it.Key())
		v.Elem().Set(it.Value())
		if !findable(k.Elem()) {
			continue
		}
		kt, err := key.get(k.UnsafePointer(), depth-1)
		if err != nil {
			return nil, under("[key]", err)
		}
		vt, err := elem.get(v.UnsafePointer(), depth-1)
		if err != nil {
			return nil, under(fmt.Sprintf("[%v]", k.Elem()), err)
		}
		pairs = append(pairs, &term.Term{Type: p.typ.Elem, Kids: []*term.Term{kt, vt}})
	}
	x := term.NewList(p.typ, pairs)
	if len(x.Kids) == 0 {
		x.Bits = p.typ.Present(!m.IsNil())
	}
	return x, nil
}

// pointer makes a sum of nil and what is pointed to.
func (d *deriver) pointer(p *plan, tag string, s step) error {
	rest, nonnil := cutNonnil(tag)
	elem := p.rtype.Elem()
	e, err := d.plan(elem, rest, s)
	if err != nil {
		return err
	}
	if nonnil {
		d.pointed(p, e)
		return nil
	}
	t := p.typ
	t.Kind, t.Alts = term.Sum, []term.Alt{{Name: "nil"}, {Name: "&", Type: e.typ}}
	null := term.Choice(t, 0, nil)
	p.elem = pointee(e)
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		if x.Bits == 1 {
			v := reflect.New(elem).UnsafePointer()
			e.set(v, x.Kids[0])
			*(*unsafe.Pointer)(dst) = v
		}
	}
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) {
		v := *(*unsafe.Pointer)(src)
		if v == nil {
			return null, nil
		}
		if depth == 0 {
			return nil, errDeep
		}
		x, err := e.get(v, depth-1)
		if err != nil {
			return nil, err
		}
		return term.Choice(t, 1, x), nil
	}
	return nil
}

// pointee is what pointers point to, one each.
func pointee(e *plan) elsewhere {
	return elsewhere{e, func(int) unsafe.Pointer { return reflect.New(e.rtype).UnsafePointer() }}
}

// cutNonnil takes the option nonnil out of a tag.
func cutNonnil(tag string) (rest string, found bool) { return cutOption(tag, "nonnil") }

// cutOption takes an option without a value out of a tag.
func cutOption(tag, option string) (rest string, found bool) {
	var items []string
	for item := range strings.SplitSeq(tag, ",") {
		if strings.TrimSpace(item) == option {
			found = true
		} else if item != "" {
			items = append(items, item)
		}
	}
	return strings.Join(items, ","), found
}

// pointed makes a pointer that is never nil a product of what it points to.
func (d *deriver) pointed(p, e *plan) {
	t, elem := p.typ, p.rtype.Elem()
	p.elem = pointee(e)
	t.Kind, t.Fields = term.Product, []term.Field{{Name: "", Type: e.typ}}
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		v := reflect.New(elem).UnsafePointer()
		e.set(v, x.Kids[0])
		*(*unsafe.Pointer)(dst) = v
	}
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) {
		v := *(*unsafe.Pointer)(src)
		if v == nil {
			return nil, bound("is nil, which is not allowed")
		}
		if depth == 0 {
			return nil, errDeep
		}
		x, err := e.get(v, depth-1)
		if err != nil {
			return nil, err
		}
		return &term.Term{Type: t, Kids: []*term.Term{x}}, nil
	}
}

// anything are the types of the values of an interface without methods: those of JSON, the two
// that most type switches have in addition, and what a decoder stores in. More would leave each
// of them a smaller part.
var anything = []reflect.Type{
	nil, reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](),
	reflect.TypeFor[*any](), reflect.TypeFor[*map[string]any](),
}

// Anything returns a value of each of the types of anything, which does not matter otherwise.
func Anything() (list []any) {
	for _, t := range anything {
		if t == nil {
			list = append(list, nil)
		} else {
			list = append(list, reflect.Zero(t).Interface())
		}
	}
	return list
}

// iface makes a sum of implementations.
func (d *deriver) iface(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "nonnil")
	if err != nil {
		return err
	}
	impls := d.reg.impls[p.rtype]
	if impls == nil && p.rtype.NumMethod() == 0 {
		impls = anything
	}
	if len(impls) == 0 {
		return d.unknown(s, interfaceWays, "is of the interface type %v, and no implementations of it are known", p.rtype)
	}
	t := p.typ
	t.Kind = term.Sum
	var plans []*plan // nil for nil
	for _, impl := range impls {
		switch {
		case impl == nil && tg.nonnil:
			continue
		case impl == nil:
			t.Alts, plans = append(t.Alts, term.Alt{Name: "nil"}), append(plans, nil)
			continue
		}
		tag := ""
		if impl.Kind() == reflect.Pointer {
			tag = "nonnil"
		}
		e, err := d.plan(impl, tag, s.to(".("+impl.String()+")"))
		if err != nil {
			return err
		}
		t.Alts, plans = append(t.Alts, term.Alt{Name: impl.String(), Type: e.typ}), append(plans, e)
	}
	if len(plans) == 0 {
		return d.fail(s, interfaceWays, "has only the implementation nil, which its tag forbids")
	}
	d.dynamic(p, plans)
	return nil
}

// dynamic carries interface values over.
func (d *deriver) dynamic(p *plan, plans []*plan) {
	t := p.typ
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		e := plans[x.Alt()]
		if e == nil {
			return
		}
		v := reflect.New(e.rtype)
		e.set(v.UnsafePointer(), x.Kids[0])
		reflect.NewAt(p.rtype, dst).Elem().Set(v.Elem())
	}
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) {
		v := reflect.NewAt(p.rtype, src).Elem().Elem()
		for i, e := range plans {
			switch {
			case e == nil && !v.IsValid():
				return term.Choice(t, i, nil), nil
			case e == nil || !v.IsValid() || v.Type() != e.rtype:
				continue
			case depth == 0:
				return nil, errDeep
			}
			held := reflect.New(e.rtype)
			held.Elem().Set(v)
			x, err := e.get(held.UnsafePointer(), depth-1)
			if err != nil {
				return nil, under(".("+e.rtype.String()+")", err)
			}
			return term.Choice(t, i, x), nil
		}
		if !v.IsValid() {
			return nil, bound("is nil, which is not among the implementations of %v: register nil as one of them", p.rtype)
		}
		return nil, bound("is a %v, which is not among the implementations of %v", v.Type(), p.rtype)
	}
}
