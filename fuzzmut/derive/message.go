package derive

import (
	"reflect"
	"strings"
)

// isMessage reports whether a type is a struct that stands for a message of protocol buffers: all such, of each
// generator for Go, have the method ProtoMessage, which does nothing.
func isMessage(t reflect.Type) bool {
	if t.Name() == "" {
		return false
	}
	m, ok := reflect.PointerTo(t).MethodByName("ProtoMessage")
	return ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 0
}

// message makes a product of the fields of a message. What else its struct holds belongs to generated code, and keeps
// its zero value. So do fields whose values nobody knows how to make, as one of several fields where no package that is
// loaded has them. A list of messages has no nil, which stands for none.
func (d *deriver) message(p *plan, s step) error {
	if sealed(p.rtype) {
		return d.unknown(s, "take its fields as arguments, and set them by its methods", "is a message whose fields are not exported, which only its methods set")
	}
	defer func(outer bool) { d.partial = outer }(d.partial)
	d.partial = true
	return d.fields(p, s, func(f reflect.StructField) (tag string, skip bool) {
		if k := f.Type.Kind(); (k == reflect.Slice || k == reflect.Map) && f.Type.Elem().Kind() == reflect.Pointer {
			tag = "elem.nonnil"
		}
		return tag, !f.IsExported() || strings.HasPrefix(f.Name, "XXX_")
	})
}

// sealed reports whether the fields of a message are not exported.
func sealed(t reflect.Type) bool {
	for i := range t.NumField() {
		if strings.HasPrefix(t.Field(i).Name, "xxx_hidden_") {
			return true
		}
	}
	return false
}
