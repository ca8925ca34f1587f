package system

import (
	"encoding/binary"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What a child gets when its parent ends.
const (
	killWithParent      = syscall.SIGKILL
	interruptWithParent = syscall.SIGINT
)

func (c *Child) prepare(whenOrphaned syscall.Signal) {
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: whenOrphaned}
}

// PeakMemory returns the largest resident memory of a process that has ended, and of
// those that it has waited for, in bytes.
func PeakMemory(ps *os.ProcessState) (bytes int64, ok bool) {
	kib, ok := peak(ps)
	return kib << 10, ok
}

// Offsets in struct kinfo_proc of sys/user.h, where pointers have 64 bits.
const (
	offsetResident = 264 // pages
	offsetRuntime  = 328 // microseconds
)

// processField returns a 64-bit field of what the kernel tells of a process, 0 if unknown.
func processField(pid, offset int) int64 {
	data, err := unix.SysctlRaw("kern.proc.pid", pid)
	if err != nil || len(data) < offset+8 || unsafe.Sizeof(uintptr(0)) != 8 {
		return 0
	}
	return int64(binary.NativeEndian.Uint64(data[offset:]))
}

// Resident returns the resident memory of a process in bytes, 0 if unknown.
func Resident(pid int) int64 { return processField(pid, offsetResident) * int64(os.Getpagesize()) }

// CPU returns the processor time of a living process, 0 if unknown.
func CPU(pid int) time.Duration {
	return time.Duration(processField(pid, offsetRuntime)) * time.Microsecond
}
