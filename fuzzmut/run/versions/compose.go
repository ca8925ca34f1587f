package versions

import (
	"bytes"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry is a path that two trees do not have in common, or that was renamed.
type entry struct {
	oldName, newName string // with slashes, relative to the tree; "" if it is not there
	old, new         []byte
}

// name is what people know it by.
func (e *entry) name() string {
	if e.newName != "" {
		return e.newName
	}
	return e.oldName
}

// composer makes the pair of what differs between two trees.
type composer struct {
	modules *modules
	main    string // directory of the main module, as in modules
	pair    *Pair
}

// compose sorts out what differs. Overlays get paths of the new tree.
func (c *composer) compose(entries []entry) {
	c.pair.Old.Overlay = make(map[string][]byte)
	c.pair.OldTests = make(map[string][]byte)
	for i := range entries {
		e := &entries[i]
		if _, ok := c.modules.of(e.name()); !ok || !builds(e.name()) || bytes.Equal(e.old, e.new) && e.oldName == e.newName {
			continue
		}
		switch {
		case strings.HasSuffix(e.name(), "_test.go"):
			c.pair.TestFiles = append(c.pair.TestFiles, c.short(e.name()))
			c.place(c.pair.OldTests, e)
		case strings.HasSuffix(e.name(), ".go"):
			c.addFile(e)
		default:
			c.addOther(e)
		}
	}
	sortPair(c.pair)
}

// sortPair puts the files of a pair into the order of their names.
func sortPair(p *Pair) {
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(p.TestFiles)
	slices.Sort(p.Other)
}

// addFile adds a Go file, unless only comments and layout differ.
func (c *composer) addFile(e *entry) {
	if strings.Contains(string(e.new), "\r\n") && !bytes.Contains(e.old, []byte("\r\n")) {
		e.old = bytes.ReplaceAll(e.old, []byte("\n"), []byte("\r\n")) // what git has checked out
	}
	f := File{Name: c.short(e.name()), Path: c.path(e.name()), Old: e.old, New: e.new}
	f.OldPath = f.Path
	if e.oldName != "" {
		f.OldPath = c.path(e.oldName)
	}
	differs := f.diff()
	if differs || f.OldPath != f.Path {
		c.place(c.pair.Old.Overlay, e)
	}
	if differs {
		c.pair.Files = append(c.pair.Files, f)
	}
}

// place puts the old content of a Go file into an overlay, and a stub to where it was not.
func (c *composer) place(overlay map[string][]byte, e *entry) {
	if e.oldName != "" {
		overlay[c.path(e.oldName)] = e.old
	}
	if e.newName != "" && e.newName != e.oldName {
		if to := c.path(e.newName); overlay[to] == nil {
			overlay[to] = stub(e.new)
		}
	}
}

// path is the absolute path of a file of the tree.
func (c *composer) path(name string) string {
	return filepath.Join(c.modules.base, filepath.FromSlash(name))
}

// short is the name of a file relative to the main module.
func (c *composer) short(name string) string {
	rel, err := filepath.Rel(filepath.FromSlash(c.main), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// stub is a file that no build takes in, for a place where a Go file with a text is not.
func stub(text []byte) []byte {
	name := "stub"
	if file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); err == nil {
		name = file.Name.Name
	}
	return []byte("//go:build ignore\n\npackage " + name + "\n")
}

// sources are the suffixes of files that are no Go files and are compiled with them. They
// may have build constraints.
var sources = []string{".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".m", ".f", ".F", ".for", ".f90"}

// isSource says whether a file is compiled.
func isSource(name string) bool {
	ext := path.Ext(name)
	return ext == ".go" || slices.Contains(sources, ext)
}

// addOther adds a file that is no Go file. A sum of modules says nothing to people. A file
// that is embedded can't be taken away by an overlay.
func (c *composer) addOther(e *entry) {
	base := path.Base(e.name())
	if base != "go.sum" && base != "go.work.sum" {
		c.pair.Other = append(c.pair.Other, c.short(e.name()))
	}
	if isModuleFile(base) {
		return
	}
	if e.oldName != "" {
		c.pair.Old.Overlay[c.path(e.oldName)] = e.old
	}
	if e.newName != "" && e.newName != e.oldName && isSource(base) {
		c.pair.Old.Overlay[c.path(e.newName)] = []byte("//go:build ignore\n")
	}
}
