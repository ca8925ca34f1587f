package gotool

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// CopyFile makes to a copy of the file from, with the mode given, as far as the umask
// lets it. What is at to is replaced, and never written through: it may be a link to a
// file of the toolchain.
func CopyFile(to, from string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
