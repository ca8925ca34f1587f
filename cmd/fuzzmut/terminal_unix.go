//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns returns the width of the terminal f, or 0 if it is none.
func columns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if size.Col == 0 {
		return 80 // a terminal that does not tell, as some serial lines
	}
	return int(size.Col)
}
