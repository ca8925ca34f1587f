//go:build unix

package system

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// handle is a file that children map.
type handle struct{ f *os.File }

var noHandle handle

func (h handle) close() {
	if h.f != nil {
		h.f.Close()
	}
}

func mapFile(f *os.File, size int) (*Memory, error) {
	mem, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("mapping %d bytes: %w", size, err)
	}
	return &Memory{Bytes: mem, handle: handle{f}}, nil
}

func unmap(mem []byte) {
	if mem != nil {
		syscall.Munmap(mem) //nolint:errcheck // nothing to be done about it
	}
}

// memoryFile makes a file in dir, of that size, that has no name. Its space is reserved:
// access to a mapped page for which the disk has no room ends the process.
func memoryFile(dir string, size int) (*os.File, error) {
	f, err := os.CreateTemp(dir, "fuzzmut-shared-")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if err := reserve(f, size); err != nil {
		f.Close()
		if dir == "" {
			dir = os.TempDir()
		}
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return nil, fmt.Errorf("not enough space in %s for %d MiB of memory shared with a test binary (%w); free some space, or set TMPDIR to another directory", dir, size>>20, err)
		}
		return nil, fmt.Errorf("reserving %d MiB in %s: %w", size>>20, dir, err)
	}
	return f, nil
}

// fill reserves space by writing zeros.
func fill(f *os.File, size int) error {
	zeros := make([]byte, 1<<16)
	for at := 0; at < size; at += len(zeros) {
		if _, err := f.WriteAt(zeros[:min(len(zeros), size-at)], int64(at)); err != nil {
			return errors.Unwrap(err)
		}
	}
	return nil
}

// firstInherited is the descriptor from which on children inherit. Programs that close
// descriptors which are not theirs begin at 3.
const firstInherited = 200

// Inherit has the process of a command inherit a shared memory and files, and returns the
// descriptors that they have there, as texts: those of the files first. The child has to
// close them on exec.
func Inherit(cmd *exec.Cmd, memory *Memory, files ...*os.File) []string {
	files = append(files[:len(files):len(files)], memory.handle.f)
	first := firstInherited
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) < firstInherited+16 {
		first = 3
	}
	// Files that are nil are closed descriptors.
	for len(cmd.ExtraFiles) < first-3 {
		cmd.ExtraFiles = append(cmd.ExtraFiles, nil)
	}
	var names []string
	for _, f := range files {
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		names = append(names, strconv.Itoa(len(cmd.ExtraFiles)+2))
	}
	return names
}

// readNow reads what is in a pipe that does not block, and io.EOF if nothing is.
func readNow(f *os.File, p []byte) (n int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	ctlErr := conn.Control(func(fd uintptr) {
		for {
			if n, err = syscall.Read(int(fd), p); err != syscall.EINTR {
				return
			}
		}
	})
	switch {
	case ctlErr != nil:
		return 0, ctlErr
	case n > 0:
		return n, nil
	case err == nil || err == syscall.EAGAIN:
		return 0, io.EOF
	}
	return 0, err
}

type job struct{}

func (job) close() {}

func (c *Child) started() {}

// killGroup kills what is left of the group. The number of a group is not given to
// another process as long as the group has a member, or its leader was not waited for.
func (c *Child) killGroup() {
	if p := c.cmd.Process; p != nil {
		syscall.Kill(-p.Pid, syscall.SIGKILL) //nolint:errcheck // none is left
	}
}

// Interrupt interrupts the process and its group.
func (c *Child) Interrupt() error { return c.signal(syscall.SIGINT) }

// Dump has a Go program print its goroutines and end. It reports whether the system can
// do that.
func (c *Child) Dump() bool {
	return quitBusiest(c.cmd.Process.Pid) || c.cmd.Process.Signal(syscall.SIGQUIT) == nil
}

func (c *Child) signal(s syscall.Signal) error {
	if err := syscall.Kill(-c.cmd.Process.Pid, s); err != syscall.ESRCH {
		return err
	}
	return os.ErrProcessDone
}

// KilledFromOutside reports whether a process that has ended was killed in a way that it
// can't do anything about.
func KilledFromOutside(ps *os.ProcessState) bool {
	status, ok := ps.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// BrokenPipe reports whether an error says that a pipe is no longer read.
func BrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) || expired(err) }

// peak returns the largest resident memory of a process that has ended, in the unit in
// which the system counts.
func peak(ps *os.ProcessState) (int64, bool) {
	ru, ok := ps.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return int64(ru.Maxrss), true
}

// TempEnv returns the variables that make dir a program's directory for temporary files.
func TempEnv(dir string) []string { return []string{"TMPDIR=" + dir} }
