package system

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// NewMemory makes memory of that size, to be shared with a child. Linux needs no
// directory for it; dir is for systems that lack memfd_create.
func NewMemory(dir string, size int) (*Memory, error) {
	fd, err := unix.MemfdCreate("fuzzmut-shared", unix.MFD_CLOEXEC)
	if err != nil {
		f, err := memoryFile(dir, size)
		if err != nil {
			return nil, err
		}
		return mapFile(f, size)
	}
	f := os.NewFile(uintptr(fd), "fuzzmut-shared")
	if err := f.Truncate(int64(size)); err != nil {
		f.Close()
		return nil, fmt.Errorf("allocating %d MiB of shared memory: %w", size>>20, err)
	}
	return mapFile(f, size)
}

// reserve gives a file its size, and the space for it.
func reserve(f *os.File, size int) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, int64(size))
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return fill(f, size)
		}
		return err
	}
}

// What a child gets when its parent ends.
const (
	killWithParent      = syscall.SIGKILL
	interruptWithParent = syscall.SIGINT
)

func (c *Child) prepare(whenOrphaned syscall.Signal) {
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: whenOrphaned}
}

// awaitEnd waits until the process has ended, and leaves it to be waited for.
func (c *Child) awaitEnd() bool {
	for {
		err := unix.Waitid(unix.P_PID, c.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}

// PeakMemory returns the largest resident memory of a process that has ended, and of
// those that it has waited for, in bytes.
func PeakMemory(ps *os.ProcessState) (bytes int64, ok bool) {
	kib, ok := peak(ps)
	return kib << 10, ok
}

// Resident returns the resident memory of a process in bytes, 0 if unknown.
func Resident(pid int) int64 { return statm(pid, 1) }

// statm returns a field of /proc/PID/statm in bytes, 0 if unknown.
func statm(pid, field int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) <= field {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[field]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// BoundSpace keeps a living process from reserving more than that many bytes of addresses in
// addition to those that it has, where the system can do so. It inherits that to its children.
func BoundSpace(pid int, more int64) {
	var limit unix.Rlimit
	if size := statm(pid, 0); size == 0 || unix.Prlimit(pid, unix.RLIMIT_AS, nil, &limit) != nil {
		return
	} else if bound := uint64(size + more); bound < limit.Cur {
		limit.Cur = bound
		unix.Prlimit(pid, unix.RLIMIT_AS, &limit, nil) //nolint:errcheck // it has ended, or goes without
	}
}

// Active returns how long the threads of a living process have run, or have waited for
// a processor. It is not known of every system.
func Active(pid int) (sum time.Duration, ok bool) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) //nolint:errcheck // the pattern is well formed
	for _, f := range files {
		var run, wait int64
		data, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that has ended
		}
		if n, err := fmt.Sscan(string(data), &run, &wait); n != 2 || err != nil {
			return 0, false
		}
		sum += time.Duration(run + wait)
	}
	return sum, sum > 0
}

// quitBusiest sends SIGQUIT to the thread of a process that runs, or waits for a processor, and has taken most
// time. A Go program prints the stack of the goroutine that runs on the thread that has the signal, and of
// no other one that runs: the system chooses the thread otherwise. It reports whether there is one.
func quitBusiest(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) //nolint:errcheck // the pattern is well formed
	busiest, most := 0, int64(-1)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that has ended
		}
		// The second field, in parentheses, may hold anything.
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) < 13 || string(fields[0]) != "R" {
			continue
		}
		user, _ := strconv.ParseInt(string(fields[11]), 10, 64)   //nolint:errcheck // 0 will do
		system, _ := strconv.ParseInt(string(fields[12]), 10, 64) //nolint:errcheck // 0 will do
		if thread, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && user+system > most {
			busiest, most = thread, user+system
		}
	}
	return busiest > 0 && unix.Tgkill(pid, busiest, unix.SIGQUIT) == nil
}

// Held reports whether a living process does less than it could: a thread of it runs or waits for a
// processor, or the process was stopped by a signal. It is false where that is not known.
func Held(pid int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) //nolint:errcheck // the pattern is well formed
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // a thread that has ended
		}
		// The second field, in parentheses, may hold anything.
		if fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]); len(fields) > 0 && bytes.ContainsAny(fields[0], "RTt") {
			return true
		}
	}
	return false
}

// clockTick is the unit of /proc/PID/stat on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// CPU returns the processor time of a living process and of the children that it has
// waited for, 0 if unknown.
func CPU(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The second field, in parentheses, may hold anything.
	i := bytes.LastIndexByte(data, ')')
	fields := bytes.Fields(data[i+1:])
	if len(fields) < 15 {
		return 0
	}
	var sum int64
	for _, f := range fields[11:15] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0
		}
		sum += n
	}
	return time.Duration(sum) * clockTick
}
