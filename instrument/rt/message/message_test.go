package message

import (
	"reflect"
	"testing"
)

type sent struct{ Name string }

func (*sent) ProtoMessage() {}

type other struct{}

func (other) ProtoMessage(string) {}

type text string

func (*text) ProtoMessage() {}

func TestIs(t *testing.T) {
	for v, want := range map[any]bool{sent{}: true, &sent{}: false, other{}: false, text(""): false, struct{ sent }{}: false, 1: false} {
		if got := Is(reflect.TypeOf(v)); got != want {
			t.Errorf("%T: %v", v, got)
		}
	}
}

func TestHas(t *testing.T) {
	for name, want := range map[string]bool{
		"Name": true, "xxx_hidden_Name": true, "state": false, "sizeCache": false, "unknownFields": false, "extensionFields": false,
		"XXX_sizecache": false, "xxx_hidden_XXX_presence": false, "_": false,
	} {
		if got := Has(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !Get("GetName") || !Get("HasName") || Get("ProtoReflect") || Get("Descriptor") {
		t.Error("methods that read fields")
	}
}
