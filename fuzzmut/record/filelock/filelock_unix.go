//go:build unix

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// share waits for the lock that others may have, too.
func share(f *os.File) error {
	return wait(f, unix.LOCK_SH)
}

// own waits for the lock for one alone.
func own(f *os.File) error { return wait(f, unix.LOCK_EX) }

func wait(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}

// claim takes the lock for one alone, if nobody has it.
func claim(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
