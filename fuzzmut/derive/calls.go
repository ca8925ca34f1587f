package derive

import (
	"fmt"
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// A Call is a function that sequences of calls may have, by its name and the types of
// the arguments that are to be drawn.
type Call struct {
	Name string
	Args []reflect.Type
}

// Calls carries sequences of calls over. A sequence is a list, and a call a sum with an
// alternative for each function, which holds the arguments.
type Calls struct {
	Type *term.Type // of a sequence

	args [][]*plan // of each function
}

// Calls returns what carries sequences of some calls over. An argument that is a pointer
// is never nil. The error names the argument of whose type there are no values: see
// [Registry.Arg].
func (r *Registry) Calls(name string, calls []Call) (*Calls, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := &deriver{reg: r, plans: make(map[planKey]*plan)}
	one := &term.Type{Name: "a call of " + name, Kind: term.Sum}
	c := &Calls{Type: &term.Type{Name: "calls of " + name, Kind: term.List, MaxLen: -1, Elem: one}}
	for _, call := range calls {
		alt, plans, err := d.call(call)
		if err != nil {
			return nil, err
		}
		one.Alts, c.args = append(one.Alts, alt), append(c.args, plans)
	}
	if err := c.Type.Seal(); err != nil {
		return nil, err
	}
	for key := range d.plans {
		r.used[key.rtype] = true
	}
	return c, nil
}

// Arg returns an error if no values of t can be derived for an argument.
func (r *Registry) Arg(t reflect.Type) error {
	_, err := r.Calls("", []Call{{t.String(), []reflect.Type{t}}})
	return err
}

// call makes an alternative of a call.
func (d *deriver) call(c Call) (term.Alt, []*plan, error) {
	alt := term.Alt{Name: c.Name}
	if len(c.Args) == 0 {
		return alt, nil, nil
	}
	alt.Type = &term.Type{Name: "arguments of " + c.Name, Kind: term.Product}
	var plans []*plan
	for i, t := range c.Args {
		d.root = t
		p, err := d.plan(t, nonnilTag(t), step{name: t.String()})
		if err != nil {
			return alt, nil, err
		}
		alt.Type.Fields = append(alt.Type.Fields, term.Field{Name: fmt.Sprint("argument ", i+1), Type: p.typ})
		plans = append(plans, p)
	}
	return alt, plans, nil
}

func nonnilTag(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "nonnil"
	}
	return ""
}

// Args returns the number of the function that a call, an element of a sequence, is one
// of, and new values for its arguments.
func (c *Calls) Args(call *term.Term) (function int, args []reflect.Value) {
	plans := c.args[call.Alt()]
	args = make([]reflect.Value, len(plans))
	for i, p := range plans {
		v := reflect.New(p.rtype)
		p.set(v.UnsafePointer(), call.Kids[0].Kids[i])
		args[i] = v.Elem()
	}
	return call.Alt(), args
}
