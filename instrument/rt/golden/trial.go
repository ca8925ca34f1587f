package golden

import (
	"reflect"
	"strings"
	"time"
)

// recovered runs a call of a method, and returns what it panicked with, or nil.
func (p *printer) recovered(call func()) (panicked any) {
	if p.renderer.Guard != nil {
		return p.renderer.Guard(call)
	}
	ended := false
	defer func() {
		if panicked = recover(); panicked == nil && !ended {
			panicked = "panic(nil)"
		}
	}()
	call()
	ended = true
	return nil
}

// guarded is recovered, for those who do not care with what.
func (p *printer) guarded(call func()) (panicked bool) { return p.recovered(call) != nil }

// verbs begin the names of methods that are not called, since they may act on more than
// the value, or do more than tell what it is.
const verbs = " Accept Acquire Add Addr Advance Append Await Begin Cancel Clear Clone Close Commit Connect Consume Copy Dec" +
	" Decode Delete Destroy Dial Disable Discard Do Drain Emit Enable Encode Enter Exec Execute Exit Fatal Fetch Finish Flush" +
	" Fork Free Generate Gob Hash Inc Init Insert Install Invoke Join Kill Launch Leave Listen Load Lock Log Mark Marshal Must" +
	" New Notify Open Panic Pause Ping Pointer Poll Pop Print Process Publish Pull Push Quit RLock RUnlock Rand Random Read" +
	" Receive Recv Refresh Register Release Reload Remove Render Report Reset Restart Resume Retry Rewind Rollback Run Save" +
	" Scan Seed Send Serve Set Shift Shuffle Shutdown Signal Skip Sleep Start Stop Store Submit Swap Sync Take Terminate" +
	" Touch Truncate Try Unlock Unmarshal Unread Unwrap Update Upgrade Wait Warn Write Yield "

// acts says whether a method is not to be called, by its name.
func acts(name string) bool {
	for i := 1; i <= len(name); i++ {
		if (i == len(name) || name[i] >= 'A' && name[i] <= 'Z') && strings.Contains(verbs, " "+name[:i]+" ") {
			return true
		}
	}
	return false
}

// What a method without parameters returns.
const (
	nothingToSee = iota
	plainResults // numbers, strings and the like
	furtherValue // one value that has parts
	sequence     // func(yield func(T) bool)
)

// resultsOf says what a method of that type, with its receiver, returns.
func resultsOf(t reflect.Type) int {
	if t.NumIn() != 1 || t.NumOut() == 0 || t.NumOut() > 3 {
		return nothingToSee
	}
	if t.NumOut() == 1 && isSequence(t.Out(0)) {
		return sequence
	}
	plain := true
	for i := 0; i < t.NumOut(); i++ {
		plain = plain && isPlain(t.Out(i))
	}
	switch {
	case plain:
		return plainResults
	case t.NumOut() > 1:
		return nothingToSee
	}
	switch t.Out(0).Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct, reflect.Array:
		return furtherValue
	}
	return nothingToSee
}

