//go:build !linux

package main

import "errors"

// The bench finds what is left behind in /proc, and mounts small disks.
func runFaults([]string) error {
	return errors.New("the bench of faults runs on Linux only")
}
