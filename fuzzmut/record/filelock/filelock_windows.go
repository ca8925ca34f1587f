package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks all of a file. Locks beyond the end of a file are allowed.
func lock(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, ^uint32(0), ^uint32(0), new(windows.Overlapped))
}

// share waits for the lock that others may have, too.
func share(f *os.File) error { return lock(f, 0) }

// own waits for the lock for one alone.
func own(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// claim takes the lock for one alone, if nobody has it.
func claim(f *os.File) error {
	return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}
