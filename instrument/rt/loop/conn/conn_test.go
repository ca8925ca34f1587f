package conn

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestConn(t *testing.T, requests ...wire.Request) (*Conn, *bytes.Buffer) {
	t.Helper()
	var in, out bytes.Buffer
	for _, r := range requests {
		if err := wire.Send(&in, r); err != nil {
			t.Fatal(err)
		}
	}
	return New(&in, &out, wire.NewShared(make([]byte, wire.SharedSize))), &out
}

// Serve answers requests until there are no more, and says by its exit code how a worker
// has ended.
func TestServe(t *testing.T) {
	run := wire.Request{Run: &wire.Run{}}
	ran := wire.Reply{Ran: &wire.Ran{}}
	for name, c := range map[string]struct {
		requests []wire.Request
		one      func(c *Conn, req *wire.Request) error
		served   int
		code     int
	}{
		"nothing":  {nil, nil, 0, wire.ExitDone},
		"two":      {[]wire.Request{run, run}, func(c *Conn, _ *wire.Request) error { return c.Reply(ran) }, 2, wire.ExitDone},
		"unclosed": {[]wire.Request{run, run}, func(*Conn, *wire.Request) error { return nil }, 1, wire.ExitInternal},
		"another's reply": {[]wire.Request{run, run}, func(c *Conn, _ *wire.Request) error {
			return c.Reply(wire.Reply{Fuzzed: &wire.Fuzzed{}})
		}, 1, wire.ExitInternal},
		"two closing replies": {[]wire.Request{run, run}, func(c *Conn, _ *wire.Request) error {
			return errors.Join(c.Reply(ran), c.Reply(ran))
		}, 1, wire.ExitInternal},
		"damaged": {[]wire.Request{run, run}, func(*Conn, *wire.Request) error { return ErrDamaged }, 1, wire.ExitDamaged},
		"broken":  {[]wire.Request{run, run}, func(*Conn, *wire.Request) error { return ErrBroken }, 1, wire.ExitBroken},
		"empty":   {[]wire.Request{{}}, nil, 0, wire.ExitInternal},
	} {
		conn, _ := newTestConn(t, c.requests...)
		served := 0
		code := conn.Serve(func(req *wire.Request) error { served++; return c.one(conn, req) })
		if code != c.code || served != c.served {
			t.Errorf("%s: %d served, exit code %d; want %d, %d", name, served, code, c.served, c.code)
		}
	}
}

// What is no request ends the worker as broken: the target has read from the pipe, or
// written to it.
func TestServeGarbage(t *testing.T) {
	c := New(bytes.NewReader(make([]byte, 4<<20)), io.Discard, nil)
	if code := c.Serve(func(*wire.Request) error { return nil }); code != wire.ExitBroken {
		t.Errorf("exit code %d", code)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestReplyWithoutCoordinator(t *testing.T) {
	c := New(nil, closed{}, nil)
	if err := c.Begin(&wire.Request{Run: &wire.Run{}}); err != nil {
		t.Fatal(err)
	}
	if err := c.Reply(wire.Reply{Ran: &wire.Ran{}}); !errors.Is(err, ErrBroken) || ExitCode(err) != wire.ExitBroken {
		t.Errorf("%v", err)
	}
}
