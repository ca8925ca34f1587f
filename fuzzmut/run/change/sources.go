package change

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/token"
	"hash"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Sources is the source of the packages that are rewritten, declaration by
// declaration: what mutants belong to.
type Sources struct {
	loaded *load.Result
	files  map[string]*sourceFile // by path
}

// sourceFile is a file of a package to mutate.
type sourceFile struct {
	src   []byte
	decls []Declaration // functions and variables, in order
}

// Declaration is a function, or one specification of variables.
type Declaration struct {
	start, end  int // in bytes
	first, last int // in lines
	Text        []byte
	touched     *bool // whether the patch touches it; nil until asked
}

// NewSources finds the declarations in the packages to mutate.
func NewSources(loaded *load.Result) *Sources {
	s := &Sources{loaded: loaded, files: make(map[string]*sourceFile)}
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
func (s *Sources) declare(file *sourceFile, d ast.Decl) {
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
		file.decls = append(file.decls, Declaration{
			start: from.Offset, end: to.Offset, first: from.Line, last: to.Line,
			Text: file.src[from.Offset:to.Offset],
		})
	}
}

// Of returns the declaration that a mutant is part of, or nil.
func (s *Sources) Of(m *instrument.Mutant) *Declaration {
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
func (s *Sources) at(path string, line int) *Declaration {
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

// Any reports whether a declaration is one that f holds for.
func (s *Sources) Any(f func(path string, d *Declaration) bool) bool {
	for path, file := range s.files {
		for i := range file.decls {
			if f(path, &file.decls[i]) {
				return true
			}
		}
	}
	return false
}

// Touched reports whether a change touches the declaration of a mutant.
func (s *Sources) Touched(changed *Set, m *instrument.Mutant) bool {
	d := s.Of(m)
	return d != nil && d.TouchedBy(changed, m.File)
}

func (d *Declaration) TouchedBy(changed *Set, path string) bool {
	if d.touched == nil {
		yes := changed.Touches(path, d.first, d.last)
		d.touched = &yes
	}
	return *d.touched
}

// AnyTouched reports whether a change touches anything that can hold mutants.
func (s *Sources) AnyTouched(changed *Set) bool {
	return s.Any(func(path string, d *Declaration) bool { return d.TouchedBy(changed, path) })
}

// Hash names the source of the tests and of all that is rewritten, wherever it
// lies.
func (s *Sources) Hash() string {
	h := sha256.New()
	for _, p := range s.loaded.Packages {
		digest.Add(h, p.ImportPath)
		hashFiles(h, p.Files)
	}
	HashTests(h, s.loaded)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// HashTests hashes the test files.
func HashTests(h hash.Hash, loaded *load.Result) {
	for _, t := range loaded.Tests {
		hashFiles(h, t.Files)
	}
}

func hashFiles(h hash.Hash, files []load.File) {
	digest.Add(h, len(files))
	for _, f := range files {
		digest.Add(h, filepath.Base(f.Path))
		digest.Add(h, string(f.Src))
	}
}

// HashDeclarations hashes what a package declares, except functions: types,
// constants and variables. Every function may depend on them.
func HashDeclarations(s *Sources, p *load.Package) []byte {
	h := sha256.New()
	for _, f := range p.Files {
		for _, d := range f.Syntax.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
				digest.Add(h, string(f.Src[s.loaded.Position(g.Pos()).Offset:s.loaded.Position(g.End()).Offset]))
			}
		}
	}
	return h.Sum(nil)
}