// isPlain says whether a value of type t is of numbers, strings, errors and times.
func isPlain(t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[error](), t == reflect.TypeFor[time.Time]():
		return true
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return t.Elem().Kind() != reflect.Slice && t.Elem().Kind() != reflect.Array && isPlain(t.Elem())
	case t.Kind() == reflect.Uintptr:
		return false
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// isSequence says whether t is an iterator of one value or two.
func isSequence(t reflect.Type) bool {
	return t.Kind() == reflect.Func && t.NumIn() == 1 && t.NumOut() == 0 && isYield(t.In(0))
}

func isYield(t reflect.Type) bool {
	return t.Kind() == reflect.Func && (t.NumIn() == 1 || t.NumIn() == 2) && !t.IsVariadic() &&
		(t.NumOut() == 0 || t.NumOut() == 1 && t.Out(0).Kind() == reflect.Bool)
}

// methods calls the methods of a struct that tell what it is. have is what a caller sees
// without them.
func (p *printer) methods(v reflect.Value, have []member) []member {
	t := reflect.PointerTo(v.Type())
	of := p.shared.styleOf(v.Type()).message
	var plain, further []int
	for i := 0; i < t.NumMethod(); i++ {
		name := t.Method(i).Name
		if acts(name) || isTextMethod(name) || p.without(v.Type(), name) || of && !readsField(name) {
			continue
		}
		switch resultsOf(t.Method(i).Type) {
		case plainResults:
			plain = append(plain, i)
		case furtherValue:
			further = append(further, i)
		}
	}
	var list []member
	tried := p.newTrial(v)
	if len(have) == 0 {
		if m := tried.elements(); m.many {
			list = append(list, m)
		} else {
			for _, i := range further {
				list = append(list, tried.follow(i)...)
			}
		}
	}
	for _, i := range plain {
		if t.Method(i).Name == "Next" || t.Method(i).Name == "Prev" {
			continue // of an iterator
		}
		list = append(list, tried.results(i, have)...)
	}
	return list
}

func isTextMethod(name string) bool {
	for _, m := range textMethods {
		if m.method == name {
			return true
		}
	}
	return name == "GoString"
}

// A trial calls methods of a copy of a value.
type trial struct {
	p      *printer
	of     reflect.Value
	dup    reflect.Value // not valid: there is none yet
	before string        // what can be seen of it
}

func (p *printer) newTrial(v reflect.Value) *trial { return &trial{p: p, of: v} }

// receiver returns what methods are called of.
func (r *trial) receiver() reflect.Value {
	if !r.dup.IsValid() {
		r.dup = r.of
		if !r.p.owned {
			r.dup = duplicate(r.of)
			r.p.shared.reached[object{at: r.dup.Addr().Pointer(), typ: r.dup.Type()}] = true
			r.p.shared.kept = append(r.p.shared.kept, r.dup)
		}
		r.before = r.sight()
	}
	return r.dup.Addr()
}

// maxSight bounds the values that are looked at to tell whether a method changes any.
const maxSight = 256

// sight is what can be seen of the copy without methods of unknown effect.
func (r *trial) sight() string {
	q := printer{renderer: r.p.renderer, view: ViewExported, nodes: maxSight, open: make(map[object]int), flat: true, shared: new(common)}
	q.seen(r.dup)
	return string(q.out) + r.p.textOf(r.dup).plain
}

// twice calls a method twice. It says whether that has the same results, and changes
// nothing that can be seen; if not, the copy is not used again.
func (r *trial) twice(call func(recv reflect.Value) []reflect.Value) (results []reflect.Value, same bool) {
	recv := r.receiver()
	var again []reflect.Value
	if !r.p.guarded(func() { results = call(recv) }) && !r.p.guarded(func() { again = call(recv) }) {
		same = len(results) == len(again) && r.sight() == r.before
		for i := 0; same && i < len(results); i++ {
			same = r.p.alike(results[i], again[i])
		}
	}
	if !same {
		r.dup = reflect.Value{}
	}
	return results, same
}

// alike compares two results, by their content.
func (p *printer) alike(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer():
		return true
	case a.Kind() == reflect.Slice && isNumber(a.Type().Elem()) && a.Pointer() == b.Pointer() && a.Len() == b.Len():
		return true // there may be millions
	}
	text := func(v reflect.Value) string {
		q := printer{renderer: &Renderer{Guard: p.renderer.Guard}, view: ViewAll, nodes: maxSight, open: make(map[object]int), flat: true, shared: new(common)}
		q.dynamic(v)
		return string(q.out)
	}
	return text(a) == text(b)
}

