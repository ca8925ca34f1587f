package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// parse is called by packages.Load, concurrently. It keeps the source: what is
// rewritten later must be what was parsed.
func (l *loader) parse(fset *token.FileSet, path string, src []byte) (*ast.File, error) {
	l.mu.Lock()
	l.srcs[path] = src
	l.mu.Unlock()
	return parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
}

// blanked returns the contents that stand for those of p's test files for which blank
// holds.
func blanked(p *packages.Package, blank func(src []byte) bool) map[string][]byte {
	files := make(map[string][]byte)
	paths, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go")) // the pattern is well-formed
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil || !blank(src) {
			continue
		}
		clause := p.Name
		if f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.PackageClauseOnly); err == nil {
			clause = f.Name.Name
		}
		files[path] = []byte("package " + clause + "\n")
	}
	return files
}

// check returns an error for the first package that doesn't parse or type-check.
func (l *loader) check(pkgs ...*packages.Package) error {
	for _, p := range pkgs {
		if p == nil {
			continue
		}
		l.noteFaults(p.Errors)
		if err := l.checkOne(p); err != nil {
			return l.blameAge(p, err)
		}
	}
	return nil
}

func (l *loader) checkOne(p *packages.Package) *problem.Error {
	first, others := firstError(p.Errors)
	if first == nil {
		if p.IllTyped && len(p.Syntax) > 0 {
			return problem.Errorf(problem.KindBroken, "package %s doesn't type-check: a package it imports is broken; see `go vet %s`", p.PkgPath, p.PkgPath)
		}
		return nil
	}
	where := ""
	if first.Pos != "" && first.Pos != "-" {
		where = l.shortPos(first.Pos) + ": "
	}
	more := ""
	if others > 0 {
		more = fmt.Sprintf(" (and %d more)", others)
	}
	msg := first.Msg
	if path, ok := strings.CutPrefix(msg, "could not import "); ok {
		path, _, _ = strings.Cut(path, " ")
		if dep := l.deps[path]; dep != nil && len(dep.Errors) > 0 {
			msg = dep.Errors[0].Msg // says why
		}
	}
	path := p.PkgPath
	if p.ForTest != "" {
		path = p.ForTest
	}
	return problem.Errorf(problem.KindBroken, "%s%s%s; package %s has to compile first", where, problem.FirstLine(msg), more, path)
}

// noteFaults notes what the parser and the type checker say, by the file.
func (l *loader) noteFaults(errs []packages.Error) {
	for i := range errs {
		path, rest, ok := strings.Cut(errs[i].Pos, ".go:")
		if path += ".go"; ok && l.broken[path] == "" {
			line, _, _ := strings.Cut(rest, ":")
			l.broken[path] = filepath.Base(path) + ":" + line + ": " + problem.FirstLine(errs[i].Msg)
		}
	}
}

// firstError prefers what the parser and the type checker say: they have
// positions. The go command may report the same faults as it lists packages.
func firstError(errs []packages.Error) (first *packages.Error, others int) {
	for i := range errs {
		if k := errs[i].Kind; k == packages.ParseError || k == packages.TypeError {
			if first == nil {
				first = &errs[i]
			} else if errs[i].Pos != first.Pos {
				others++
			}
		}
	}
	if first == nil && len(errs) > 0 {
		return &errs[0], len(errs) - 1
	}
	return first, others
}

// shortPos makes the path in "path:line:col" relative to where the user is.
func (l *loader) shortPos(pos string) string {
	path, rest, ok := strings.Cut(pos, ".go:")
	if !ok {
		return pos
	}
	return short(l.tool.Dir, path+".go") + ":" + rest
}
