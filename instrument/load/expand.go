package load

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// Expand resolves package patterns to the import paths of packages with fuzz
// tests, in the order of the patterns and then by path; or, if cfg asks for them, of
// packages with tests of any kind or none, a package after those that it imports. A
// package without what is asked for is skipped with a note if there are others, and
// an error if not. Of packages without tests those are skipped that have no code, and
// those that import package testing: they are parts of tests.
// cfg.Pattern and cfg.Mutate are not used.
func Expand(ctx context.Context, cfg Config, patterns []string) ([]string, error) {
	l, done, err := newLoader(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer done()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	var with, without []string
	dir := ""
	var files []string // of packages without what is asked for
	targets := false   // in the last package
	marked := false    // likewise: a function that is not exported, as observed alone
	deps := make(map[string]int)
	for _, pattern := range patterns {
		pkgs, err := l.match(pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			dir = p.Dir
			deps[p.ImportPath] = len(p.Deps)
			list := &without
			targets, marked = hasTargets(p)
			if cfg.AnyTests && isTestable(p) || !cfg.AnyTests && (hasFuzzTests(p) || cfg.Derive && targets) {
				list = &with
			} else {
				files = append(files, p.paths(p.GoFiles)...)
			}
			if !slices.Contains(*list, p.ImportPath) {
				*list = append(*list, p.ImportPath)
			}
		}
	}
	what := "fuzz tests"
	if cfg.AnyTests {
		what = "tests, and no code that tests could cover"
	}
	if len(with) == 0 {
		switch {
		case cfg.AnyTests && len(without) == 1:
			return nil, problem.Errorf(problem.KindNoFuzzTests, "package %s has no tests, and no code that tests could cover: see %s", without[0], dir)
		case cfg.AnyTests:
			return nil, problem.Errorf(problem.KindNoFuzzTests, "none of the %d packages that %s matches has tests, or code that tests could cover", len(without), strings.Join(patterns, " "))
		case len(without) == 1 && !cfg.Derive && targets:
			return nil, problem.Errorf(problem.KindNoFuzzTests, "package %s has only derived fuzz tests, and this command needs written ones: fuzzmut -write-test writes them", without[0])
		case len(without) == 1 && cfg.Derive && marked:
			return without, nil // Load reports what the mark lacks
		}
		code := parseFiles(files)
		if err := targetSlip(code, shownFrom(l.tool.Dir)); err != nil {
			return nil, err
		}
		if len(without) == 1 {
			return nil, noFuzzTests(without[0], candidate(code, filepath.Base))
		}
		return nil, problem.Errorf(problem.KindNoFuzzTests, "none of the %d packages that %s matches has a fuzz test: %s",
			len(without), strings.Join(patterns, " "), remedy(candidate(code, shownFrom(l.tool.Dir))))
	}
	if len(without) > 0 {
		l.cfg.Note(lacking(without, what))
	}
	if cfg.AnyTests {
		// Whoever imports a package has all its dependencies, and it.
		slices.SortStableFunc(with, func(a, b string) int { return cmp.Compare(deps[a], deps[b]) })
	}
	return with, nil
}

// namedMost is how many packages a note names.
const namedMost = 4

// lacking says in one line which packages have not what is asked for.
func lacking(packages []string, what string) string {
	n := len(packages)
	switch {
	case n == 1:
		return "package " + packages[0] + " has no " + what
	case n > namedMost:
		return fmt.Sprintf("%d packages have no %s: %s, and %d more", n, what, strings.Join(packages[:namedMost-1], ", "), n-namedMost+1)
	}
	return fmt.Sprintf("%d packages have no %s: %s", n, what, strings.Join(packages, ", "))
}

// listed is what `go list -json` prints of a package.
type listed struct {
	ImportPath, Dir, Name     string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	IgnoredGoFiles            []string
	Imports, Deps             []string
	TestImports, XTestImports []string
	Error                     *struct{ Err string }
}

// match returns the packages that pattern matches, by import path.
func (l *loader) match(pattern string) ([]listed, error) {
	if strings.HasSuffix(pattern, ".go") {
		return nil, problem.Errorf(problem.KindUsage, "%s is a file: name its package", pattern)
	}
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,Name,GoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,Imports,Deps,TestImports,XTestImports,Error"}, l.tool.Flags...)
	out, err := l.tool.Go(l.ctx, append(args, "--", pattern)...)
	if err != nil {
		return nil, err
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list %s: %w", pattern, err)
		}
		if p.Name == "" {
			return nil, l.notFound(pattern, p)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		return nil, problem.Errorf(problem.KindNotFound, "%s matches no package%s", pattern, l.below(pattern))
	}
	slices.SortFunc(pkgs, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return pkgs, nil
}

// notFound says why a pattern stands for no package that could be loaded.
func (l *loader) notFound(pattern string, p listed) *problem.Error {
	elsewhere := l.elsewhere(pattern)
	switch {
	case elsewhere != nil:
		return elsewhere
	case l.tool.Mod == "" && l.tool.Work == "" && strings.HasPrefix(pattern, "."):
		return problem.Errorf(problem.KindNotFound, "package %s can't be found: there is no go.mod in %s or above it; %s", pattern, l.tool.Dir, problem.NoModule)
	case l.tool.Mod == "" && strings.HasPrefix(pattern, "."):
		if uses := l.workModules(); len(uses) > 0 {
			return problem.Errorf(problem.KindNotFound, "package %s can't be found: no module of %s is in %s or above it; name packages of %s, as %s/...",
				pattern, filepath.Base(l.tool.Work), l.tool.Dir, strings.Join(uses, ", "), uses[0])
		}
	case p.Dir != "" && len(p.IgnoredGoFiles) > 0:
		return problem.Errorf(problem.KindNotFound, "package %s has no files under these build constraints: see -tags", pattern)
	case p.Error != nil:
		return problem.Errorf(problem.KindNotFound, "package %s can't be found: %s%s", pattern, problem.FirstLine(p.Error.Err), l.below(pattern))
	}
	return problem.Errorf(problem.KindNotFound, "package %s can't be found%s", pattern, l.below(pattern))
}

// below ends a message about a pattern that matches nothing: with how to name the directory that
// was probably meant, if there is one of that name.
func (l *loader) below(pattern string) string {
	dir := strings.TrimSuffix(filepath.ToSlash(pattern), "/...")
	if strings.HasPrefix(dir, ".") || !filepath.IsLocal(dir) {
		return ""
	}
	if info, err := os.Stat(filepath.Join(l.tool.Dir, dir)); err != nil || !info.IsDir() {
		return ""
	}
	return "; for the directory write ./" + filepath.ToSlash(pattern)
}

// mostModules is how many modules of a workspace are named.
const mostModules = 3

// workModules are the modules of the workspace as patterns; at most three, then "and others".
func (l *loader) workModules() (list []string) {
	dirs, err := l.tool.WorkDirs(l.ctx)
	if err != nil {
		return nil // the go command says what is wrong with it
	}
	for i, dir := range dirs {
		if i == mostModules {
			return append(list, "and others")
		}
		if rel, err := filepath.Rel(l.tool.Dir, dir); err == nil {
			rel = filepath.ToSlash(rel)
			if !strings.HasPrefix(rel, ".") {
				rel = "./" + rel
			}
			list = append(list, rel)
		}
	}
	return list
}

// elsewhere is the error of a pattern for a directory that is in another module, below the
// one where patterns are resolved; nil if it is not.
func (l *loader) elsewhere(pattern string) *problem.Error {
	dir, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	if !strings.HasPrefix(dir, "./") {
		return nil
	}
	dir = path.Clean(dir)
	for at := dir; at != "."; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(l.tool.Dir, filepath.FromSlash(at), "go.mod")); err != nil {
			continue
		}
		rest := "." + strings.TrimPrefix(dir, at)
		if all {
			rest += "/..."
		}
		return problem.Errorf(problem.KindNotFound, "package %s can't be found: it is in another module; to go there, use -C %s %s", pattern, at, rest)
	}
	return nil
}

