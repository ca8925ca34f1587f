// Package load reads a package under test with its fuzz tests, and the packages
// to rewrite with it, as typed syntax.
//
// packages.Load lists the package under test with its tests and all that they import. These, and
// the other packages to rewrite, are parsed and type-checked here. All that they import comes from
// export data, which the build cache has after the first run.
package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// Config says what to load.
type Config struct {
	Dir     string // where patterns are resolved and the go command runs; "" is "."
	Pattern string // of the one package under test
	// Mutate holds patterns of the packages to mutate; none means the package
	// under test, and leaves others of its module as Candidates.
	Mutate []string
	// MutateDirs are the directories of the packages to mutate, in place of Mutate: those
	// of them that the tests need.
	MutateDirs []string
	// CodeDirs are those of MutateDirs that are left out where only tests need them: neither
	// the code of the package under test does, nor what a file with a fuzz test imports.
	CodeDirs []string
	// LeftOut takes the directories of CodeDirs that are left out; nil discards.
	LeftOut    func(dir string)
	BuildFlags []string     // of go build, as the user gave them
	Env        []string     // of the go command; nil means the process's own
	Note       func(string) // takes what the user should know; nil discards
	// AnyTests asks for packages with tests of any kind, or with code that no test
	// covers, not for fuzz tests.
	AnyTests bool
	// TestOnly asks for the syntax of the package under test alone, with its tests.
	// Of the packages to mutate only the names are found out.
	TestOnly bool
	// Blank says of the text of a test file that it is to be taken to hold nothing but
	// a package clause: a generated one that may be out of date. Nil: none.
	Blank func(src []byte) bool
	// Derive has fuzz tests derived for the functions marked //fuzzmut:target that no
	// fuzz test calls.
	Derive bool
	// Targets are functions of the package under test to derive further fuzz tests for,
	// whatever calls them, and whether Derive is set or not.
	Targets []Target
	// Sequences are fuzz tests over several functions of the package under test to derive,
	// likewise.
	Sequences []*sequence.Sequence
	// Overlay are the contents of files, by path, that stand for those on disk.
	Overlay map[string][]byte
	// Tools has what the go command said of its settings before; nil: it is asked.
	Tools *gotool.Known
}

// Result is a package under test and all that is to be rewritten with it.
type Result struct {
	Test      instrument.TestPackage
	Toolchain *gotool.Toolchain
	Fset      *token.FileSet
	// Packages are to be rewritten: the package under test first, then the
	// others by import path.
	Packages []*Package
	// Tests are the package's test files: in-package before external ones.
	Tests []*TestFiles
	// Mutate are the import paths of the packages to mutate, sorted.
	Mutate []string
	// Candidates are the import paths of further packages of the module that may be
	// mutated, sorted, if nobody has said which: those that the package under test needs.
	Candidates []string
	// Observe are the import paths of the packages whose calls are observed, sorted: those
	// to mutate, the candidates, and the package under test.
	Observe []string
	// Golden are those of Observe whose calls golden values are of; nil: all.
	Golden []string
	// Blanked are the contents that stand for those of blank files, by path, and Replaced
	// those of Config.Overlay.
	Blanked  map[string][]byte
	Replaced map[string][]byte
	// Derived are the fuzz tests that were derived for functions, DerivedFiles the
	// contents of their files, by path, and Library those of the further files that
	// the build needs for them.
	// Tested is what has a directive and needs none, and Hidden what has one that asks for none.
	Derived      []Derived
	Tested       []Tested
	Hidden       []Hidden
	DerivedFiles map[string][]byte
	Library      map[string][]byte
	// UsesContext says that test code may use the context of its T, which then
	// has to be renewed for each execution.
	UsesContext bool
	// Compare are the functions named by //fuzzmut:compare.
	Compare []Compare
	// Views say how much golden values hold.
	Views Views
	// Main says that the package under test is in a main module: the stock
	// engine fuzzes no other.
	Main bool
	// Standard says that the package under test is in the standard library.
	Standard bool
}

