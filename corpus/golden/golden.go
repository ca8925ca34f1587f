// Package golden keeps golden values: what was observed when the entries of a corpus were
// run, seeds included. Those of a fuzz test are one file, testdata/fuzz-golden/FuzzX.txt:
// of what is in testdata the go command reads only testdata/fuzz/FuzzX. What the file
// holds is declared by instrument/rt/golden, which the test binary has too.
//
// Entries go by the hash of their content. The file is written whole or not at all, and is
// fuzzmut's own; whatever else lies beside it is left alone. Earlier versions of fuzzmut
// had a directory of that name, with a file for each entry, whose values were written in
// another way. They can't be compared any more, and are replaced as a whole.
package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

const (
	root      = "fuzz-golden"
	extension = ".txt"
)

// Root is the directory of all golden files of a package.
func Root(pkgDir string) string { return filepath.Join(pkgDir, "testdata", root) }

// Path is the golden file of a fuzz test.
func Path(pkgDir, fuzzName string) string { return filepath.Join(Root(pkgDir), fuzzName+extension) }

// earlierDir is where earlier versions kept what is now in the golden file at path.
func earlierDir(path string) string { return strings.TrimSuffix(path, extension) }

// Dirs lists the directories that have, or had, the golden values of a fuzz test.
func Dirs(pkgDir, fuzzName string) []string {
	return []string{Root(pkgDir), earlierDir(Path(pkgDir, fuzzName))}
}

// Split splits the name of a file that holds golden values, with slashes: the directory of
// the package, and the fuzz test. A file that an earlier version wrote is one, too.
func Split(name string) (dir, fuzzName string, ok bool) {
	parent, base := path.Split(name)
	parent = path.Clean(parent)
	fuzzName, ok = strings.CutSuffix(base, extension)
	if corpus.IsManagedName(base) {
		parent, fuzzName, ok = path.Dir(parent), path.Base(parent), true
	}
	dir = path.Dir(path.Dir(parent))
	return dir, fuzzName, ok && path.Join(dir, "testdata", root) == parent && strings.HasPrefix(fuzzName, "Fuzz")
}

// Entry is an entry of a golden file for an entry of the corpus.
func Entry(e *corpus.Entry, values []golden.Value) golden.Entry {
	return golden.Entry{Name: e.Input.Found().Name, Input: corpus.Line(e.Input.Values()), Values: values}
}

// A Bad file, or entry of a file, can't be used: it was changed by hand, or by a merge.
type Bad struct {
	Path  string
	Line  int    // from 1; 0 if it is the whole file
	Entry string // name in the file, "" if it is none's
	Text  string // what is wrong
}

func (b *Bad) Error() string {
	s := b.Path
	if b.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, b.Line)
	}
	if b.Entry != "" {
		s += ": " + b.Entry
	}
	return s + ": " + b.Text
}

// Values are the golden values of a fuzz test.
type Values struct {
	Path     string
	Packages string         // see golden.File; "" if nothing says it
	Entries  []golden.Entry // those that can be used
	Bad      []Bad          // what can't be used, by line
	// Earlier is the file or directory that an earlier version of fuzzmut has written,
	// "" if there is none.
	Earlier string

	byKey map[string]int
}

// None says whether there is nothing at all.
func (v *Values) None() bool { return v.Packages == "" && len(v.Bad) == 0 && v.Earlier == "" }

// Of returns the golden values of an entry, nil if there are none.
func (v *Values) Of(e *corpus.Entry) *golden.Entry {
	if i, ok := v.byKey[e.Input.Hash()]; ok {
		return &v.Entries[i]
	}
	return nil
}

// maxSize bounds a golden file that is read, in bytes.
const maxSize = 256 << 20

