// Package source reads the files that mutants are in, for formats that show the source.
package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Files are the files that some mutants are in. Each is read once.
type Files struct {
	root  string // directory that names are relative to
	here  string // the module of the working directory, for mutants of a result that was read
	files map[string]*File
}

// A File is the text of a file.
type File struct {
	Path  string
	Text  string
	Lines []int // offset at which each begins
}

// Of returns the files of mutants, without reading them. Their names are relative to the
// directory that the modules of all have in common.
func Of(ms []*report.Mutant) *Files {
	s := &Files{files: make(map[string]*File)}
	for _, m := range ms {
		root := s.rootOf(m)
		if s.root == "" {
			s.root = root
		}
		for !below(s.root, root) {
			parent := filepath.Dir(s.root)
			if parent == s.root {
				break // another volume
			}
			s.root = parent
		}
	}
	return s
}

// Root is the directory that names are relative to; "" if there are no mutants.
func (s *Files) Root() string { return s.root }

// below reports whether a directory is another, or in it.
func below(dir, sub string) bool {
	rel, err := filepath.Rel(dir, sub)
	return err == nil && filepath.IsLocal(rel)
}

// rootOf returns the root of the module that a mutant is in.
func (s *Files) rootOf(m *report.Mutant) string {
	if m.Root != "" {
		return m.Root
	}
	if s.here == "" {
		s.here = moduleHere()
	}
	return s.here
}

// moduleHere returns the root of the module of the working directory, or that directory if it
// is in none.
func moduleHere() string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// path returns the file of a mutant.
func (s *Files) path(m *report.Mutant) string {
	if file := filepath.FromSlash(m.File); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.rootOf(m), filepath.FromSlash(m.File))
}

// Name returns the name of a mutant's file, with slashes.
func (s *Files) Name(m *report.Mutant) string {
	return filepath.ToSlash(report.RelativeFile(s.root, s.path(m)))
}

// Read returns the text of a mutant's file.
func (s *Files) Read(m *report.Mutant) (*File, error) {
	path := s.path(m)
	if src := s.files[path]; src != nil {
		return src, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the report has the source of each file: %w; run fuzzmut in the module that the mutants are of", err)
	}
	src := New(path, string(data))
	s.files[path] = src
	return src, nil
}

// New returns a file with a text.
func New(path, text string) *File {
	src := &File{Path: path, Text: text, Lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			src.Lines = append(src.Lines, i+1)
		}
	}
	return src
}

// Locate returns the offset of what a mutant replaces. A text that is no longer there is an
// error: a report would show the mutant in other code.
func (s *File) Locate(m *report.Mutant) (int, error) {
	if m.Line >= 1 && m.Line <= len(s.Lines) && m.Column >= 1 {
		at := s.Lines[m.Line-1] + m.Column - 1
		if at <= len(s.Text) && strings.HasPrefix(s.Text[at:], m.Original) {
			return at, nil
		}
	}
	return 0, fmt.Errorf("%s has changed since its mutants were made, at line %d: run fuzzmut again", s.Path, m.Line)
}

// LineOf returns the number of the line that an offset is in, from 1.
func (s *File) LineOf(offset int) int {
	i, found := slices.BinarySearch(s.Lines, offset)
	if found {
		i++
	}
	return i
}

// Span returns the offsets of some lines, from first to last, without the last line feed.
func (s *File) Span(first, last int) (start, end int) {
	start, end = s.Lines[first-1], len(s.Text)
	if last < len(s.Lines) {
		end = s.Lines[last] - 1
	}
	return start, end
}
