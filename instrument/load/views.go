package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Views say how much golden values hold: by //fuzzmut:observe and //fuzzmut:opaque in the
// packages of the module under test, whichever are rewritten.
type Views struct {
	Types map[string]golden.View // by import path and name: "example.com/p.T"
	Funcs map[string]golden.View // likewise: "example.com/p.F", "example.com/p.T.M"
}

const (
	wordObserve = "observe"
	wordOpaque  = "opaque"
)

// views lists the words after //fuzzmut:observe.
var views = []golden.View{golden.ViewAll, golden.ViewExported, golden.ViewString, golden.ViewNone}

// readViews reads the directives of the package under test and of those of its module that
// it needs.
func (l *loader) readViews(r *Result, g *graph) error {
	r.Views = Views{Types: make(map[string]golden.View), Funcs: make(map[string]golden.View)}
	paths := append(g.sameModule(), g.test.PkgPath)
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		p := g.deps[path]
		if path == g.test.PkgPath {
			p = g.test
		}
		for _, file := range p.GoFiles {
			if isTestFile(file) {
				continue
			}
			if err := l.fileViews(&r.Views, path, file); err != nil {
				return err
			}
		}
	}
	for _, t := range r.Tests {
		for _, f := range t.Files {
			if err := r.Views.collect(t.Types.Path(), f.Syntax, r.shortPosition); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileViews reads the directives of one file, which is parsed only if it has any.
func (l *loader) fileViews(v *Views, pkg, file string) error {
	src, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(src, []byte(directivePrefix+wordObserve)) && !bytes.Contains(src, []byte(directivePrefix+wordOpaque)) {
		return nil //nolint:nilerr // a file that can't be read is an error of the build
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	return v.collect(pkg, syntax, func(pos token.Pos) string {
		p := fset.PositionFor(pos, false)
		return short(l.tool.Dir, filepath.Clean(p.Filename)) + ":" + strconv.Itoa(p.Line)
	})
}

// collect reads the directives of one file; at writes a position.
func (v *Views) collect(pkg string, f *ast.File, at func(token.Pos) string) error {
	docs := documented(f)
	for _, group := range f.Comments {
		for _, c := range group.List {
			if wrong := v.add(pkg, c, docs[group]); wrong != nil {
				return wrong.error(at)
			}
		}
	}
	return nil
}

// add reads a comment above a declaration, whose name is "" if it is above none.
func (v *Views) add(pkg string, c *ast.Comment, d declaration) *Wrong {
	rest, ok := strings.CutPrefix(c.Text, directivePrefix)
	words := strings.Fields(rest)
	if !ok || len(words) == 0 || words[0] != wordObserve && words[0] != wordOpaque {
		return nil
	}
	if d.name == "" || d.function && words[0] == wordOpaque {
		what := "a type or function"
		if words[0] == wordOpaque {
			what = "a type"
		}
		return wrongf(c.Pos(), "%s%s belongs into the comment right above %s", directivePrefix, words[0], what)
	}
	view, ok := viewOf(words)
	if !ok {
		return wrongf(c.Pos(), "%s", wantedWords(words[0]))
	}
	in := v.Types
	if d.function {
		in = v.Funcs
	}
	key := pkg + "." + d.name
	if in[key] != "" {
		return wrongf(c.Pos(), "%s has two directives that say what is observed of it: remove one", d.name)
	}
	in[key] = view
	return nil
}

// viewOf is the view that the words of a directive ask for.
func viewOf(words []string) (golden.View, bool) {
	if words[0] == wordOpaque {
		return golden.ViewOpaque, len(words) == 1
	}
	if len(words) != 2 {
		return "", false
	}
	view := golden.View(words[1])
	return view, slices.Contains(views, view)
}

func wantedWords(directive string) string {
	if directive == wordOpaque {
		return directivePrefix + wordOpaque + " stands alone"
	}
	return directivePrefix + wordObserve + " wants one word after it: all, exported, string or none"
}

// declaration is what a comment stands above.
type declaration struct {
	name     string // "F", "T.M", "T"
	function bool
}

// documented returns the functions and types of a file by their comments.
func documented(f *ast.File) map[*ast.CommentGroup]declaration {
	docs := make(map[*ast.CommentGroup]declaration)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = ReceiverName(d.Recv.List[0].Type) + "." + name
			}
			docs[d.Doc] = declaration{name, true}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				ts, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				docs[ts.Doc] = declaration{ts.Name.Name, false}
				if !d.Lparen.IsValid() {
					docs[d.Doc] = declaration{ts.Name.Name, false}
				}
			}
		}
	}
	return docs
}

// ReceiverName is the name of a method's type, as the receiver e is written; "" for what is
// none.
func ReceiverName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return ReceiverName(e.X)
	case *ast.IndexExpr:
		return ReceiverName(e.X)
	case *ast.IndexListExpr:
		return ReceiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
