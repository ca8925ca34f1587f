// Package source is the text of a source file by the positions of its syntax tree.
package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/version"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// A File is one source file.
type File struct {
	Path   string // absolute
	Src    []byte
	Syntax *ast.File
	Fset   *token.FileSet
	Tok    *token.File // of Fset
	// GoVersion is the version of the language, "" if it is not known.
	GoVersion string
}

// New returns the file at path with its text and the tree parsed from it. An error says
// that the tree belongs to another text.
func New(fset *token.FileSet, path string, src []byte, syntax *ast.File) (*File, error) {
	tok := fset.File(syntax.FileStart)
	if tok == nil || tok.Size() != len(src) {
		return nil, fmt.Errorf("rewrite %s: the syntax tree does not belong to this source", path)
	}
	return &File{Path: path, Src: src, Syntax: syntax, Fset: fset, Tok: tok}, nil
}

// Off returns the offset of a position in Src.
func (f *File) Off(pos token.Pos) int { return f.Tok.Offset(pos) }

// Text returns the source in [lo, hi).
func (f *File) Text(lo, hi token.Pos) string { return string(f.Src[f.Off(lo):f.Off(hi)]) }

// Node returns the source of a node.
func (f *File) Node(n ast.Node) string { return f.Text(n.Pos(), n.End()) }

// LineDirective returns a comment that gives the text after it the position that pos
// had for the compiler. In a file that has line directives, that is somewhere else.
func (f *File) LineDirective(pos token.Pos) string {
	p := f.Fset.PositionFor(pos, true)
	if p.Column == 0 { // a directive without column is in force
		return fmt.Sprintf("/*line %s:%d*/", p.Filename, p.Line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, p.Column)
}

// Short returns a node's text for a description: one line, not too long.
func (f *File) Short(n ast.Node) string {
	text := strings.Join(strings.Fields(f.Node(n)), " ")
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Glues says whether an operator and a byte right next to it could be read as
// another operator, or as a comment.
func Glues(b byte) bool { return strings.IndexByte("+-*/&|^<>=!", b) >= 0 }

// Flat returns the source in [lo, hi), which the nodes make up, on one line, for a
// copy of it. Code in a copy has no mutants and burns no fuel, so there is none of
// what holds statements.
func (f *File) Flat(lo, hi token.Pos, nodes ...ast.Node) (text string, why reasons.Reason) {
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				why = reasons.CopiesLiteral
			}
			return why == nil
		})
	}
	if why != nil {
		return "", why
	}
	return f.Line(lo, hi), nil
}

// Line returns the source in [lo, hi) on one line.
func (f *File) Line(lo, hi token.Pos) string {
	src := f.Src[f.Off(lo):f.Off(hi)]
	if !bytes.ContainsAny(src, "\n") && !bytes.Contains(src, []byte("//")) {
		return string(src)
	}
	return Flatten(src)
}

// Flatten writes source on one line: without comments, with the semicolons that
// the ends of lines stand for.
func Flatten(src []byte) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	var words []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			if n := len(words); n > 0 && words[n-1] == ";" {
				words = words[:n-1]
			}
			return strings.Join(words, " ")
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.STRING && strings.Contains(lit, "\n"):
			if v, err := strconv.Unquote(lit); err == nil {
				lit = strconv.Quote(v)
			}
		case !tok.IsLiteral():
			lit = tok.String()
		}
		words = append(words, lit)
	}
}

// Generated says whether a program wrote the file: a comment in it states that, or a line directive names
// a source that is not Go. Some generators of parsers and scanners write nothing but the latter.
func (f *File) Generated() bool {
	if ast.IsGenerated(f.Syntax) {
		return true
	}
	for line := range f.Tok.LineCount() {
		if name := f.Tok.PositionFor(f.Tok.LineStart(line+1), true).Filename; name != f.Tok.Name() && filepath.Ext(name) != ".go" {
			return true
		}
	}
	return false
}

// CodeBefore says whether anything but space stands before pos on its line.
func (f *File) CodeBefore(pos token.Pos) bool {
	start := bytes.LastIndexByte(f.Src[:f.Off(pos)], '\n') + 1
	return len(bytes.TrimSpace(f.Src[start:f.Off(pos)])) > 0
}

// OlderThan says whether the file is in an earlier version of the language.
func (f *File) OlderThan(v string) bool {
	return version.IsValid(f.GoVersion) && version.Compare(f.GoVersion, v) < 0
}
