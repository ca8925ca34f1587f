package observe

import (
	"reflect"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// shape is how the walker treats the values of a type.
type shape uint8

const (
	shapeBool shape = iota
	shapeInt
	shapeUint
	shapeFloat
	shapeComplex
	shapeString
	shapeBulk // slice of integers: read as one block of memory
	shapeRow  // array of integers, likewise
	shapeSlice
	shapeArray
	shapeStruct
	shapeMap
	shapePointer
	shapeInterface
	shapeOpaque // only nil or not
	shapeIgnored
	shapeError
	shapeTime
	shapeReflectType
	shapeReflectValue
	shapeSyncMap
)

// A plan is what the walker knows about a type. Plans of one walker are shared by
// all the values it walks, and are complete before the first of them is walked.
type plan struct {
	typ    reflect.Type
	name   string // as in source, with the package's short name
	id     uint64 // hash of the full name
	shape  shape
	bits   uint8 // of a number
	elem   *plan // of a pointer, slice, array, map
	key    *plan // of a map
	length int   // of an array
	fields []field
	// beside is what callers see of an error beside its text: of the value itself, or of what
	// it points to; nil: nothing.
	beside *plan

	// cyclic: a value can reach itself, as far as the types tell. Only then do
	// pointers have to be remembered.
	cyclic bool
	// methods: an interface with methods, whose first word is not the type's.
	methods bool
	// boxed: how an interface holds a value.
	boxed boxing
	// equal decides whether two values with different content are equal; nil: no.
	equal func(a, b reflect.Value) bool
}

type field struct {
	name   string
	offset uintptr
	plan   *plan
}

// boxing tells what the data word of an interface is.
type boxing uint8

const (
	boxedByPointer boxing = iota // the value's address
	boxedDirectly                // the value, a pointer
	boxedSomehow                 // one of the two: the compiler's choice depends on its version
)

func boxingOf(t reflect.Type) boxing {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return boxedDirectly
	case reflect.Struct, reflect.Array:
		if t.Size() == unsafe.Sizeof(uintptr(0)) {
			return boxedSomehow
		}
	}
	return boxedByPointer
}

// A planner makes plans.
type planner struct {
	compare map[reflect.Type]func(a, b reflect.Value) bool
	ignored func(t reflect.Type) bool
	byType  map[reflect.Type]*plan
	open    map[*plan]bool // under construction
}

var (
	errorType        = reflect.TypeFor[error]()
	reflectValueType = reflect.TypeFor[reflect.Value]()
	rtypeType        = reflect.TypeOf(reflect.TypeFor[int]()) // *reflect.rtype
	boolType         = reflect.TypeFor[bool]()
	intType          = reflect.TypeFor[int]()
)

// of returns the plan for t and, through it, for all types t is made of.
//
// A type is cyclic if it reaches a type still under construction, or an interface,
// or a type known to be cyclic. The search is depth first, so each type of a
// strongly connected set is found to be cyclic before the set's first type is
// complete.
func (pl *planner) of(t reflect.Type) *plan {
	if p := pl.byType[t]; p != nil {
		if pl.open[p] {
			p.cyclic = true
		}
		return p
	}
	p := &plan{typ: t, name: t.String(), boxed: boxingOf(t)}
	p.id = hashString(t.PkgPath() + " " + p.name)
	pl.byType[t] = p
	pl.open[p] = true
	p.equal = pl.equality(t)
	if !pl.special(p) {
		pl.basic(p)
	}
	delete(pl.open, p)
	return p
}

