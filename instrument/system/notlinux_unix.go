//go:build unix && !linux

package system

import (
	"os"
	"time"
)

// NewMemory makes memory of that size, to be shared with a child. Its file is in dir for
// a moment; "" means the system's directory for such files.
func NewMemory(dir string, size int) (*Memory, error) {
	f, err := memoryFile(dir, size)
	if err != nil {
		return nil, err
	}
	return mapFile(f, size)
}

// reserve gives a file its size, and the space for it.
func reserve(f *os.File, size int) error { return fill(f, size) }

// awaitEnd can't wait for the end of a process without taking its number from it.
func (c *Child) awaitEnd() bool { return false }

// quitBusiest does not know the threads of a process here.
func quitBusiest(int) bool { return false }

// Active is not known here.
func Active(int) (time.Duration, bool) { return 0, false }

// Held is not known here.
func Held(int) bool { return false }

// BoundSpace can't do so here.
func BoundSpace(int, int64) {}
