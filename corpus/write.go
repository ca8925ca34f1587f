package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tempPrefix begins the names of the directories that hold incomplete files.
// They lie inside the corpus directory, which is the one place where they are
// sure to be on the same file system and where the user lets fuzzmut write.
const tempPrefix = ".fuzzmut-tmp-"

func isTempName(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// ErrConflict is returned by [WriteFile] if the name is taken by other content.
var ErrConflict = errors.New("exists with other content")

// WriteFile writes an encoded entry to dir, which it makes if need be. The file
// appears complete or not at all, to other processes as well as after a crash
// of this one. created is false if an entry with the same values is there
// already under that name.
//
// An existing file with other content is left alone and reported as
// ErrConflict, except that a file with a managed name that holds no entry at
// all, such as one cut short by a power failure, is replaced.
//
// Every error names the path and what to do.
func WriteFile(dir, name string, data []byte) (created bool, err error) {
	return writeFile(dir, name, data, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// writeFile is WriteFile with the function that fills the file, so that a test
// can make it fail half-way.
func writeFile(dir, name string, data []byte, fill func(*os.File) error) (created bool, err error) {
	path := filepath.Join(dir, name)
	if err := checkName(name); err != nil {
		return false, err
	}
	if exists, err := checkExisting(path, data); exists || err != nil {
		return false, err
	}
	if err := create(dir, path, fill); err != nil {
		return false, err
	}
	return true, nil
}

// ReplaceFile writes data to a file of that name in dir, as WriteFile does, but
// whatever the file held before. It is for what fuzzmut keeps beside a corpus.
func ReplaceFile(dir, name string, data []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	return create(dir, filepath.Join(dir, name), func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// create makes a file of the content that fill writes, whole or not at all.
func create(dir, path string, fill func(*os.File) error) (err error) {
	for try := 0; ; try++ {
		err = tryWrite(dir, path, fill)
		// RemoveLeftovers of another process takes our file for a left one. It
		// does so once when it starts, so a few attempts are enough.
		if try == 5 || !errors.Is(err, errVanished) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w; %s", path, err, fixOf(path, err))
	}
	return nil
}

// CheckDir returns the error that a write to dir would meet now. dir need not exist yet: then
// what matters is the directory above it that does. No trace is left.
func CheckDir(dir string) error {
	for at := dir; ; {
		tmp, err := os.MkdirTemp(at, tempPrefix)
		if err == nil {
			return os.RemoveAll(tmp) // a run beside this one may have removed it
		}
		up := filepath.Dir(at)
		if !errors.Is(err, fs.ErrNotExist) || up == at {
			var bad *fs.PathError // of a name that is ours
			if errors.As(err, &bad) {
				err = bad.Err
			}
			return fmt.Errorf("%s can't be written: %s: %w; %s", dir, at, err, fixOf(dir, err))
		}
		at = up
	}
}

// checkName makes sure that name is a plain file name that go test reads and
// that isn't one of our temporary names.
func checkName(name string) error {
	if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." || isTempName(name) {
		return fmt.Errorf("%q is not a name for a corpus entry; use a plain file name", name)
	}
	return nil
}

// checkExisting says whether the entry is in place, so that nothing is to be
// written, and returns an error if something else is that must stay.
func checkExisting(path string, data []byte) (bool, error) {
	if _, err := os.Lstat(path); err != nil {
		// Absent, or in a directory that can't be searched: writing will tell.
		return false, nil
	}
	old, bad := readRegular(path, max(DefaultMaxSize, int64(len(data))))
	if bad != nil {
		return false, fmt.Errorf("writing a corpus entry: %w", bad)
	}
	if bytes.Equal(old, data) {
		return true, nil
	}
	vals, err := Unmarshal(old)
	isEntry := err == nil && len(vals) > 0
	if !isEntry && IsManagedName(filepath.Base(path)) {
		return false, nil
	}
	// A checkout with CRLF line ends holds the same values.
	if isEntry && bytes.Equal(Marshal(vals), data) {
		return true, nil
	}
	return false, fmt.Errorf("writing a corpus entry: %s %w; rename or remove it", path, ErrConflict)
}

// errVanished is the error of tryWrite if someone removed the temporary file.
var errVanished = errors.New("the temporary file was removed by another process")

// tryWrite makes a file of the content that fill writes and moves it to path in
// dir. It leaves no other trace, except possibly dir.
func tryWrite(dir, path string, fill func(*os.File) error) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	defer func() {
		if rerr := os.RemoveAll(tmp); err == nil {
			err = rerr
		}
	}()
	half := filepath.Join(tmp, "entry")
	if err := fillFile(half, fill); err != nil {
		return vanished(half, err)
	}
	return vanished(half, os.Rename(half, path))
}

// vanished tells apart the two reasons for a failure on the temporary file.
func vanished(half string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(filepath.Dir(half)); errors.Is(lerr, fs.ErrNotExist) {
			return errVanished
		}
	}
	return err
}

// fillFile makes the file again. Its permissions are what the user's umask
// leaves, as for any file that go test writes.
func fillFile(path string, fill func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fill(f)
	if cerr := f.Close(); err == nil {
		err = cerr // a full disk may show only now
	}
	return err
}

// Remove removes the entry of that name from dir. One that is not there is no
// error. Whether the entry may be removed, see [Entry.Managed], is up to the
// caller.
func Remove(dir, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("removing %s: is a directory; remove it yourself if it is not needed", path)
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("removing a corpus entry: %w; %s", err, fixFor(err, "remove the file yourself"))
}

// RemoveManaged removes an entry that was read from a file, if the file still is
// what fuzzmut wrote: a regular file with the content that its name tells. Else it
// is left alone. removed says whether it is gone.
func RemoveManaged(path string) (removed bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return false, nil // a link is the user's, and what can't be looked at may be
	}
	e, bad := readEntry(path, nil, info.Size())
	if bad != nil || !e.Managed() {
		return false, nil
	}
	if err := Remove(filepath.Dir(path), e.Name); err != nil {
		return false, err
	}
	return true, nil
}

// RemoveLeftovers removes what interrupted writes of earlier runs left in dir.
// It may be called while other processes write to dir: they start over. A dir
// that does not exist is no error.
func RemoveLeftovers(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil // ReadDir reports it
	}
	var errs []error
	for _, f := range files {
		if !f.IsDir() || !isTempName(f.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, f.Name())); err != nil {
			errs = append(errs, fmt.Errorf("removing files of an interrupted run: %w; %s", err, fixFor(err, "remove it yourself")))
		}
	}
	return errors.Join(errs...)
}