// Read reads the golden values of the file at path. If there is no file there are none. An
// error says that something can't be read.
func Read(path string) (*Values, error) {
	v := &Values{Path: path, byKey: make(map[string]int)}
	packages, err := earlier(earlierDir(path))
	if err != nil {
		return nil, err
	}
	if packages != "" {
		v.Packages, v.Earlier = packages, earlierDir(path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isLink(path):
		v.Bad = append(v.Bad, Bad{Path: path, Text: "a symbolic link that leads to nothing"})
		return v, nil
	case errors.Is(err, fs.ErrNotExist):
		return v, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		v.Bad = append(v.Bad, Bad{Path: path, Text: "not a regular file"})
		return v, nil
	case info.Size() > maxSize:
		v.Bad = append(v.Bad, Bad{Path: path, Text: "too large for a golden file"})
		return v, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	v.take(data)
	return v, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// take takes in what a golden file holds.
func (v *Values) take(data []byte) {
	if golden.Earlier(data) {
		v.Earlier, v.Packages = v.Path, golden.PackagesOf(data)
		return
	}
	f, damage := golden.Recover(data)
	if f.Packages != "" {
		v.Packages = f.Packages
	}
	v.Entries = f.Entries
	for i, e := range f.Entries {
		v.byKey[golden.Key(e.Name)] = i
	}
	for _, d := range damage {
		v.Bad = append(v.Bad, Bad{Path: v.Path, Line: d.Line, Entry: d.Name, Text: d.Text})
	}
}

// earlier returns the packages that the files of an earlier version in dir name, "" if
// there are none, and "." if none of them says it.
func earlier(dir string) (packages string, err error) {
	names, err := earlierFiles(dir)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		if p := golden.PackagesOf(data); p != "" {
			return p, nil
		}
		packages = "."
	}
	return packages, err
}

// earlierFiles lists the files of an earlier version in dir.
func earlierFiles(dir string) (names []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, d := range list {
		if d.Type().IsRegular() && corpus.IsManagedName(d.Name()) {
			names = append(names, d.Name())
		}
	}
	return names, err
}

// A Change is what becomes of a golden file.
type Change struct {
	Packages string         // see golden.File
	Put      []golden.Entry // in place of those of the same content
	Drop     []string       // keys, see golden.Key
	// Replace says that the values are accepted whatever the file is like: damage is
	// left out, and so is what an earlier version has written.
	Replace bool
}

// ErrUnusable is the error of Apply for a file that it leaves alone.
var ErrUnusable = errors.New("can't be used as it is; fuzzmut corpus verify -update rewrites it")

// Apply changes the golden file at path as it is now, so that what another process has
// written meanwhile stays. A file without entries is removed, and the directory if nothing
// else is in it. A file that is damaged or of another version is left alone unless it is
// to be replaced.
func Apply(path string, c Change) error {
	v, err := Read(path)
	if err != nil {
		return err
	}
	if !c.Replace && (len(v.Bad) > 0 || v.Earlier != "") {
		return fmt.Errorf("%s %w", path, ErrUnusable)
	}
	gone := make(map[string]bool)
	for _, key := range c.Drop {
		gone[key] = true
	}
	for _, e := range c.Put {
		gone[golden.Key(e.Name)] = true
	}
	f := golden.File{Packages: c.Packages}
	f.Entries = slices.DeleteFunc(v.Entries, func(e golden.Entry) bool { return gone[golden.Key(e.Name)] })
	f.Entries = append(f.Entries, c.Put...)
	if len(f.Entries) == 0 {
		err = corpus.Remove(filepath.Dir(path), filepath.Base(path))
	} else {
		err = corpus.ReplaceFile(filepath.Dir(path), filepath.Base(path), f.Marshal())
	}
	if err == nil && c.Replace {
		err = removeEarlier(earlierDir(path))
	}
	if err == nil && len(f.Entries) == 0 {
		os.Remove(filepath.Dir(path)) // fails as long as something is left
	}
	return err
}

// removeEarlier removes the files of an earlier version in dir, and dir if nothing else is
// in it.
func removeEarlier(dir string) error {
	names, err := earlierFiles(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := corpus.Remove(dir, name); err != nil {
			return err
		}
	}
	if len(names) > 0 {
		os.Remove(dir) // fails as long as something is left
	}
	return nil
}

// Drop removes the golden values of entries, given by their paths. Only entries in a
// directory that go test reads, pkg/testdata/fuzz/FuzzX, can have some. A golden file that
// can't be used as it is stays: the next run that reads it reports the error.
func Drop(paths []string) error {
	keys := make(map[string][]string) // by golden file
	for _, entry := range paths {
		dir, name := filepath.Split(entry)
		fuzzName, pkgDir := filepath.Base(dir), filepath.Join(dir, "..", "..", "..")
		if filepath.Clean(dir) == corpus.TestdataDir(pkgDir, fuzzName) {
			file := Path(pkgDir, fuzzName)
			keys[file] = append(keys[file], golden.Key(name))
		}
	}
	var errs []error
	for _, file := range slices.Sorted(maps.Keys(keys)) {
		v, err := Read(file)
		if err == nil && len(v.Entries) > 0 {
			err = Apply(file, Change{Packages: v.Packages, Drop: keys[file]})
		}
		if err != nil && !errors.Is(err, ErrUnusable) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Tests lists the names of the fuzz tests that a package has golden values of.
func Tests(pkgDir string) ([]string, error) {
	list, err := os.ReadDir(Root(pkgDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, d := range list {
		name, file := strings.CutSuffix(d.Name(), extension)
		if strings.HasPrefix(name, "Fuzz") && (file || d.IsDir()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
