package loop

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

// errBroken ends the process with ExitBroken: the target has closed, read or written to
// what it shares with the worker that it is part of.
var errBroken = errors.New("the target has broken the connection to fuzzmut")

// conn is the worker's side of the connection to the coordinator.
type conn struct {
	in     *bufio.Reader
	out    io.Writer
	shared *wire.Shared

	dialogue wire.Dialogue // of the request under way
}

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

// connect opens the connection.
func connect() (*conn, error) {
	fds, err := inherited()
	if err != nil {
		return nil, err
	}
	mem, err := mapMemory(fds[2], wire.SharedSize)
	if err != nil {
		return nil, fmt.Errorf("mapping the memory shared with the coordinator: %w", err)
	}
	return &conn{
		in:     bufio.NewReader(os.NewFile(fds[0], "requests")),
		out:    os.NewFile(fds[1], "replies"),
		shared: wire.NewShared(mem),
	}, nil
}

// serve answers requests by calling one until the coordinator hangs up, and returns the
// process's exit code.
func (c *conn) serve(one func(*wire.Request) error) int {
	for {
		var req wire.Request
		err := wire.Receive(c.in, &req, wire.MaxRequest)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return wire.ExitDone
		case err != nil:
			return exitCode(fmt.Errorf("%w: reading a request: %w", errBroken, err))
		}
		if err := c.answer(&req, one); err != nil {
			return exitCode(err)
		}
	}
}

// answer answers one request by calling one, which sends the replies.
func (c *conn) answer(req *wire.Request, one func(*wire.Request) error) (err error) {
	if c.dialogue, err = wire.Begin(req); err != nil {
		return err
	}
	if err = one(req); err == nil && !c.dialogue.Closed() {
		err = errors.New("a request was not answered to the end")
	}
	return err
}

// exitCode says why the worker ends, and returns its exit code.
func exitCode(err error) int {
	if errors.Is(err, errDamaged) {
		return wire.ExitDamaged
	}
	fmt.Fprintf(os.Stderr, "fuzzmut: worker: %v\n", err)
	if errors.Is(err, errBroken) {
		return wire.ExitBroken
	}
	return wire.ExitInternal
}

// reply sends a reply to the request under way.
func (c *conn) reply(r wire.Reply) error {
	if _, err := c.dialogue.Reply(&r); err != nil {
		return err
	}
	if err := wire.Send(c.out, r); err != nil {
		return fmt.Errorf("%w: sending a reply: %w", errBroken, err)
	}
	return nil
}
