package stryker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// sources are the files that mutants are in.
type sources struct {
	root  string // directory that names are relative to
	here  string // the module of the working directory, for mutants of a result that was read
	files map[string]*source
}

// A source is the text of a file.
type source struct {
	path  string
	text  string
	lines []int // offset at which each begins
}

// newSources finds the directory that the modules of all mutants have in common.
func newSources(fates []fate) *sources {
	s := &sources{files: make(map[string]*source)}
	for i := range fates {
		root := s.rootOf(&fates[i].Mutant)
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

// below reports whether a directory is another, or in it.
func below(dir, sub string) bool {
	rel, err := filepath.Rel(dir, sub)
	return err == nil && filepath.IsLocal(rel)
}

// rootOf returns the root of the module that a mutant is in.
func (s *sources) rootOf(m *report.Mutant) string {
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
func (s *sources) path(m *report.Mutant) string {
	if file := filepath.FromSlash(m.File); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.rootOf(m), filepath.FromSlash(m.File))
}

// name returns the name that a mutant's file has in the report.
func (s *sources) name(m *report.Mutant) string {
	return filepath.ToSlash(report.RelativeFile(s.root, s.path(m)))
}

// read returns the text of a mutant's file.
func (s *sources) read(m *report.Mutant) (*source, error) {
	path := s.path(m)
	if src := s.files[path]; src != nil {
		return src, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the report has the source of each file: %w; run fuzzmut in the module that the mutants are of", err)
	}
	src := &source{path: path, text: string(data), lines: []int{0}}
	for i := range len(data) {
		if data[i] == '\n' {
			src.lines = append(src.lines, i+1)
		}
	}
	s.files[path] = src
	return src, nil
}

// locate returns the place of what a mutant replaces. A text that is no longer there is an
// error: a report would show the mutant in other code.
func (s *source) locate(m *report.Mutant) (location, error) {
	if m.Line >= 1 && m.Line <= len(s.lines) && m.Column >= 1 {
		begin := s.lines[m.Line-1]
		if at := begin + m.Column - 1; at <= len(s.text) && strings.HasPrefix(s.text[at:], m.Original) {
			start := position{Line: m.Line, Column: 1 + units(s.text[begin:at])}
			end := position{Line: start.Line, Column: start.Column + units(m.Original)}
			if i := strings.LastIndexByte(m.Original, '\n'); i >= 0 {
				end.Line += strings.Count(m.Original, "\n")
				end.Column = 1 + units(m.Original[i+1:])
			}
			return location{Start: start, End: end}, nil
		}
	}
	return location{}, fmt.Errorf("%s has changed since its mutants were made, at line %d: run fuzzmut again", s.path, m.Line)
}

// units counts the units of UTF-16 in a text. Each byte that is not UTF-8 is one: it becomes
// a replacement character.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
