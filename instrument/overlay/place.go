package overlay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// unusedPath returns path, or with a number before its suffix if the file exists.
func unusedPath(path string) string {
	stem, suffix := strings.TrimSuffix(path, ".go"), ".go"
	if s, ok := strings.CutSuffix(stem, "_test"); ok {
		stem, suffix = s, "_test.go"
	}
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); err != nil {
			return path
		}
		path = fmt.Sprintf("%s%d%s", stem, i, suffix)
	}
}

// places maps the directories of modules in the module cache to the copies that
// take their places.
type places struct {
	dirs   map[string]string
	copies []load.Replacement // by module path
}

// of returns the path that the overlay has to replace for the file at path.
func (p *places) of(path string) string {
	for dir, to := range p.dirs {
		if rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok {
			return filepath.Join(to, rest)
		}
	}
	return path
}

// newPlaces copies the modules that have to be rewritten and lie in the module
// cache. Copies are pristine and shared by all runs; they lie where
// `go clean -fuzzcache` removes them.
func newPlaces(loaded *load.Result) (*places, error) {
	p := &places{dirs: make(map[string]string)}
	for _, pkg := range loaded.Packages {
		if !loaded.Toolchain.InModCache(pkg.Dir) || loaded.Toolchain.InRoot(pkg.Dir) || p.dirs[pkg.ModuleDir] != "" {
			continue
		}
		if pkg.ModuleDir == "" {
			return nil, fmt.Errorf("package %s: the go command does not report the directory of its module", pkg.ImportPath)
		}
		rel, err := filepath.Rel(loaded.Toolchain.ModCache, pkg.ModuleDir)
		if err != nil {
			return nil, err
		}
		to := filepath.Join(loaded.Toolchain.Cache, "fuzz", "fuzzmut-mod", rel)
		if err := copyModule(to, pkg.ModuleDir, pkg.ModuleGoMod); err != nil {
			return nil, fmt.Errorf("copying module %s: %w", pkg.ModulePath, err)
		}
		p.dirs[pkg.ModuleDir] = to
		p.copies = append(p.copies, load.Replacement{Path: pkg.ModulePath, Version: pkg.ModuleVersion, Dir: to})
	}
	slices.SortFunc(p.copies, func(a, b load.Replacement) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
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
	// A module from before go.mod files gets the one that the go command made.
	if _, err := os.Stat(filepath.Join(root, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if err := load.CopyFile(filepath.Join(root, "go.mod"), goMod, 0o666); err != nil {
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
			return load.CopyFile(filepath.Join(to, rel), path, 0o666)
		}
		return nil
	})
}
