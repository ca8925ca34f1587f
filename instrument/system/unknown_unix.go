//go:build unix && !linux && !darwin && !freebsd

package system

import (
	"os"
	"syscall"
	"time"
)

// A child is not told when its parent ends: workers look for themselves.
const (
	killWithParent      = 0
	interruptWithParent = 0
)

func (c *Child) prepare(int) { c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// PeakMemory is not known here: systems differ in the unit.
func PeakMemory(*os.ProcessState) (bytes int64, ok bool) { return 0, false }

// Resident is not known here: -memlimit has no effect.
func Resident(int) int64 { return 0 }

// CPU of a living process is not known here.
func CPU(int) time.Duration { return 0 }
