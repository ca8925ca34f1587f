// Package constraints reads which builds have a file: what its //go:build lines and its name
// ask for. A generated file is to be in no build that lacks what it uses.
package constraints

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A Conjunction holds where all of its terms hold. The zero one holds everywhere.
type Conjunction struct {
	terms []string
}

// Add adds a term, unless it is there: an expression as in a //go:build line. A conjunction
// adds its terms one by one.
func (c *Conjunction) Add(expr constraint.Expr) {
	if and, ok := expr.(*constraint.AndExpr); ok {
		c.Add(and.X)
		c.Add(and.Y)
		return
	}
	text := expr.String()
	if _, ok := expr.(*constraint.OrExpr); ok {
		text = "(" + text + ")"
	}
	if !slices.Contains(c.terms, text) {
		c.terms = append(c.terms, text)
	}
}

// AddTag adds a single tag.
func (c *Conjunction) AddTag(tag string) { c.Add(&constraint.TagExpr{Tag: tag}) }

// String is the expression of a //go:build line; "" if there is no term.
func (c *Conjunction) String() string {
	if len(c.terms) == 1 {
		return strings.TrimSuffix(strings.TrimPrefix(c.terms[0], "("), ")")
	}
	return strings.Join(c.terms, " && ")
}

// AddFile adds what a file asks for.
func (c *Conjunction) AddFile(path string, file *ast.File) error {
	exprs, err := lines(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, e := range exprs {
		c.Add(e)
	}
	for _, tag := range ofName(filepath.Base(path)) {
		c.AddTag(tag)
	}
	return nil
}

// lines are the constraints above the package clause: those of //go:build lines, or else of
// the older +build lines.
func lines(file *ast.File) (exprs []constraint.Expr, err error) {
	var older []constraint.Expr
	for _, g := range file.Comments {
		for _, line := range g.List {
			now := constraint.IsGoBuild(line.Text)
			if line.Pos() > file.Package || !now && !constraint.IsPlusBuild(line.Text) {
				continue
			}
			expr, err := constraint.Parse(line.Text)
			if err != nil {
				return nil, err
			}
			if now {
				exprs = append(exprs, expr)
			} else {
				older = append(older, expr)
			}
		}
	}
	if len(exprs) == 0 {
		return older, nil
	}
	return exprs, nil
}

// ofName are the operating system and the architecture that the name of a file asks for.
func ofName(name string) (tags []string) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")
	words := strings.Split(name, "_")[1:] // what stands before the first _ asks for nothing
	n := len(words)
	switch {
	case n == 0 || !asks(words[n-1]):
		return nil
	case n > 1 && isSystem(words[n-2]) && !isSystem(words[n-1]):
		return words[n-2:]
	}
	return words[n-1:]
}

// asks says whether the last word of a file's name asks for anything.
func asks(word string) bool { return !matches(word, "none") }

// isSystem says whether a word is an operating system: it counts before an architecture.
func isSystem(word string) bool { return !matches(word+"_amd64", "amd64") }

// matches says whether a build for an architecture, and for an unknown operating system, has a
// file whose name has an end. Package go/build knows all names, and does not list them.
func matches(end, arch string) bool {
	ctx := build.Context{GOOS: "none", GOARCH: arch, Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	ok, err := ctx.MatchFile("", "a_"+end+".go")
	return ok && err == nil
}
