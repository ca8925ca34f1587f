package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// What the user can do about an error of the file system: the advice is of the error's kind,
// however it is wrapped, and the first that fits.
func TestAdviceForErrorsOfTheFileSystem(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string // a part of the advice
	}{
		{syscall.ENOSPC, "free some space"},
		{syscall.EDQUOT, "disk quota"},
		{syscall.EROFS, "writable"},
		{syscall.EACCES, "change its permissions"},
		{syscall.EPERM, "change its permissions"},
		{fs.ErrPermission, "change its permissions"},
		{syscall.ENOTDIR, "move the file"},
		{fs.ErrExist, "move the file"},
		{syscall.EEXIST, "move the file"},
		{syscall.EMFILE, "ulimit -n"},
		{syscall.ENFILE, "ulimit -n"},
		{syscall.ENAMETOOLONG, "shorter path"},
		{syscall.EIO, "something else"},
		{errors.New("no error of the system"), "something else"},
	} {
		wrapped := fmt.Errorf("corpus: %w", &fs.PathError{Op: "open", Path: "p", Err: c.err})
		for _, err := range []error{c.err, wrapped} {
			if got := fixFor(err, "do something else"); !strings.Contains(got, c.want) {
				t.Errorf("%v: %q, want %q", err, got, c.want)
			}
		}
	}
}

// -corpus says where entries go, and not where written tests do.
func TestTheFixOfATestNamesNoDirectoryForEntries(t *testing.T) {
	for _, c := range []struct {
		path, want string
		err        error
	}{
		{"/m/a_test.go", "change its permissions", fs.ErrPermission},
		{"/m/a_test.go", "make the file system writable", syscall.EROFS},
		{"/m/a_test.go", "fix the directory", errors.New("unknown")},
		{"/m/testdata/fuzz/FuzzX/a", "change its permissions, or name another directory with -corpus", fs.ErrPermission},
	} {
		if got := fixOf(c.path, c.err); got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.path, c.err, got, c.want)
		}
	}
}
