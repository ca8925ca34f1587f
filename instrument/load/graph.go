package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// graph is the import graph of one package under test with its tests.
type graph struct {
	test    *packages.Package            // the package itself, without test files
	deps    map[string]*packages.Package // by import path: all that the test binary needs
	roots   []*packages.Package          // the package and its tests, as they were listed
	changed bool                         // there are other files now
}

// graph loads the import graph of the one package that pattern names.
func (l *loader) graph(pattern string) (*graph, error) {
	if strings.HasSuffix(pattern, ".go") {
		return nil, problem.Errorf(problem.KindUsage, "%s is a file: name its package", pattern)
	}
	pkgs, err := l.packages(graphMode, true, pattern)
	if err != nil {
		return nil, err
	}
	g := &graph{deps: make(map[string]*packages.Package), roots: pkgs}
	for _, p := range pkgs {
		if !isPlain(p) {
			continue
		}
		if g.test != nil {
			return nil, problem.Errorf(problem.KindUsage, "%s matches several packages (%s, %s)", pattern, g.test.PkgPath, p.PkgPath)
		}
		g.test = p
	}
	if g.test == nil {
		return nil, problem.Errorf(problem.KindNotFound, "%s matches no package", pattern)
	}
	if err := l.checkFound(g.test, pattern); err != nil {
		return nil, err
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if old := g.deps[p.PkgPath]; old == nil || !isPlain(old) {
			g.deps[p.PkgPath] = p
		}
	})
	l.deps = g.deps
	return g, nil
}

// isPlain says that p is neither a variant made for a test nor a test's main.
func isPlain(p *packages.Package) bool {
	return p.ForTest == "" && !(p.Name == "main" && strings.HasSuffix(p.ID, ".test"))
}

// checkFound returns an error if the go command could not find p. A package with
// a fault of another kind passes: it will be reported with its position.
func (l *loader) checkFound(p *packages.Package, pattern string) error {
	if len(p.GoFiles) > 0 || p.Dir != "" && p.Name != "" {
		return nil
	}
	if err := l.elsewhere(pattern); err != nil {
		return err
	}
	for _, e := range p.Errors {
		if e.Kind == packages.ListError || e.Kind == packages.UnknownError {
			return problem.Errorf(problem.KindNotFound, "package %s can't be found: %s", pattern, problem.FirstLine(e.Msg))
		}
	}
	if len(p.IgnoredFiles) > 0 {
		return problem.Errorf(problem.KindNotFound, "package %s has no files under these build constraints: see -tags", pattern)
	}
	if p.Dir == "" {
		return problem.Errorf(problem.KindNotFound, "package %s can't be found", pattern)
	}
	return nil
}

// sameModule lists the packages of the test package's module that the test
// needs. The standard library is not taken for one module.
func (g *graph) sameModule() []string {
	if g.test.Module == nil || inStandardModule(g.test) {
		return nil
	}
	var paths []string
	for path, p := range g.deps {
		if p.Module != nil && p.Module.Path == g.test.Module.Path && isCode(p) {
			paths = append(paths, path)
		}
	}
	return paths
}

// isCode says that p is a package of code, rather than a test's main or an
// external test package.
func isCode(p *packages.Package) bool {
	return len(p.GoFiles) > 0 && !strings.HasSuffix(p.PkgPath, ".test") && !(p.ForTest != "" && strings.HasSuffix(p.PkgPath, "_test"))
}

// inStandardModule says that the standard library itself is the main module.
func inStandardModule(p *packages.Package) bool {
	return p.Module == nil || p.Module.Path == "std" || p.Module.Path == "cmd"
}

