package overlay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
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
	copies []gotool.Replacement // by module path
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

// newPlaces copies the modules that have to be rewritten and are in the module
// cache.
func newPlaces(loaded *load.Result) (*places, error) {
	p := &places{dirs: make(map[string]string)}
	for _, pkg := range loaded.Packages {
		if !loaded.Toolchain.InModCache(pkg.Dir) || loaded.Toolchain.InRoot(pkg.Dir) || p.dirs[pkg.ModuleDir] != "" {
			continue
		}
		if pkg.ModuleDir == "" {
			return nil, fmt.Errorf("package %s: the go command does not report the directory of its module", pkg.ImportPath)
		}
		to, err := loaded.Toolchain.CopyModule(pkg.ModuleDir, pkg.ModuleGoMod)
		if err != nil {
			return nil, err
		}
		p.dirs[pkg.ModuleDir] = to
		p.copies = append(p.copies, gotool.Replacement{Path: pkg.ModulePath, Version: pkg.ModuleVersion, Dir: to})
	}
	slices.SortFunc(p.copies, func(a, b gotool.Replacement) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}
