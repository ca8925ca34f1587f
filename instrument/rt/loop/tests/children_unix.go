//go:build unix

package tests

import "syscall"

// childFaults counts the page faults of the processes that this one has started and waited
// for. A process that has run has some.
func childFaults() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return int64(u.Minflt) + int64(u.Majflt)
}
