//go:build !linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// runUnprivileged runs cmd if this is not root.
func runUnprivileged(cmd *exec.Cmd) error {
	if os.Getuid() == 0 {
		return fmt.Errorf("run as root: %w", errors.ErrUnsupported)
	}
	return cmd.Run()
}
