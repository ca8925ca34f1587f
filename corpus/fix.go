package corpus

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

// fixOf is what to do about a file that can't be written. A test has its place: no flag names
// another one.
func fixOf(path string, err error) string {
	fix := fixFor(err, "fix the directory, or name another with -corpus")
	if filepath.Ext(path) == ".go" {
		fix, _, _ = strings.Cut(fix, ", or name another ")
	}
	return fix
}

// fixFor says what the user can do about an error of the file system;
// otherwise is the answer for an error of no known kind.
func fixFor(err error, otherwise string) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free some space on the disk and run again"
	case errors.Is(err, syscall.EDQUOT):
		return "free some of your disk quota and run again"
	case errors.Is(err, syscall.EROFS):
		return "make the file system writable, or name another directory with -corpus"
	case errors.Is(err, fs.ErrPermission):
		return "change its permissions, or name another directory with -corpus"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "move the file that has the directory's name"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "raise the limit of open files (ulimit -n)"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "name a directory with a shorter path with -corpus"
	}
	return otherwise
}
