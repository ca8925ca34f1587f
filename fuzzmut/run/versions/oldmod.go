package versions

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// placeModFiles has the old side take the go.mod, go.sum and go.work that it had. Those of
// the main module, and go.work, are separate files, and others part of the overlay. A side
// whose go.mod leads out of a copied tree gets one that leads to the same places.
func (t *tree) placeModFiles(pair *Pair, entries []entry) error {
	texts := make(map[string][]byte) // old contents by path
	for _, e := range entries {
		if e.old != nil {
			texts[filepath.Join(t.base, filepath.FromSlash(e.oldName))] = e.old
		}
	}
	for path, text := range texts {
		if base := filepath.Base(path); base == "go.mod" || base == "go.sum" {
			if dir, ok := t.modules.of(t.name(path)); ok && (t.tool.Work != "" || dir != t.mainDir()) {
				pair.Old.Overlay[path] = text
			}
		}
	}
	if t.tool.Work != "" {
		return t.placeWork(&pair.Old, texts)
	}
	if was, ok := texts[t.tool.Mod]; ok {
		is, err := text(t.tool.Mod, nil)
		if err != nil {
			return err
		}
		pair.Raised = raised(was, is)
	}
	if err := t.placeMod(&pair.New, "new-mod", nil); err != nil {
		return err
	}
	return t.placeMod(&pair.Old, "old-mod", texts)
}

// raised lists the modules that two go.mod require in different versions. What can't be parsed is
// for the go command to complain of.
func raised(was, is []byte) (list []string) {
	old, oldErr := modfile.Parse("go.mod", was, nil)
	now, err := modfile.Parse("go.mod", is, nil)
	if oldErr != nil || err != nil {
		return nil
	}
	had := make(map[string]string)
	for _, r := range old.Require {
		had[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range now.Require {
		if v := had[r.Mod.Path]; v != "" && v != r.Mod.Version {
			list = append(list, r.Mod.Path+" "+r.Mod.Version+" in place of "+v)
		}
	}
	slices.Sort(list)
	return list
}

// name is the slash path of a file of the tree.
func (t *tree) name(path string) string {
	rel, err := filepath.Rel(t.base, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// text returns what a file held, or holds. It need not exist.
func text(path string, texts map[string][]byte) ([]byte, error) {
	if old, ok := texts[path]; ok {
		return old, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// placeMod writes a go.mod of the main module for one side, where it is not the one on
// disk. A vendor directory has to fit go.mod on disk: then that does for both sides.
func (t *tree) placeMod(side *Side, name string, texts map[string][]byte) error {
	dir := filepath.Dir(t.tool.Mod)
	if _, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt")); t.tool.Given("modfile") || err == nil && !t.tool.Given("mod") {
		return nil
	}
	mod, err := text(t.tool.Mod, texts)
	if err != nil {
		return err
	}
	sum, err := text(filepath.Join(dir, "go.sum"), texts)
	if err != nil {
		return err
	}
	_, changed := texts[t.tool.Mod]
	mod, led := t.lead(mod)
	if _, ok := texts[filepath.Join(dir, "go.sum")]; !changed && !led && !ok {
		return nil
	}
	to := filepath.Join(t.WorkDir, name)
	if err := writeFiles(to, map[string][]byte{"go.mod": mod, "go.sum": sum}); err != nil {
		return err
	}
	side.BuildFlags = append(slices.Clip(side.BuildFlags), "-modfile="+filepath.Join(to, "go.mod"))
	return nil
}

// lead has paths of a go.mod that lead out of the tree lead to where they do for the user,
// and says whether there are any.
func (t *tree) lead(mod []byte) (text []byte, led bool) {
	file, err := modfile.Parse("go.mod", mod, nil)
	if err != nil || t.outside == t.base {
		return mod, false
	}
	for _, r := range slices.Clone(file.Replace) {
		if to := t.placeOf(absolute(filepath.Dir(t.tool.Mod), r.New.Path)); r.New.Version == "" && !filepath.IsAbs(r.New.Path) && to != "" {
			if file.AddReplace(r.Old.Path, r.Old.Version, to, "") == nil {
				led = true
			}
		}
	}
	if text, err = file.Format(); !led || err != nil {
		return mod, false
	}
	return text, true
}

// placeOf is where a path leads to that leads out of the tree, "" if it does not.
func (t *tree) placeOf(path string) string {
	rel, err := filepath.Rel(t.base, path)
	if err != nil || filepath.IsLocal(rel) {
		return ""
	}
	return filepath.Join(t.outside, rel)
}

// placeWork writes the go.work of a side, if it is not the one on disk.
func (t *tree) placeWork(side *Side, texts map[string][]byte) error {
	work, ok := texts[t.tool.Work]
	if !ok {
		return nil
	}
	work = moveWork(work, func(path string) string { return absolute(filepath.Dir(t.tool.Work), path) })
	sum, err := text(t.tool.Work+".sum", texts)
	if err != nil {
		return err
	}
	to := filepath.Join(t.WorkDir, "old-work")
	side.Env = append(slices.Clip(environment(side.Env)), "GOWORK="+filepath.Join(to, "go.work"))
	return writeFiles(to, map[string][]byte{"go.work": work, "go.work.sum": sum})
}

// environment is what a nil one stands for.
func environment(env []string) []string {
	if env == nil {
		return os.Environ()
	}
	return env
}

// moveWork gives the directories that a go.work names other paths. What can't be parsed
// is for the go command to complain of.
func moveWork(text []byte, move func(path string) string) []byte {
	file, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return text
	}
	for _, use := range slices.Clone(file.Use) {
		path := use.Path
		if file.DropUse(path) != nil || file.AddUse(filepath.ToSlash(move(path)), "") != nil {
			return text
		}
	}
	for _, r := range slices.Clone(file.Replace) {
		if r.New.Version == "" && file.AddReplace(r.Old.Path, r.Old.Version, move(r.New.Path), "") != nil {
			return text
		}
	}
	file.Cleanup()
	return modfile.Format(file.Syntax)
}

// writeFiles writes files to a directory that is made for them.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return exit.Errorf(exit.Usage, "%w", err)
		}
	}
	return nil
}
