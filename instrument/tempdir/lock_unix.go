//go:build unix

package tempdir

import (
	"os"

	"golang.org/x/sys/unix"
)

// hold locks a directory, and waits for one who is about to remove it.
func hold(f *os.File) error { return lock(f, unix.LOCK_EX) }

// claim locks a directory that nobody has locked.
func claim(f *os.File) error { return lock(f, unix.LOCK_EX|unix.LOCK_NB) }

func lock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}
