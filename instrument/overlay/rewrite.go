package overlay

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	"github.com/fuzzmut/fuzzmut/instrument/schemata"
)

// drops is what did not compile and is left as the user wrote it.
type drops struct {
	funcs map[string]string // functions without mutants, as "path:line": reason
	files map[string]string // paths of files left alone: reason
	tests map[string]bool   // paths of test files that are not observed
}

func newDrops() drops {
	return drops{funcs: make(map[string]string), files: make(map[string]string), tests: make(map[string]bool)}
}

// rewritten is the outcome of one round.
type rewritten struct {
	program *instrument.Program
	files   map[string][]byte // by path in the user's tree: replaced or added
}

// rewriteAll rewrites the packages and the test files. Numbers are given out in
// the order of loaded.Packages.
func rewriteAll(ctx context.Context, cfg Config, d drops) (*rewritten, error) {
	loaded := cfg.Loaded
	rw := &rewritten{
		program: &instrument.Program{Test: loaded.Test, GoVersion: loaded.Toolchain.Version},
		files:   make(map[string][]byte),
	}
	for _, files := range []map[string][]byte{loaded.Replaced, loaded.Blanked, loaded.DerivedFiles, loaded.Library} {
		maps.Copy(rw.files, files)
	}
	for _, p := range loaded.Packages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		add := rw.addPackage
		if cfg.Observe {
			add = rw.addCosts
		}
		if err := add(cfg, p, d); err != nil {
			return nil, err
		}
	}
	show := observe.Rewrite
	if cfg.Tests {
		show = observe.RewriteTests
	}
	obs := show(loaded, len(rw.program.Sites), d.tests)
	rw.program.Sites = append(rw.program.Sites, obs.Sites...)
	rw.program.Views = loaded.Views.Types
	maps.Copy(rw.files, obs.Files)
	rw.addCompares(loaded)
	rw.addLoop(loaded)
	for i := range rw.program.Mutants {
		if rw.program.Mutants[i].Index != i+1 {
			return nil, fmt.Errorf("mutant %d has number %d", i+1, rw.program.Mutants[i].Index)
		}
	}
	return rw, nil
}

// addCosts has the calls of one package burn fuel whose work one number decides. A file that
// was dropped is left alone.
func (rw *rewritten) addCosts(cfg Config, p *load.Package, d drops) error {
	files, err := schemata.RewriteCosts(rw.input(cfg, p, d))
	if err != nil {
		return fmt.Errorf("rewriting package %s: %w", p.ImportPath, err)
	}
	for path, text := range files {
		if d.files[path] == "" {
			rw.files[path] = text
		}
	}
	return nil
}

// input is a package for the rewriter, with the next free numbers.
func (rw *rewritten) input(cfg Config, p *load.Package, d drops) schemata.Input {
	loaded, prog := cfg.Loaded, rw.program
	in := schemata.Input{
		Fset: loaded.Fset, Pkg: p.Types, Info: p.Info, ImportPath: p.ImportPath, Dir: p.Dir,
		Mutate: p.Mutated, Generated: cfg.Generated, Race: loaded.Toolchain.Race(), Operators: cfg.Operators, Changed: cfg.Changed,
		Loggers: cfg.Loggers, Everything: cfg.Everything, Overflow: cfg.Overflow,
		FirstMutant: len(prog.Mutants) + 1, FirstCounter: len(prog.Blocks),
		FirstFunc: len(prog.Funcs), FirstSite: len(prog.Sites),
		FirstComparison: prog.Comparisons, DropFuncs: d.funcs,
	}
	if p.ModulePath != "" && p.Types.GoVersion() == "" {
		in.GoVersion = "go1.16" // what the go command takes for a go.mod without a go line
	}
	for _, f := range p.Files {
		in.Files = append(in.Files, schemata.File{Path: f.Path, Src: f.Src, Syntax: f.Syntax})
	}
	return in
}

