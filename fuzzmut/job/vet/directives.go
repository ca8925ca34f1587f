package vet

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/edits"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata"
)

const prefix = "//fuzzmut:"

// likeDirective matches a comment that may be meant as a directive: a word, a colon and a word,
// with or without what directives do not have around them.
var likeDirective = regexp.MustCompile(`^(//|/\*)\s*(\w+)\s?:\s?(\w+)\b`)

// withoutColon matches the beginning of a comment for programs, which has no space after its sign,
// that names fuzzmut and then, by another sign than a colon, what may be a directive.
var withoutColon = regexp.MustCompile(`^//(?:go:)?(fuzzmut)[ \t./=-](\w+)\b`)

// words are what directives have after the colon.
var words = []string{"target", "ignore", "observe", "opaque", "compare", "cost", "model"}

// nearDirectives returns the comments that are no directives and were probably meant to be.
func nearDirectives(u *load.Unit) []load.Wrong {
	var list []load.Wrong
	for _, f := range u.Files {
		for _, group := range f.Syntax.Comments {
			for _, c := range group.List {
				if right := meant(c.Text); right != "" {
					list = append(list, load.Wrong{Pos: c.Pos(), Text: "this comment is no directive; write " + right + " at its beginning"})
				}
			}
		}
	}
	return list
}

// meant returns the directive that a comment was probably meant to be; "" if it is one, or was
// not. Of text for people that mentions fuzzmut, no word after the colon is one of a directive.
func meant(comment string) string {
	if m := withoutColon.FindStringSubmatch(comment); m != nil && slices.Contains(words, m[2]) {
		return prefix + m[2]
	}
	m := likeDirective.FindStringSubmatch(comment)
	if m == nil || strings.HasPrefix(comment, prefix) {
		return ""
	}
	name := strings.ToLower(m[2])
	if slips := edits.Slips(name, "fuzzmut"); slips > 2 {
		return ""
	}
	for _, word := range words {
		if edits.Slips(strings.ToLower(m[3]), word) <= 1 {
			return prefix + word
		}
	}
	return ""
}

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
