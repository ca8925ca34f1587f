package versions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// renames are packages that the new tree has elsewhere, or by another name, and a main
// module with another path. The old side gets their old code in the new place, so that the
// same tests reach it: what differs by the new names alone does not differ.
type renames struct {
	tree     *tree
	dirs     map[string]string // new directory of a package by its old one
	names    map[string]naming // by old directory, where the package has another name now
	from, to string            // paths of the main module
}

// naming is the name of a package, before and now.
type naming struct{ old, new string }

// follow puts old files to where their packages are now.
func (t *tree) follow(entries []entry) []entry {
	r := &renames{tree: t, dirs: movedDirs(t.base, entries), names: make(map[string]naming)}
	r.findModulePath(entries)
	if len(r.dirs) == 0 && r.from == r.to {
		return entries
	}
	r.findNames(entries)
	for i := range entries {
		e := &entries[i]
		dir := path.Dir(e.oldName)
		if strings.HasSuffix(e.oldName, ".go") {
			e.old = r.rewrite(e.old, dir)
		}
		if to, ok := r.dirs[dir]; ok && e.oldName != "" {
			e.oldName = path.Join(to, path.Base(e.oldName))
		}
	}
	return join(entries)
}

// join makes one entry of a file that is gone and a new one of the same name.
func join(entries []entry) []entry {
	gone := make(map[string]int)
	for i, e := range entries {
		if e.newName == "" {
			gone[e.oldName] = i
		}
	}
	joined := make(map[int]bool)
	for i := range entries {
		e := &entries[i]
		if at, ok := gone[e.newName]; ok && e.oldName == "" {
			e.oldName, e.old = e.newName, entries[at].old
			joined[at] = true
		}
	}
	var list []entry
	for i, e := range entries {
		if !joined[i] {
			list = append(list, e)
		}
	}
	return list
}

// isCode says whether a file is a Go file and no test.
func isCode(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// movedDirs finds directories whose code is in another one now: git has seen a file of it
// move there, or a directory below it move along, none is left, and the new one had none.
func movedDirs(base string, entries []entry) map[string]string {
	had, gets := make(map[string]bool), make(map[string]int) // directories with code before; new files
	to := make(map[string]string)
	for _, e := range entries {
		from, into := path.Dir(e.oldName), path.Dir(e.newName)
		if isCode(e.oldName) {
			had[from] = true
		}
		if isCode(e.newName) {
			gets[into]++
		}
		if isCode(e.oldName) && isCode(e.newName) && from != into && to[from] == "" {
			to[from] = into
		}
	}
	for _, from := range slices.Sorted(maps.Keys(to)) {
		addParents(to, from, func(dir, into string) bool { return had[dir] && gets[into] > 0 })
	}
	sources := make(map[string]int)
	for _, into := range to {
		sources[into]++
	}
	for from, into := range to {
		if sources[into] > 1 || had[into] || codeFiles(base, from) > 0 || codeFiles(base, into) != gets[into] {
			delete(to, from)
		}
	}
	return to
}

// addParents adds the directories that a moved one is in, as long as the path below them
// is the same, if they may have moved.
func addParents(to map[string]string, from string, may func(from, into string) bool) {
	for into := to[from]; path.Base(from) == path.Base(into) && from != "." && into != "."; {
		from, into = path.Dir(from), path.Dir(into)
		if from == into {
			return
		}
		if to[from] == "" && may(from, into) {
			to[from] = into
		}
	}
}

// codeFiles counts the files of a directory that are code.
func codeFiles(base, dir string) int {
	list, err := os.ReadDir(filepath.Join(base, filepath.FromSlash(dir)))
	if err != nil {
		return 0
	}
	n := 0
	for _, f := range list {
		if isCode(f.Name()) {
			n++
		}
	}
	return n
}

// findModulePath finds the path that the main module had. Its old go.mod gets the new one.
func (r *renames) findModulePath(entries []entry) {
	mod := path.Join(r.tree.mainDir(), "go.mod")
	for i := range entries {
		e := &entries[i]
		if e.oldName != mod || e.newName != mod {
			continue
		}
		r.from, r.to = modfile.ModulePath(e.old), modfile.ModulePath(e.new)
		file, err := modfile.Parse("go.mod", e.old, nil)
		if r.from == r.to || err != nil || file.AddModuleStmt(r.to) != nil {
			r.from = r.to
			return
		}
		if text, err := file.Format(); err == nil {
			e.old = text
		}
	}
}

// findNames finds packages that have another name in their new directories.
func (r *renames) findNames(entries []entry) {
	names := make(map[string]string) // by new directory
	for _, e := range entries {
		if isCode(e.newName) {
			names[path.Dir(e.newName)] = packageName(e.new)
		}
	}
	for _, e := range entries {
		dir := path.Dir(e.oldName)
		if to, ok := r.dirs[dir]; ok && isCode(e.oldName) && names[to] != packageName(e.old) {
			r.names[dir] = naming{packageName(e.old), names[to]}
		}
	}
}

// packageName is "" for a file that has none.
func packageName(text []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}

// rewrite gives an old file the new names of its package and of those that it imports.
func (r *renames) rewrite(text []byte, dir string) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return text
	}
	var edits edit.List
	replace := func(n ast.Node, by string) {
		edits.Replace(fset.PositionFor(n.Pos(), false).Offset, fset.PositionFor(n.End(), false).Offset, by)
	}
	if name := r.names[dir].new; name != "" {
		if strings.HasSuffix(file.Name.Name, "_test") {
			name += "_test"
		}
		replace(file.Name, name)
	}
	for _, spec := range file.Imports {
		was, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		is, name := r.imported(was)
		if is == was {
			continue
		}
		by := strconv.Quote(is)
		if name != "" && spec.Name == nil {
			by = name + " " + by
		}
		replace(spec.Path, by)
	}
	return edits.Render(text, 0, len(text))
}

// imported returns the new path of a package, and the name that old code knows it by if it
// has another now.
func (r *renames) imported(was string) (is, name string) {
	from, to := r.mainPath()
	rest, ok := strings.CutPrefix(was, from)
	if !ok || rest != "" && rest[0] != '/' {
		return was, ""
	}
	dir := path.Join(r.tree.mainDir(), rest)
	into, ok := r.dirs[dir]
	if !ok {
		return to + rest, ""
	}
	rel, err := filepath.Rel(filepath.FromSlash(r.tree.mainDir()), filepath.FromSlash(into))
	if err != nil || !filepath.IsLocal(rel) {
		return was, ""
	}
	return path.Join(to, filepath.ToSlash(rel)), r.names[dir].old
}

// mainPath is the path of the main module before and now.
func (r *renames) mainPath() (from, to string) {
	if r.from != "" {
		return r.from, r.to
	}
	text, err := os.ReadFile(r.tree.tool.Mod)
	if err != nil {
		return "\x00", "" // no import path begins with that
	}
	is := modfile.ModulePath(text)
	return is, is
}
