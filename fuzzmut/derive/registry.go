package derive

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Registry holds what was said about types, and the codecs made from that. Its
// methods may be called from any goroutine. Use [NewRegistry].
type Registry struct {
	mu       sync.Mutex
	impls    map[reflect.Type][]reflect.Type // of an interface; nil stands for nil
	values   map[reflect.Type][]reflect.Value
	reps     map[reflect.Type]representation
	generate map[reflect.Type]func(r *rand.Rand, size int, dst unsafe.Pointer)
	mutate   map[reflect.Type]func(r *rand.Rand, src, dst unsafe.Pointer)
	codecs   map[reflect.Type]*Codec
	standard struct { // what is known of the standard library
		reps     map[reflect.Type]representation
		generate map[reflect.Type]func(r *rand.Rand, size int, dst unsafe.Pointer)
	}
	used map[reflect.Type]bool // by some codec: too late to say more about them
}

// NewRegistry returns a registry that knows types of the standard library.
func NewRegistry() *Registry {
	r := &Registry{
		impls:    make(map[reflect.Type][]reflect.Type),
		values:   make(map[reflect.Type][]reflect.Value),
		reps:     make(map[reflect.Type]representation),
		generate: make(map[reflect.Type]func(*rand.Rand, int, unsafe.Pointer)),
		mutate:   make(map[reflect.Type]func(*rand.Rand, unsafe.Pointer, unsafe.Pointer)),
		codecs:   make(map[reflect.Type]*Codec),
		used:     make(map[reflect.Type]bool),
	}
	addStandard(r)
	return r
}

// add notes something about t, unless that is too late or was said before.
func add[V any](r *Registry, m map[reflect.Type]V, t reflect.Type, what string, v V) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used[t] {
		return fmt.Errorf("%s of %v registered too late: inputs of that type exist already; register them in an init function", what, t)
	}
	if _, twice := m[t]; twice {
		return fmt.Errorf("%s of %v registered twice", what, t)
	}
	m[t] = v
	return nil
}

// Implementations says which types the values of the interface type t have: those of
// impls, in this order. A nil among them allows nil.
func (r *Registry) Implementations(t reflect.Type, impls []any) error {
	if t.Kind() != reflect.Interface {
		return fmt.Errorf("%v is not an interface, and only interfaces have implementations", t)
	}
	var types []reflect.Type
	for _, v := range impls {
		dynamic := reflect.TypeOf(v)
		if slices.Contains(types, dynamic) {
			return fmt.Errorf("%v is given twice as an implementation of %v", dynamic, t)
		}
		types = append(types, dynamic)
	}
	if len(types) == 0 {
		return fmt.Errorf("no implementation of %v is given", t)
	}
	return add(r, r.impls, t, "implementations", types)
}

// Values says that t has only these values.
func (r *Registry) Values(t reflect.Type, values []reflect.Value) error {
	for i, v := range values {
		for _, w := range values[:i] {
			if v.Equal(w) {
				return fmt.Errorf("the value %v of %v is given twice", v, t)
			}
		}
	}
	if len(values) == 0 {
		return fmt.Errorf("no value of %v is given", t)
	}
	return add(r, r.values, t, "values", values)
}

// A representation carries values of a type over through another type.
type representation struct {
	as reflect.Type
	// set has fill write a value of type as, and writes what it stands for to dst.
	set func(dst unsafe.Pointer, fill func(unsafe.Pointer))
	// get calls read with the value that stands for that at src.
	get func(src unsafe.Pointer, read func(unsafe.Pointer))
}

// Represent says that a value of type T is made from one of type R, and which one.
func Represent[T, R any](r *Registry, from func(R) T, to func(T) R) error {
	t, as := reflect.TypeFor[T](), reflect.TypeFor[R]()
	if t == as {
		return fmt.Errorf("%v can't represent itself", t)
	}
	return add(r, r.reps, t, "representations", representation{
		as: as,
		set: func(dst unsafe.Pointer, fill func(unsafe.Pointer)) {
			var rep R
			fill(unsafe.Pointer(&rep))
			*(*T)(dst) = from(rep)
		},
		get: func(src unsafe.Pointer, read func(unsafe.Pointer)) {
			rep := to(*(*T)(src))
			read(unsafe.Pointer(&rep))
		},
	})
}

// Generate says how values of type T are drawn.
func Generate[T any](r *Registry, draw func(r *rand.Rand, size int) T) error {
	return add(r, r.generate, reflect.TypeFor[T](), "generators", func(rnd *rand.Rand, size int, dst unsafe.Pointer) {
		*(*T)(dst) = draw(rnd, size)
	})
}

// Mutate says how values of type T are changed.
func Mutate[T any](r *Registry, change func(r *rand.Rand, v T) T) error {
	return add(r, r.mutate, reflect.TypeFor[T](), "mutators", func(rnd *rand.Rand, src, dst unsafe.Pointer) {
		*(*T)(dst) = change(rnd, *(*T)(src))
	})
}

// Of returns the codec of a type.
func (r *Registry) Of(t reflect.Type) (*Codec, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.codecs[t]; c != nil {
		return c, nil
	}
	d := &deriver{reg: r, plans: make(map[planKey]*plan), root: t}
	p, err := d.plan(t, "", step{name: t.String()})
	if err != nil {
		return nil, err
	}
	if err := p.typ.Seal(); err != nil {
		return nil, &Error{Root: t, Path: t.String(), Reason: err.Error()}
	}
	for key := range d.plans {
		r.used[key.rtype] = true
	}
	c := &Codec{rtype: t, plan: p, plans: d.plans}
	r.codecs[t] = c
	return c, nil
}

// A Codec carries values of one type over.
type Codec struct {
	rtype reflect.Type
	plan  *plan
	plans map[planKey]*plan
}

// Type is the codec's type as one of terms.
func (c *Codec) Type() *term.Type { return c.plan.typ }

// Set writes the value that x stands for to dst, which holds the type's zero value.
func (c *Codec) Set(dst unsafe.Pointer, x *term.Term) { c.plan.set(dst, x) }

// Get returns the term for the value at src. The error names what has none.
func (c *Codec) Get(src unsafe.Pointer) (*term.Term, error) {
	return c.plan.get(src, term.MaxDepth)
}

// Part returns the term for the value v of a type that occurs in the codec's type, put
// where it belongs there, in surroundings that are the default.
func (c *Codec) Part(v reflect.Value) (*term.Term, error) {
	var candidates []planKey
	for key := range c.plans {
		if key.rtype == v.Type() {
			candidates = append(candidates, key)
		}
	}
	slices.SortFunc(candidates, func(a, b planKey) int { return len(a.tag) - len(b.tag) })
	copied := reflect.New(v.Type())
	copied.Elem().Set(v)
	for _, key := range candidates {
		x, err := c.plans[key].get(copied.UnsafePointer(), term.MaxDepth)
		if err != nil {
			return nil, err
		}
		if whole := term.Holding(c.plan.typ, x); whole != nil {
			return whole, nil
		}
	}
	return nil, fmt.Errorf("a value of type %v has no place in %v", v.Type(), c.rtype)
}
