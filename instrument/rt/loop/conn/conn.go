// Package conn is the worker's side of the connection to the coordinator: the
// descriptors that it inherits, requests that come in, replies that go out, and how the
// process ends when that is over.
//
// A worker calls Inherit while packages are initialized, Connect once the target or the
// tests are there, and then Serve, whose result is the exit code: ExitDone when the
// coordinator has hung up, which is how a worker is asked to end; ExitDamaged after a
// Damaged; ExitBroken when the target has broken the connection; ExitInternal when we
// have made a mistake. Descriptors and memory are given up by the end of the process.
package conn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// ErrDamaged ends the process with ExitDamaged: a fresh one must go on.
var ErrDamaged = errors.New("global state has changed")

// ErrBroken ends the process with ExitBroken: the target has closed, read or written to
// what it shares with the worker that it is part of.
var ErrBroken = errors.New("the target broke the connection to fuzzmut")

// A Conn is the worker's side of the connection to the coordinator.
type Conn struct {
	in     *bufio.Reader
	out    io.Writer
	Shared *wire.Shared // what is in progress, for who looks into a death
	whole  func() error // whether both descriptors are those it was given; nil: that is not known

	dialogue wire.Dialogue // of the request in progress
}

// New returns a connection over an input, an output and a memory of wire.SharedSize.
func New(in io.Reader, out io.Writer, shared *wire.Shared) *Conn {
	return &Conn{in: bufio.NewReader(in), out: out, Shared: shared}
}

// Inherit takes over the descriptors that the coordinator has given this process. Call it
// before any process is started: those that the target starts do not get them. Connect
// tells what is wrong.
func Inherit() { inherited() } //nolint:errcheck,gosec // see above

// inherited are the descriptors that the coordinator has given this process: of
// requests, of replies, and of the shared memory. Processes that the target starts do
// not get them, nor what would make workers of them.
var inherited = sync.OnceValues(func() (fds [3]uintptr, err error) {
	text := os.Getenv(wire.EnvConn)
	for _, name := range [...]string{wire.EnvConn, wire.EnvWorker, wire.EnvTests} {
		os.Unsetenv(name)
	}
	list := strings.Split(text, ",")
	if len(list) != len(fds) {
		return fds, fmt.Errorf("%s=%q does not name %d descriptors", wire.EnvConn, text, len(fds))
	}
	for i, s := range list {
		n, err := strconv.ParseUint(s, 10, 0)
		if err != nil {
			return fds, fmt.Errorf("%s=%q: %w", wire.EnvConn, text, err)
		}
		fds[i] = uintptr(n)
		closeOnExec(fds[i])
	}
	return fds, nil
})

// Connect opens the connection.
func Connect() (*Conn, error) {
	fds, err := inherited()
	if err != nil {
		return nil, err
	}
	mem, err := mapMemory(fds[2], wire.SharedSize)
	if err != nil {
		return nil, fmt.Errorf("mapping the memory shared with the coordinator: %w", err)
	}
	c := New(os.NewFile(fds[0], "requests"), os.NewFile(fds[1], "replies"), wire.NewShared(mem))
	c.whole = unchanged(fds[:2])
	return c, nil
}

// Check looks whether the target has closed what it shares with the worker: otherwise that
// shows with the next reply, when another input may be in progress. The error is ErrBroken.
func (c *Conn) Check() error {
	if c.whole == nil {
		return nil
	}
	if err := c.whole(); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

// Serve answers requests by calling one until the coordinator hangs up, and returns the
// process's exit code.
func (c *Conn) Serve(one func(*wire.Request) error) int {
	for {
		var req wire.Request
		err := wire.Receive(c.in, &req, wire.MaxRequest)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return wire.ExitDone
		case err != nil:
			return ExitCode(fmt.Errorf("%w: reading a request: %w", ErrBroken, err))
		}
		if err := c.Answer(&req, one); err != nil {
			return ExitCode(err)
		}
	}
}

// answer answers one request by calling one, which sends the replies.
func (c *Conn) Answer(req *wire.Request, one func(*wire.Request) error) (err error) {
	if err := c.Begin(req); err != nil {
		return err
	}
	if err = one(req); err == nil && !c.dialogue.Closed() {
		err = errors.New("a request was not answered completely")
	}
	return err
}

// ExitCode says why the worker ends, and returns its exit code.
func ExitCode(err error) int {
	if errors.Is(err, ErrDamaged) {
		return wire.ExitDamaged
	}
	fmt.Fprintf(os.Stderr, "fuzzmut: worker: %v\n", err)
	if errors.Is(err, ErrBroken) {
		return wire.ExitBroken
	}
	return wire.ExitInternal
}

// Begin begins to answer a request: the replies from here on belong to it.
func (c *Conn) Begin(req *wire.Request) (err error) {
	c.dialogue, err = wire.Begin(req)
	return err
}

// Reply sends a reply to the request in progress.
func (c *Conn) Reply(r wire.Reply) error {
	if _, err := c.dialogue.Reply(&r); err != nil {
		return err
	}
	if err := wire.Send(c.out, r); err != nil {
		return fmt.Errorf("%w: sending a reply: %w", ErrBroken, err)
	}
	return nil
}
