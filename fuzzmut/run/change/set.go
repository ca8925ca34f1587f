package change

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Set holds the changed lines of files.
type Set struct {
	files map[string][]Change // by path, absolute and free of symbolic links
}

// all is a change of every line of a file.
var all = Change{Line: 1, Count: maxLine}

// Locate finds the Go files that a patch names. Their paths are relative to one
// of the directories bases, the first in which the file exists, as they stand or
// without their first element (the a/ and b/ of git). If check is set, the files
// must be as the patch leaves them.
func Locate(files []File, bases []string, check bool) (*Set, error) {
	s := &Set{files: make(map[string][]Change)}
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".go") || len(f.Hunks) == 0 {
			continue
		}
		path := find(f.Path, bases)
		if path == "" {
			return nil, fmt.Errorf("the patch names %s, which does not exist below %s", f.Path, strings.Join(bases, " or "))
		}
		if check {
			src, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if line, ok := f.Fits(src); !ok {
				return nil, fmt.Errorf("%s:%d differs from the patch: apply the patch first", path, line)
			}
		}
		for _, h := range f.Hunks {
			s.add(path, h.Changes...)
		}
	}
	return s, nil
}

// gitPrefixes are the letters that git puts before paths, a and b unless it is
// told to say what is compared.
const gitPrefixes = "abciow"

// find returns the path of a file that exists, or "".
func find(name string, bases []string) string {
	name = filepath.FromSlash(name)
	names := []string{name}
	if first, rest, ok := strings.Cut(name, string(filepath.Separator)); ok {
		names = append(names, rest)
		if strings.Contains(gitPrefixes, first) {
			names[0], names[1] = rest, name
		}
	}
	for _, base := range bases {
		for _, name := range names {
			path := name
			if !filepath.IsAbs(name) {
				path = filepath.Join(base, name)
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

func (s *Set) add(path string, changes ...Change) {
	path = resolve(path)
	s.files[path] = append(s.files[path], changes...)
}

// resolve makes a path comparable.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Clean(path)
}

// Empty reports whether no line of any Go file is changed.
func (s *Set) Empty() bool { return len(s.files) == 0 }

// Of lists the changes of a file.
func (s *Set) Of(path string) []Change { return s.files[resolve(path)] }

// Touches reports whether any of the lines from first to last of a file is
// changed, or lines between two of them were taken out.
func (s *Set) Touches(path string, first, last int) bool {
	for _, c := range s.Of(path) {
		switch {
		case c.Count == 0 && first <= c.Line && c.Line < last:
			return true
		case c.Count > 0 && c.Line <= last && first <= c.Line+c.Count-1:
			return true
		}
	}
	return false
}