// Package is one package to rewrite, without its test files.
type Package struct {
	ImportPath, Name string
	Dir              string // absolute, of the user's source
	ModulePath       string // "" for the standard library
	ModuleVersion    string
	ModuleDir        string // "" for a vendored module
	ModuleGoMod      string // path of the module's go.mod
	Mutated          bool   // false: coverage only
	Types            *types.Package
	Info             *types.Info
	Files            []File
	Cgo              []string // files left alone: they import "C"
	NoAssembly       string   // the build tag with which Go code is in place of assembly; "": none is known
}

// File is one source file as it was parsed.
type File struct {
	Path   string // absolute
	Src    []byte
	Syntax *ast.File
}

// TestFiles are the _test.go files of one package clause.
type TestFiles struct {
	External bool // package foo_test
	Types    *types.Package
	Info     *types.Info
	Files    []File
}

// Constants says what the test files pass to functions.
func (r *Result) Constants() *constants.Bindings {
	var sources []constants.Source
	for _, t := range r.Tests {
		s := constants.Source{Info: t.Info}
		for _, f := range t.Files {
			s.Files = append(s.Files, f.Syntax)
		}
		sources = append(sources, s)
	}
	return constants.Read(sources)
}

const (
	graphMode  = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedForTest
	syntaxMode = packages.LoadSyntax | packages.NeedModule | packages.NeedForTest | packages.NeedExportFile
)

// loader is the state of one Load.
type loader struct {
	ctx   context.Context
	cfg   Config
	found *gotool.Toolchain // with the user's go.mod
	tool  *gotool.Toolchain // with a private one
	fset  *token.FileSet

	deps  map[string]*packages.Package // of the test, once the graph is loaded
	blank map[string][]byte            // see Result.Blanked

	broken map[string]string // by path, the first fault of each file of the packages that were checked

	mu   sync.Mutex
	srcs map[string][]byte // by path, as parsed
}

