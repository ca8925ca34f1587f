package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"hash"
	"io"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// sources is the source of the packages that are rewritten, declaration by
// declaration: what mutants belong to.
type sources struct {
	loaded *load.Result
	files  map[string]*sourceFile // by path
}

// sourceFile is a file of a package to mutate.
type sourceFile struct {
	src   []byte
	decls []declaration // functions and variables, in order
}

// declaration is a function, or one specification of variables.
type declaration struct {
	start, end  int // in bytes
	first, last int // in lines
	text        []byte
	touched     *bool // whether the patch touches it; nil until asked
}

// newSources finds the declarations in the packages to mutate.
func newSources(loaded *load.Result) *sources {
	s := &sources{loaded: loaded, files: make(map[string]*sourceFile)}
	for _, p := range loaded.Packages {
		if !p.Mutated {
			continue
		}
		for _, f := range p.Files {
			file := &sourceFile{src: f.Src}
			s.files[f.Path] = file
			for _, d := range f.Syntax.Decls {
				s.declare(file, d)
			}
		}
	}
	return s
}

// declare enters what can hold mutants of a declaration.
func (s *sources) declare(file *sourceFile, d ast.Decl) {
	var nodes []ast.Node
	switch d := d.(type) {
	case *ast.FuncDecl:
		nodes = append(nodes, d)
	case *ast.GenDecl:
		if d.Tok == token.VAR {
			for _, spec := range d.Specs {
				nodes = append(nodes, spec)
			}
		}
	}
	for _, n := range nodes {
		from, to := s.loaded.Position(n.Pos()), s.loaded.Position(n.End())
		file.decls = append(file.decls, declaration{
			start: from.Offset, end: to.Offset, first: from.Line, last: to.Line,
			text: file.src[from.Offset:to.Offset],
		})
	}
}

// of returns the declaration that a mutant is part of, or nil.
func (s *sources) of(m *instrument.Mutant) *declaration {
	file := s.files[m.File]
	if file == nil {
		return nil
	}
	for i := range file.decls {
		if d := &file.decls[i]; d.start <= m.Offset && m.Offset < d.end {
			return d
		}
	}
	return nil
}

// at returns the declaration that a line of a file is part of, or nil.
func (s *sources) at(path string, line int) *declaration {
	file := s.files[path]
	if file == nil {
		return nil
	}
	for i := range file.decls {
		if d := &file.decls[i]; d.first <= line && line <= d.last {
			return d
		}
	}
	return nil
}

// any reports whether a declaration is one that f holds for.
func (s *sources) any(f func(path string, d *declaration) bool) bool {
	for path, file := range s.files {
		for i := range file.decls {
			if f(path, &file.decls[i]) {
				return true
			}
		}
	}
	return false
}

// touched reports whether a change touches the declaration of a mutant.
func (s *sources) touched(changed *change.Set, m *instrument.Mutant) bool {
	d := s.of(m)
	return d != nil && d.touchedBy(changed, m.File)
}

func (d *declaration) touchedBy(changed *change.Set, path string) bool {
	if d.touched == nil {
		yes := changed.Touches(path, d.first, d.last)
		d.touched = &yes
	}
	return *d.touched
}

// anyTouched reports whether a change touches anything that can hold mutants.
func (s *sources) anyTouched(changed *change.Set) bool {
	return s.any(func(path string, d *declaration) bool { return d.touchedBy(changed, path) })
}

// hash names the source of the tests and of all that is rewritten, wherever it
// lies.
func (s *sources) hash() string {
	h := sha256.New()
	for _, p := range s.loaded.Packages {
		part(h, p.ImportPath)
		hashFiles(h, p.Files)
	}
	hashTests(h, s.loaded)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hashTests hashes the test files.
func hashTests(h hash.Hash, loaded *load.Result) {
	for _, t := range loaded.Tests {
		hashFiles(h, t.Files)
	}
}

func hashFiles(h hash.Hash, files []load.File) {
	part(h, len(files))
	for _, f := range files {
		part(h, filepath.Base(f.Path))
		part(h, string(f.Src))
	}
}

// part hashes a value so that it can't run into the next.
func part(h io.Writer, v any) {
	text := fmt.Sprint(v)
	fmt.Fprintf(h, "%d:%s", len(text), text)
}

// declarations hashes what a package declares besides functions: types,
// constants and variables, on which every function may hang.
func declarations(s *sources, p *load.Package) []byte {
	h := sha256.New()
	for _, f := range p.Files {
		for _, d := range f.Syntax.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
				part(h, string(f.Src[s.loaded.Position(g.Pos()).Offset:s.loaded.Position(g.End()).Offset]))
			}
		}
	}
	return h.Sum(nil)
}