// resolveMutate resolves the patterns of the packages to mutate.
func (l *loader) resolveMutate(g *graph) (map[string]bool, error) {
	set := make(map[string]bool)
	if l.cfg.MutateDirs != nil {
		code := sync.OnceValue(func() map[string]bool { return l.codeNeeds(g) })
		for path, p := range g.deps {
			if !isCode(p) || !slices.Contains(l.cfg.MutateDirs, p.Dir) || g.refuse(path) != "" {
				continue
			}
			if !slices.Contains(l.cfg.CodeDirs, p.Dir) || code()[path] {
				set[path] = true
			} else if l.cfg.LeftOut != nil {
				l.cfg.LeftOut(p.Dir)
			}
		}
		if len(set) == 0 {
			return nil, problem.Errorf(problem.KindNothingToMutate, "the tests of %s need none of the changed packages", g.test.PkgPath)
		}
		return set, nil
	}
	if len(l.cfg.Mutate) == 0 {
		set[g.test.PkgPath] = true
		return set, nil
	}
	for _, pattern := range l.cfg.Mutate {
		pkgs, err := l.packages(packages.NeedName|packages.NeedFiles, false, pattern)
		if err != nil {
			return nil, err
		}
		found, needed := 0, 0
		for _, p := range pkgs {
			if len(p.GoFiles) == 0 {
				continue
			}
			found++
			if dep := g.deps[p.PkgPath]; dep == nil || !isCode(dep) {
				continue
			}
			if why := g.refuse(p.PkgPath); why != "" {
				if !strings.Contains(pattern, "...") {
					return nil, problem.Errorf(problem.KindNothingToMutate, "-mutate %s: the package can't be mutated: %s", pattern, why)
				}
				continue
			}
			needed++
			set[p.PkgPath] = true
		}
		if found == 0 {
			return nil, noPackage(pattern, pkgs)
		}
		if needed == 0 {
			return nil, problem.Errorf(problem.KindNothingToMutate, "-mutate %s: no dependency of the tests of %s; name packages that they import", pattern, g.test.PkgPath)
		}
	}
	return set, nil
}

// codeNeeds is the set of packages that the code of the package under test needs, and what
// its files with fuzz tests import.
func (l *loader) codeNeeds(g *graph) map[string]bool {
	set := closure(g.test)
	overlay := l.overlay()
	for _, p := range g.roots {
		if p.ForTest != g.test.PkgPath {
			continue
		}
		for _, path := range p.GoFiles {
			if !isTestFile(path) {
				continue
			}
			var src any // nil: what the disk has
			if text, ok := overlay[path]; ok {
				src = text
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
			if err != nil || !slices.ContainsFunc(f.Decls, isFuzzDecl) {
				continue
			}
			for _, spec := range f.Imports {
				if name, err := strconv.Unquote(spec.Path.Value); err == nil {
					maps.Copy(set, closure(p.Imports[name]))
				}
			}
		}
	}
	return set
}

// isFuzzDecl says whether a declaration of a test file is a fuzz test, by its name.
func isFuzzDecl(d ast.Decl) bool {
	fd, ok := d.(*ast.FuncDecl)
	return ok && fd.Recv == nil && isFuzzName(fd.Name.Name)
}

func noPackage(pattern string, pkgs []*packages.Package) error {
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return problem.Errorf(problem.KindNothingToMutate, "-mutate %s: %s", pattern, problem.FirstLine(e.Msg))
		}
	}
	return problem.Errorf(problem.KindNothingToMutate, "-mutate %s: the pattern matches no package", pattern)
}

// refuse returns why a package can't call the injected runtime; "" if it can.
func (g *graph) refuse(path string) string {
	if path == "testing" || path == "internal/fuzz" || strings.HasPrefix(path, "testing/internal/") {
		return "the test binary itself needs it"
	}
	if path == "unsafe" || path == "runtime/race" || path == "runtime/cgo" || g.underRuntime()[path] {
		return "Go's runtime and fuzzmut's need it"
	}
	return ""
}

// underRuntime is the set of packages that package runtime needs, with itself.
func (g *graph) underRuntime() map[string]bool { return closure(g.deps["runtime"]) }

// checkMutated returns an error if no package to mutate has any code.
func checkMutated(r *Result) error {
	var empty, cgo []string
	for _, p := range r.Packages {
		if !p.Mutated {
			continue
		}
		if len(p.Files) > 0 {
			return nil
		}
		empty = append(empty, p.ImportPath)
		if len(p.Cgo) > 0 {
			cgo = append(cgo, p.ImportPath)
		}
	}
	slices.Sort(empty)
	slices.Sort(cgo)
	if len(cgo) > 0 {
		return problem.Errorf(problem.KindNothingToMutate, "package %s has nothing to mutate: all its files import \"C\", and those are left as they are; name packages of Go code with -mutate, or use go test -fuzz", strings.Join(cgo, ", "))
	}
	return problem.Errorf(problem.KindNothingToMutate, "package %s has only test code: choose the packages to mutate with -mutate", strings.Join(empty, ", "))
}
