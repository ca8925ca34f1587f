package load

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// A Unit is what is compiled as one: a package, with its own test files if it has any, or the
// external test package of one.
type Unit struct {
	ImportPath string // of the package, or of the one that is tested
	ModulePath string // "" for the standard library
	ModuleDir  string // likewise
	Fset       *token.FileSet
	Types      *types.Package
	Info       *types.Info
	Files      []File // none that imports "C"
}

// Units loads the packages of patterns with their tests. A package that has test files is
// loaded with them, once.
func Units(ctx context.Context, cfg Config, patterns []string) ([]*Unit, error) {
	l, done, err := newLoader(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer done()
	pkgs, err := l.packages(syntaxMode, true, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if hint := l.below(p.PkgPath); p.Name == "" && hint != "" && len(p.Errors) > 0 {
			return nil, problem.Errorf(problem.KindNotFound, "package %s can't be found: %s%s", p.PkgPath, problem.FirstLine(p.Errors[0].Msg), hint)
		}
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		tested, isMain := strings.CutSuffix(p.PkgPath, ".test")
		isMain = isMain && p.Name == "main"
		return slices.ContainsFunc(pkgs, func(other *packages.Package) bool {
			return isMain && other.PkgPath == tested || p.ForTest == "" && other.ForTest == p.PkgPath && other.PkgPath == p.PkgPath
		})
	})
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	if err := l.check(pkgs...); err != nil {
		return nil, err
	}
	var units []*Unit
	for _, p := range pkgs {
		u := &Unit{ImportPath: cmp.Or(p.ForTest, p.PkgPath), Fset: l.fset, Types: p.Types, Info: p.TypesInfo}
		if p.Module != nil {
			u.ModulePath, u.ModuleDir = p.Module.Path, p.Module.Dir
		}
		u.Files = l.files(p, func(string) bool { return true })
		u.Files = slices.DeleteFunc(u.Files, func(f File) bool { return ImportsC(f.Syntax) })
		units = append(units, u)
	}
	return units, nil
}

// ImportsC says whether a file is for cgo.
func ImportsC(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// IsTestFile says whether a path is that of a test file.
func IsTestFile(path string) bool { return isTestFile(path) }

// WrongDirectives returns what is wrong with the directives of a unit, file by file.
func (u *Unit) WrongDirectives() []Wrong {
	views := &Views{Types: make(map[string]golden.View), Funcs: make(map[string]golden.View)}
	var list []Wrong
	for _, f := range u.Files {
		declarations := declared(f.Syntax)
		docs := documented(f.Syntax)
		for _, group := range f.Syntax.Comments {
			for _, c := range group.List {
				if _, wrong := checkDirective(c, group, declarations[group], u.Info); wrong != nil {
					list = append(list, *wrong)
				} else if wrong := views.add(u.ImportPath, c, docs[group]); wrong != nil {
					list = append(list, *wrong)
				} else if wrong := slip(c, directiveWords...); wrong != nil {
					list = append(list, *wrong)
				}
			}
		}
	}
	return list
}

// WrongTargets returns the functions marked //fuzzmut:target that no fuzz test calls, and for
// which none can be derived, with the reason. One that is not exported is marked to have its
// results observed, where a fuzz test can reach it.
func (u *Unit) WrongTargets() []Wrong {
	tests := &TestFiles{Types: u.Types, Info: u.Info}
	for _, f := range u.Files {
		if isTestFile(f.Path) {
			tests.Files = append(tests.Files, f)
		}
	}
	r := &Result{Fset: u.Fset, Tests: []*TestFiles{tests}, Packages: []*Package{{ModulePath: u.ModulePath, Types: u.Types, Info: u.Info, Files: u.Files}}}
	tested, names, known := reachedFunctions(r), make(map[string]bool), make(bodies)
	known.add(u.Files, u.Info)
	for fn := range testBodies(r) {
		if IsFuzzTest(fn) {
			names[fn.Name()] = true
		}
	}
	outside := cached(u.outside)
	fuzzed := cached(func(dir string) []*types.Func { return u.fuzzed(r, outside(dir)) })
	var list []Wrong
	for _, f := range u.Files {
		dir := filepath.Dir(f.Path)
		for _, d := range f.Syntax.Decls {
			if gd, ok := d.(*ast.GenDecl); ok {
				list = append(list, u.wrongSequences(gd, known, r, names)...)
			}
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			m, err := targetMark(fd.Doc)
			fn, isFunc := u.Info.Defs[fd.Name].(*types.Func)
			if m == nil || err != nil || !isFunc || IsFuzzTest(fn) || tested[fn.FullName()] || names[target.Name(fn)] {
				continue
			}
			if !exported(fn) && m.plain() {
				if !known.lead(fuzzed(dir), fn) {
					list = append(list, Wrong{fd.Pos(), notExported(target.Function(fn))})
				}
				continue
			}
			var refused *target.Error
			_, err = target.Write(fn, known.options(fn, m, u.Types, r, names))
			if errors.As(err, &refused) && !outside(dir)[fn.Name()] {
				list = append(list, Wrong{fd.Pos(), refused.Error()})
			}
		}
	}
	return list
}

// cached is f, which is called once for an argument.
func cached[K comparable, V any](f func(K) V) func(K) V {
	known := make(map[K]V)
	return func(k K) V {
		v, ok := known[k]
		if !ok {
			v = f(k)
			known[k] = v
		}
		return v
	}
}

// wrongSequences are the types of a declaration for which no sequences can be derived.
func (u *Unit) wrongSequences(d *ast.GenDecl, known bodies, r *Result, names map[string]bool) (list []Wrong) {
	for _, s := range sequences(d, u.Info) {
		if names[target.SequenceName(s.name)] {
			continue
		}
		var refused *target.Error
		_, err := target.WriteSequence(s.name, known.sequence(s, u.Types, r, names))
		if errors.As(err, &refused) {
			list = append(list, Wrong{s.spec.Pos(), refused.Error()})
		}
	}
	return list
}

// fuzzed are the functions from which fuzz tests reach code, also those that are derived or in
// the external tests.
func (u *Unit) fuzzed(r *Result, outside map[string]bool) []*types.Func {
	marked := make(map[types.Object]bool) // types
	for _, f := range u.Files {
		for _, d := range f.Syntax.Decls {
			if gd, ok := d.(*ast.GenDecl); ok {
				for _, s := range sequences(gd, u.Info) {
					marked[s.name] = true
				}
			}
		}
	}
	return roots(r, func(fd *ast.FuncDecl, fn *types.Func) bool {
		m, _ := targetMark(fd.Doc)
		if IsFuzzTest(fn) || m != nil && (exported(fn) || !m.plain()) || outside[fn.Name()] {
			return true
		}
		recv := fn.Signature().Recv()
		if recv == nil {
			return false
		}
		of := target.NamedOf(recv.Type())
		return of != nil && marked[of.Obj()]
	})
}

// outside returns the names in the external tests of a package that has a file in dir, if a
// fuzz test is among them: it may call what has such a name, which only those who load both
// packages know.
func (u *Unit) outside(dir string) map[string]bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is well-formed
	fuzzes, named := false, make(map[string]bool)
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil || f.Name.Name == u.Types.Name() {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				fuzzes = fuzzes || n.Recv == nil && isFuzzName(n.Name.Name)
			case *ast.Ident:
				named[n.Name] = true
			}
			return true
		})
	}
	if !fuzzes {
		return nil
	}
	return named
}
