package hunk

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An imported is one import of a file.
type imported struct {
	name, path string // the name is "" if the file gives none
	from, to   int    // the whole declaration, if it has no parentheses
	spec       int    // where the name or the path begins
	literal    int    // where the path begins
	end        int
}

// code is what an import stands for in Go source.
func (i *imported) code() string { return strings.TrimSpace(i.name + " " + strconv.Quote(i.path)) }

// names are those by which code may call an import: the one that the file gives, the one
// that the caller knows, or what follows from the path.
func (i *imported) names(known map[string]string) []string {
	if i.name != "" {
		return []string{i.name}
	}
	if name := known[i.path]; name != "" {
		return []string{name}
	}
	return guess(i.path)
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// guess returns names that a package with a path may have.
func guess(importPath string) []string {
	dir, base := path.Split(importPath)
	if version.MatchString(base) && dir != "" {
		base = path.Base(dir)
	}
	if name, rest, ok := strings.Cut(base, "."); ok && version.MatchString(rest) {
		base = name
	}
	list := []string{base, strings.TrimPrefix(base, "go-"), strings.TrimSuffix(base, "-go"), strings.TrimSuffix(base, ".go"), strings.ReplaceAll(base, "-", "_"), strings.ReplaceAll(base, "-", "")}
	list = slices.DeleteFunc(list, func(name string) bool { return !token.IsIdentifier(name) })
	slices.Sort(list)
	return slices.Compact(list)
}

// imported lists the imports of a file.
func (s *source) imported() (list []imported) {
	for _, d := range s.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.ImportSpec)
			i := imported{from: s.offset(spec.Pos()), to: s.offset(spec.End()), spec: s.offset(spec.Pos()), literal: s.offset(spec.Path.Pos()), end: s.offset(spec.Path.End())}
			if !g.Lparen.IsValid() {
				i.from, i.to = s.offset(g.Pos()), s.offset(g.End())
			}
			if spec.Name != nil {
				i.name = spec.Name.Name
			}
			i.path, _ = strconv.Unquote(spec.Path.Value) // the parser has checked it
			list = append(list, i)
		}
	}
	return list
}

// sectionEnd is the end of the last import, or of the package clause.
func (s *source) sectionEnd() int {
	end := s.offset(s.file.Name.End())
	for _, d := range s.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			end = s.offset(g.End())
		}
	}
	return end
}

// imports makes hunks of imports that matter without what names them: another package
// under the same name, and those without a name. The others change with the code that
// uses them.
func (d *differ) imports() {
	was, is := d.old.imported(), d.new.imported()
	without := func(list, others []imported) []imported {
		return slices.DeleteFunc(slices.Clone(list), func(i imported) bool {
			return slices.ContainsFunc(others, func(o imported) bool { return o.code() == i.code() })
		})
	}
	gone, added := without(was, is), without(is, was)
	section := d.old.offset(d.old.file.Name.End())
	for _, i := range gone {
		same := slices.IndexFunc(added, func(o imported) bool {
			return i.name != "_" && i.name != "." && o.path != i.path && slices.Equal(o.names(nil), i.names(nil))
		})
		switch {
		case same >= 0:
			o := added[same]
			d.add(d.open(), swap{from: o.spec, to: o.end, oldFrom: i.spec, oldTo: i.end, imports: true})
			added = slices.Delete(added, same, same+1)
		case i.name == "_" || i.name == ".":
			at := d.new.offset(d.new.file.Name.End())
			d.add(d.open(), swap{from: at, to: at, oldFrom: i.spec, oldTo: i.end, before: "; import ", imports: true})
		}
	}
	for _, o := range added {
		if o.name == "_" || o.name == "." {
			from, to := d.new.removal(statements, o.from, o.to)
			d.add(d.open(), swap{from: from, to: to, oldFrom: section, oldTo: section, imports: true})
		}
	}
}
