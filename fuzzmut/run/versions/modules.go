package versions

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// modules are those that are built from directories of one tree: the main module, those of
// the workspace, and those that a replace directive names by their directories.
type modules struct {
	base    string            // the tree, absolute
	dirs    map[string]bool   // of these modules: with slashes, relative to base
	nearest map[string]string // directory of the go.mod that a directory belongs to, as far as known
}

func newModules(base string) *modules {
	return &modules{base: base, dirs: make(map[string]bool), nearest: make(map[string]string)}
}

// add adds a module by its directory, and those that its go.mod names.
func (m *modules) add(dir string) {
	if !m.put(dir) {
		return
	}
	file := filepath.Join(dir, "go.mod")
	if text, err := os.ReadFile(file); err == nil {
		m.addReplaced(dir, text)
	}
}

// put says whether a directory is a new one.
func (m *modules) put(dir string) bool {
	rel, err := filepath.Rel(m.base, dir)
	if err != nil || m.dirs[filepath.ToSlash(rel)] {
		return false
	}
	m.dirs[filepath.ToSlash(rel)] = true
	return true
}

// addReplaced adds the directories that a go.mod has in the places of modules. What can't
// be parsed is for the go command to complain of.
func (m *modules) addReplaced(dir string, text []byte) {
	if file, err := modfile.Parse("go.mod", text, nil); err == nil {
		m.addDirs(dir, file.Replace)
	}
}

// addDirs adds the directories among replacements. Only the main module's count.
func (m *modules) addDirs(dir string, replaced []*modfile.Replace) {
	for _, r := range replaced {
		if r.New.Version == "" {
			m.put(absolute(dir, r.New.Path))
		}
	}
}

// addWork adds the modules of a workspace.
func (m *modules) addWork(dir string, text []byte) {
	file, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return
	}
	for _, use := range file.Use {
		m.add(absolute(dir, use.Path))
	}
	m.addDirs(dir, file.Replace)
}

func absolute(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// of returns the directory of the module that a file belongs to, and false if nothing is
// built from that module.
func (m *modules) of(name string) (dir string, ok bool) {
	dir = m.nearestTo(path.Dir(name))
	return dir, m.dirs[dir]
}

// nearestTo climbs to the next directory with a go.mod, out of the tree if there is none
// in it.
func (m *modules) nearestTo(dir string) string {
	if found, ok := m.nearest[dir]; ok {
		return found
	}
	at := filepath.Join(m.base, filepath.FromSlash(dir))
	found := dir
	if _, err := os.Stat(filepath.Join(at, "go.mod")); err != nil {
		if parent := filepath.Dir(at); parent != at {
			found = m.nearestTo(path.Join(dir, ".."))
		}
	}
	m.nearest[dir] = found
	return found
}

// builds says whether the go command may read a file for a build at all: not below
// testdata, and not below directories, or of names, that begin with a dot or underscore.
func builds(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	return true
}

// isModuleFile says whether a file says what a build consists of.
func isModuleFile(name string) bool {
	switch path.Base(name) {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	return false
}

// mayBuild says whether a build may read a file, unless one is embedded.
func mayBuild(name string) bool { return builds(name) && (isSource(name) || isModuleFile(name)) }
