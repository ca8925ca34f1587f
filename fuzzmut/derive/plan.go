package derive

import (
	"fmt"
	"math"
	oldrand "math/rand"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A plan carries the values of a type, as a tag restricts them, over to terms.
type plan struct {
	rtype reflect.Type
	typ   *term.Type
	// set writes a value to dst, which is zero.
	set func(dst unsafe.Pointer, x *term.Term)
	// get reads a value that may have depth levels below it.
	get func(src unsafe.Pointer, depth int) (*term.Term, error)

	inside bool       // its fields lie within it
	fields []field    // if they do
	store  term.Store // of a part that is all in the bits of its term; 0: it is none
	text   bool       // of bytes, and no function of anybody has part in it
	exact  bool       // of texts: Go's values are as different as their terms
	elem   elsewhere  // if it is a slice, a pointer or a map
	key    elsewhere  // if it is a map
}

type planKey struct {
	rtype   reflect.Type
	tag     string
	partial bool
}

// deriver makes the plans for one type and all that it refers to. A plan may be used
// by others before it is complete.
type deriver struct {
	reg     *Registry
	root    reflect.Type
	plans   map[planKey]*plan
	partial bool // see below
}

// step is how the deriver came to a type, for errors.
type step struct {
	outer *step
	name  string
}

func (s step) to(name string) step { return step{&s, name} }

func (s step) String() string {
	if s.outer == nil {
		return s.name
	}
	return s.outer.String() + s.name
}

// fail returns an error about the type that s leads to.
func (d *deriver) fail(s step, ways, format string, args ...any) error {
	return &Error{Root: d.root, Path: s.String(), Reason: fmt.Sprintf(format, args...), Ways: ways}
}

func (d *deriver) plan(t reflect.Type, tag string, s step) (*plan, error) {
	key := planKey{t, tag, d.partial}
	if p := d.plans[key]; p != nil {
		return p, nil
	}
	p := &plan{rtype: t, typ: &term.Type{Name: t.String()}}
	d.plans[key] = p
	if err := d.complete(p, tag, s); err != nil {
		delete(d.plans, key) // what is left out elsewhere must not be found as it is
		return nil, err
	}
	d.override(p)
	return p, nil
}

// unknown is fail where nothing is known of the values of a type.
func (d *deriver) unknown(s step, ways, format string, args ...any) error {
	return &Error{Root: d.root, Path: s.String(), Reason: fmt.Sprintf(format, args...), Ways: ways, unknown: true}
}

// complete fills in a plan.
func (d *deriver) complete(p *plan, tag string, s step) error {
	t := p.rtype
	if rep, ok := d.reg.rep(t); ok {
		return d.represented(p, rep, tag, s)
	}
	if values := d.reg.values[t]; values != nil {
		if _, err := d.parse(tag, s); err != nil {
			return err
		}
		listed(p, values)
		return nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return d.boolean(p, tag, s)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return d.integer(p, tag, s)
	case reflect.Float32, reflect.Float64:
		return d.float(p, tag, s)
	case reflect.Complex64, reflect.Complex128:
		return d.complex(p, tag, s)
	case reflect.String:
		return d.text(p, tag, s)
	case reflect.Array:
		return d.array(p, tag, s)
	case reflect.Slice:
		return d.slice(p, tag, s)
	case reflect.Map:
		return d.mapping(p, tag, s)
	case reflect.Pointer:
		return d.pointer(p, tag, s)
	case reflect.Interface:
		return d.iface(p, tag, s)
	case reflect.Struct:
		return d.structure(p, tag, s)
	}
	if s.String() == t.String() { // the type itself, and no part of it
		return d.unknown(s, "", "is a type that bytes can't represent")
	}
	return d.unknown(s, "", "is of type %v, which bytes can't represent", t)
}

// parse reads a tag in which only some options are allowed.
func (d *deriver) parse(s string, at step, allowed ...string) (tag, error) {
	tg, err := parseTag(s, allowed...)
	if err != nil {
		return tag{}, d.fail(at, "correct the tag", "%v", err)
	}
	return tg, nil
}

// representing says whose functions carry values over: those given to Represent.
const representing = "a function of Represent for"

// override has a type's own functions draw and change its terms.
func (d *deriver) override(p *plan) {
	if fn := d.generator(p.rtype); fn != nil {
		p.typ.Generate = func(r *rand.Rand, size int) *term.Term {
			dst := reflect.New(p.rtype)
			guard("the generator of", p.rtype, func() { fn(r, size, dst.UnsafePointer()) })
			return p.taken("the generator of", dst.UnsafePointer())
		}
	}
	if fn := d.mutator(p.rtype); fn != nil {
		p.typ.Mutate = func(r *rand.Rand, x *term.Term) *term.Term {
			src, dst := reflect.New(p.rtype), reflect.New(p.rtype)
			guard(representing, p.rtype, func() { p.set(src.UnsafePointer(), x) })
			guard("the mutator of", p.rtype, func() { fn(r, src.UnsafePointer(), dst.UnsafePointer()) })
			return p.taken("the mutator of", dst.UnsafePointer())
		}
	}
}

// taken is the term for a value that a user's function has made.
func (p *plan) taken(what string, src unsafe.Pointer) *term.Term {
	var x *term.Term
	var err error
	guard(representing, p.rtype, func() { x, err = p.get(src, term.MaxDepth) })
	if err != nil {
		panic(&UserError{fmt.Sprintf("%s %v returned a value that is not a possible input: %v", what, p.rtype, err)})
	}
	return x
}

// A UserError is the panic that tells what a function registered by the user did wrong.
type UserError struct{ What string }

func (e *UserError) Error() string { return "fuzzmut: " + e.What }

// guard calls a user's function and says whose it is if it panics.
func guard(what string, t reflect.Type, call func()) {
	defer func() {
		if v := recover(); v != nil {
			panic(&UserError{fmt.Sprintf("%s %v panicked: %v\n%s", what, t, v, debug.Stack())})
		}
	}()
	call()
}

func (d *deriver) generator(t reflect.Type) func(*rand.Rand, int, unsafe.Pointer) {
	if fn := d.reg.generate[t]; fn != nil {
		return fn
	}
	_, own := d.reg.reps[t]
	if fn := d.reg.standard.generate[t]; fn != nil && !own && d.reg.values[t] == nil {
		return fn
	}
	if t.Implements(generatorType) && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		return func(r *rand.Rand, size int, dst unsafe.Pointer) {
			v := reflect.NewAt(t, dst).Elem()
			v.Set(v.Interface().(generator).Generate(oldrand.New(source{r}), size).Convert(t))
		}
	}
	return nil
}

