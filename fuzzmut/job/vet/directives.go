package vet

import (
	"go/ast"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata"
)

const prefix = "//fuzzmut:"

// ignoreDirective returns what follows //fuzzmut:ignore in a comment, if that is what it is.
func ignoreDirective(comment string) (reason string, ok bool) {
	rest, ok := strings.CutPrefix(comment, prefix+"ignore")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// wrongIgnores returns the ignore directives without a reason, and those that leave no mutant
// of any operator out.
func wrongIgnores(u *load.Unit) ([]load.Wrong, error) {
	var list []load.Wrong
	in := schemata.Input{
		Fset: u.Fset, Pkg: u.Types, Info: u.Info, ImportPath: u.ImportPath,
		Mutate: true, Generated: true, Everything: true, Operators: operator.All(), FirstMutant: 1,
	}
	some := false // in a file that has mutants
	for _, f := range u.Files {
		test := load.IsTestFile(f.Path)
		if !test {
			in.Files = append(in.Files, schemata.File{Path: f.Path, Src: f.Src, Syntax: f.Syntax})
		}
		for c := range comments(f.Syntax) {
			reason, ok := ignoreDirective(c.Text)
			switch {
			case !ok:
			case test:
				list = append(list, load.Wrong{Pos: c.Pos(), Text: "this directive leaves nothing out: test files have no mutants; remove it"})
			case reason == "":
				list = append(list, load.Wrong{Pos: c.Pos(), Text: "there is no reason; write one after " + prefix + "ignore, for those who read the code and the result"})
			}
			some = some || ok && !test
		}
	}
	if !some {
		return list, nil
	}
	out, err := schemata.Rewrite(in)
	if err != nil {
		return nil, err
	}
	for _, pos := range out.Unused {
		list = append(list, load.Wrong{Pos: pos, Text: "this directive leaves nothing out: there is no mutant of any operator where it holds; remove it, or write it on the line, or right above the statement or function"})
	}
	return list, nil
}

// comments are those of a file.
func comments(f *ast.File) func(yield func(*ast.Comment) bool) {
	return func(yield func(*ast.Comment) bool) {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if !yield(c) {
					return
				}
			}
		}
	}
}