// results is a method's plain results, unless they are zero or known already.
func (r *trial) results(i int, have []member) []member {
	out, ok := r.twice(func(recv reflect.Value) []reflect.Value { return recv.Method(i).Call(nil) })
	if !ok {
		return nil
	}
	m := member{label: r.label(i), owned: true}
	zero := true
	for _, x := range out {
		if len(out) > 1 && x.Type() == reflect.TypeFor[error]() {
			if !x.IsNil() {
				return nil // it does not say
			}
			continue
		}
		zero = zero && (x.IsZero() || x.Kind() == reflect.Slice && x.Len() == 0)
		m.parts = append(m.parts, addressable(x))
	}
	if zero || len(out) == 1 && r.p.known(out[0], have) {
		return nil
	}
	return []member{m}
}

func (r *trial) label(i int) string { return reflect.PointerTo(r.of.Type()).Method(i).Name + "()" }

// minKnown is the length of a string that does not say the same as another by chance.
const minKnown = 4

// known says whether a string is written already.
func (p *printer) known(v reflect.Value, have []member) bool {
	if v.Kind() != reflect.String || v.Len() < minKnown {
		return false
	}
	for _, m := range have {
		if len(m.parts) == 1 && m.parts[0].Kind() == reflect.String && m.parts[0].String() == v.String() || m.plain == p.quoted(v.String()) {
			return true
		}
	}
	return false
}

// follow is what a method leads to, unless others have led there.
func (r *trial) follow(i int) []member {
	s := r.p.shared
	if s.followed >= maxFollowed {
		return nil
	}
	s.followed++
	out, ok := r.twice(func(recv reflect.Value) []reflect.Value { return recv.Method(i).Call(nil) })
	if !ok {
		return nil
	}
	to := out[0]
	for to.Kind() == reflect.Interface {
		to = to.Elem()
	}
	switch {
	case !to.IsValid() || to.IsZero() || to.Type() == r.of.Type():
		return nil
	case to.Kind() == reflect.Pointer:
		o := object{at: to.Pointer(), typ: to.Type().Elem()}
		if s.reached[o] {
			return nil
		}
		s.reached[o] = true
		s.kept = append(s.kept, to)
	}
	return []member{{label: r.label(i), parts: []reflect.Value{addressable(out[0])}, owned: true}}
}

// walks are methods that call a function with each element, in order of preference.
var walks = []string{"Ascend", "ForEach", "Each", "Range", "Walk", "Do", "Scan", "Visit", "Iterate"}

// maxElements bounds the elements of a value that are written.
const maxElements = 1 << 12

// elements lists the elements of a value by its own iteration. The member has many set
// if it has one.
func (r *trial) elements() (m member) {
	t := reflect.PointerTo(r.of.Type())
	method := ""
	for i := 0; i < t.NumMethod(); i++ {
		if name := t.Method(i).Name; resultsOf(t.Method(i).Type) == sequence && (method == "" || name == "All") {
			method = name
		}
	}
	yields := 0 // the index of what is to be called with each
	if method == "" {
		for _, name := range walks {
			w, has := t.MethodByName(name)
			if has && method == "" && w.Type.NumIn() == 2 && w.Type.NumOut() == 0 && isYield(w.Type.In(1)) {
				method, yields = name, 1
			}
		}
	}
	if method == "" {
		return m
	}
	var keyed bool
	all, ok := r.twice(func(recv reflect.Value) (all []reflect.Value) {
		walk := recv.MethodByName(method)
		if yields == 0 {
			walk = walk.Call(nil)[0]
		}
		if walk.IsNil() {
			return nil
		}
		keyed = walk.Type().In(0).NumIn() == 2
		walk.Call([]reflect.Value{collector(walk.Type().In(0), &all)})
		return all
	})
	if !ok {
		return m
	}
	m = member{label: method + "()", many: true, owned: true}
	for i, x := range all {
		if keyed && i%2 == 0 {
			m.keys = append(m.keys, addressable(x))
		} else {
			m.parts = append(m.parts, addressable(x))
		}
	}
	return m
}

