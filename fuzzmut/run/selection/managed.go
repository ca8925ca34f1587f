package selection

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Replaceable returns the paths of the entries that fuzzmut may remove: those that
// it wrote itself to the directory where the results of this fuzz test go.
func Replaceable(t *trial.Trial) map[string]bool {
	dir := t.CorpusDir()
	if sharedDir(dir) {
		return nil
	}
	ours := make(map[string]bool)
	for _, e := range t.Given {
		if e.Managed() && filepath.Dir(e.Path) == dir && IsRegular(e.Path) {
			ours[e.Path] = true
		}
	}
	return ours
}

// IsRegular reports whether path is a file itself, not a link to one: fuzzmut
// makes no links, so that a link is the user's.
func IsRegular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// sharedDir reports whether a directory of entries is one of another fuzz test as
// well, by a symbolic link: what one of them does not need the other may.
func sharedDir(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false // it does not exist
	}
	siblings, _ := os.ReadDir(filepath.Dir(dir))
	for _, f := range siblings {
		path := filepath.Join(filepath.Dir(dir), f.Name())
		if path == dir {
			if f.Type()&os.ModeSymlink != 0 {
				return true
			}
			continue
		}
		if other, err := filepath.EvalSymlinks(path); err == nil && other == real {
			return true
		}
	}
	return false
}

// Remove removes files that fuzzmut wrote and returns their names. What they
// hold goes to Go's fuzz cache, where a later run finds it; what can't be kept there
// stays. A file that has changed meanwhile is left alone.
func Remove(t *trial.Trial, entries []corpus.Entry) (names []string, err error) {
	cache, _ := t.CacheDir()
	var paths []string
	defer func() {
		// At once: one file has the golden values of all.
		if gerr := golden.Drop(paths); gerr != nil {
			err = errors.Join(err, exit.Errorf(exit.Usage, "%w", gerr))
		}
	}()
	for _, e := range entries {
		if cache != "" && filepath.Dir(e.Path) != cache {
			if _, err := corpus.WriteFile(cache, e.Input.Hash(), e.Input.Encode()); err != nil {
				return names, exit.Errorf(exit.Usage, "%d of %s kept: removed entries can't be saved in Go's fuzz cache: %w",
					len(entries)-len(names), report.Plural(len(entries), "entry"), err)
			}
		}
		removed, err := corpus.RemoveManaged(e.Path)
		if removed {
			names, paths = append(names, e.Name), append(paths, e.Path)
		}
		if err != nil {
			return names, exit.Errorf(exit.Usage, "%w", err)
		}
	}
	slices.Sort(names)
	return names, nil
}

// RemoveManaged removes an entry that fuzzmut wrote, with its golden values. removed
// says whether the entry is gone.
func RemoveManaged(path string) (removed bool, err error) {
	if removed, err = corpus.RemoveManaged(path); removed {
		err = golden.Drop([]string{path})
	}
	return removed, err
}
