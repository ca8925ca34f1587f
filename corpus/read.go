package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// DefaultMaxSize is the largest file in bytes that [ReadDir] reads unless told
// otherwise. It is also the size of the largest input that go test -fuzz hands
// to its workers.
const DefaultMaxSize = 100 << 20

// A BadEntry is something in a corpus directory that can't be used. The rest of
// the corpus can.
type BadEntry struct {
	Path string
	Err  error  // what is wrong; a *SyntaxError for bad content
	Fix  string // what to do about it
}

func (b BadEntry) Error() string { return fmt.Sprintf("%s: %v; %s", b.Path, b.Err, b.Fix) }

func (b BadEntry) Unwrap() error { return b.Err }

// A StaleError says that a file holds an entry whose types are not those that the
// fuzz target takes: its arguments have changed, or another fuzz test had its name.
type StaleError struct {
	Entry *Entry
	err   error
}

func (e *StaleError) Error() string { return e.err.Error() }

// ReadDir reads the entries in dir, in the order of their names, through
// symbolic links. A dir that does not exist holds no entries.
//
// types are those that the fuzz target takes, nil for any. max is the size in
// bytes above which a file is bad, 0 for DefaultMaxSize. The entries' Source is
// File; who reads Go's cache sets it to Cache. Remains of interrupted writes
// are skipped, see [RemoveLeftovers].
//
// err is not nil only if dir itself can't be read.
func ReadDir(dir string, types []string, max int64) (entries []Entry, bad []BadEntry, err error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the corpus: %w; %s", err, fixFor(err, "make it a readable directory"))
	}
	if max <= 0 {
		max = DefaultMaxSize
	}
	for _, f := range files {
		if f.IsDir() && isTempName(f.Name()) {
			continue
		}
		e, b := readEntry(filepath.Join(dir, f.Name()), types, max)
		if b != nil {
			bad = append(bad, *b)
			continue
		}
		entries = append(entries, *e)
	}
	return entries, bad, nil
}

// readEntry reads one file.
func readEntry(path string, types []string, max int64) (*Entry, *BadEntry) {
	data, bad := readRegular(path, max)
	if bad != nil {
		return nil, bad
	}
	in, err := Decode(data)
	switch {
	case errors.Is(err, errNoValues):
		return nil, &BadEntry{path, err, "remove the file"}
	case err != nil:
		return nil, &BadEntry{path, err, "correct or remove the file"}
	}
	e := Entry{Name: filepath.Base(path), Path: path, Source: File, Input: in}
	if types != nil {
		if err := CheckTypes(in.vals, types); err != nil {
			return nil, &BadEntry{path, &StaleError{&e, err}, "adapt the file to the fuzz target, or remove it"}
		}
	}
	return &e, nil
}

// readRegular reads a regular file of at most max bytes. Anything else is not
// even opened: opening a pipe would block.
func readRegular(path string, max int64) ([]byte, *BadEntry) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.IsDir() {
		return nil, &BadEntry{path, errors.New("is a directory, whose files are not entries"), "move it out of the corpus directory"}
	}
	if !info.Mode().IsRegular() {
		return nil, &BadEntry{path, errors.New("is not a regular file"), "move it out of the corpus directory"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	// The size is checked while reading as well: the file may be growing.
	data := []byte(nil)
	if info.Size() <= max {
		data, err = io.ReadAll(io.LimitReader(f, max+1))
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.Size() > max || int64(len(data)) > max {
		return nil, &BadEntry{path, fmt.Errorf("is larger than %d bytes", max), "shorten or remove the file"}
	}
	return data, nil
}

// unreadable describes a file that can't be read, without its path, which the
// BadEntry names.
func unreadable(path string, err error) *BadEntry {
	if target, lerr := os.Readlink(path); lerr == nil && errors.Is(err, fs.ErrNotExist) {
		return &BadEntry{path, fmt.Errorf("is a symbolic link to %s: %w", target, fs.ErrNotExist), "restore the link's target or remove the link"}
	}
	fix := fixFor(err, "make it readable or remove it")
	var perr *fs.PathError
	if errors.As(err, &perr) {
		err = perr.Err
	}
	return &BadEntry{path, err, fix}
}
