// Package share is a directory in which processes leave what they found, for each other: on
// a network file system, in a cache of continuous integration, or copied from machine to
// machine.
//
//	fuzzmut-share.json        says what the directory is
//	entries/PACKAGE/FUZZ/HASH inputs, by the hash of their content, in Go's encoding
//	failing/PACKAGE/FUZZ/HASH inputs that have failed, likewise
//	tidied                    its time says when a run has last looked at the limits
//	BINARY/PROCESS.log        what one process learned of one test binary, by its hash
//
// An input is the same for every program. What it does is not: that is in the logs, each of
// which has one process that appends to it. Readers take the union of all logs. Nothing is
// locked, and nothing is written twice but by [Dir.Prune], which writes new files and removes
// those that they replace.
//
// Whoever can write to the directory may have left anything there. What is read is checked,
// and bounded in size: it can be useless, and nothing more.
package share

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// Dir is a directory that processes share.
type Dir struct {
	path   string
	remote *remote // that it is a copy of; nil: there is none
}

// markName is the file that says what the directory is.
const markName = "fuzzmut-share.json"

// mark is the content of that file.
type mark struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

const (
	markFormat = "fuzzmut share"
	version    = 1
	markMost   = 4 << 10 // bytes
)

// Kinds of inputs, and the names of the directories that they are in.
const (
	Entries = "entries"
	Failing = "failing"
)

// tempPrefix begins the names of what is being written, as in package corpus.
const tempPrefix = ".fuzzmut-tmp-"

// Open opens the directory at path. If write is set, it is made if need be, and must be
// writable; a full disk is no error yet. The error names the file and says what to do.
func Open(path string, write bool) (*Dir, error) {
	d := &Dir{path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("%s can't be used: %w; %s", path, cause(err), fix(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; name a directory", path)
	}
	marked, err := d.check()
	if err != nil || !write {
		return d, err
	}
	if err := d.prepare(marked); err != nil && !full(err) {
		return nil, fmt.Errorf("%s can't be written: %w; %s", path, cause(err), fix(err))
	}
	return d, nil
}

// Path is where the directory lies, or the URL of its bucket.
func (d *Dir) Path() string {
	if d.remote != nil {
		return d.remote.url
	}
	return d.path
}

// check reports whether the directory has the file that says what it is. It is an error if it is something else.
func (d *Dir) check() (marked bool, err error) {
	path := filepath.Join(d.path, markName)
	data, err := regular.Read(path, markMost)
	if errors.Is(err, fs.ErrNotExist) {
		var made bool
		if made, err = d.checkEmpty(); err != nil || !made {
			return false, err
		}
		data, err = regular.Read(path, markMost)
	}
	if err != nil {
		return false, err
	}
	var m mark
	if err := json.Unmarshal(data, &m); err != nil || m.Format != markFormat || m.Version < 1 {
		return false, fmt.Errorf("%s is damaged: it does not say %q; remove it if the directory is one of fuzzmut's, or name another directory", path, markFormat)
	}
	if m.Version > version {
		return false, fmt.Errorf("%s is of version %d, and this fuzzmut knows version %d; update fuzzmut, or name another directory", path, m.Version, version)
	}
	return true, nil
}

// checkEmpty makes sure that a directory without that file holds no files of others. A copy may
// have brought some of ours before it. Made says that another process has made the file by now.
func (d *Dir) checkEmpty() (made bool, err error) {
	files, err := os.ReadDir(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s can't be read: %w; make it a readable directory", d.path, cause(err))
	}
	for _, f := range files {
		switch name := f.Name(); {
		case name == markName:
			made = true
		case name != Entries && name != Failing && name != tidiedName && !strings.HasPrefix(name, ".fuzzmut-") && !isHash(name) && !strings.HasPrefix(name, tempPrefix):
			return false, fmt.Errorf("%s holds files that are not of a shared directory, as %s; name an empty directory, or a new one", d.path, name)
		}
	}
	return made, nil
}

// prepare makes the directory, and makes sure that it can be written.
func (d *Dir) prepare(marked bool) error {
	if !marked {
		data, err := json.Marshal(mark{markFormat, version})
		if err != nil {
			return err
		}
		return corpus.ReplaceFile(d.path, markName, append(data, '\n'))
	}
	probe, err := os.MkdirTemp(d.path, tempPrefix)
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

// HashFile returns the name by which a test binary is known: the SHA-256 of its content.
func HashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := newHash()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isHash reports whether name is what HashFile returns.
func isHash(name string) bool { return len(name) == 64 && isHex(name) }

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// full reports whether the disk is full by an error.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// cause is what the system says, without paths: the message names the one that matters.
func cause(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// fix says what to do about an error of the file system.
func fix(err error) string {
	switch {
	case full(err):
		return "free some space, or have fuzzmut corpus prune do it"
	case errors.Is(err, syscall.EROFS):
		return "make the file system writable, name another directory, or use it with -n, which writes nothing"
	case errors.Is(err, fs.ErrPermission):
		return "change its permissions, or name another directory"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "move the file that has the name of a directory"
	}
	return "fix the directory, or name another one"
}

// Problem says of an error of this package's what it means for the user: the directory, what
// the system says, and what to do.
func (d *Dir) Problem(err error) string {
	return fmt.Sprintf("%s: %v; %s", d.path, cause(err), fix(err))
}

// sortedNames lists the names in a directory that are wanted, in order; none if there is no
// such directory.
func sortedNames(dir string, want func(fs.DirEntry) bool) ([]string, error) {
	files, err := os.ReadDir(dir) // in order
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if want(f) {
			names = append(names, f.Name())
		}
	}
	return slices.Clip(names), nil
}
