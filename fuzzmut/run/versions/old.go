package versions

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// trees answers a question for another tree of the same module.
func (f *finder) trees() (*Pair, error) {
	if f.tool.Mod == "" {
		return nil, exit.Errorf(exit.Usage, "-old %s: %s is in no module: run fuzzmut diff in the directory of one", f.Old, f.Dir)
	}
	base := filepath.Dir(f.tool.Mod)
	old, err := f.oldRoot(base)
	if err != nil {
		return nil, err
	}
	t := &tree{finder: f, base: base, outside: base}
	entries, err := t.differing(old)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-old %s: %w", f.Old, err)
	}
	return t.pair(entries, f.Old, workTree)
}

// oldRoot finds the directory of the old tree's module: the one that is given, or one that
// it is in.
func (f *finder) oldRoot(base string) (string, error) {
	dir := absolute(f.Dir, f.Old)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", exit.Errorf(exit.Usage, "-old %s: there is no such directory", f.Old)
	}
	root := dir
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(root)
		if parent == root {
			return "", exit.Errorf(exit.Usage, "-old %s: it is in no module: name a directory with the go.mod of an older tree", f.Old)
		}
		root = parent
	}
	if same(root, base) {
		return "", exit.Errorf(exit.Usage, "-old %s: that is part of the tree in %s: name a directory with the go.mod of an older one", f.Old, base)
	}
	was, err := modulePath(root)
	if err != nil {
		return "", err
	}
	is, err := modulePath(base)
	if err == nil && was != is {
		return "", exit.Errorf(exit.Usage, "-old %s: module %s is there, and in %s it is module %s: name another tree of the same module", f.Old, was, base, is)
	}
	return root, err
}

// modulePath reads the path of the module in a directory.
func modulePath(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%w", err)
	}
	return modfile.ModulePath(text), nil
}

// differing lists the files in which the old tree differs from the new one.
func (t *tree) differing(old string) ([]entry, error) {
	t.findModules(nil)
	embedded := newEmbedded(old, t.base)
	was, err := t.walk(old, embedded)
	if err != nil {
		return nil, err
	}
	is, err := t.walk(t.base, embedded)
	if err != nil {
		return nil, err
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(names)
	var entries []entry
	for _, name := range slices.Compact(names) {
		e := entry{old: was[name], new: is[name]}
		if e.old != nil && e.new != nil && bytes.Equal(e.old, e.new) {
			continue
		}
		if e.old != nil {
			e.oldName = name
		}
		if e.new != nil {
			e.newName = name
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// walk reads the files of a tree that a build may read. Modules in it are left out, unless
// they are built with the main module.
func (t *tree) walk(root string, embedded *embedded) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if !builds(name) || err == nil && !t.modules.dirs[name] {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !mayBuild(name) && !embedded.has(name):
			return nil
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	return files, err
}
