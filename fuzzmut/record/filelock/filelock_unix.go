//go:build unix

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// share waits for the lock that others may have, too.
func share(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_SH); err != unix.EINTR {
			return err
		}
	}
}

// claim takes the lock for one alone, if nobody has it.
func claim(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