// Load loads the one package that cfg.Pattern names. What the user has to fix is
// reported as an *Error.
func Load(ctx context.Context, cfg Config) (*Result, error) {
	l, done, err := newLoader(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer done()
	g, err := l.graph(cfg.Pattern)
	if err != nil {
		return nil, err
	}
	if cfg.Blank != nil {
		if l.blank = blanked(g.test, cfg.Blank); len(l.blank) > 0 {
			g.changed = true
		}
	}
	mutate, err := l.resolveMutate(g)
	if err != nil {
		return nil, err
	}
	r := &Result{Toolchain: l.tool, Fset: l.fset, Standard: inStandardModule(g.test)}
	r.Main = g.test.Module != nil && g.test.Module.Main
	r.Mutate, r.Blanked, r.Replaced = slices.Sorted(maps.Keys(mutate)), l.blank, cfg.Overlay
	if len(cfg.Mutate) == 0 && cfg.MutateDirs == nil {
		r.Candidates = g.candidates()
	}
	r.Observe = g.observed(slices.Concat(r.Mutate, r.Candidates))
	derived, err := l.derive(ctx, g)
	if err != nil {
		return nil, err
	}
	if err := l.adopt(r, g, derived); err != nil {
		return nil, err
	}
	if !cfg.TestOnly {
		if err := l.loadOthers(r, g, mutate); err != nil {
			return nil, err
		}
	}
	if err := l.loadTest(r, g, mutate); err != nil {
		return nil, derived.blamed(err, l.broken)
	}
	if r.Test.Fuzz, err = findFuzzTests(r); err != nil {
		return nil, err
	}
	r.markDerived(derived)
	slip := targetSlip(r.Packages[0].files(l.fset), shownFrom(r.Toolchain.Dir))
	if len(r.Test.Fuzz) == 0 && !cfg.AnyTests {
		if slip != nil {
			return nil, slip
		}
		return nil, noFuzzTests(r.Test.ImportPath, candidate(r.Packages[0].files(l.fset), filepath.Base))
	}
	if !cfg.TestOnly && (cfg.AnyTests || len(r.Candidates) == 0) {
		if err := checkMutated(r); err != nil {
			return nil, err
		}
	}
	if r.Compare, err = checkDirectives(r); err != nil {
		return nil, err
	}
	if slip != nil && cfg.Derive {
		l.cfg.Note(slip.Error())
	}
	if err := l.readViews(r, g); err != nil {
		return nil, err
	}
	r.UsesContext = usesContext(r) || helpersUseContext(g)
	// The private go.mod, if there was one, is gone; a build makes its own.
	if r.Toolchain = l.found; r.Library != nil {
		r.Toolchain, err = r.Toolchain.Overlayable() // as it was loaded
	}
	return r, err
}

// newLoader prepares a loader that can't write into the user's module. The
// caller calls done in the end.
func newLoader(ctx context.Context, cfg Config) (_ *loader, done func(), err error) {
	if cfg.Dir == "" {
		cfg.Dir = "."
	}
	if cfg.Note == nil {
		cfg.Note = func(string) {}
	}
	tool, err := cfg.Tools.Toolchain(ctx, cfg.Dir, cfg.Env, cfg.BuildFlags)
	if err != nil {
		return nil, nil, err
	}
	dir, done, err := tempdir.Make("")
	if err != nil {
		return nil, nil, fmt.Errorf("creating a work directory: %w", err)
	}
	found := *tool
	if tool, err = tool.Private(ctx, dir, nil); err != nil {
		done()
		return nil, nil, err
	}
	// What lists packages compiles them, too. It is not stopped when this process is killed,
	// and leaves its files where a later run finds them without an owner.
	tool.Env = append(slices.Clip(tool.Env), "GOTMPDIR="+dir)
	cfg.Dir = tool.Dir
	return &loader{ctx: ctx, cfg: cfg, found: &found, tool: tool, fset: token.NewFileSet(), srcs: make(map[string][]byte), broken: make(map[string]string)}, done, nil
}

// packages loads packages. With syntaxMode they are parsed and type-checked.
func (l *loader) packages(mode packages.LoadMode, tests bool, patterns ...string) ([]*packages.Package, error) {
	if mode == syntaxMode {
		return l.source(l.overlay(), tests, patterns...)
	}
	return l.list(mode, l.overlay(), tests, patterns...)
}

// overlay is what stands for files on disk.
func (l *loader) overlay() map[string][]byte {
	overlay := make(map[string][]byte)
	maps.Copy(overlay, l.blank)
	maps.Copy(overlay, l.cfg.Overlay)
	return overlay
}

// list calls packages.Load.
func (l *loader) list(mode packages.LoadMode, overlay map[string][]byte, tests bool, patterns ...string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: mode, Context: l.ctx, Dir: l.tool.Dir, Env: gotool.Listing(l.tool.Env), BuildFlags: l.tool.Flags,
		Fset: l.fset, Tests: tests, ParseFile: l.parse, Overlay: overlay,
	}, patterns...)
	switch {
	case l.ctx.Err() != nil:
		return nil, l.ctx.Err()
	case err != nil:
		// The driver's errors are of many lines and begin with a prefix.
		text := strings.TrimPrefix(err.Error(), "err: exit status 1: stderr: ")
		return nil, problem.Errorf(problem.KindNotFound, "loading %s: %s", strings.Join(patterns, " "), problem.FirstLine(text))
	}
	return pkgs, nil
}

