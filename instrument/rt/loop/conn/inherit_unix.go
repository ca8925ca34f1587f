//go:build unix

package conn

import (
	"errors"
	"syscall"
)

func closeOnExec(fd uintptr) { syscall.CloseOnExec(int(fd)) }

func mapMemory(fd uintptr, size int) ([]byte, error) {
	return syscall.Mmap(int(fd), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// unchanged returns a function that tells whether descriptors are still those of the same
// files.
func unchanged(fds []uintptr) func() error {
	was := make([]syscall.Stat_t, len(fds))
	for i, fd := range fds {
		if err := syscall.Fstat(int(fd), &was[i]); err != nil {
			return nil // then nothing can be told
		}
	}
	var now syscall.Stat_t
	return func() error {
		for i, fd := range fds {
			if err := syscall.Fstat(int(fd), &now); err != nil {
				return err
			}
			if now.Dev != was[i].Dev || now.Ino != was[i].Ino {
				return errors.New("a descriptor is that of another file")
			}
		}
		return nil
	}
}