func (d *deriver) mutator(t reflect.Type) func(*rand.Rand, unsafe.Pointer, unsafe.Pointer) {
	if fn := d.reg.mutate[t]; fn != nil {
		return fn
	}
	if m, ok := t.MethodByName("FuzzMutate"); ok && m.Type == reflect.FuncOf([]reflect.Type{t, reflect.TypeFor[*rand.Rand]()}, []reflect.Type{t}, false) {
		return func(r *rand.Rand, src, dst unsafe.Pointer) {
			out := m.Func.Call([]reflect.Value{reflect.NewAt(t, src).Elem(), reflect.ValueOf(r)})
			reflect.NewAt(t, dst).Elem().Set(out[0])
		}
	}
	return nil
}

var generatorType = reflect.TypeFor[generator]()

// generator is testing/quick's interface of values that can draw others of their
// type, declared here since that package declares flags.
type generator interface {
	Generate(r *oldrand.Rand, size int) reflect.Value
}

// source has the older generator of random numbers draw from the newer one.
type source struct{ *rand.Rand }

func (s source) Int63() int64 { return s.Int64() }
func (s source) Seed(int64)   {}

// represented has values of a type stand for another's.
func (d *deriver) represented(p *plan, rep representation, tag string, s step) error {
	if k := p.rtype.Kind(); (k == reflect.Pointer || k == reflect.Interface) && rep.as.Kind() != reflect.Pointer {
		tag, _ = cutNonnil(tag) // it never is nil
	}
	as, err := d.plan(rep.as, tag, s)
	if err != nil {
		return err
	}
	// A separate product, so that it is not confused with what the type is made from.
	p.typ.Kind, p.typ.Fields = term.Product, []term.Field{{Name: "(" + rep.as.String() + ")", Type: as.typ}}
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		rep.set(dst, func(r unsafe.Pointer) { as.set(r, x.Kids[0]) })
	}
	p.get = func(src unsafe.Pointer, depth int) (x *term.Term, err error) {
		rep.get(src, func(r unsafe.Pointer) { x, err = as.get(r, depth) })
		if err != nil {
			return nil, err
		}
		return &term.Term{Type: p.typ, Kids: []*term.Term{x}}, nil
	}
	return nil
}

