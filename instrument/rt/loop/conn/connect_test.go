//go:build unix

package conn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// asWorker is the environment variable that has the test binary be a worker.
const asWorker = "CONN_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(asWorker) != "" {
		work()
	}
	os.Exit(m.Run())
}

// work is what the worker does: it answers each Run, whose fuel is that of the request, and
// counts an execution in the shared memory. Before, it tells what a process that it starts has.
func work() {
	Inherit()
	Inherit() // again is no harm
	c, err := Connect()
	if err != nil {
		os.Exit(ExitCode(err))
	}
	EndWithParent()
	child := exec.Command("/bin/sh", "-c", `for fd in 3 4 5; do if (: <&$fd) 2>/dev/null; then echo "descriptor $fd"; fi; done; env`)
	out, err := child.CombinedOutput()
	fmt.Fprintf(os.Stderr, "%s\n%v\n", out, err)
	os.Exit(c.Serve(func(req *wire.Request) error {
		c.Shared.Begin(0)
		c.Shared.End()
		if req.Run == nil {
			return errors.New("not a Run")
		}
		return c.Reply(wire.Reply{Ran: &wire.Ran{Fuel: req.Run.Fuel}})
	}))
}

// started is a worker with the other ends of what it inherits.
type started struct {
	cmd      *exec.Cmd
	requests *os.File
	replies  *bufio.Reader
	shared   *wire.Shared
	stderr   bytes.Buffer
}

func start(t *testing.T) *started {
	t.Helper()
	memory, err := os.Create(filepath.Join(t.TempDir(), "memory"))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	if err := memory.Truncate(wire.SharedSize); err != nil {
		t.Fatal(err)
	}
	mem, err := syscall.Mmap(int(memory.Fd()), 0, wire.SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) }) //nolint:errcheck // the process is about to end
	in, requests, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	replies, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	t.Cleanup(func() { requests.Close(); replies.Close() })
	s := &started{cmd: exec.Command(os.Args[0]), requests: requests, replies: bufio.NewReader(replies), shared: wire.NewShared(mem)}
	s.cmd.ExtraFiles = []*os.File{in, out, memory}
	s.cmd.Env = append(os.Environ(), asWorker+"=1", wire.EnvConn+"=3,4,5", wire.EnvWorker+"=FuzzX", wire.EnvTests+"=1")
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// code waits for the end of the worker, and returns its exit code.
func (s *started) code() int {
	s.cmd.Wait() //nolint:errcheck // the code says it
	return s.cmd.ProcessState.ExitCode()
}

// A worker answers over the descriptors that it inherits until the coordinator hangs up, and
// both see the same memory.
func TestAWorkerAnswersItsCoordinator(t *testing.T) {
	s := start(t)
	for fuel := int64(1); fuel <= 3; fuel++ {
		if err := wire.Send(s.requests, wire.Request{Run: &wire.Run{Fuel: fuel}}); err != nil {
			t.Fatal(err)
		}
		var r wire.Reply
		if err := wire.Receive(s.replies, &r, wire.MaxReply); err != nil || r.Ran == nil || r.Ran.Fuel != fuel {
			t.Fatalf("%+v, %v\n%s", r, err, &s.stderr)
		}
		if n := s.shared.Counts().Execs; n != uint64(fuel) {
			t.Errorf("%d executions, want %d", n, fuel)
		}
	}
	s.requests.Close()
	if code := s.code(); code != wire.ExitDone {
		t.Errorf("exit code %d\n%s", code, &s.stderr)
	}
}

// A process that the target starts is no worker: it gets none of the descriptors, nor the
// variables that would make it one.
func TestProcessesOfTheTargetInheritNothing(t *testing.T) {
	s := start(t)
	s.requests.Close()
	if code := s.code(); code != wire.ExitDone {
		t.Errorf("exit code %d", code)
	}
	text := s.stderr.String()
	if !strings.Contains(text, asWorker+"=1") {
		t.Fatalf("the process has said nothing: %s", text)
	}
	for _, word := range []string{"descriptor ", wire.EnvConn + "=", wire.EnvWorker + "=", wire.EnvTests + "="} {
		if strings.Contains(text, word) {
			t.Errorf("it has %s:\n%s", word, text)
		}
	}
}

// What is not answered ends the worker, with what is wrong.
func TestAWorkerEndsWithWhatItCanNotAnswer(t *testing.T) {
	s := start(t)
	if err := wire.Send(s.requests, wire.Request{Trim: &wire.Trim{}}); err != nil {
		t.Fatal(err)
	}
	if code := s.code(); code != wire.ExitInternal || !strings.Contains(s.stderr.String(), "fuzzmut: worker: not a Run") {
		t.Errorf("exit code %d\n%s", code, &s.stderr)
	}
}

// Without descriptors, or with what names none, there is no connection.
func TestDescriptorsThatAreNotThere(t *testing.T) {
	for _, c := range []struct{ conn, want string }{
		{"", "does not name 3 descriptors"}, {"3,4", "does not name 3 descriptors"}, {"3,four,5", "invalid syntax"}, {"3,4,99", "mapping the memory shared with the coordinator"},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asWorker+"=1", wire.EnvConn+"="+c.conn)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != wire.ExitInternal || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: %v\n%s", c.conn, err, out)
		}
	}
}

// replace has a descriptor stand for another file.
func replace(fd int) error {
	err := syscall.Close(fd)
	for last := -1; err == nil && last < fd; { // the lowest one that is free comes first
		last, err = syscall.Dup(0)
	}
	return err
}

// A pipe that was closed is missed at once, also if another file has its descriptor now.
func TestCheck(t *testing.T) {
	for name, harm := range map[string]func(fd int) error{
		"closed":   syscall.Close,
		"replaced": replace,
	} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		fd, err := syscall.Dup(int(out.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		c := New(nil, nil, nil)
		if err := c.Check(); err != nil {
			t.Errorf("%s: nothing is known of the descriptors: %v", name, err)
		}
		c.whole = unchanged([]uintptr{in.Fd(), uintptr(fd)})
		if err := c.Check(); err != nil {
			t.Errorf("%s: nothing has happened: %v", name, err)
		}
		if err := harm(fd); err != nil {
			t.Fatal(err)
		}
		if err := c.Check(); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
		syscall.Close(fd) //nolint:errcheck // it may be closed
	}
}
