package unittest

import (
	"io/fs"
	"os"
	"path/filepath"
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

// alone has processes run one at a time once a test that was just run has made a file, and says whether they do.
func (s *suite) alone(t *test) bool {
	if s.written != nil && s.written.changed() {
		s.written = nil
		if s.launch.o.Parallel > 1 {
			s.launch.o.Alone(t.Name)
		}
		s.launch.o.Parallel = 1
	}
	return s.written == nil
}
