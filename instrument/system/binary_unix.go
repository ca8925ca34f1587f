//go:build unix && !darwin

package system

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ElsewhereBinary is a program that does the same as another one, but as a file is a different one, as a program is that
// was built elsewhere: package protobuf chooses the texts of its errors by that. Each number, 1 or more, has a
// different one. It is written where it is not there, under the same name in a directory beside the other one. Where a
// system may check what a program is, it is the same.
func ElsewhereBinary(path string, number int) (string, error) {
	dir := filepath.Join(filepath.Dir(path), "elsewhere"+strconv.Itoa(number))
	longer := int64(number) * added
	copied := filepath.Join(dir, filepath.Base(path))
	from, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	// One that was built meanwhile has its own copy.
	if info, err := os.Stat(copied); err == nil && info.Size() == from.Size()+longer && !info.ModTime().Before(from.ModTime()) {
		return copied, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	// A process that is started meanwhile would have the file open for writing, and no process could be started from it.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		return "", err
	}
	err = appended(f, path, longer)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), copied)
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return copied, nil
}

// added is by how many bytes a program is longer than the one before it. Package protobuf reads its
// program at places that depend on the length: they are to be others.
const added = 4099

// appended copies a program into a file that is longer.
func appended(f *os.File, path string, longer int64) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	n, err := io.Copy(f, from)
	if err != nil {
		return err
	}
	if err := f.Truncate(n + longer); err != nil {
		return err
	}
	return f.Chmod(0o700)
}
