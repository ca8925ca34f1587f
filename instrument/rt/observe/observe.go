// Package observe remembers what a function returned, so that a mutant's results
// can be held against the original's.
//
// A value is snapshotted the moment it is observed: its content is walked, through
// pointers, interfaces, maps and unexported fields, into one hash, and on demand
// into a tree that can be compared, explained and printed. What the program does
// with the value afterwards does not change the snapshot.
//
// # What counts as a difference
//
//   - Content, not identity: pointers are followed, and two pointers to one object
//     equal two pointers to two equal objects. Cycles are recognized. Inside a
//     cycle, and only there, it can show which of several equal objects a pointer
//     meets.
//   - Dynamic types inside interfaces.
//   - A nil slice, map, pointer or interface differs from an empty one. The
//     capacity of a slice doesn't count.
//   - Floats by their bits, so that -0 differs from 0 (package fmt prints them
//     differently), except that all NaNs are equal.
//   - An error by its dynamic type, the text of its Error method, and what callers see
//     beside that: the elements of a list, and exported fields of numbers, texts and
//     what is made of these, unless its type has no exported name. If the method
//     panics, the panic is the text. A nil pointer that is an error is nil; its
//     method is not called.
//   - Functions, channels and unsafe pointers only by being nil or not.
//   - Types of packages sync and sync/atomic never: their state is not behavior.
//     A sync.Map counts as the map it holds.
//   - time.Time by the instant, *time.Location by its name and zones, a reflect.Type by its
//     name, a reflect.Value by what it holds.
//   - A type T with a method Equal(T) bool: by content first and, if the content
//     differs, by the method. So too an Equal(T) int that returns 1, as packages of
//     crypto have it, if it says 1 of a value and itself, and types with a function in
//     [Options.Compare].
//     Such a value is kept as a shallow copy, since the method needs one: the method
//     sees what the program later changes through its pointers.
//
// The rewritten test binary holds this package under the path fuzzmutrt/observe.
// It imports as little as it can, because any package it imports may itself be
// mutated.
package observe

import (
	"errors"
	"reflect"
	"sync"
)

// Limits on one snapshot, where Options says zero.
const (
	DefaultMaxNodes = 1 << 16
	DefaultMaxBytes = 1 << 20
)

// Options say how values are observed. The zero value is ready for use.
type Options struct {
	// Compare decides, for values of the types that are its keys, whether two
	// values with different content are equal after all. It takes precedence over
	// a type's Equal method and Error method. Nil: no such types.
	Compare map[reflect.Type]func(a, b reflect.Value) bool

	// Ignored says of types whether their values do not count. Nil: all count.
	Ignored func(t reflect.Type) bool

	// MaxNodes and MaxBytes bound one snapshot: the values that are visited, and the
	// bytes of strings and integer slices that are read. What lies beyond is folded
	// into a mark. That is at the same place each time, except where a map has keys
	// that look alike (pointers to equal content, NaNs). An object that is met again
	// counts as one value. Zero: DefaultMaxNodes, DefaultMaxBytes.
	MaxNodes, MaxBytes int

	// Guard runs call, which calls a method or function of the observed program
	// (Error, Equal, or one of Compare), and returns what it panicked with, or nil.
	// It is the place to give the call separate fuel and to switch observation and
	// tracing off while it runs. If a call is cut short, Guard returns a non-nil
	// value. Nil: only panics are recovered; a method that loops, loops.
	Guard func(call func()) (panicked any)
	// GuardCompare is Guard for what compares two values: Equal, or one of Compare. Nil: Guard.
	GuardCompare func(call func()) (panicked any)
}

// An Observer takes hashes and snapshots. It keeps what it has learned about types,
// so one Observer should serve all values. It can be used by several goroutines.
type Observer struct {
	opts Options

	mu   sync.Mutex
	free []*walker // idle; each has its own plans, so that walks share nothing
}

// New returns an Observer for opts, which it copies.
func New(opts Options) *Observer {
	if opts.MaxNodes <= 0 {
		opts.MaxNodes = DefaultMaxNodes
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = DefaultMaxBytes
	}
	if opts.Guard == nil {
		opts.Guard = recovered
	}
	if opts.GuardCompare == nil {
		opts.GuardCompare = opts.Guard
	}
	return &Observer{opts: opts}
}

// recovered runs call and returns what it panicked with.
func recovered(call func()) (panicked any) {
	defer func() { panicked = recover() }()
	call()
	return nil
}

// Hash returns the hash of v's content: the same as Take(v).Hash(), at a fraction
// of the cost. It does not depend on the process, on addresses, or on map order.
func (o *Observer) Hash(v any) uint64 {
	h, _ := o.hash(v, nil)
	return h
}

// Take returns a snapshot of v.
func (o *Observer) Take(v any) *Snapshot { return o.take(v, nil) }

// take is Take without the fields that a mask hides.
func (o *Observer) take(v any, hide *mask) *Snapshot {
	w := o.walker()
	w.hide = hide
	h, n := w.root(v, true)
	o.release(w)
	return &Snapshot{o: o, root: n, hash: h}
}

// hash is Hash without the fields that a mask hides. It also tells whether v holds values
// that are compared by a function or method, for which different hashes decide nothing.
func (o *Observer) hash(v any, hide *mask) (h uint64, soft bool) {
	w := o.walker()
	w.hide = hide
	h, _ = w.root(v, false)
	soft = w.sawSoft
	o.release(w)
	return h, soft
}

func (o *Observer) walker() *walker {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.free); n > 0 {
		w := o.free[n-1]
		o.free = o.free[:n-1]
		return w
	}
	return newWalker(&o.opts)
}

// release puts w back. A walker that a panic has torn out of its walk is not put
// back, and so never used again.
func (o *Observer) release(w *walker) {
	o.mu.Lock()
	o.free = append(o.free, w)
	o.mu.Unlock()
}

// Hash is [Observer.Hash] with default options.
func Hash(v any) uint64 { return New(Options{}).Hash(v) }

// Take is [Observer.Take] with default options.
func Take(v any) *Snapshot { return New(Options{}).Take(v) }

// CompareFuncs turns functions of type func(a, b T) bool into the form of
// [Options.Compare]. It reports the functions that are not of that type, and a
// second function for one type, and returns the rest.
func CompareFuncs(funcs []any) (map[reflect.Type]func(a, b reflect.Value) bool, error) {
	m := make(map[reflect.Type]func(a, b reflect.Value) bool, len(funcs))
	var err error
	for _, f := range funcs {
		fv := reflect.ValueOf(f)
		if !fv.IsValid() || fv.Kind() != reflect.Func || fv.IsNil() || !isComparison(fv.Type()) {
			err = errors.New("comparison is a " + typeName(f) + ": it must be a func(a, b T) bool")
			continue
		}
		t := fv.Type().In(0)
		if m[t] != nil {
			err = errors.New("two comparison functions for type " + t.String() + ": remove one")
			continue
		}
		m[t] = func(a, b reflect.Value) bool {
			return fv.Call([]reflect.Value{a, b})[0].Bool()
		}
	}
	return m, err
}

func typeName(v any) string {
	if t := reflect.TypeOf(v); t != nil {
		return t.String()
	}
	return "nil"
}

func isComparison(t reflect.Type) bool {
	return t.NumIn() == 2 && !t.IsVariadic() && t.In(0) == t.In(1) &&
		t.NumOut() == 1 && t.Out(0).Kind() == reflect.Bool
}
