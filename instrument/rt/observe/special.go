package observe

import (
	"reflect"
	"unsafe"
)

// at returns the value at ptr in a form whose methods can be called: the address
// where there is one, since that needs no copy.
func at(p *plan, ptr unsafe.Pointer) any {
	v := reflect.NewAt(p.typ, ptr)
	if p.typ.Kind() == reflect.Pointer {
		return v.Elem().Interface()
	}
	return v.Interface()
}

func (w *walker) errorAt(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	held := ptr
	if p.typ.Kind() == reflect.Pointer {
		held = *(*unsafe.Pointer)(ptr)
	}
	return w.err(p, at(p, ptr).(error), held == nil, held)
}

// err walks an error: its text, and what callers see beside it, which is at held. The type is in the
// interface around it, or is known from the type around it.
func (w *walker) err(p *plan, e error, isNil bool, held unsafe.Pointer) (uint64, *node) {
	if isNil {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	var s string
	if panicked := w.opts.Guard(func() { s = e.Error() }); panicked != nil {
		return w.text(p, kindPanic, markPanic, w.panicText(panicked))
	}
	h, n := w.text(p, kindError, markError, s)
	if p.beside == nil {
		return h, n
	}
	more, kid := w.deeper(p.beside, func() (uint64, *node) { return w.value(p.beside, held) })
	h = mix(h, more)
	if w.build {
		n.hash, n.kids, n.soft = h, []*node{kid}, kid.soft
	}
	return h, n
}

// panicText is what a panic was about, without addresses.
func (w *walker) panicText(panicked any) string {
	switch v := panicked.(type) {
	case string:
		return v
	case error:
		s := reflect.TypeOf(v).String()
		w.opts.Guard(func() { s = v.Error() })
		return s
	}
	return reflect.TypeOf(panicked).String()
}

// time walks a time.Time: the instant, which is what its Equal method compares.
func (w *walker) time(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	t := reflect.NewAt(p.typ, ptr).Interface().(interface {
		Unix() int64
		Nanosecond() int
	})
	sec, nsec := uint64(t.Unix()), uint64(t.Nanosecond())
	h := mix(mix(markTime, sec), nsec)
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kindTime, hash: h, bits: sec, imag: nsec}
}

func (w *walker) typeName(p *plan, v any) (uint64, *node) {
	t, ok := v.(reflect.Type)
	if !ok || reflect.ValueOf(v).IsNil() {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	name := t.String()
	h := mix(mix(markTypeName, hashString(t.PkgPath())), hashString(name))
	if !w.build {
		return h, nil
	}
	return h, &node{p: p, kind: kindTypeName, hash: h, text: name}
}

// reflected walks what a reflect.Value holds.
func (w *walker) reflected(p *plan, v reflect.Value) (uint64, *node) {
	if !v.IsValid() {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	return w.deeper(p, func() (uint64, *node) {
		if v.CanInterface() {
			return w.dynamic(v.Interface())
		}
		if v.CanAddr() {
			return w.dynamic(reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem().Interface())
		}
		// Obtained from an unexported field of a value without an address: package
		// reflect lets nobody at it but for its type.
		return w.typeName(p, v.Type())
	})
}

// syncMap walks a sync.Map as the map it holds.
func (w *walker) syncMap(p *plan, ptr unsafe.Pointer) (uint64, *node) {
	m := make(map[any]any)
	ranger, ok := reflect.NewAt(p.typ, ptr).Interface().(interface{ Range(f func(k, v any) bool) })
	if !ok {
		return w.leaf(p, kindIgnored, mix(markIgnored, 0))
	}
	ranger.Range(func(k, v any) bool {
		m[k] = v
		return true
	})
	return w.mapping(p.elem, reflect.ValueOf(m))
}
