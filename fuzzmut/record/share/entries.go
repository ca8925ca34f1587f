package share

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

func newHash() hash.Hash { return sha256.New() }

// entryMost bounds the file of an input, in bytes. What is larger is not shared.
const entryMost = 1 << 20

// hashDigits are those of corpus.FileName, by which inputs are called.
const hashDigits = 16

func isInputHash(name string) bool { return len(name) == hashDigits && isHex(name) }

// dirOf is where the inputs of a kind lie that are for a fuzz test of a package.
func (d *Dir) dirOf(kind, pkg, fuzz string) (string, error) {
	below := filepath.Join(filepath.FromSlash(pkg), fuzz)
	if pkg == "" || fuzz == "" || !filepath.IsLocal(below) {
		return "", fmt.Errorf("no shared inputs for %s in package %q; run fuzzmut on a package within a module", fuzz, pkg)
	}
	return filepath.Join(d.path, kind, below), nil
}

// ErrTooLarge says that an input is too large to be shared.
var ErrTooLarge = errors.New("the input is larger than a megabyte")

// Keep leaves an input of a kind. created is false if it is there. The error may be ErrTooLarge.
func (d *Dir) Keep(kind, pkg, fuzz string, input *corpus.Input) (created bool, err error) {
	data := input.Encode()
	dir, err := d.dirOf(kind, pkg, fuzz)
	switch {
	case err != nil:
		return false, err
	case len(data) > entryMost:
		return false, ErrTooLarge
	}
	return corpus.WriteFile(dir, input.Hash(), data)
}

// Names lists the inputs of a kind that are there for a fuzz test of a package, in order.
// Other files are not looked at.
func (d *Dir) Names(kind, pkg, fuzz string) ([]string, error) {
	dir, err := d.dirOf(kind, pkg, fuzz)
	if err != nil {
		return nil, err
	}
	return sortedNames(dir, func(f fs.DirEntry) bool { return isInputHash(f.Name()) && !f.IsDir() })
}

// File is the path of the input of that name, which need not exist; "" if none can be there.
func (d *Dir) File(kind, pkg, fuzz, name string) string {
	dir, err := d.dirOf(kind, pkg, fuzz)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, name)
}

// ErrTypes says that an input is for another fuzz target: its arguments have changed, or another
// fuzz test had its name.
var ErrTypes = errors.New("is of other types than the fuzz target takes")

// Read reads the input of that name. types are those that the fuzz target takes; nil: any. The
// error is ErrTypes, fs.ErrNotExist if it is gone, or else names the file, which is damaged.
func (d *Dir) Read(kind, pkg, fuzz, name string, types []string) (*corpus.Input, error) {
	dir, err := d.dirOf(kind, pkg, fuzz)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	data, err := regular.Read(path, entryMost)
	if err != nil {
		return nil, err
	}
	in, err := corpus.Decode(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case in.Hash() != name:
		return nil, fmt.Errorf("%s holds another input than its name says; remove it", path)
	case types != nil && !in.Is(types):
		return nil, ErrTypes
	}
	return in, nil
}