// listed makes a sum of values.
func listed(p *plan, values []reflect.Value) {
	p.typ.Kind = term.Sum
	units := make([]*term.Term, len(values))
	for i, v := range values {
		p.typ.Alts = append(p.typ.Alts, term.Alt{Name: fmt.Sprint(v)})
		units[i] = term.Choice(p.typ, i, nil)
	}
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		reflect.NewAt(p.rtype, dst).Elem().Set(values[x.Alt()])
	}
	p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
		v := reflect.NewAt(p.rtype, src).Elem()
		i := slices.IndexFunc(values, v.Equal)
		if i < 0 {
			return nil, bound("is %v, which is not one of the listed values of %v", v, p.rtype)
		}
		return units[i], nil
	}
}

func bound(format string, args ...any) error {
	return &term.BoundError{What: fmt.Sprintf(format, args...)}
}

// under puts a step before the path of an error.
func under(name string, err error) error {
	if b, ok := err.(*term.BoundError); ok {
		return &term.BoundError{Path: name + b.Path, What: b.What}
	}
	return err
}

var errDeep = bound("contains itself, or is nested deeper than %d levels", term.MaxDepth)

func (d *deriver) boolean(p *plan, tag string, s step) error {
	if _, err := d.parse(tag, s); err != nil {
		return err
	}
	p.typ.Kind, p.typ.Alts = term.Sum, []term.Alt{{Name: "false"}, {Name: "true"}}
	no, yes := term.Choice(p.typ, 0, nil), term.Choice(p.typ, 1, nil)
	p.store = term.Stored8
	p.set = func(dst unsafe.Pointer, x *term.Term) { *(*bool)(dst) = x.Bits == 1 }
	p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
		if *(*bool)(src) {
			return yes, nil
		}
		return no, nil
	}
	return nil
}

// complex makes a product of two floats.
func (d *deriver) complex(p *plan, tag string, s step) error {
	if _, err := d.parse(tag, s); err != nil {
		return err
	}
	half := reflect.TypeFor[float64]()
	if p.rtype.Kind() == reflect.Complex64 {
		half = reflect.TypeFor[float32]()
	}
	f, err := d.plan(half, "", s)
	if err != nil {
		return err
	}
	p.product([]field{{"real", 0, f}, {"imag", half.Size(), f}})
	return nil
}

func (d *deriver) float(p *plan, tag string, s step) error {
	tg, err := d.parse(tag, s, "min", "max", "oneof")
	if err != nil {
		return err
	}
	p.typ.Kind, p.typ.Bits = term.Float, p.rtype.Bits()
	if tg.oneof != nil {
		return d.oneof(p, tg, s)
	}
	if err := d.floatRange(p, tg, s); err != nil {
		return err
	}
	p.store = term.Stored64
	if p.typ.Bits == 32 {
		p.store = term.StoredFloat32
		p.set = func(dst unsafe.Pointer, x *term.Term) { *(*float32)(dst) = float32(x.Float()) }
		p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
			return term.Number(p.typ, math.Float64bits(float64(*(*float32)(src)))), nil
		}
		return nil
	}
	p.set = func(dst unsafe.Pointer, x *term.Term) { *(*float64)(dst) = x.Float() }
	p.get = func(src unsafe.Pointer, _ int) (*term.Term, error) {
		return term.Number(p.typ, math.Float64bits(*(*float64)(src))), nil
	}
	return nil
}