// equality returns the function that decides over values of t, if there is one.
func (pl *planner) equality(t reflect.Type) func(a, b reflect.Value) bool {
	if f := pl.compare[t]; f != nil {
		return f
	}
	if t.PkgPath() == "time" || t == reflectValueType || t.Kind() == reflect.Interface {
		return nil // time.Time has its own shape
	}
	if i, ok := equalMethod(t, t); ok {
		nilable := t.Kind() == reflect.Pointer
		return func(a, b reflect.Value) bool {
			if nilable && (a.IsNil() || b.IsNil()) {
				return false // the content has decided
			}
			return saysEqual(a.Method(i), a, b)
		}
	}
	if t.Name() == "" {
		return nil
	}
	ptr := reflect.PointerTo(t)
	if i, ok := equalMethod(ptr, t); ok {
		return func(a, b reflect.Value) bool {
			return saysEqual(a.Addr().Method(i), a, b)
		}
	}
	if i, ok := equalMethod(ptr, ptr); ok {
		return func(a, b reflect.Value) bool {
			return saysEqual(a.Addr().Method(i), a.Addr(), b.Addr())
		}
	}
	return nil
}

// saysEqual reports whether a's method Equal takes a and b for the same. Of one that returns a number that is 1, if it
// returns 1 for a and itself, too.
func saysEqual(equal, a, b reflect.Value) bool {
	out := equal.Call([]reflect.Value{b})[0]
	if out.Kind() == reflect.Bool {
		return out.Bool()
	}
	return out.Int() == 1 && equal.Call([]reflect.Value{a})[0].Int() == 1
}

// equalMethod returns the number of recv's method Equal(arg) bool, or int.
func equalMethod(recv, arg reflect.Type) (int, bool) {
	m, ok := recv.MethodByName("Equal")
	if !ok || m.Type.NumIn() != 2 || m.Type.In(1) != arg || m.Type.IsVariadic() ||
		m.Type.NumOut() != 1 || m.Type.Out(0) != boolType && m.Type.Out(0) != intType {
		return 0, false
	}
	return m.Index, true
}

// special fills in p if its type is not to be walked by its structure.
func (pl *planner) special(p *plan) bool {
	t := p.typ
	if pl.ignored != nil && pl.ignored(t) {
		p.shape, p.equal = shapeIgnored, nil
		return true
	}
	if pl.compare[t] == nil && t.Kind() != reflect.Interface && t.Implements(errorType) {
		p.shape, p.equal = shapeError, nil
		if p.beside = pl.besideText(t); p.beside != nil {
			p.cyclic = p.cyclic || p.beside.cyclic
		}
		return true
	}
	switch pkg, name := t.PkgPath(), t.Name(); {
	case t == rtypeType:
		p.shape = shapeReflectType
	case t == reflectValueType:
		p.shape, p.cyclic = shapeReflectValue, true
	case pkg == "time" && name == "Time":
		p.shape = shapeTime
	case pkg == "time" && name == "Location":
		return pl.onlyFields(p, "name", "zone")
	case pkg == "sync" && name == "Map":
		p.shape, p.cyclic = shapeSyncMap, true
		p.elem = pl.of(reflect.TypeFor[map[any]any]())
	case pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync" || pkg == "internal/race":
		p.shape = shapeIgnored
	case pkg == "internal/abi":
		p.shape = shapeIgnored // type descriptors
	default:
		return false
	}
	return true
}

// besideText is the plan of what callers see of an error beside its text: exported fields that hold
// data, as a position does, or the elements of a list. Of what a type without an exported name has they
// see nothing.
func (pl *planner) besideText(t reflect.Type) *plan {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !exported(t.Name()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return pl.fieldsOfData(t, 0)
	case reflect.Slice, reflect.Array:
		e := t.Elem()
		if e.Kind() != reflect.Interface && !e.Implements(errorType) {
			if e.Kind() == reflect.String {
				return nil // the text has all of it
			}
			return pl.data(t, 0)
		}
		p := &plan{typ: t, name: t.String()}
		pl.basic(p)
		return p
	}
	return nil
}

// dataDepth bounds the types within a type that are looked at for data.
const dataDepth = 5

