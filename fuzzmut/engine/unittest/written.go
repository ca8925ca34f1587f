package unittest

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Processes share the directory of the package, since tests read their data there. A test that makes a file there is in
// the way of itself in another process: what one truncates, the other reads. With a mutant that looks
// like a kill. So processes run one at a time once a test has made a file, or removed one.

// directoriesMost bounds the directories that are watched: all of them are asked after each test.
const directoriesMost = 100

// directories are the directory of a package and those of its test data, with the times when an entry of each was made
// or removed last.
type directories map[string]time.Time

// watchDirectories begins to watch. What can't be read is not watched.
func watchDirectories(dir string) directories {
	d := directories{dir: {}}
	// An error is of one entry: the others are watched all the same.
	_ = filepath.WalkDir(filepath.Join(dir, "testdata"), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case len(d) == directoriesMost:
			return filepath.SkipAll
		case e.IsDir():
			d[path] = time.Time{}
		}
		return nil
	})
	d.changed()
	return d
}

// changed says whether an entry was made or removed since it was asked last.
func (d directories) changed() (yes bool) {
	for path, was := range d {
		info, err := os.Stat(path)
		if err != nil || info.ModTime().Equal(was) {
			continue
		}
		d[path], yes = info.ModTime(), true
	}
	return yes
}

// makers are the tests that may make files.
type makers struct {
	dirs     directories
	list     map[*test]bool
	parallel int // processes that there may be at a time if there are no makers
}

func newMakers(o *Options) *makers {
	return &makers{dirs: watchDirectories(o.Dir), list: make(map[*test]bool), parallel: o.Parallel}
}

// ran notes what a run of a test has done to the directories, the first run or a later one, and says whether one process
// is to run at a time from here on. Somebody else may have made a file, as an editor does: a test that makes none when it
// runs again does not count.
func (m *makers) ran(t *test, first bool) bool {
	switch changed := m.dirs.changed(); {
	case first && changed:
		m.list[t] = true
	case !first && !changed:
		delete(m.list, t)
	}
	return len(m.list) > 0
}

// settle has one process run at a time if a test makes files, and as many as there may be if none does.
func (m *makers) settle(o *Options) {
	if len(m.list) == 0 || m.parallel == 1 {
		o.Parallel = m.parallel
		return
	}
	o.Parallel = 1
	first := slices.MinFunc(slices.Collect(maps.Keys(m.list)), func(a, b *test) int { return cmp.Compare(a.index, b.index) })
	o.Alone(first.Name)
}
