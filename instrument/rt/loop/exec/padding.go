package exec

import (
	"reflect"
	"sync"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

func init() { fuzzmutrt.PaddingHook = padding }

// paddings are the bytes of types that no code reads, by type: nil if there are none.
var paddings sync.Map

// padding says whether a byte of what pointers of a type point to lies between fields, or in a blank one.
func padding(pointer any, at uintptr) bool {
	t := reflect.TypeOf(pointer).Elem()
	known, ok := paddings.Load(t)
	if !ok {
		known, _ = paddings.LoadOrStore(t, paddingOf(t))
	}
	list := known.([]bool)
	return list != nil && list[at]
}

// paddingOf says of each byte of a type whether it is padding; nil: none is.
func paddingOf(t reflect.Type) []bool {
	if k := t.Kind(); k != reflect.Struct && k != reflect.Array {
		return nil
	}
	read := make([]bool, t.Size())
	some := markRead(t, read) < len(read)
	if !some {
		return nil
	}
	for i := range read {
		read[i] = !read[i]
	}
	return read
}

// markRead marks the bytes that values of a type have at the beginning of a slice, and counts them.
func markRead(t reflect.Type, read []bool) (n int) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				n += markRead(f.Type, read[f.Offset:])
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			n += markRead(t.Elem(), read[uintptr(i)*t.Elem().Size():])
		}
	default:
		for i := range read[:t.Size()] {
			read[i] = true
		}
		return int(t.Size())
	}
	return n
}
