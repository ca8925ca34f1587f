// Package tempdir makes temporary directories that know whether their owner lives: the
// process that makes one keeps it locked, and the lock ends with the process, however
// that ends. So a later run can remove what a killed one has left, and never takes what
// another one uses.
package tempdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Prefix begins the names of the directories, with which no others begin: those that are
// not locked are removed.
const Prefix = "fuzzmut-owned-"

// attempts bounds how often a new directory may be taken for a left one.
const attempts = 10

// own are the directories that this process has, with the file by which each is locked: a file that nobody
// refers to is closed.
var own sync.Map

// RemoveOwn removes all directories that this process has made and not removed. It is for
// a process that is about to end.
func RemoveOwn() {
	own.Range(func(dir, _ any) bool {
		os.RemoveAll(dir.(string))
		return true
	})
}

// Make makes a directory in parent, the system's directory for temporary files if that
// is "". remove removes it; it must be called once.
func Make(parent string) (dir string, remove func(), err error) {
	for range attempts {
		if dir, err = os.MkdirTemp(parent, Prefix); err != nil {
			return "", nil, err
		}
		lock, err := os.Open(dir)
		if err != nil {
			continue // removed by another process, before it was locked
		}
		if hold(lock) == nil && !same(lock, dir) {
			lock.Close()
			continue // removed while this process waited for the lock
		}
		// A file system without locks leaves the directory to its owner alone: nobody
		// else can lock it either.
		own.Store(dir, lock)
		return dir, func() {
			own.Delete(dir)
			os.RemoveAll(dir)
			lock.Close()
		}, nil
	}
	return "", nil, fmt.Errorf("creating a directory in %s: other processes remove it; set TMPDIR to another directory", filepath.Dir(dir))
}

// same reports whether dir is still what was opened.
func same(f *os.File, dir string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(dir)
	return err == nil && os.SameFile(opened, there)
}

// Sweep removes the directories in parent whose owners are gone, the system's directory
// for temporary files if parent is "". What can't be removed stays.
func Sweep(parent string) {
	if parent == "" {
		parent = os.TempDir()
	}
	list, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, d := range list {
		if !d.IsDir() || !strings.HasPrefix(d.Name(), Prefix) {
			continue
		}
		dir := filepath.Join(parent, d.Name())
		lock, err := os.Open(dir)
		if err != nil {
			continue // another user's
		}
		if claim(lock) == nil && same(lock, dir) {
			os.RemoveAll(dir)
		}
		lock.Close()
	}
}
