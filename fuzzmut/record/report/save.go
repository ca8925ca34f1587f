package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Save writes a file through write so that path holds either what it held
// before or the whole of the new content: it is written beside it, under
// a temporary name, and renamed. A path that is something other than a regular
// file, such as a pipe, is written to directly.
func Save(path string, write func(io.Writer) error) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path // it does not exist yet, or opening it says why not
	}
	info, err := os.Stat(target)
	if err == nil && !info.Mode().IsRegular() {
		return writeTo(target, os.O_WRONLY, 0, write)
	}
	mode := fs.FileMode(0o666)
	if err == nil {
		mode = info.Mode().Perm()
	}
	tmp := temporaryName(target)
	if err := writeTo(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode, write); err != nil {
		return unwritable(path, err)
	}
	if err := os.Rename(tmp, target); err != nil {
		os.Remove(tmp)
		return unwritable(path, err)
	}
	return nil
}

// unwritable names the file that the user knows, not the temporary one.
func unwritable(path string, err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	return fmt.Errorf("%s can't be written: %w", path, err)
}

// CheckSave returns the error that Save would meet in creating its file, so
// that a run does not begin whose result can't be written.
func CheckSave(path string) error {
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s is a directory; name a file in it", path)
		}
		if !info.Mode().IsRegular() {
			return nil
		}
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	tmp := temporaryName(target)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return unwritable(path, err)
	}
	f.Close()
	return os.Remove(tmp)
}

// temporaryName is for a file beside path. The process number keeps two runs
// that write the same path apart.
func temporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
}

// writeTo opens path and writes it. If that fails, a file that it created is
// removed.
func writeTo(path string, flag int, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return err
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil && flag&os.O_EXCL != 0 {
		os.Remove(path)
	}
	return err
}
