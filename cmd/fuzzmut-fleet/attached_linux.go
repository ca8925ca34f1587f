package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// runAttached runs a command that ends with this process, however that ends.
func runAttached(cmd *exec.Cmd) error {
	runtime.LockOSThread() // the signal comes when the thread ends that has started it
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd.Run()
}
