//go:build unix

package system

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// shell returns a command that runs a script.
func shell(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

// A process that is left in the group has its standard output open: Run returns only if
// it is killed.
func TestNothingOutlivesAChild(t *testing.T) {
	var out bytes.Buffer
	cmd := shell("sleep 3600 & echo started; exit 3")
	cmd.Stdout = &out
	err := NewChild(cmd).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || out.String() != "started\n" {
		t.Errorf("%v, output %q", err, out.String())
	}
	if KilledFromOutside(cmd.ProcessState) {
		t.Error("a process that has ended by itself counts as killed")
	}
}

func TestKillKillsTheGroup(t *testing.T) {
	cmd := shell("sleep 3600 & echo started; wait")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := NewChild(cmd)
	c.Kill() // nothing was started
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "started\n" {
		t.Errorf("%q, %v", line, err)
	}
	c.Kill()
	if rest, err := io.ReadAll(stdout); err != nil || len(rest) > 0 { // until the last has closed it
		t.Errorf("%q, %v", rest, err)
	}
	if err := c.Wait(); err == nil || !KilledFromOutside(cmd.ProcessState) {
		t.Errorf("%v, %v", err, cmd.ProcessState)
	}
	c.Kill() // its number may be another's
	childrenMu.Lock()
	defer childrenMu.Unlock()
	if children[c] {
		t.Error("the child is still listed")
	}
}

func TestAChildThatCantBeStarted(t *testing.T) {
	c := NewChild(exec.Command("/nonexistent/program"))
	if err := c.Run(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	childrenMu.Lock()
	defer childrenMu.Unlock()
	if children[c] {
		t.Error("the child is listed")
	}
}

// A tool is interrupted by its context, and may clean up.
func TestAToolIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `trap 'echo cleaned; exit 5' INT; echo ready; while :; do sleep 0.01; done`)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := NewTool(cmd)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	cancel()
	if line, err := lines.ReadString('\n'); line != "cleaned\n" {
		t.Errorf("%q, %v", line, err)
	}
	c.Wait() //nolint:errcheck // the context's
	if code := cmd.ProcessState.ExitCode(); code != 5 {
		t.Errorf("exit code %d", code)
	}
	if err := c.Interrupt(); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("interrupted after its end: %v", err)
	}
}

// What is in the pipe when the writer has ended is read, and then it is at its end,
// although another process has it open.
func TestRepliesEndWithTheirWriter(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	replies := NewReplies(r)
	buf := make([]byte, 4)
	fmt.Fprint(w, "first")
	if n, err := replies.Read(buf); string(buf[:n]) != "firs" || err != nil {
		t.Errorf("%q, %v", buf[:n], err)
	}
	fmt.Fprint(w, "second")
	replies.Ended()
	if rest, err := io.ReadAll(replies); string(rest) != "tsecond" || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
	if n, err := replies.Read(buf); n != 0 || err != io.EOF {
		t.Errorf("after the end %d bytes, %v", n, err)
	}
}

// A process that has the pipe open and writes without end does not keep the reader.
func TestRepliesAreBoundedOnceEnded(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	fmt.Fprint(w, "abcdefgh")
	replies := &Replies{f: r, left: 4}
	replies.Ended()
	var got []byte
	for buf := make([]byte, 2); ; {
		n, err := replies.Read(buf)
		got = append(got, buf[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != "abcd" {
		t.Errorf("read %q, want the 4 bytes of the bound", got)
	}
}

func TestWritesFailOnceTheReaderIsGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() // somebody else has it open
	defer w.Close()
	Ended(w)
	_, err = w.Write(make([]byte, 1<<20))
	if !BrokenPipe(err) {
		t.Errorf("got %v", err)
	}
	if BrokenPipe(nil) || BrokenPipe(io.EOF) {
		t.Error("other errors count, too")
	}
	r.Close()
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2.Close()
	defer w2.Close()
	if _, err := w2.Write([]byte("x")); !BrokenPipe(err) {
		t.Errorf("nobody reads: %v", err)
	}
}

func TestMemoryAndFilesAreInherited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the shell writes through /proc/self/fd")
	}
	const size = 1 << 16
	m, err := NewMemory(t.TempDir(), size)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := shell(`printf shared 1<>/proc/self/fd/$MEMORY; printf piped >/proc/self/fd/$FILE`)
	files := Inherit(cmd, m, w)
	if len(files) != 2 {
		t.Fatalf("descriptors %q", files)
	}
	cmd.Env = append(os.Environ(), "FILE="+files[0], "MEMORY="+files[1])
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.Close()
	if text, err := io.ReadAll(r); string(text) != "piped" || err != nil {
		t.Errorf("through the pipe: %q, %v", text, err)
	}
	if got := string(m.Bytes[:6]); got != "shared" {
		t.Errorf("the memory begins with %q", got)
	}
	m.Disown()
	m.Bytes[size-1] = 1 // still mapped
	m.Close()
	m.Close() // once more does nothing
	if m.Bytes != nil {
		t.Error("closed memory has bytes")
	}
}

func TestWhatAProcessHasUsed(t *testing.T) {
	cmd := shell("exit 0")
	if err := NewChild(cmd).Run(); err != nil {
		t.Fatal(err)
	}
	if n, ok := PeakMemory(cmd.ProcessState); ok && (n < 1<<16 || n > 1<<30) {
		t.Errorf("a shell takes %d bytes", n)
	}
	if d, ok := Active(os.Getpid()); ok && d <= 0 {
		t.Errorf("this process was active for %v", d)
	}
	if _, ok := Active(1 << 30); ok {
		t.Error("a process that is not there is active")
	}
	if env := TempEnv("/some/dir"); len(env) != 1 || !strings.HasSuffix(env[0], "=/some/dir") {
		t.Errorf("variables %q", env)
	}
}
