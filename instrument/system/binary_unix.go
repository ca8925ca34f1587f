//go:build unix && !darwin

package system

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ElsewhereBinary is a program that does the same as another one, but as a file is a different one, as a program is that
// was built elsewhere: package protobuf chooses the texts of its errors by that. Each number, 1 or more, has a
// different one. It is written where it is not there, under the same name in a directory beside the other one. A program
// that can't ask for its file is a link to the same one: a copy takes some 10 MB of memory and disk. Where a system may check
// what a program is, it is the same.
func ElsewhereBinary(path string, number int) (string, error) {
	dir := filepath.Join(filepath.Dir(path), "elsewhere"+strconv.Itoa(number))
	longer := int64(number) * added
	copied := filepath.Join(dir, filepath.Base(path))
	from, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	// One that was built meanwhile has its own copy, or link.
	if info, err := os.Stat(copied); err == nil &&
		(os.SameFile(info, from) || info.Size() == from.Size()+longer && !info.ModTime().Before(from.ModTime())) {
		return copied, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if !bytes.Contains(data, asksForItself) {
		if err := linked(path, copied); err == nil {
			return copied, nil
		}
	}
	return copied, appended(copied, data, longer)
}

// asksForItself is the name of a function that a program has if it can ask for its file: the linker leaves out what is
// not called, and tables for stack traces hold the names of the rest.
var asksForItself = []byte("os.Executable")

// linked makes copied another name of a program, in place of what it was before.
func linked(path, copied string) error {
	made, err := os.MkdirTemp(filepath.Dir(copied), "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	link := filepath.Join(made, filepath.Base(path))
	if err := os.Link(path, link); err != nil {
		return err
	}
	return os.Rename(link, copied)
}

// added is by how many bytes a program is longer than the one before it. Package protobuf reads its
// program at places that depend on the length: they are to be others.
const added = 4099

// appended writes a program that is longer.
func appended(copied string, data []byte, longer int64) error {
	// A process that is started meanwhile would have the file open for writing, and no process could be started from it.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f, err := os.CreateTemp(filepath.Dir(copied), "")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Truncate(int64(len(data)) + longer)
	}
	if err == nil {
		err = f.Chmod(0o700)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), copied)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
