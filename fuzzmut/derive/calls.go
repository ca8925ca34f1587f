package derive

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Call is a function that sequences of calls may have, by its name and the types of
// the arguments that are to be drawn.
type Call struct {
	Name string
	Args []reflect.Type
}

// A Sequence says what sequences of calls there are.
type Sequence struct {
	Name string
	// Begin are the functions that make the state. One of them comes first. Where they
	// leave no choice and have no arguments, a sequence says nothing about them.
	Begin []Call
	Ops   []Call
	// Input is the type of a value that comes after the calls; nil: there is none.
	Input reflect.Type
	// Most bounds arguments of the kinds int and uint, in both directions, and those of Begin of all
	// kinds of numbers that can be sizes; 0: nothing does.
	Most int
	// MostOps bounds the number of calls; 0: nothing does.
	MostOps int
	// AtOnce are bounds for further lists of calls, one for each goroutine, and After is that of a
	// list of those that come when all goroutines have ended. Without AtOnce there is none of them.
	AtOnce []int
	After  int
}

// Calls carries sequences of calls over. A list has the calls, each a sum with an
// alternative for each function, which holds the arguments. If there is more to say, a
// sequence is a product of the function that comes first, the list, those of goroutines, and the input.
type Calls struct {
	Type *term.Type // of a sequence

	begin, ops [][]*plan // of each function
	input      *plan
	alone      bool                                  // there is nothing but the list
	place      struct{ begin, ops, input, once int } // in the product; -1: not there
	goroutines int                                   // lists from place.once on, and then one more
}

// Calls returns what carries sequences over. An argument that is a pointer is never nil. The
// error names the argument of whose type there are no values: see [Registry.Arg].
func (r *Registry) Calls(s Sequence) (*Calls, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := &deriver{reg: r, plans: make(map[planKey]*plan)}
	c := &Calls{}
	if err := d.calls(c, s); err != nil {
		return nil, err
	}
	if err := c.Type.Seal(); err != nil {
		return nil, err
	}
	for key := range d.plans {
		r.used[key.rtype] = true
	}
	return c, nil
}

// calls fills in c.
func (d *deriver) calls(c *Calls, s Sequence) (err error) {
	one := &term.Type{Name: "a call of " + s.Name, Kind: term.Sum}
	listOf := func(name string, most int) *term.Type {
		return &term.Type{Name: name + s.Name, Kind: term.List, MaxLen: most, Elem: one}
	}
	list := listOf("calls of ", -1)
	if s.MostOps > 0 {
		list.MaxLen = s.MostOps
	}
	if one.Alts, c.ops, err = d.alternatives(s.Ops, s.Most, false); err != nil {
		return err
	}
	whole := &term.Type{Name: "sequence of " + s.Name, Kind: term.Product}
	part := func(name string, t *term.Type) int {
		whole.Fields = append(whole.Fields, term.Field{Name: name, Type: t})
		return len(whole.Fields) - 1
	}
	c.place.begin, c.place.ops, c.place.input = -1, -1, -1
	if chosen(s.Begin) {
		begin := &term.Type{Name: "a beginning of " + s.Name, Kind: term.Sum}
		if begin.Alts, c.begin, err = d.alternatives(s.Begin, s.Most, true); err != nil {
			return err
		}
		c.place.begin = part("beginning", begin)
	}
	if len(s.Ops) > 0 {
		c.place.ops = part("calls", list)
	}
	c.place.once, c.goroutines = len(whole.Fields), len(s.AtOnce)
	for i, most := range s.AtOnce {
		part(fmt.Sprint("goroutine ", i+1), listOf("calls at once of ", most))
	}
	if len(s.AtOnce) > 0 {
		part("after", listOf("calls after of ", s.After))
	}
	if s.Input != nil {
		d.root = s.Input
		if c.input, err = d.plan(s.Input, "", step{name: s.Input.String()}); err != nil {
			return err
		}
		c.place.input = part("input", c.input.typ)
	}
	c.Type = whole
	if c.alone = len(whole.Fields) == 1 && len(s.Ops) > 0; c.alone {
		c.Type = list
	}
	c.Type.Related = true // what one call puts somewhere another one finds, if it has the same key
	return nil
}

