package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// A Target is a function to derive a fuzz test for, as if it were marked
// //fuzzmut:target fuzz.
type Target struct {
	Function string // as types.Func.FullName has it
	// Seeds are inputs to begin with: see target.Options.
	Seeds [][]constant.Value
	// Makers are functions that create its arguments: likewise.
	Makers []target.Maker
	// Flat makes structs of inputs for their fields: likewise.
	Flat bool
	// Texts has arguments of an empty interface be texts: likewise.
	Texts bool
	// Among asks for a fuzz test of sequences of the methods of a type, Function, as if that
	// were marked //fuzzmut:target sequence: of those functions and methods, by their keys, that may
	// be called. nil: Function is no type.
	Among []string
}

// A Derived fuzz test stands in no file of the package: it was written for a function
// marked //fuzzmut:target that no fuzz test calls, or for one of Config.Targets.
type Derived struct {
	*target.Test
	// Sequence is what the fuzz test does if it is of Config.Sequences; nil otherwise.
	Sequence *sequence.Sequence
	Of       string         // the function of Config.Targets; "": another has asked for it
	At       token.Position // of the function or type, with an absolute path; zero for Sequence
	File     string         // absolute; where the file seems to be, and where it would be written
}

// Tested is something marked //fuzzmut:target for which no fuzz test is derived, since there is one.
type Tested struct {
	What  string // "Parse", "the type Cache"
	Fuzz  string // the fuzz test that has its name; "": others call it
	Place string // as "parse.go:12"
}

// String says it in a sentence without its end.
func (t Tested) String() string {
	if t.Fuzz == "" {
		return fmt.Sprintf("a fuzz test calls %s (%s) already", t.What, t.Place)
	}
	return fmt.Sprintf("%s (%s) has the fuzz test %s already", t.What, t.Place, t.Fuzz)
}

// Hidden is a function marked //fuzzmut:target for which no fuzz test is derived, since it is not exported.
type Hidden struct {
	What  string // "parse"
	Place string // as "parse.go:12"
	// Observed says that a fuzz test of the package may reach it: then the directive has its
	// results observed, and that may be all that it is for.
	Observed bool
}

// String says it in a sentence without its end.
func (h Hidden) String() string { return h.Place + ": " + notExported(h.What) }

// notExported says what is to be done for a fuzz test of a marked function that is not exported.
func notExported(function string) string {
	return fmt.Sprintf("%s is not exported: to derive a fuzz test for it, write the directive %s %s", function, targetDirective, wordFuzz)
}

// A BrokenDerived error says that derived fuzz tests do not compile. The package may load without them.
type BrokenDerived struct {
	Tests []Derived // in the order in which they were derived
	Why   []string  // of each, with its line
	Err   error     // of the package as a whole
}

func (e *BrokenDerived) Error() string { return e.Err.Error() }
func (e *BrokenDerived) Unwrap() error { return e.Err }

// blamed returns why the package does not load, and which derived fuzz tests have faults by path.
func (d *deriver) blamed(err error, faults map[string]string) error {
	if d == nil {
		return err
	}
	broken := &BrokenDerived{Err: err}
	for _, t := range d.derived {
		if why := faults[t.File]; why != "" {
			broken.Tests, broken.Why = append(broken.Tests, t), append(broken.Why, why)
		}
	}
	if len(broken.Tests) == 0 {
		return err
	}
	return broken
}

// deriver derives the fuzz tests of one package.
type deriver struct {
	r       *Result
	cfg     *Config
	wanted  map[string]*Target // by function
	tested  map[string]bool    // full names of functions that a fuzz test reaches
	names   map[string]bool    // of fuzz tests
	paths   map[string]bool    // of their files
	derived []Derived
	had     []Tested
	refused []error // why others were not derived, with their places
	bodies  bodies
	roots   []*types.Func       // from which a fuzz test reaches code; nil until they are asked for
	passed  *constants.Bindings // by the test files; nil until it is asked for
	hidden  []Hidden
}

