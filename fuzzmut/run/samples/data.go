package samples

import (
	"cmp"
	"go/constant"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// OfData returns the contents of files that are data of the tests in directories, each once: a
// row for each. These are the files below testdata, and those that texts of the tests name, by
// their path or that of a directory above them, within the module. Files whose name stands in
// the tests come first, then those with an extension of these, then others; of each kind the
// small ones first. Corpora of fuzz tests are none, nor are other modules and Go files. What
// can't be read is left out, and so is what is there too much: see seenMost.
func OfData(dirs []string, tests []Row) (rows []Row) {
	l := dataFiles{room: seenMost}
	texts := pathsIn(tests)
	for _, dir := range dirs {
		l.look(filepath.Join(dir, "testdata"))
		for _, path := range named(dir, texts) {
			l.look(path)
		}
	}
	l.rank(texts)
	return l.read()
}

// read returns the contents of the files, in order.
func (l *dataFiles) read() (rows []Row) {
	seen := make(map[string]bool)
	room := int64(readMost)
	for _, f := range l.list {
		if room -= f.size; room < 0 || len(rows) == filesMost {
			break
		}
		data, err := os.ReadFile(f.path)
		if err != nil || seen[string(data)] || len(data) > textMost && utf8.Valid(data) {
			continue
		}
		seen[string(data)] = true
		rows = append(rows, Row{constant.MakeString(string(data))})
	}
	return rows
}

// pathsIn returns the texts in rows that may be paths, each once.
func pathsIn(rows []Row) (texts []string) {
	for _, row := range rows {
		for _, v := range row {
			if v.Kind() != constant.String {
				continue
			}
			if s := constant.StringVal(v); s != "" && len(s) <= pathMost && !strings.ContainsAny(s, "\x00\n\\") {
				texts = append(texts, s)
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// named returns the files and directories that texts name, seen from a directory and within its
// module. Neither that directory is one, nor are those above it, nor what is hidden.
func named(dir string, texts []string) (paths []string) {
	here := make(map[string]bool)
	entries, _ := os.ReadDir(dir) // what can't be read names nothing
	for _, e := range entries {
		here[e.Name()] = true
	}
	root := moduleRoot(dir)
	for _, text := range texts {
		first, _, deeper := strings.Cut(text, "/")
		if !here[first] && !(first == ".." && deeper) || strings.Contains("/"+text, "/.git") {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(text))
		if !below(path, root) || below(dir, path) {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// moduleRoot is the directory of the module that a directory is in, or the directory itself.
func moduleRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// below says whether a path is that of a directory, or of what is in it.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// dataFiles are files that may be samples.
type dataFiles struct {
	list []dataFile
	room int // of what is yet to be looked at
}

// A dataFile is a file with data of tests.
type dataFile struct {
	path string
	size int64
	rank int // the first ones are tried first
}

// look looks at a directory and those in it, in the order of their names, or at a file.
func (l *dataFiles) look(root string) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { // it returns what this does
		if l.room--; l.room < 0 {
			return fs.SkipAll
		}
		switch {
		case err != nil:
			return nil //nolint:nilerr // what can't be read is left out
		case d.IsDir():
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || ofFuzzing(path) {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && filepath.Ext(path) != ".go" && !ofFuzzing(path):
			if info, err := d.Info(); err == nil && info.Size() > 0 && info.Size() <= fileMost {
				l.list = append(l.list, dataFile{path: path, size: info.Size()})
			}
		}
		return nil
	})
}

// ofFuzzing says whether a path in testdata is that of the corpora of fuzz tests, or of what
// fuzzmut itself writes: a run would begin with what the last one has left.
func ofFuzzing(path string) bool {
	if filepath.Base(filepath.Dir(path)) != "testdata" {
		return false
	}
	switch filepath.Base(path) {
	case "fuzz", "fuzz-golden", "fuzz-known.txt", "fuzz-accepted.txt":
		return true
	}
	return false
}

// Ranks of files.
const (
	rankNamed = iota // their name stands in a test
	rankKind         // they have an extension of a file with that rank
	rankOther
)

// rank sorts the files: see OfData.
func (l *dataFiles) rank(texts []string) {
	words := make(map[string]bool)
	for _, text := range texts {
		words[text[strings.LastIndexByte(text, '/')+1:]] = true
	}
	kinds := make(map[string]bool)
	for i := range l.list {
		f := &l.list[i]
		base, ext := filepath.Base(f.path), filepath.Ext(f.path)
		if f.rank = rankOther; words[base] || words[strings.TrimSuffix(base, ext)] {
			f.rank = rankNamed
			kinds[ext] = true
		}
	}
	for i := range l.list {
		if f := &l.list[i]; f.rank == rankOther && kinds[filepath.Ext(f.path)] {
			f.rank = rankKind
		}
	}
	slices.SortFunc(l.list, func(a, b dataFile) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.size, b.size), cmp.Compare(a.path, b.path))
	})
	l.list = slices.Compact(l.list) // several texts may name one
}
