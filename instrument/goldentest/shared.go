package goldentest

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

//go:embed replay/replay.go
var replayed embed.FS

// texts are the sources that generated files share.
var texts = []struct {
	files fs.FS
	name  string
}{
	{replayed, "replay/replay.go"},
	{fuzzmutrt.Source, "golden/log.go"},
	{fuzzmutrt.Source, "golden/match.go"},
	{fuzzmutrt.Source, "golden/golden.go"},
	{fuzzmutrt.Source, "golden/message.go"},
	{fuzzmutrt.Source, "golden/seen.go"},
	{fuzzmutrt.Source, "golden/trial.go"},
	{fuzzmutrt.Source, "obs.go"},
}

// shared returns those of the shared declarations that text needs, and the imports of
// these.
func shared(text string) (rest string, imports []observe.Import, err error) {
	names := make(map[string]string)
	paths := make(map[string]string) // by new name
	var all []declaration
	for _, t := range texts {
		src, err := fs.ReadFile(t.files, t.name)
		if err != nil {
			return "", nil, err
		}
		s, err := parse(t.name, src)
		if err != nil {
			return "", nil, err
		}
		for _, d := range s.decls {
			for _, name := range d.names {
				names[name] = newName(name)
			}
		}
		for name, path := range s.imports {
			names[name], paths[newName(name)] = newName(name), path
		}
		all = append(all, s.decls...)
	}
	for i := range all {
		all[i].text = rename(all[i].text, names)
	}
	needed := reachable(text, all)
	used := identifiers(text)
	var b strings.Builder
	for i, d := range all {
		if needed[i] {
			b.WriteString("\n" + d.text + "\n")
			for name := range identifiers(d.text) {
				used[name] = true
			}
		}
	}
	for name, path := range paths {
		if used[name] {
			imports = append(imports, observe.Import{Name: name, Path: path})
		}
	}
	slices.SortFunc(imports, func(a, b observe.Import) int { return strings.Compare(a.Path, b.Path) })
	return b.String(), imports, nil
}

// reachable says which declarations a text refers to, directly or through others. With a
// type come its methods.
func reachable(text string, all []declaration) map[int]bool {
	by := make(map[string][]int)
	for i, d := range all {
		for _, name := range d.names {
			by[newName(name)] = append(by[newName(name)], i)
		}
		if d.receiver != "" {
			by[newName(d.receiver)] = append(by[newName(d.receiver)], i)
		}
	}
	needed := make(map[int]bool)
	queue := []string{text}
	for len(queue) > 0 {
		used := identifiers(queue[0])
		queue = queue[1:]
		for name := range used {
			for _, i := range by[name] {
				if !needed[i] {
					needed[i] = true
					queue = append(queue, all[i].text)
				}
			}
		}
	}
	return needed
}

// identifiers are those of a text.
func identifiers(text string) map[string]bool {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
	set := make(map[string]bool)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return set
		}
		if tok == token.IDENT {
			set[lit] = true
		}
	}
}

// newName is the name in a generated file of what is name in a shared text.
func newName(name string) string { return prefix + strings.ToUpper(name[:1]) + name[1:] }

// source is a parsed text.
type source struct {
	imports map[string]string // paths by name; what is shared itself is left out
	decls   []declaration
}

type declaration struct {
	names    []string // that it declares at package level
	receiver string   // of a method: the name of its type
	text     string
}

func parse(name string, src []byte) (*source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("a shared text is not valid Go, please report: %w", err)
	}
	s := &source{imports: make(map[string]string)}
	for _, i := range f.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil && !strings.Contains(p, ".") {
			s.imports[path.Base(p)] = p
		}
	}
	for _, d := range f.Decls {
		from, to := d.Pos(), d.End()
		var own declaration
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			if d.Recv == nil {
				own.names = append(own.names, d.Name.Name)
			} else {
				own.receiver = typeOf(d.Recv.List[0].Type)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					own.names = append(own.names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						own.names = append(own.names, id.Name)
					}
				}
			}
		}
		own.text = string(src[fset.Position(from).Offset:fset.Position(to).Offset])
		s.decls = append(s.decls, own)
	}
	return s, nil
}

// typeOf is the name of the type of a receiver.
func typeOf(e ast.Expr) string {
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// rename gives names their new ones, where they do not stand after a dot. A dot
// after package golden goes with the package: what it declares is in the same file.
func rename(text string, names map[string]string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	var b strings.Builder
	done := 0
	after := token.ILLEGAL // the token before
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		if tok == token.IDENT && after != token.PERIOD {
			switch {
			case lit == "golden" && strings.HasPrefix(text[at+len(lit):], "."):
				b.WriteString(text[done:at])
				done = at + len("golden.")
				s.Scan() // the dot
				tok = token.ILLEGAL
			case names[lit] != "":
				b.WriteString(text[done:at] + names[lit])
				done = at + len(lit)
			}
		}
		after = tok
	}
	return b.String() + text[done:]
}
