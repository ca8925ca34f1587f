package main

import (
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// runUnprivileged runs cmd without the capability that lets root write where
// file modes forbid it: tests in containers are often run by root.
func runUnprivileged(cmd *exec.Cmd) error {
	done := make(chan error)
	go func() {
		// The capability goes from this thread, which the child is forked from.
		// It is never unlocked: the runtime discards it with the goroutine.
		runtime.LockOSThread()
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_DAC_OVERRIDE, 0, 0, 0); err != nil && unix.Getuid() == 0 {
			done <- fmt.Errorf("drop CAP_DAC_OVERRIDE: %w", err)
			return
		}
		done <- cmd.Run()
	}()
	return <-done
}
