// Package message knows messages of protocol buffers, as generated code declares them: what their fields mean, and
// which of them are for that code alone.
package message

import (
	"reflect"
	"strings"
)

// Is reports whether a type is a struct that stands for a message: all such, of each generator for Go, have the
// method ProtoMessage, which does nothing.
func Is(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.Name() == "" {
		return false
	}
	m, ok := reflect.PointerTo(t).MethodByName("ProtoMessage")
	return ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 0
}

// Has reports whether a field of that name, in the struct of a message, is a field of the message. Others hold what
// generated code keeps: how it is read and written, sizes, and bytes that no field has.
func Has(name string) bool {
	switch name {
	case "state", "sizeCache", "unknownFields", "extensionFields", "weakFields", "_":
		return false
	}
	return !strings.HasPrefix(name, "XXX_") && !strings.HasPrefix(name, "xxx_hidden_XXX_")
}

// Get reports whether a method of that name reads a field.
func Get(name string) bool {
	return strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "Has")
}