// chosen reports whether there is anything to draw for what a sequence begins with.
func chosen(begin []Call) bool {
	return len(begin) > 1 || len(begin) == 1 && len(begin[0].Args) > 0
}

// Arg returns an error if no values of t can be derived for an argument.
func (r *Registry) Arg(t reflect.Type) error {
	_, err := r.Calls(Sequence{Ops: []Call{{t.String(), []reflect.Type{t}}}})
	return err
}

// alternatives are those of a sum of calls, and what carries their arguments over. begins says
// that the calls make the state.
func (d *deriver) alternatives(calls []Call, most int, begins bool) (alts []term.Alt, plans [][]*plan, err error) {
	for _, call := range calls {
		alt, args, err := d.call(call, most, begins)
		if err != nil {
			return nil, nil, err
		}
		alts, plans = append(alts, alt), append(plans, args)
	}
	return alts, plans, nil
}

// call makes an alternative of a call.
func (d *deriver) call(c Call, most int, begins bool) (term.Alt, []*plan, error) {
	alt := term.Alt{Name: c.Name}
	if len(c.Args) == 0 {
		return alt, nil, nil
	}
	alt.Type = &term.Type{Name: "arguments of " + c.Name, Kind: term.Product}
	var plans []*plan
	for i, t := range c.Args {
		d.root = t
		p, err := d.plan(t, d.argumentTag(t, most, begins), step{name: t.String()})
		if err != nil {
			return alt, nil, err
		}
		alt.Type.Fields = append(alt.Type.Fields, term.Field{Name: fmt.Sprint("argument ", i+1), Type: p.typ})
		plans = append(plans, p)
	}
	return alt, plans, nil
}

// argumentTag restricts the values of an argument as a tag does those of a field. Numbers that a
// state begins with are sizes, capacities and seeds; those of operations may be keys and elements.
func (d *deriver) argumentTag(t reflect.Type, most int, begins bool) string {
	_, rep := d.reg.rep(t)
	switch known := rep || d.reg.values[t] != nil || d.generator(t) != nil; {
	case t.Kind() == reflect.Pointer:
		return "nonnil"
	case most == 0 || known:
	case t.Kind() == reflect.Int, begins && (t.Kind() == reflect.Int32 || t.Kind() == reflect.Int64):
		return fmt.Sprintf("min=%d,max=%d", -most, most)
	case t.Kind() == reflect.Uint, begins && (t.Kind() == reflect.Uint32 || t.Kind() == reflect.Uint64):
		return fmt.Sprintf("max=%d", most)
	}
	return ""
}

// Begin returns the number of the function that a sequence begins with, and new values for
// its arguments.
func (c *Calls) Begin(x *term.Term) (function int, args []reflect.Value) {
	if c.place.begin < 0 {
		return 0, nil
	}
	call := x.Kids[c.place.begin]
	return call.Alt(), values(c.begin[call.Alt()], call)
}

// List returns the calls of a sequence, after its beginning.
func (c *Calls) List(x *term.Term) []*term.Term {
	switch {
	case c.alone:
		return x.Kids
	case c.place.ops < 0:
		return nil
	}
	return x.Kids[c.place.ops].Kids
}

// AtOnce returns the calls of each goroutine, and those that come after all of them.
func (c *Calls) AtOnce(x *term.Term) (goroutines [][]*term.Term, after []*term.Term) {
	for i := range c.goroutines {
		goroutines = append(goroutines, x.Kids[c.place.once+i].Kids)
	}
	return goroutines, x.Kids[c.place.once+c.goroutines].Kids
}

// Input writes the value that comes after the calls to dst, which holds zero.
func (c *Calls) Input(x *term.Term, dst unsafe.Pointer) {
	c.input.set(dst, x.Kids[c.place.input])
}

// Args returns the number of the function that a call, an element of a list, is one
// of, and new values for its arguments.
func (c *Calls) Args(call *term.Term) (function int, args []reflect.Value) {
	return call.Alt(), values(c.ops[call.Alt()], call)
}

// values makes the arguments of a call.
func values(plans []*plan, call *term.Term) []reflect.Value {
	args := make([]reflect.Value, len(plans))
	for i, p := range plans {
		v := reflect.New(p.rtype)
		p.set(v.UnsafePointer(), call.Kids[0].Kids[i])
		args[i] = v.Elem()
	}
	return args
}