// loadTest loads the package under test with its test files.
func (l *loader) loadTest(r *Result, g *graph, mutate map[string]bool) error {
	pkgs, err := l.tested(g)
	if err != nil {
		return err
	}
	var plain, inside, outside *packages.Package
	for _, p := range pkgs {
		switch {
		case p.ID == g.test.PkgPath:
			plain = p
		case p.ForTest == g.test.PkgPath && p.PkgPath == g.test.PkgPath:
			inside = p
		case p.ForTest == g.test.PkgPath && p.PkgPath == g.test.PkgPath+"_test":
			outside = p
		}
	}
	main := plain
	if inside != nil {
		main = inside
	}
	if main == nil {
		return problem.Errorf(problem.KindNotFound, "package %s can't be loaded", g.test.PkgPath)
	}
	if err := l.check(main, outside); err != nil {
		return err
	}
	pkg := l.describe(main, g.test)
	pkg.Mutated = mutate[pkg.ImportPath]
	r.Packages = slices.Insert(r.Packages, 0, pkg)
	for _, p := range []*packages.Package{inside, outside} {
		if p == nil {
			continue
		}
		if files := l.files(p, isTestFile); len(files) > 0 {
			r.Tests = append(r.Tests, &TestFiles{External: p == outside, Types: p.Types, Info: p.TypesInfo, Files: files})
		}
	}
	r.Test = instrument.TestPackage{
		ImportPath: pkg.ImportPath, Name: pkg.Name, Dir: pkg.Dir,
		ModulePath: pkg.ModulePath, ModuleDir: pkg.ModuleDir, Untested: len(r.Tests) == 0,
	}
	return nil
}

// loadOthers loads the packages to rewrite in addition to the one under test:
// those to mutate, and for coverage those of the same module that the test needs.
func (l *loader) loadOthers(r *Result, g *graph, mutate map[string]bool) error {
	paths := g.sameModule()
	for path := range mutate {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(p string) bool { return p == g.test.PkgPath })
	if len(paths) == 0 {
		return nil
	}
	pkgs, err := l.others(g, paths)
	if err != nil {
		return err
	}
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	if err := l.check(pkgs...); err != nil {
		return err
	}
	for _, p := range pkgs {
		pkg := l.describe(p, p)
		pkg.Mutated = mutate[pkg.ImportPath]
		r.Packages = append(r.Packages, pkg)
	}
	return nil
}

// tested loads the package under test with its tests.
func (l *loader) tested(g *graph) ([]*packages.Package, error) {
	if g.changed {
		return l.packages(syntaxMode, true, g.test.PkgPath)
	}
	return l.typed(g.roots, l.overlay(), true, g.test.PkgPath)
}

// others loads packages that the test needs, without their tests.
func (l *loader) others(g *graph, paths []string) ([]*packages.Package, error) {
	var pkgs []*packages.Package
	for _, path := range paths {
		p := g.deps[path]
		if g.changed || p == nil || p.ID != path {
			return l.packages(syntaxMode, false, paths...)
		}
		pkgs = append(pkgs, p)
	}
	return l.typed(pkgs, l.overlay(), false, paths...)
}

// describe turns a loaded package into one to rewrite.
func (l *loader) describe(p, meta *packages.Package) *Package {
	pkg := &Package{
		ImportPath: p.PkgPath, Name: p.Name, Dir: meta.Dir, Types: p.Types, Info: p.TypesInfo,
		Files: l.files(p, func(path string) bool { return !isTestFile(path) }),
	}
	if m := meta.Module; m != nil {
		pkg.ModulePath, pkg.ModuleVersion, pkg.ModuleDir, pkg.ModuleGoMod = m.Path, m.Version, m.Dir, m.GoMod
	}
	pkg.NoAssembly = withoutAssembly(p.OtherFiles, p.IgnoredFiles)
	compiled := make(map[string]bool)
	for _, f := range pkg.Files {
		compiled[f.Path] = true
	}
	for _, path := range p.GoFiles {
		if !compiled[path] && !isTestFile(path) {
			pkg.Cgo = append(pkg.Cgo, path)
		}
	}
	return pkg
}

// files returns the parsed files of p that are in its own directory and satisfy
// want. What cgo generates lies elsewhere.
func (l *loader) files(p *packages.Package, want func(path string) bool) []File {
	var files []File
	for i, path := range p.CompiledGoFiles {
		if i < len(p.Syntax) && slices.Contains(p.GoFiles, path) && want(path) {
			files = append(files, File{Path: path, Src: l.srcs[path], Syntax: p.Syntax[i]})
		}
	}
	return files
}

