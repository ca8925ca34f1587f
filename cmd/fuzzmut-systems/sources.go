package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"sync"
)

// sources are the files that are type-checked, each parsed once for all systems.
type sources struct {
	dir    string // absolute
	fset   *token.FileSet
	parsed sync.Map // of func() (*ast.File, error), by path
}

func newSources(dir string) (*sources, error) {
	dir, err := filepath.Abs(dir)
	return &sources{dir: dir, fset: token.NewFileSet()}, err
}

// parse is packages.Config.ParseFile. It is called from several goroutines.
func (s *sources) parse(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	f, _ := s.parsed.LoadOrStore(name, sync.OnceValues(func() (*ast.File, error) {
		if s.own(name) {
			return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if f != nil {
			dropBodies(f)
		}
		return f, err
	}))
	return f.(func() (*ast.File, error))()
}

// own reports whether the file is part of the module, and not of a dependency.
func (s *sources) own(name string) bool {
	return strings.HasPrefix(name, s.dir+string(filepath.Separator))
}

// dropBodies makes declarations of functions what they are for those who call them.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
