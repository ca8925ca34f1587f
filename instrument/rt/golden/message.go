package golden

import (
	"reflect"
	"strings"
)

// IsMessage reports whether a type is a struct that stands for a message of protocol buffers, as generated code declares
// it: all such, of each generator for Go, have the method ProtoMessage, which does nothing.
func IsMessage(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.Name() == "" {
		return false
	}
	m, ok := reflect.PointerTo(t).MethodByName("ProtoMessage")
	return ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 0
}

// IsMessageField reports whether a field of that name, in the struct of a message, is a field of the message. Others hold what
// generated code keeps: how it is read and written, sizes, and bytes that no field has.
func IsMessageField(name string) bool {
	switch name {
	case "state", "sizeCache", "unknownFields", "extensionFields", "weakFields", "_":
		return false
	}
	return !strings.HasPrefix(name, "XXX_") && !strings.HasPrefix(name, "xxx_hidden_XXX_")
}

// readsField reports whether a method of that name of a message reads a field.
func readsField(name string) bool {
	return strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "Has")
}