// collector is a function of that type that gathers its arguments.
func collector(t reflect.Type, all *[]reflect.Value) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		more := len(*all) < maxElements
		if more {
			*all = append(*all, args...)
		}
		if t.NumOut() == 0 {
			return nil
		}
		return []reflect.Value{reflect.ValueOf(more).Convert(t.Out(0))}
	})
}

// maxDuplicated bounds the values that its own copy has. What lies beyond is that of
// the value.
const maxDuplicated = 1 << 12

// duplicate copies a value that can be addressed and what it refers to.
func duplicate(v reflect.Value) reflect.Value {
	d := duplicator{left: maxDuplicated, done: make(map[object]reflect.Value)}
	c := reflect.New(v.Type()).Elem()
	d.fill(c, v)
	for len(d.todo) > 0 {
		next := d.todo[0]
		d.todo = d.todo[1:]
		d.fill(next[0], next[1])
	}
	return c
}

// A duplicator copies what lies near the beginning first.
type duplicator struct {
	left int
	done map[object]reflect.Value // pointers to copies, by what they are copies of
	todo [][2]reflect.Value       // copies that are still empty, and what they are copies of
}

// fill makes c a copy of v. Both can be addressed, and written to.
func (d *duplicator) fill(c, v reflect.Value) {
	c.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		d.done[object{at: v.Addr().Pointer(), typ: v.Type()}] = c.Addr()
		if d.left--; d.left < 0 || ignored(v.Type()) {
			return
		}
		of := IsMessage(v.Type())
		for i := 0; i < v.NumField(); i++ {
			if of && !IsMessageField(v.Type().Field(i).Name) {
				continue
			}
			d.fill(readable(c, []int{i}), readable(v, []int{i}))
		}
	case reflect.Array:
		if !isNumber(v.Type().Elem()) {
			for i := 0; i < v.Len(); i++ {
				d.fill(c.Index(i), v.Index(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			d.pointer(c, v)
		}
	case reflect.Interface:
		if !v.IsNil() {
			inner := reflect.New(v.Elem().Type()).Elem()
			d.fill(inner, addressable(v.Elem()))
			c.Set(inner)
		}
	case reflect.Slice:
		if d.left -= 1 + v.Len()/64; d.left < 0 || v.IsNil() {
			return
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		reflect.Copy(c, v)
		if !isNumber(v.Type().Elem()) && v.Type().Elem().Kind() != reflect.String {
			for i := 0; i < v.Len(); i++ {
				d.todo = append(d.todo, [2]reflect.Value{c.Index(i), v.Index(i)})
			}
		}
	case reflect.Map:
		d.mapping(c, v)
	}
}

// pointer makes c point to a copy of what v points to.
func (d *duplicator) pointer(c, v reflect.Value) {
	o := object{at: v.Pointer(), typ: v.Type().Elem()}
	if dup, ok := d.done[o]; ok {
		c.Set(dup.Convert(v.Type()))
		return
	}
	if d.left--; d.left < 0 || isForeign(o.typ) {
		return
	}
	to := reflect.New(v.Type().Elem())
	d.done[o] = to
	c.Set(to.Convert(v.Type()))
	d.todo = append(d.todo, [2]reflect.Value{to.Elem(), v.Elem()})
}

// isForeign says whether a type is one of the standard library whose values belong to no
// single value: those of package reflect, locks, files.
func isForeign(t reflect.Type) bool {
	switch t.PkgPath() {
	case "bytes", "strings", "container/list", "container/ring", "math/big":
		return false
	}
	return standard(t)
}

// mapping makes c a copy of a map.
func (d *duplicator) mapping(c, v reflect.Value) {
	if d.left -= 1 + v.Len()/8; d.left < 0 || v.IsNil() {
		return
	}
	c.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
	for iter := v.MapRange(); iter.Next(); {
		key, value := addressable(iter.Key()), reflect.New(v.Type().Elem()).Elem()
		d.fill(value, addressable(iter.Value()))
		c.SetMapIndex(key, value)
	}
}