// paths returns the paths of files of p.
func (p *listed) paths(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = filepath.Join(p.Dir, name)
	}
	return list
}

// parseFiles parses files for what they declare. What parses in spite of a fault will
// do: Load reports the fault.
func parseFiles(paths []string) []parsed {
	var list []parsed
	for _, path := range paths {
		fset := token.NewFileSet()
		if f, _ := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution); f != nil {
			list = append(list, parsed{fset, f})
		}
	}
	return list
}

// isTestable says whether p has tests, or code that could have some.
func isTestable(p listed) bool {
	if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
		return true
	}
	return len(p.GoFiles) > 0 && !slices.ContainsFunc(p.Imports, isTesting)
}

// isTesting says whether what imports the package is part of tests.
func isTesting(path string) bool { return path == "testing" || strings.HasPrefix(path, "testing/") }

// hasFuzzTests says whether a _test.go file of p declares a fuzz test.
func hasFuzzTests(p listed) bool {
	for _, f := range parseFiles(p.paths(slices.Concat(p.TestGoFiles, p.XTestGoFiles))) {
		for _, d := range f.file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && isFuzzName(fd.Name.Name) {
				return true
			}
		}
	}
	return false
}

// hasTargets says whether fuzz tests may be derived for functions of p, and whether there are marked ones for which none is,
// since they are not exported.
func hasTargets(p listed) (yes, hidden bool) {
	for _, f := range parseFiles(p.paths(slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles))) {
		for _, d := range f.file.Decls {
			if gd, ok := d.(*ast.GenDecl); ok {
				for _, doc := range typesOf(gd) {
					if m, _ := targetMark(doc); m != nil { // what the mark lacks, Load reports
						return true, false
					}
				}
			}
			if fd, ok := d.(*ast.FuncDecl); ok {
				m, _ := targetMark(fd.Doc)
				if m != nil && (fd.Name.IsExported() || !m.plain()) {
					return true, false
				}
				hidden = hidden || m != nil
			}
		}
	}
	return false, hidden
}