// derive derives fuzz tests for the package under test. It returns nil if there is
// nothing to do.
func (l *loader) derive(ctx context.Context, g *graph) (*deriver, error) {
	if len(l.cfg.Targets)+len(l.cfg.Sequences) == 0 && !(l.cfg.Derive && l.marked(g)) {
		return nil, nil
	}
	cfg := l.cfg
	cfg.Derive, cfg.TestOnly, cfg.AnyTests, cfg.Note, cfg.Targets, cfg.Sequences = false, true, true, nil, nil, nil
	r, err := Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	d := &deriver{
		r: r, cfg: &l.cfg, wanted: make(map[string]*Target), tested: reachedFunctions(r),
		names: make(map[string]bool), paths: make(map[string]bool),
	}
	for i := range l.cfg.Targets {
		if t := &l.cfg.Targets[i]; t.Among == nil {
			d.wanted[t.Function] = t
		}
	}
	for _, f := range r.Test.Fuzz {
		d.names[f.Name] = true
	}
	d.bodies = allBodies(r)
	for _, p := range r.Packages {
		for _, f := range p.Files {
			if err := d.file(f, p.Info, p.Types); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range r.Tests {
		for _, f := range t.Files {
			if err := d.file(f, t.Info, t.Types); err != nil {
				return nil, err
			}
		}
	}
	for i := range l.cfg.Targets {
		if t := &l.cfg.Targets[i]; t.Among != nil {
			if err := d.sequenceOf(t); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range l.cfg.Sequences {
		d.sequence(s)
	}
	for _, t := range l.cfg.Targets {
		if t.Among == nil && d.wanted[t.Function] != nil {
			return nil, problem.Errorf(problem.KindNotFound, "no fuzz test can be derived for %s: package %s has no such function", t.Function, r.Test.ImportPath)
		}
	}
	why := slices.Clone(d.refused)
	for _, h := range d.hidden {
		why = append(why, errors.New(h.String()))
	}
	if len(d.derived)+len(r.Test.Fuzz) == 0 && len(why) > 0 && !l.cfg.AnyTests {
		return nil, problem.Errorf(problem.KindNoFuzzTests, "package %s has no fuzz tests, and %v", r.Test.ImportPath, why[0])
	}
	for _, err := range d.refused {
		l.cfg.Note(err.Error())
	}
	return d, nil
}

// marked says whether the text of the package or its tests has the directive.
func (l *loader) marked(g *graph) bool {
	tests, _ := filepath.Glob(filepath.Join(g.test.Dir, "*_test.go")) // the pattern is well-formed
	for _, path := range slices.Concat(g.test.GoFiles, tests) {
		src, ok := l.cfg.Overlay[path]
		if !ok {
			src, _ = os.ReadFile(path) // what can't be read is an error of the build
		}
		if bytes.Contains(src, []byte(targetDirective)) {
			return true
		}
	}
	return false
}

// reachedFunctions returns the full names of the functions that fuzz tests refer to,
// themselves or through functions of the test files.
func reachedFunctions(r *Result) map[string]bool {
	reached := make(map[string]bool)
	for name := range reachedFrom(r, IsFuzzTest) {
		reached[name] = true
	}
	return reached
}

// reachedFrom returns the functions that functions of the test files name, themselves or through
// others of these files, with the import paths of their packages.
func reachedFrom(r *Result, from func(*types.Func) bool) map[string]string {
	bodies := make(map[string]body)
	var todo []*types.Func
	for fn, b := range testBodies(r) {
		bodies[fn.FullName()] = b
		if from(fn) {
			todo = append(todo, fn)
		}
	}
	reached := make(map[string]string)
	for len(todo) > 0 {
		fn := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		name := fn.FullName()
		if _, again := reached[name]; again {
			continue
		}
		reached[name] = ""
		if fn.Pkg() != nil {
			reached[name] = fn.Pkg().Path()
		}
		b, ok := bodies[name]
		if !ok {
			continue
		}
		ast.Inspect(b.decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := b.info.Uses[id].(*types.Func); ok {
					todo = append(todo, fn.Origin())
				}
			}
			return true
		})
	}
	return reached
}

// file derives fuzz tests for the functions of one file.
func (d *deriver) file(f File, info *types.Info, pkg *types.Package) error {
	for _, decl := range f.Syntax.Decls {
		if gd, ok := decl.(*ast.GenDecl); ok && d.cfg.Derive {
			if err := d.sequences(gd, info, pkg); err != nil {
				return err
			}
		}
		fd, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		fn, isFunc := info.Defs[fd.Name].(*types.Func)
		if !isFunc || IsFuzzTest(fn) {
			continue
		}
		m, err := targetMark(fd.Doc)
		t := d.wanted[fn.FullName()]
		if t == nil && !(m != nil && d.cfg.Derive) {
			continue
		}
		if err != nil {
			return wrongf(fd.Pos(), "%v", err).error(d.r.shortPosition)
		}
		delete(d.wanted, fn.FullName())
		if err := d.function(fd, fn, pkg, m, t); err != nil {
			return err
		}
	}
	return nil
}

// function derives the fuzz test for one function: if it is wanted, or if it is marked and
// needs one.
func (d *deriver) function(fd *ast.FuncDecl, fn *types.Func, pkg *types.Package, m *mark, wanted *Target) error {
	place := d.r.shortPosition(fd.Pos())
	if name := target.Name(fn); wanted == nil && d.names[name] {
		d.had = append(d.had, Tested{target.Function(fn), name, place})
		return nil
	}
	if wanted == nil && d.tested[fn.FullName()] {
		d.had = append(d.had, Tested{target.Function(fn), "", place})
		return nil
	}
	if wanted == nil && !exported(fn) && m.plain() {
		if d.roots == nil {
			d.roots = roots(d.r, func(_ *ast.FuncDecl, fn *types.Func) bool { return IsFuzzTest(fn) })
		}
		d.hidden = append(d.hidden, Hidden{target.Function(fn), place, d.bodies.lead(d.roots, fn)})
		return nil
	}
	opts := d.bodies.options(fn, m, pkg, d.r, d.names)
	if wanted != nil {
		opts.Seeds, opts.Makers, opts.Flat, opts.Texts = wanted.Seeds, wanted.Makers, wanted.Flat, wanted.Texts
		opts.Changes, opts.Touches, opts.Refuses, opts.Without = nil, nil, nil, nil // makers are chosen already
		opts.Partial = true
	} else {
		opts.Seeds = d.seeds(fn)
	}
	t, err := target.Write(fn, opts)
	had := len(d.derived)
	err = d.take(t, err, fd.Pos())
	if wanted != nil && len(d.derived) > had {
		d.derived[had].Of = wanted.Function
	}
	return err
}

// FunctionKey is the full name of a function, without the type parameters of its receiver, which may
// have other names in another version.
func FunctionKey(fn *types.Func) string {
	name := fn.FullName()
	if from, to := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); from >= 0 {
		name = name[:from] + name[to+1:]
	}
	return name
}

// seeds are what test files and examples pass to a function.
func (d *deriver) seeds(fn *types.Func) (list [][]constant.Value) {
	if d.passed == nil {
		d.passed = d.r.Constants()
	}
	for _, c := range d.passed.Of(func(f *types.Func) bool { return f.FullName() == fn.FullName() }) {
		list = append(list, c.Values)
	}
	return constants.Spread(list, target.SeedsMost)
}

// take takes a fuzz test, or notes why there is none for what is at a position.
func (d *deriver) take(t *target.Test, err error, pos token.Pos) error {
	var terr *target.Error
	switch {
	case errors.As(err, &terr):
		d.refused = append(d.refused, fmt.Errorf("%s: %w", d.r.shortPosition(pos), err))
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", d.r.shortPosition(pos), err)
	}
	d.names[t.Name] = true
	d.derived = append(d.derived, Derived{Test: t, At: d.r.Position(pos), File: d.unused(t.FileName)})
	return nil
}

// sequence derives a fuzz test that is written already.
func (d *deriver) sequence(s *sequence.Sequence) {
	t := &target.Test{Name: s.Fuzz, Function: s.About, Text: s.Text, Line: s.Line, FileName: target.FileName(s.Fuzz, "fuzz")}
	d.names[t.Name] = true
	d.derived = append(d.derived, Derived{Test: t, Sequence: s, File: d.unused(t.FileName)})
}

// DerivedTest is a derived fuzz test by its name; nil: it is written, or there is none.
func (r *Result) DerivedTest(fuzz string) *Derived {
	if i := slices.IndexFunc(r.Derived, func(d Derived) bool { return d.Name == fuzz }); i >= 0 {
		return &r.Derived[i]
	}
	return nil
}

// Sequence is what a derived fuzz test does, by its name; nil: it is no sequence of calls.
func (r *Result) Sequence(fuzz string) *sequence.Sequence {
	if d := r.DerivedTest(fuzz); d != nil {
		return d.Sequence
	}
	return nil
}

// options says how the fuzz test of a function is written that is marked with m; nil: it is not
// marked. taken are the names of other fuzz tests.
func (b bodies) options(fn *types.Func, m *mark, pkg *types.Package, r *Result, taken map[string]bool) target.Options {
	if m == nil {
		m = &mark{}
	}
	opts := target.Options{
		Package: pkg, Nil: m.words[wordNil], OldGo: r.OldGo(), Taken: taken, Panics: m.panics, Without: m.without,
		Property: target.IsProperty(fn) && (target.HasPropertyName(fn) || m.words[wordProperty]),
	}
	if !m.words[wordFields] {
		opts.Changes, opts.Touches, opts.Double, opts.Refuses = b.changes, b.touches, r.inTests, b.refuses
	}
	return opts
}

// inTests says whether something is declared in a test file.
func (r *Result) inTests(obj types.Object) bool {
	return isTestFile(r.Fset.Position(obj.Pos()).Filename)
}

// OldGo says whether the module of the package under test is of a Go version before type
// parameters.
func (r *Result) OldGo() bool {
	p := r.Packages[0]
	v := p.Types.GoVersion()
	return p.ModulePath != "" && (v == "" || version.Compare(v, "go1.18") < 0)
}

// exported says whether a function, and what it is a method of, can be named elsewhere.
func exported(fn *types.Func) bool {
	name, _, isMethod := strings.Cut(strings.Trim(target.Function(fn), "(*"), ".")
	return fn.Exported() && (!isMethod || ast.IsExported(strings.TrimSuffix(name, ")")))
}

// unused returns a path for a file of that name at which there is none.
func (d *deriver) unused(name string) string {
	stem := strings.TrimSuffix(name, "_test.go")
	for i := 2; ; i++ {
		path := filepath.Join(d.r.Test.Dir, name)
		_, err := os.Lstat(path)
		if err != nil && !d.paths[path] && d.cfg.Overlay[path] == nil {
			d.paths[path] = true
			return path
		}
		name = fmt.Sprintf("%s%d_test.go", stem, i)
	}
}

// overlay returns the contents of the files of derived fuzz tests by path, and of the
// library if they need it and the package under test does not have it.
func (d *deriver) overlay(g *graph, tool *gotool.Toolchain) (tests, library map[string][]byte, err error) {
	tests = make(map[string][]byte)
	own := g.deps[target.Library] != nil
	for _, t := range d.derived {
		tests[t.File] = t.Text
		if !t.Library || own {
			continue
		}
		tests[t.File] = target.InjectedText(t.Text)
		if library == nil {
			if library, err = target.LibraryFiles(tool.Root); err != nil {
				return nil, nil, err
			}
		}
	}
	return tests, library, nil
}

// markDerived tells derived fuzz tests from those that the package has.
func (r *Result) markDerived(d *deriver) {
	if d == nil {
		return
	}
	r.Derived, r.Tested, r.Hidden = d.derived, d.had, d.hidden
	for i := range r.Test.Fuzz {
		for _, t := range r.Derived {
			if r.Test.Fuzz[i].File == t.File {
				r.Test.Fuzz[i].Target = t.Function
			}
		}
	}
}

// adopt has the derived fuzz tests loaded with the package.
func (l *loader) adopt(r *Result, g *graph, d *deriver) (err error) {
	if d == nil || len(d.derived) == 0 {
		return nil
	}
	tool, err := l.tool.Overlayable()
	if err != nil {
		return err
	}
	if r.DerivedFiles, r.Library, err = d.overlay(g, tool); err != nil {
		return err
	}
	if r.Library != nil {
		l.tool = tool // the library becomes a part of GOROOT
	}
	overlay := maps.Clone(l.cfg.Overlay)
	if overlay == nil {
		overlay = make(map[string][]byte)
	}
	maps.Copy(overlay, r.DerivedFiles)
	maps.Copy(overlay, r.Library)
	l.cfg.Overlay, g.changed = overlay, true
	return nil
}
