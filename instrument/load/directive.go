package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
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

// directives are the known ones.
const directives = "//fuzzmut:target, //fuzzmut:model, //fuzzmut:ignore, //fuzzmut:compare, //fuzzmut:cost, //fuzzmut:observe and //fuzzmut:opaque"

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
	word, _, _ := strings.Cut(rest, " ")
	word, _, _ = strings.Cut(word, "\t")
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
		return "", wrongf(c.Pos(), "unknown directive %s%s: the directives are %s", directivePrefix, word, directives)
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
