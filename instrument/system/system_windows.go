package system

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// handle is a section that children map.
type handle windows.Handle

const noHandle handle = 0

func (h handle) close() {
	if h != noHandle {
		windows.CloseHandle(windows.Handle(h)) //nolint:errcheck // nothing to be done about it
	}
}

// NewMemory makes memory of that size, to be shared with a child. Windows needs no
// directory for it: its space is that of the paging file, and reserved.
func NewMemory(_ string, size int) (*Memory, error) {
	section, err := windows.CreateFileMapping(windows.InvalidHandle, nil, windows.PAGE_READWRITE, 0, uint32(size), nil)
	if err != nil {
		return nil, fmt.Errorf("allocating %d MiB of shared memory: %w", size>>20, err)
	}
	addr, err := windows.MapViewOfFile(section, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		windows.CloseHandle(section) //nolint:errcheck // the other error is the one to tell
		return nil, fmt.Errorf("mapping %d bytes: %w", size, err)
	}
	// The address is none of Go's: nothing moves what is there.
	start := *(*unsafe.Pointer)(unsafe.Pointer(&addr))
	return &Memory{Bytes: unsafe.Slice((*byte)(start), size), handle: handle(section)}, nil
}

func unmap(mem []byte) {
	if mem != nil {
		windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(mem)))) //nolint:errcheck // nothing to be done about it
	}
}

// Inherit has the process of a command inherit a shared memory and files, and returns the
// handles that they have there, as texts: those of the files first.
func Inherit(cmd *exec.Cmd, memory *Memory, files ...*os.File) []string {
	var list []syscall.Handle
	for _, f := range files {
		list = append(list, syscall.Handle(f.Fd()))
	}
	list = append(list, syscall.Handle(memory.handle))
	var names []string
	for _, h := range list {
		// If it fails, the child can't be started: Start returns that error.
		windows.SetHandleInformation(windows.Handle(h), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT) //nolint:errcheck // see above
		names = append(names, strconv.FormatUint(uint64(h), 10))
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = list
	return names
}

// readNow is not needed: see expire.
func readNow(*os.File, []byte) (int, error) { return 0, io.EOF }

// What a child gets when its parent ends: its job is closed, which kills it.
const (
	killWithParent      = true
	interruptWithParent = true
)

// job is the job object that a child and what it starts belong to.
type job struct{ h windows.Handle }

func (j *job) close() {
	if j.h != 0 {
		windows.CloseHandle(j.h) //nolint:errcheck // nothing to be done about it
		j.h = 0
	}
}

func (c *Child) prepare(bool) {
	c.cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// started puts the process into its own job. What it has started by then, in the
// fraction of a millisecond since it was made, is not in it.
func (c *Child) started() {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return // then only the process itself can be killed
	}
	c.job.h = h
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(h, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = withProcess(c.cmd.Process.Pid, windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, func(p windows.Handle) error {
			return windows.AssignProcessToJobObject(h, p)
		})
	}
	if err != nil {
		c.job.close()
	}
}

func withProcess(pid int, access uint32, f func(windows.Handle) error) error {
	p, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p) //nolint:errcheck // nothing to be done about it
	return f(p)
}

func (c *Child) killGroup() {
	if c.job.h != 0 {
		windows.TerminateJobObject(c.job.h, 1) //nolint:errcheck // all have ended
	}
}

// awaitEnd waits until the process has ended, and leaves it to be waited for.
func (c *Child) awaitEnd() bool {
	return withProcess(c.cmd.Process.Pid, windows.SYNCHRONIZE, func(p windows.Handle) error {
		_, err := windows.WaitForSingleObject(p, windows.INFINITE)
		return err
	}) == nil
}

// Interrupt interrupts the process and its group, as Ctrl-Break does.
func (c *Child) Interrupt() error {
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(c.cmd.Process.Pid))
}

// Dump is not possible here: no signal has a Go program print its goroutines.
func (c *Child) Dump() bool { return false }

// KilledFromOutside is not known here: who ends a process chooses its exit code.
func KilledFromOutside(*os.ProcessState) bool { return false }

// BrokenPipe reports whether an error says that a pipe is no longer read.
func BrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// PeakMemory is not known here.
func PeakMemory(*os.ProcessState) (bytes int64, ok bool) { return 0, false }

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size, faults   uint32
	peak, resident uintptr
	quotas         [6]uintptr
}

var getMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// Resident returns the resident memory of a process in bytes, 0 if unknown.
func Resident(pid int) int64 {
	var m memoryCounters
	m.size = uint32(unsafe.Sizeof(m))
	err := withProcess(pid, windows.PROCESS_QUERY_LIMITED_INFORMATION, func(p windows.Handle) error {
		if ok, _, err := getMemoryInfo.Call(uintptr(p), uintptr(unsafe.Pointer(&m)), uintptr(m.size)); ok == 0 {
			return err
		}
		return nil
	})
	if err != nil {
		return 0
	}
	return int64(m.resident)
}

// Active is not known here.
func Active(int) (time.Duration, bool) { return 0, false }

// Held is not known here.
func Held(int) bool { return false }

// BoundSpace can't do so here.
func BoundSpace(int, int64) {}

// CPU returns the processor time of a living process, 0 if unknown.
func CPU(pid int) (t time.Duration) {
	withProcess(pid, windows.PROCESS_QUERY_LIMITED_INFORMATION, func(p windows.Handle) error { //nolint:errcheck // then it is 0
		t = processTime(p)
		return nil
	})
	return t
}

// OwnCPU returns the processor time of this process.
func OwnCPU() time.Duration { return processTime(windows.CurrentProcess()) }

func processTime(p windows.Handle) time.Duration {
	var created, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(p, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(ticks(kernel)+ticks(user)) * 100
}

// TempEnv returns the variables that make dir a program's directory for temporary files.
func TempEnv(dir string) []string { return []string{"TMP=" + dir, "TEMP=" + dir} }
