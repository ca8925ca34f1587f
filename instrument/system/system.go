// Package system is what differs from one operating system to the next: memory that
// two processes share, groups of processes that end together, descriptors that a
// child inherits, and what a process has used. There is one file for each system.
package system

import (
	"io"
	"os"
	"os/exec"
	"sync"
)

// Memory is memory that is shared with a child process.
type Memory struct {
	Bytes  []byte
	handle handle // what the child maps
	close  sync.Once
}

// Close unmaps the memory. Bytes must no longer be used.
func (m *Memory) Close() {
	m.close.Do(func() {
		m.Disown()
		unmap(m.Bytes)
		m.Bytes = nil
	})
}

// Disown gives up the handle that children inherit. The memory stays mapped.
func (m *Memory) Disown() {
	m.handle.close()
	m.handle = noHandle
}

// Child is a process that this one starts, with all processes that come from it.
type Child struct {
	cmd *exec.Cmd
	job job

	mu   sync.Mutex
	gone bool // waited for: its number may be another's
}

// NewChild prepares a command that has not been started: its process leads a group of
// its own, so that Ctrl-C at the terminal does not reach it. Where the system can do
// so, the process is killed when this one ends, however that happens.
func NewChild(cmd *exec.Cmd) *Child {
	c := &Child{cmd: cmd}
	c.prepare(killWithParent)
	return c
}

// NewTool is like NewChild for a command that cleans up when it is interrupted, as the
// go command does: that, and not a kill, comes when this process ends. The command's
// context, if it has one, interrupts the group.
func NewTool(cmd *exec.Cmd) *Child {
	c := &Child{cmd: cmd}
	c.prepare(interruptWithParent)
	if cmd.Cancel != nil {
		cmd.Cancel = c.Interrupt
	}
	return c
}

// children are those that were started and not waited for.
var (
	childrenMu sync.Mutex
	children   = make(map[*Child]bool)
)

// KillAll kills all children that were started by Start, and their groups. Call it only
// at the end of this process: nobody starts a child afterwards, nor sees that one has
// ended, and so nothing is made of the deaths.
func KillAll() {
	childrenMu.Lock()
	for c := range children {
		c.Kill()
	}
}

// Start starts the process.
func (c *Child) Start() error {
	childrenMu.Lock()
	defer childrenMu.Unlock()
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.started()
	children[c] = true
	return nil
}

// Wait waits until the process has ended, and kills what is left of its group: nothing
// that the process has started outlives it, unless it has left the group.
func (c *Child) Wait() error {
	ended := c.awaitEnd()
	if ended {
		c.finish()
	}
	err := c.cmd.Wait()
	if !ended {
		c.finish()
	}
	return err
}

// finish kills what is left of the group, for the last time.
func (c *Child) finish() {
	childrenMu.Lock()
	defer childrenMu.Unlock()
	delete(children, c)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.killGroup()
	c.gone = true
	c.job.close()
}

// Run is Start and Wait.
func (c *Child) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

// Kill kills the process and its group.
func (c *Child) Kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cmd.Process != nil && !c.gone {
		c.killGroup()
		c.cmd.Process.Kill() //nolint:errcheck // it has ended
	}
}

// drainMost bounds what ReadRest returns in all: more than a pipe holds was not in it
// when the writer ended.
const drainMost = 1 << 20

// Replies reads from a pipe until the process at the other end has ended, whoever else
// may have the pipe open by then.
type Replies struct {
	f    *os.File
	left int // bytes to be drained yet
}

// NewReplies returns a reader of f.
func NewReplies(f *os.File) *Replies { return &Replies{f: f, left: drainMost} }

// Read implements io.Reader. Once Ended was called it returns what is in the pipe, then
// io.EOF.
func (r *Replies) Read(p []byte) (int, error) {
	n, err := r.f.Read(p)
	if n > 0 || !expired(err) {
		return n, err
	}
	if r.left <= 0 {
		return 0, io.EOF
	}
	n, err = readNow(r.f, p)
	r.left -= n
	return n, err
}

// Ended says that the process at the other end is gone.
func (r *Replies) Ended() { expire(r.f) }

// Ended makes a write to a pipe fail whose reader is gone, also if another process has
// the pipe open.
func Ended(w *os.File) { expire(w) }
