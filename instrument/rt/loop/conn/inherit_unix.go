//go:build unix

package conn

import "syscall"

func closeOnExec(fd uintptr) { syscall.CloseOnExec(int(fd)) }

func mapMemory(fd uintptr, size int) ([]byte, error) {
	return syscall.Mmap(int(fd), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}