func isTestFile(path string) bool { return strings.HasSuffix(path, "_test.go") }

// Matching returns the fuzz tests whose names match the regular expression pattern. The error
// says what is wrong with the pattern.
func Matching(tests []instrument.FuzzTest, pattern string) (kept []instrument.FuzzTest, err error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, f := range tests {
		if re.MatchString(f.Name) {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// Select keeps the fuzz tests whose names match the regular expression pattern;
// "" keeps all.
func (r *Result) Select(pattern string) error {
	kept, err := Matching(r.Test.Fuzz, pattern)
	if err != nil {
		return problem.Errorf(problem.KindUsage, "-fuzz: %v", err)
	}
	if len(kept) == 0 {
		var names []string
		for _, f := range r.Test.Fuzz {
			names = append(names, f.Name)
		}
		return problem.Errorf(problem.KindNoFuzzMatch, "-fuzz %q matches no fuzz test of %s, which has %s", pattern, r.Test.ImportPath, strings.Join(names, ", "))
	}
	r.Test.Fuzz = kept
	return nil
}

// Observed lists the packages whose calls golden values are of, as golden files do: "."
// is the package under test, whatever its module is called.
func (r *Result) Observed() string {
	names := slices.Clone(r.Observe)
	if r.Golden != nil {
		names = slices.Clone(r.Golden)
	}
	if i := slices.Index(names, r.Test.ImportPath); i >= 0 {
		names[i] = "."
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// ParseObserved returns the import paths of packages that Observed has listed, sorted.
func (r *Result) ParseObserved(packages string) []string {
	names := strings.Fields(packages)
	if i := slices.Index(names, "."); i >= 0 {
		names[i] = r.Test.ImportPath
	}
	slices.Sort(names)
	return names
}

// Position returns the file's absolute path, the line and the column of pos in
// the user's source, whatever //line comments it has.
func (r *Result) Position(pos token.Pos) token.Position { return r.Fset.PositionFor(pos, false) }

// TestPlace is where the package declares a test, as an error message puts it, "" if it does not.
func (r *Result) TestPlace(name string) string {
	if fn := r.testFunc(name); fn != nil {
		return r.shortPosition(fn.Pos())
	}
	return ""
}

// CountsAllocations reports whether a test, or a function of the test files that it calls, asks package testing for numbers
// of allocations.
func (r *Result) CountsAllocations(test string) bool {
	fn := r.testFunc(test)
	if fn == nil {
		return false
	}
	called, counts := counting(fn)
	return counts || slices.ContainsFunc(called, func(name string) bool {
		fn := r.testFunc(name)
		if fn == nil {
			return false
		}
		_, counts := counting(fn)
		return counts
	})
}

// testFunc is the function of the test files with the name; nil if there is none.
func (r *Result) testFunc(name string) *ast.FuncDecl {
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == name {
					return fd
				}
			}
		}
	}
	return nil
}

// counting lists the functions without a receiver that a function calls, and says whether it asks for numbers of
// allocations.
func counting(fn *ast.FuncDecl) (called []string, counts bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			called = append(called, f.Name)
		case *ast.SelectorExpr:
			x, ok := f.X.(*ast.Ident)
			inTesting := ok && x.Name == "testing" && (f.Sel.Name == "AllocsPerRun" || f.Sel.Name == "Benchmark")
			counts = counts || inTesting || f.Sel.Name == "ReportAllocs"
		}
		return true
	})
	return called, counts
}

// shortPosition is where pos is, as an error message puts it.
func (r *Result) shortPosition(pos token.Pos) string { return r.Short(r.Position(pos)) }

// Short is a position as an error message puts it.
func (r *Result) Short(p token.Position) string {
	return fmt.Sprintf("%s:%d", short(r.Toolchain.Dir, p.Filename), p.Line)
}
