//go:build !linux

package worker

import "syscall"

// procAttr puts the worker into a process group of its own: Ctrl-C at the
// terminal is for the coordinator, which lets its workers finish what they are
// saying.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
