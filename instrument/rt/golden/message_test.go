package golden

import (
	"reflect"
	"testing"
)

type sentMessage struct{ Name string }

func (*sentMessage) ProtoMessage() {}

type otherMessage struct{}

func (otherMessage) ProtoMessage(string) {}

type textMessage string

func (*textMessage) ProtoMessage() {}

func TestIsMessage(t *testing.T) {
	for v, want := range map[any]bool{sentMessage{}: true, &sentMessage{}: false, otherMessage{}: false, textMessage(""): false, struct{ sentMessage }{}: false, 1: false} {
		if got := IsMessage(reflect.TypeOf(v)); got != want {
			t.Errorf("%T: %v", v, got)
		}
	}
}

func TestFieldsOfMessages(t *testing.T) {
	for name, want := range map[string]bool{
		"Name": true, "xxx_hidden_Name": true, "state": false, "sizeCache": false, "unknownFields": false, "extensionFields": false,
		"XXX_sizecache": false, "xxx_hidden_XXX_presence": false, "_": false,
	} {
		if got := IsMessageField(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !readsField("GetName") || !readsField("HasName") || readsField("ProtoReflect") || readsField("Descriptor") {
		t.Error("methods that read fields")
	}
}
