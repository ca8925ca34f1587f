//go:build unix

package regular

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Reading a pipe that nobody writes to would not end.
func TestAPipeIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path, 8); err == nil || !strings.Contains(err.Error(), "is a pipe") {
		t.Errorf("got %v", err)
	}
}