// data is the plan of what callers see of a type that holds nothing but numbers, texts, instants and structs and lists
// of these; nil: it holds something else.
func (pl *planner) data(t reflect.Type, depth int) *plan {
	if depth > dataDepth || t.Implements(errorType) {
		return nil
	}
	p := &plan{typ: t, name: t.String(), boxed: boxingOf(t)}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		if p.elem = pl.data(t.Elem(), depth+1); p.elem == nil {
			return nil
		}
		switch numbers := p.elem.isPlainInteger(); {
		case t.Kind() == reflect.Pointer:
			p.shape = shapePointer
		case t.Kind() == reflect.Array && numbers:
			p.shape, p.length = shapeRow, t.Len()
		case t.Kind() == reflect.Array:
			p.shape, p.length = shapeArray, t.Len()
		case numbers:
			p.shape = shapeBulk
		default:
			p.shape = shapeSlice
		}
		return p
	case reflect.Struct:
		if t.PkgPath() == "time" && t.Name() == "Time" {
			return pl.of(t)
		}
		return pl.fieldsOfData(t, depth)
	}
	if p := pl.of(t); p.shape <= shapeString {
		return p
	}
	return nil
}

// fieldsOfData is the plan of a struct in which only exported fields that hold data count; nil: there is none.
func (pl *planner) fieldsOfData(t reflect.Type, depth int) *plan {
	p := &plan{typ: t, name: t.String(), shape: shapeStruct, boxed: boxingOf(t)}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Anonymous {
			continue
		}
		if fp := pl.data(f.Type, depth+1); fp != nil {
			p.fields = append(p.fields, field{name: f.Name, offset: f.Offset, plan: fp})
		}
	}
	if len(p.fields) == 0 {
		return nil
	}
	return p
}

// onlyFields makes p a struct in which only some fields count.
func (pl *planner) onlyFields(p *plan, names ...string) bool {
	for _, name := range names {
		f, ok := p.typ.FieldByName(name)
		if !ok {
			return false
		}
		p.fields = append(p.fields, field{name: name, offset: f.Offset, plan: pl.of(f.Type)})
	}
	p.shape = shapeStruct
	return true
}

func (pl *planner) basic(p *plan) {
	t := p.typ
	switch k := t.Kind(); k {
	case reflect.Bool:
		p.shape = shapeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.shape, p.bits = shapeInt, uint8(t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.shape, p.bits = shapeUint, uint8(t.Bits())
	case reflect.Float32, reflect.Float64:
		p.shape, p.bits = shapeFloat, uint8(t.Bits())
	case reflect.Complex64, reflect.Complex128:
		p.shape, p.bits = shapeComplex, uint8(t.Bits())
	case reflect.String:
		p.shape = shapeString
	case reflect.Interface:
		p.shape, p.cyclic, p.methods = shapeInterface, true, t.NumMethod() > 0
	case reflect.Pointer:
		p.shape = shapePointer
		pl.elem(p)
	case reflect.Slice:
		p.shape = shapeSlice
		pl.elem(p)
		if p.elem.isPlainInteger() {
			p.shape = shapeBulk
		}
	case reflect.Array:
		p.shape, p.length = shapeArray, t.Len()
		pl.elem(p)
		if p.elem.isPlainInteger() {
			p.shape = shapeRow
		}
	case reflect.Map:
		p.shape = shapeMap
		p.key = pl.of(t.Key())
		pl.elem(p)
		p.cyclic = p.cyclic || p.key.cyclic
	case reflect.Struct:
		p.shape = shapeStruct
		pl.structFields(p)
	default: // Chan, Func, UnsafePointer
		p.shape = shapeOpaque
	}
}

func (pl *planner) elem(p *plan) {
	p.elem = pl.of(p.typ.Elem())
	p.cyclic = p.cyclic || p.elem.cyclic
}

func (pl *planner) structFields(p *plan) {
	of := golden.IsMessage(p.typ)
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		if of && !golden.IsMessageField(f.Name) {
			continue
		}
		fp := pl.of(f.Type)
		p.cyclic = p.cyclic || fp.cyclic
		if f.Name == "_" || fp.shape == shapeIgnored {
			continue
		}
		p.fields = append(p.fields, field{name: f.Name, offset: f.Offset, plan: fp})
	}
}

// isPlainInteger reports whether values of the type are equal if their memory is.
func (p *plan) isPlainInteger() bool {
	return (p.shape == shapeInt || p.shape == shapeUint) && p.equal == nil
}
