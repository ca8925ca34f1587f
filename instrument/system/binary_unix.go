//go:build unix && !darwin

package system

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// ElsewhereBinary is a program that does the same as another one, but as a file is a different one, as a program is that
// was built elsewhere: package protobuf chooses the texts of its errors by that. It is
// written where it is not there, under the same name in a directory beside the other one. Where a system may check what a
// program is, it is the same.
func ElsewhereBinary(path string) (string, error) {
	dir := filepath.Join(filepath.Dir(path), ending)
	copied := filepath.Join(dir, filepath.Base(path))
	from, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	// One that was built meanwhile has its own copy.
	if info, err := os.Stat(copied); err == nil && info.Size() == from.Size()+int64(len(ending)) && !info.ModTime().Before(from.ModTime()) {
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
	err = appended(f, path)
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

// ending is what follows the end of the program, and the name of the directory.
const ending = "elsewhere"

// appended copies a program into a file, with an ending.
func appended(f *os.File, path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err = io.Copy(f, from); err != nil {
		return err
	}
	if _, err = f.WriteString(ending); err != nil {
		return err
	}
	return f.Chmod(0o700)
}
