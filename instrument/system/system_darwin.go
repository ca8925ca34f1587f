package system

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A child is not told when its parent ends: workers look for themselves.
const (
	killWithParent      = 0
	interruptWithParent = 0
)

func (c *Child) prepare(int) { c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// PeakMemory returns the largest resident memory of a process that has ended, and of
// those that it has waited for, in bytes.
func PeakMemory(ps *os.ProcessState) (bytes int64, ok bool) { return peak(ps) }

// taskInfo is struct proc_taskinfo of sys/proc_info.h. Its times are in units of the
// processor's own clock.
type taskInfo struct {
	virtual, resident uint64
	times             [4]uint64
	counts            [12]int32
}

// Numbers of proc_info: what is asked of a process, and in which form.
const (
	procInfoPID  = 2
	procTaskInfo = 4
)

// Resident returns the resident memory of a process in bytes, 0 if unknown.
func Resident(pid int) int64 {
	var info taskInfo
	n, _, errno := unix.Syscall6(unix.SYS_PROC_INFO, procInfoPID, uintptr(pid), procTaskInfo, 0,
		uintptr(unsafe.Pointer(&info)), unsafe.Sizeof(info))
	if errno != 0 || n != unsafe.Sizeof(info) {
		return 0
	}
	return int64(info.resident)
}

// CPU of a living process is not known here.
func CPU(int) time.Duration { return 0 }
