package gotool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// CopyModule returns a directory with a copy of a module whose directory is in the
// module cache, where the go command takes no overlay. Copies are pristine and shared by
// all runs; they lie where `go clean -fuzzcache` removes them. A module from before go.mod
// files gets goMod, the one that the go command made.
func (t *Toolchain) CopyModule(dir, goMod string) (string, error) {
	rel, err := filepath.Rel(t.ModCache, dir)
	if err != nil {
		return "", err
	}
	to := filepath.Join(t.Cache, "fuzz", "fuzzmut-mod", rel)
	if err := copyModule(to, dir, goMod); err != nil {
		return "", fmt.Errorf("copying module %s: %w", rel, err)
	}
	return to, nil
}

// copyModule makes to a copy of the module at from, unless it exists. It appears
// whole or not at all.
func copyModule(to, from, goMod string) error {
	if _, err := os.Stat(filepath.Join(to, "go.mod")); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	tempdir.Sweep(filepath.Dir(to))
	tmp, remove, err := tempdir.Make(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer remove()
	root := filepath.Join(tmp, "m")
	if err := copyTree(root, from); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if err := CopyFile(filepath.Join(root, "go.mod"), goMod, 0o666); err != nil {
			return err
		}
	}
	err = os.Rename(root, to)
	if _, statErr := os.Stat(filepath.Join(to, "go.mod")); err != nil && statErr == nil {
		return nil // another process was faster
	}
	return err
}

func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case d.Type().IsRegular():
			return CopyFile(filepath.Join(to, rel), path, 0o666)
		}
		return nil
	})
}
