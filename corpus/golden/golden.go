// Package golden keeps golden values: what was observed when the entries of a
// corpus were run, seeds included, in one file for each, in a directory that go test
// does not look at. Its name is that of a managed entry of the same content.
//
// The files are written whole or not at all, and are fuzzmut's own: a file that
// holds something else, or that has another name than entries have, is never
// removed. What the files hold is declared by instrument/rt/golden, which the test
// binary has too.
package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Root is the directory of all golden files of a package, with one directory for
// each fuzz test.
func Root(pkgDir string) string { return filepath.Join(pkgDir, "testdata", "fuzz-golden") }

// Dir is the directory of the golden files of a fuzz test.
func Dir(pkgDir, fuzzName string) string { return filepath.Join(Root(pkgDir), fuzzName) }

// Name is the name of the golden file of an entry.
func Name(e *corpus.Entry) string { return corpus.ManagedName(corpus.Marshal(e.Values)) }

// A Bad file can't be used: it was changed by hand, or by a merge.
type Bad struct {
	Path string
	Err  error
}

func (b *Bad) Error() string { return b.Path + ": " + b.Err.Error() }

func (b *Bad) Unwrap() error { return b.Err }

// Read reads the golden files in dir, by their names. A dir that does
// not exist holds none. err is not nil only if dir can't be read.
func Read(dir string) (files map[string]*golden.File, bad map[string]*Bad, err error) {
	files, bad = make(map[string]*golden.File), make(map[string]*Bad)
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return files, bad, nil
	}
	for _, d := range list {
		if d.IsDir() || !corpus.IsManagedName(d.Name()) {
			continue
		}
		path := filepath.Join(dir, d.Name())
		f, ferr := readFile(path)
		if ferr != nil {
			bad[d.Name()] = &Bad{Path: path, Err: ferr}
			continue
		}
		files[d.Name()] = f
	}
	return files, bad, err
}

// maxSize bounds a golden file that is read, in bytes: those written are much
// smaller.
const maxSize = 16 << 20

func readFile(path string) (*golden.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, plain(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxSize:
		return nil, errors.New("too large for a golden file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, plain(err)
	}
	return golden.Unmarshal(data)
}

// plain returns err without the path, which stands before it anyway.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Write writes the golden file of that name.
func Write(dir, name string, f *golden.File) error {
	return corpus.ReplaceFile(dir, name, f.Marshal())
}

// Remove removes the golden file of that name, and the directory if
// nothing else is in it. One that is not there is no error.
func Remove(dir, name string) error {
	if err := corpus.Remove(dir, name); err != nil {
		return err
	}
	// Each fails as long as something is left.
	if os.Remove(dir) == nil {
		os.Remove(filepath.Dir(dir))
	}
	return nil
}

// RemoveOf removes the golden file of the managed entry at path, if path is that of an entry
// in a directory that go test reads: pkg/testdata/fuzz/FuzzX.
func RemoveOf(path string) error {
	dir, name := filepath.Split(path)
	fuzzName := filepath.Base(dir)
	pkgDir := filepath.Join(dir, "..", "..", "..")
	if filepath.Clean(dir) != corpus.TestdataDir(pkgDir, fuzzName) {
		return nil
	}
	return Remove(Dir(pkgDir, fuzzName), name)
}

// Tests lists the names of the fuzz tests that a package has golden files of.
func Tests(pkgDir string) ([]string, error) {
	list, err := os.ReadDir(Root(pkgDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, d := range list {
		if d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, d.Name())
		}
	}
	return names, err
}