// addPackage rewrites one package and appends its tables to the program's.
func (rw *rewritten) addPackage(cfg Config, p *load.Package, d drops) error {
	prog, in := rw.program, rw.input(cfg, p, d)
	prog.Packages = append(prog.Packages, instrument.Package{ImportPath: p.ImportPath, Dir: p.Dir, Mutated: p.Mutated})
	for _, path := range p.Cgo {
		prog.Skips = append(prog.Skips, instrument.Skip{
			Package: p.ImportPath, File: path, Line: 1, What: "file", Reason: `imports "C"`,
		})
	}
	if len(in.Files) == 0 {
		return nil
	}
	out, err := schemata.Rewrite(in)
	if err != nil {
		return fmt.Errorf("rewriting package %s: %w", p.ImportPath, err)
	}
	for i := range out.Mutants {
		if reason := d.files[out.Mutants[i].File]; reason != "" && out.Mutants[i].Status != instrument.StatusSkipped {
			out.Mutants[i].Status, out.Mutants[i].Reason = instrument.StatusSkipped, reason
		}
	}
	prog.Mutants = append(prog.Mutants, out.Mutants...)
	prog.Funcs = append(prog.Funcs, out.Funcs...)
	prog.Blocks = append(prog.Blocks, out.Blocks...)
	prog.Sites = append(prog.Sites, out.Sites...)
	prog.Skips = append(prog.Skips, out.Skips...)
	prog.Census.Add(out.Census)
	prog.Comparisons += out.Comparisons
	for path, text := range out.Files {
		if d.files[path] == "" {
			rw.files[path] = text
		}
	}
	for _, f := range p.Files {
		if reason := d.files[f.Path]; reason != "" {
			prog.Skips = append(prog.Skips, instrument.Skip{Package: p.ImportPath, File: f.Path, Line: 1, What: "file", Reason: reason})
		}
	}
	if len(out.Gen) > 0 {
		rw.files[filepath.Join(p.Dir, out.GenName)] = out.Gen
	}
	return nil
}

// addCompares adds, per package clause, a file that registers the functions
// named by //fuzzmut:compare.
func (rw *rewritten) addCompares(loaded *load.Result) {
	texts := make(map[string]*strings.Builder)
	for _, c := range loaded.Compare {
		name := "fuzzmut_compare"
		if c.External {
			name += "_x"
		}
		if c.InTest {
			name += "_test"
		}
		path := unusedPath(filepath.Join(filepath.Dir(c.File), name+".go"))
		b := texts[path]
		if b == nil {
			b = new(strings.Builder)
			texts[path] = b
			fmt.Fprintf(b, "package %s\n\nimport %s \"fuzzmutrt\"\n", c.PkgName, compareAlias(loaded, c))
		}
		fmt.Fprintf(b, "\nvar _ = %s.RegisterCompare(%s)\n", compareAlias(loaded, c), c.Name)
	}
	for path, b := range texts {
		rw.files[path] = []byte(b.String())
	}
}

// compareAlias returns a name for the runtime's import that is not declared in
// the package.
func compareAlias(loaded *load.Result, c load.Compare) string {
	declared := func(name string) bool {
		for _, t := range loaded.Tests {
			if t.Types.Path() == c.Package && t.Types.Scope().Lookup(name) != nil {
				return true
			}
		}
		i := slices.IndexFunc(loaded.Packages, func(p *load.Package) bool { return p.ImportPath == c.Package })
		return i >= 0 && loaded.Packages[i].Types.Scope().Lookup(name) != nil
	}
	name := "fuzzmutrt"
	for i := 2; declared(name); i++ {
		name = "fuzzmutrt" + strconv.Itoa(i)
	}
	return name
}

// addLoop adds an external test file that links the loop into the binary. An
// in-package one could not: the loop may import the package under test.
func (rw *rewritten) addLoop(loaded *load.Result) {
	path := unusedPath(filepath.Join(loaded.Test.Dir, "fuzzmut_loop_test.go"))
	rw.files[path] = []byte("package " + loaded.Test.Name + "_test\n\nimport _ \"fuzzmutrt/loop\"\n")
}
