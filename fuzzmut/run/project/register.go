package project

import (
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/target"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// RegisterDerived has the implementations of interfaces registered that the inputs of
// derived fuzz tests hold, by a file that is there as little as these are. Where the
// package has the library itself, its test files say what they are.
func (pkg *Package) RegisterDerived() error {
	path := filepath.Join(pkg.Loaded.Test.Dir, values.FileName)
	if _, err := os.Lstat(path); err == nil || pkg.Loaded.Library == nil {
		return nil
	}
	text, err := pkg.ValueTypes.DerivedFile()
	if err != nil {
		return exit.Errorf(exit.Internal, "%s: %w", path, err)
	}
	if text != nil {
		pkg.Loaded.DerivedFiles[path] = target.InjectedText(text)
	}
	return nil
}
