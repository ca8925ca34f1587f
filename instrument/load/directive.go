package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/spelling"
)

// Compare is a function named by //fuzzmut:compare.
type Compare struct {
	Name     string
	File     string // absolute
	Package  string // import path of the package that declares it
	PkgName  string // its package clause
	InTest   bool   // declared in a _test.go file
	External bool   // ... of the external test package
}

const directivePrefix = "//fuzzmut:"

// directiveWords are those of the known ones.
var directiveWords = []string{"target", modelDirective, "ignore", "compare", costDirective, wordObserve, wordOpaque}

// checkDirectives checks every //fuzzmut: comment in the code to rewrite and in
// the test files, and returns the comparison functions.
func checkDirectives(r *Result) ([]Compare, error) {
	var list []Compare
	for _, p := range r.Packages {
		for _, f := range p.Files {
			found, err := r.fileDirectives(f, p.Info)
			if err != nil {
				return nil, err
			}
			for _, name := range found {
				list = append(list, Compare{Name: name, File: f.Path, Package: p.ImportPath, PkgName: p.Name})
			}
		}
	}
	for _, t := range r.Tests {
		for _, f := range t.Files {
			found, err := r.fileDirectives(f, t.Info)
			if err != nil {
				return nil, err
			}
			for _, name := range found {
				list = append(list, Compare{
					Name: name, File: f.Path, Package: t.Types.Path(), PkgName: t.Types.Name(),
					InTest: true, External: t.External,
				})
			}
		}
	}
	return list, nil
}

// fileDirectives returns the names of the comparison functions in f.
func (r *Result) fileDirectives(f File, info *types.Info) ([]string, error) {
	docs := declared(f.Syntax)
	var names []string
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			name, wrong := checkDirective(c, group, docs[group], info)
			if wrong != nil {
				return nil, wrong.error(r.shortPosition)
			}
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// Wrong is what is wrong with a directive.
type Wrong struct {
	Pos  token.Pos
	Text string
}

func wrongf(pos token.Pos, format string, args ...any) *Wrong {
	return &Wrong{pos, fmt.Sprintf(format, args...)}
}

// error returns it as a problem of the user; at writes a position.
func (w *Wrong) error(at func(token.Pos) string) error {
	return problem.Errorf(problem.KindDirective, "%s: %s", at(w.Pos), w.Text)
}

// checkDirective says what is wrong with a comment of a group above a declaration. A comment
// that names a comparison returns it. What readViews checks is left to it.
func checkDirective(c *ast.Comment, group *ast.CommentGroup, at below, info *types.Info) (compare string, wrong *Wrong) {
	rest, ok := strings.CutPrefix(c.Text, directivePrefix)
	if !ok {
		return "", nil
	}
	word := firstWord(rest)
	fd := at.fn
	switch word {
	case "ignore", wordObserve, wordOpaque:
		return "", nil
	case costDirective:
		return "", checkCost(c, rest[len(costDirective):], fd)
	case modelDirective:
		return "", checkModel(c, at.typ, group)
	case "target", "compare":
	default:
		return "", unknown(c.Pos(), word)
	}
	switch {
	case word == "target" && at.typ != nil:
		return "", checkSequence(at.typ, group)
	case fd == nil:
		return "", wrongf(c.Pos(), "//fuzzmut:%s belongs in the comment directly above a function", word)
	case word == "target":
		return "", checkTarget(fd, info)
	case !isCompare(fd, info):
		return "", wrongf(fd.Pos(), "//fuzzmut:compare needs a function of the form func(a, b T) bool, and %s is not one", fd.Name.Name)
	}
	return fd.Name.Name, nil
}

// firstWord is the word of a directive, by what comes after the colon.
func firstWord(rest string) string {
	word, _, _ := strings.Cut(rest, " ")
	word, _, _ = strings.Cut(word, "\t")
	return word
}

// unknown says that a word is none of a directive, and which one was probably meant.
func unknown(pos token.Pos, word string) *Wrong {
	all := make([]string, len(directiveWords))
	for i, name := range directiveWords {
		all[i] = directivePrefix + name
	}
	if near := spelling.Nearest(word, directiveWords); near != "" {
		return wrongf(pos, "unknown directive %s%s; did you mean %s%s?", directivePrefix, word, directivePrefix, near)
	}
	last := len(all) - 1
	return wrongf(pos, "unknown directive %s%s: the directives are %s and %s", directivePrefix, word, strings.Join(all[:last], ", "), all[last])
}

// likeDirective matches a comment that may be meant as a directive: a word, a colon and a word,
// with or without what directives do not have around them.
var likeDirective = regexp.MustCompile(`^(?://|/\*)\s*(\w+)\s?:\s?(\w+)\b`)

// withoutColon matches the beginning of a comment for programs, which has no space after its sign,
// that names fuzzmut and then, by another sign than a colon, what may be a directive.
var withoutColon = regexp.MustCompile(`^//(?:go:)?fuzzmut[ \t./=-](\w+)\b`)

// slip says what is wrong with a comment that is no directive and was probably meant to be one: after the prefix any, or
// else one of words. Of text for people that mentions fuzzmut, no word after the colon is one of a directive.
func slip(c *ast.Comment, words ...string) *Wrong {
	if rest, ok := strings.CutPrefix(c.Text, directivePrefix); ok {
		if word := firstWord(rest); !slices.Contains(directiveWords, word) {
			return unknown(c.Pos(), word)
		}
		return nil
	}
	allowed, word := 0, ""
	if m := withoutColon.FindStringSubmatch(c.Text); m != nil {
		word = m[1]
	} else if m := likeDirective.FindStringSubmatch(c.Text); m != nil && spelling.Slips(strings.ToLower(m[1]), "fuzzmut") <= 2 {
		allowed, word = 1, strings.ToLower(m[2])
	}
	for _, name := range words {
		if spelling.Slips(word, name) <= allowed {
			return wrongf(c.Pos(), "this comment is no directive; write %s%s at its beginning", directivePrefix, name)
		}
	}
	return nil
}

// targetSlip is the first comment of files that may have been meant to derive a fuzz test, and has a slip, as an error;
// nil: there is none. name says how a path is shown.
func targetSlip(files []parsed, name func(path string) string) error {
	for _, f := range files {
		for _, group := range f.file.Comments {
			for _, c := range group.List {
				if wrong := slip(c, "target"); wrong != nil {
					return wrong.error(func(pos token.Pos) string {
						p := f.fset.PositionFor(pos, false)
						return fmt.Sprintf("%s:%d", name(p.Filename), p.Line)
					})
				}
			}
		}
	}
	return nil
}

// isCompare says whether fd is a plain function of two arguments of one type and
// a result of type bool.
func isCompare(fd *ast.FuncDecl, info *types.Info) bool {
	fn, ok := info.Defs[fd.Name].(*types.Func)
	if !ok || fd.Name.Name == "_" || fd.Name.Name == "init" {
		return false
	}
	sig := fn.Signature()
	return sig.Recv() == nil && sig.TypeParams().Len() == 0 && !sig.Variadic() &&
		sig.Params().Len() == 2 && sig.Results().Len() == 1 &&
		types.Identical(sig.Params().At(0).Type(), sig.Params().At(1).Type()) &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool])
}
