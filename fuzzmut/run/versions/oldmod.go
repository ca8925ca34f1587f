package versions

import (
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// oldModules has the old side take the go.mod and go.sum that it had.
func (t *checkedOut) oldModules(pair *Pair, entries []entry) error {
	texts := make(map[string][]byte)
	for _, e := range entries {
		if e.old != nil {
			texts[filepath.Join(t.base, filepath.FromSlash(e.oldName))] = e.old
		}
	}
	return t.oldModFile(pair, texts)
}

// oldModFile writes the go.mod of the old side's main module where it is another one.
// texts are the old contents of files, by path.
func (t *checkedOut) oldModFile(pair *Pair, texts map[string][]byte) error {
	mod, ok := texts[t.tool.Mod]
	if !ok || t.tool.Given("modfile") {
		return nil
	}
	dir := filepath.Join(t.WorkDir, "old-mod")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	sum, ok := texts[filepath.Join(filepath.Dir(t.tool.Mod), "go.sum")]
	if !ok {
		sum, _ = os.ReadFile(filepath.Join(filepath.Dir(t.tool.Mod), "go.sum"))
	}
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return exit.Errorf(exit.Usage, "%w", err)
		}
	}
	pair.Old.BuildFlags = append(pair.Old.BuildFlags[:len(pair.Old.BuildFlags):len(pair.Old.BuildFlags)], "-modfile="+filepath.Join(dir, "go.mod"))
	return nil
}
