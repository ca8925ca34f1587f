package versions

import (
	"cmp"
	"os"
	"path/filepath"
)

// tree is the new tree, as it is on disk.
type tree struct {
	*finder
	base    string // absolute
	outside string // where paths that lead out of it lead to: base, or what it is a copy of
	modules *modules
}

// pair makes the pair of what differs from an old tree.
func (t *tree) pair(entries []entry, old, new string) (*Pair, error) {
	pair := &Pair{
		Old: Side{Name: old, Dir: t.Dir, BuildFlags: t.tool.Flags, Env: t.Env},
		New: Side{Name: new, Dir: t.Dir, BuildFlags: t.tool.Flags, Env: t.Env},
	}
	t.findModules(entries)
	entries = t.follow(entries)
	c := &composer{modules: t.modules, main: t.mainDir(), pair: pair}
	c.compose(entries)
	return pair, t.placeModFiles(pair, entries)
}

// findModules finds the modules that are built from the tree, on both sides.
func (t *tree) findModules(entries []entry) {
	t.modules = newModules(t.base)
	if t.tool.Mod != "" {
		t.modules.add(filepath.Dir(t.tool.Mod))
	}
	if t.tool.Work != "" {
		if text, err := os.ReadFile(t.tool.Work); err == nil {
			t.modules.addWork(filepath.Dir(t.tool.Work), text)
		}
	}
	for _, e := range entries {
		at := filepath.Join(t.base, filepath.FromSlash(e.oldName))
		switch at {
		case t.tool.Mod:
			t.modules.addReplaced(filepath.Dir(at), e.old)
		case t.tool.Work:
			t.modules.addWork(filepath.Dir(at), e.old)
		}
	}
}

// mainDir is the directory of the main module, or that of the workspace.
func (t *tree) mainDir() string {
	rel, err := filepath.Rel(t.base, filepath.Dir(cmp.Or(t.tool.Mod, t.tool.Work)))
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}
