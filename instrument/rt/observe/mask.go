package observe

import "reflect"

// A mask names fields of structs that do not count in a value, by [fieldKey]. It does not
// change: a recording knows by it how its hashes were made.
type mask struct {
	fields map[string]bool
}

// with returns a mask that hides one field more; m may be nil.
func (m *mask) with(field string) *mask {
	more := &mask{fields: map[string]bool{field: true}}
	if m != nil {
		for f := range m.fields {
			more.fields[f] = true
		}
	}
	return more
}

// list returns the fields, sorted.
func (m *mask) list() []string {
	if m == nil {
		return nil
	}
	list := make([]string, 0, len(m.fields))
	for f := range m.fields {
		at := len(list)
		for at > 0 && list[at-1] > f {
			at--
		}
		list = append(list, "")
		copy(list[at+1:], list[at:])
		list[at] = f
	}
	return list
}

// fieldKey names a field of a struct type: "example.com/p.T.Name". Type arguments do not
// count.
func fieldKey(t reflect.Type, name string) string {
	typ := t.Name()
	for i := range len(typ) {
		if typ[i] == '[' {
			typ = typ[:i]
			break
		}
	}
	return t.PkgPath() + "." + typ + "." + name
}

// hiddenIn is a struct type under a mask.
type hiddenIn struct {
	mask *mask
	plan *plan
}

// hiddenOf says which fields of a struct the mask of this walk hides; nil: none.
func (w *walker) hiddenOf(p *plan) []bool {
	key := hiddenIn{w.hide, p}
	list, known := w.hidden[key]
	if known {
		return list
	}
	for i := range p.fields {
		if w.hide.fields[fieldKey(p.typ, p.fields[i].name)] {
			if list == nil {
				list = make([]bool, len(p.fields))
			}
			list[i] = true
		}
	}
	w.hidden[key] = list
	return list
}
