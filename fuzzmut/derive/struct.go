package derive

import (
	"errors"
	"reflect"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// field is a part of a value that lies within it.
type field struct {
	name   string
	offset uintptr
	plan   *plan
}

// product makes a product of parts in memory.
func (p *plan) product(fields []field) {
	t := p.typ
	t.Kind, p.inside, p.fields = term.Product, true, fields
	for _, f := range fields {
		t.Fields = append(t.Fields, term.Field{Name: f.name, Type: f.plan.typ})
	}
	p.set = func(dst unsafe.Pointer, x *term.Term) {
		for i := range fields {
			f := &fields[i]
			f.plan.set(unsafe.Add(dst, f.offset), x.Kids[i])
		}
	}
	p.get = func(src unsafe.Pointer, depth int) (*term.Term, error) {
		x := &term.Term{Type: t, Kids: make([]*term.Term, len(fields))}
		for i := range fields {
			f := &fields[i]
			var err error
			if x.Kids[i], err = f.plan.get(unsafe.Add(src, f.offset), depth); err != nil {
				return nil, under("."+f.name, err)
			}
		}
		return x, nil
	}
}

// structure makes a product of a struct's fields, unexported ones, too.
func (d *deriver) structure(p *plan, tag string, s step) error {
	t := p.rtype
	standard := isStandard(t.PkgPath())
	if standard && t.PkgPath() == "sync" {
		p.product(nil) // locks start open
		return nil
	}
	if _, err := d.parse(tag, s); err != nil {
		return err
	}
	if isMessage(t) {
		return d.message(p, s)
	}
	if hidden := hasHidden(t); hidden || standard {
		if done := marshaled(p); done {
			return nil
		}
		if hidden && standard && t.PkgPath() != "sync/atomic" {
			if s.String() == t.String() {
				return d.unknown(s, "", "is a type of the standard library, whose fields can't be set")
			}
			return d.unknown(s, "", "is of type %v of the standard library, whose fields can't be set", t)
		}
	}
	return d.fields(p, s, func(f reflect.StructField) (tag string, skip bool) {
		tag = f.Tag.Get("fuzz")
		return tag, f.Name == "_" || tag == "-"
	})
}

// fields makes a product of the fields of a struct, but for those to skip.
func (d *deriver) fields(p *plan, s step, of func(reflect.StructField) (tag string, skip bool)) error {
	var fields []field
	for i := range p.rtype.NumField() {
		f := p.rtype.Field(i)
		tag, skip := of(f)
		if skip {
			continue
		}
		e, err := d.below(f.Type, tag, s.to("."+f.Name))
		var why *Error
		switch {
		case err == nil:
		case d.partial && errors.As(err, &why) && why.unknown:
			continue
		default:
			return err
		}
		fields = append(fields, field{f.Name, f.Offset, e})
	}
	p.product(fields)
	return nil
}

// below plans a field. With the option partial, fields at any depth below it keep their zero
// value if nothing is known of theirs.
func (d *deriver) below(t reflect.Type, tag string, s step) (*plan, error) {
	tag, partial := cutOption(tag, "partial")
	defer func(outer bool) { d.partial = outer }(d.partial)
	d.partial = d.partial || partial
	return d.plan(t, tag, s)
}

// hasHidden reports whether a struct has fields that are not exported.
func hasHidden(t reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() && f.Name != "_" {
			return true
		}
	}
	return false
}
