package worker

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// tells reports whether a type is that of a message, or has the name of one and its input
// decoded.
func tells(got, message reflect.Type) bool {
	if _, has := message.Elem().FieldByName("Bred"); has {
		bred, ok := got.Elem().FieldByName("Bred")
		return ok && bred.Type == reflect.TypeFor[[]*corpus.Input]()
	}
	if _, has := message.Elem().FieldByName("Input"); !has || got.Elem().Name() != message.Elem().Name() {
		return got == message
	}
	input, ok := got.Elem().FieldByName("Input")
	return ok && input.Type == reflect.TypeFor[*corpus.Input]()
}

// Each request has a call, whose callbacks are the events of its row in the table of
// exchanges. About is taken in by the process itself.
func TestCallsAreThoseOfTheTable(t *testing.T) {
	process, requests := reflect.TypeFor[*Process](), reflect.TypeFor[wire.Request]()
	replies := reflect.TypeFor[wire.Reply]()
	for i := range requests.NumField() {
		name := requests.Field(i).Name
		call, ok := process.MethodByName(name)
		if !ok {
			t.Errorf("there is no call for %s", name)
			continue
		}
		row := wire.ExchangeOf(wire.RequestKind(i + 1))
		if got, want := call.Type.Out(0), replies.Field(int(row.Closing)-1).Type; !tells(got, want) {
			t.Errorf("%s returns %v, the table says %v", name, got, want)
		}
		var want, got []string
		for _, kind := range row.Events {
			if kind != wire.AboutReply {
				want = append(want, replies.Field(int(kind)-1).Name)
			}
		}
		if call.Type.NumIn() > 3 {
			events := call.Type.In(3)
			for j := range events.NumField() {
				field := events.Field(j)
				got = append(got, field.Name)
				if part, _ := replies.FieldByName(field.Name); !tells(field.Type.In(0), part.Type) {
					t.Errorf("%s: %s takes %v", name, field.Name, field.Type.In(0))
				}
			}
		}
		if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
			t.Errorf("%s takes the events %s, the table says %s", name, g, w)
		}
	}
}
