package wire

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

// set returns a message with one field set.
func set[T any](field int) *T {
	m := new(T)
	f := reflect.ValueOf(m).Elem().Field(field)
	f.Set(reflect.New(f.Type().Elem()))
	return m
}

// The kinds are those of the fields, in their order, and every kind of request has a row
// in the table.
func TestKindsAreTheFields(t *testing.T) {
	if n := reflect.TypeFor[Request]().NumField(); n != int(requestKinds)-1 {
		t.Errorf("%d requests, %d kinds", n, requestKinds-1)
	}
	if n := reflect.TypeFor[Reply]().NumField(); n != int(replyKinds)-1 {
		t.Fatalf("%d replies, %d kinds", n, replyKinds-1)
	}
	for i := range int(requestKinds) - 1 {
		kind := set[Request](i).Kind()
		if int(kind) != i+1 {
			t.Errorf("field %d of Request is kind %d", i, kind)
		}
		if ExchangeOf(kind).Closing == NoReply {
			t.Errorf("request %d is never closed", kind)
		}
	}
	for i := range int(replyKinds) - 1 {
		if kind := set[Reply](i).Kind(); int(kind) != i+1 {
			t.Errorf("field %d of Reply is kind %d", i, kind)
		}
	}
	if (&Request{}).Kind() != NoRequest || (&Request{Run: &Run{}, Fuzz: &Fuzz{}}).Kind() != NoRequest {
		t.Error("a request with no part, or with two, has a kind")
	}
	if (&Reply{}).Kind() != NoReply || (&Reply{Ran: &Ran{}, Kill: &Kill{}}).Kind() != NoReply {
		t.Error("a reply with no part, or with two, has a kind")
	}
}

// Every reply belongs to some request, and no event of a request closes it, too.
func TestExchanges(t *testing.T) {
	used := make(map[ReplyKind]bool)
	for kind := InitRequest; kind < requestKinds; kind++ {
		row := ExchangeOf(kind)
		used[row.Closing] = true
		for i, e := range row.Events {
			used[e] = true
			if e == row.Closing || slices.Contains(row.Events[:i], e) {
				t.Errorf("request %d has reply %d twice", kind, e)
			}
		}
	}
	for kind := HelloReply; kind < replyKinds; kind++ {
		if !used[kind] {
			t.Errorf("reply %d belongs to no request", kind)
		}
	}
}

// A dialogue takes the events and the closing reply of its request, and nothing else.
func TestDialogues(t *testing.T) {
	for i := range int(requestKinds) - 1 {
		row := ExchangeOf(RequestKind(i + 1))
		for j := range int(replyKinds) - 1 {
			d, err := Begin(set[Request](i))
			if err != nil {
				t.Fatal(err)
			}
			kind := ReplyKind(j + 1)
			closed, err := d.Reply(set[Reply](j))
			if want := kind == row.Closing; closed != want || d.Closed() != want {
				t.Errorf("reply %d to request %d: closed is %v", kind, i+1, closed)
			}
			if want := kind == row.Closing || slices.Contains(row.Events, kind); (err == nil) != want {
				t.Errorf("reply %d to request %d: %v", kind, i+1, err)
			}
			if !closed {
				continue
			}
			if _, err := d.Reply(set[Reply](j)); !errors.Is(err, ErrProtocol) {
				t.Errorf("a reply after the last one: %v", err)
			}
		}
	}
	if _, err := Begin(&Request{}); !errors.Is(err, ErrProtocol) {
		t.Errorf("a request without a part: %v", err)
	}
	var none Dialogue
	if _, err := none.Reply(&Reply{Ran: &Ran{}}); !errors.Is(err, ErrProtocol) {
		t.Errorf("a reply to no request: %v", err)
	}
	d, _ := Begin(&Request{Run: &Run{}})
	if _, err := d.Reply(&Reply{Ran: &Ran{}, Kill: &Kill{}}); !errors.Is(err, ErrProtocol) {
		t.Errorf("a reply of two parts: %v", err)
	}
}
