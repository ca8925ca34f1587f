//go:build unix

package main

import (
	"errors"
	"syscall"
)

// ended reports whether a process of this machine has ended.
func ended(pid int) bool { return pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
