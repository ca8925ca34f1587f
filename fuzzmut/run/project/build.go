package project

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/packed"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// Package is a package with its mutants, ready to be run.
type Package struct {
	Loaded      *load.Result
	Overlay     overlay.Config
	Program     *instrument.Program
	Binary      string
	Live        int // mutants that can be switched on
	UsesContext bool
	ValueTypes  *values.Found // about the types of inputs; nil for unit tests
	tests       *Package      // that runs the package's own tests; nil until triage wants it
	repairs     *Package      // whose mutants are those of triage; nil until a run has failing inputs
	repairsErr  error         // why there is none
	races       *Package      // built for the race detector; nil until it is asked for
	racesErr    error         // why there is none
	facts       *packed.Facts // in place of the source; nil: there is the source
}

// resolve turns package patterns into import paths and finds Go's cache.
func (p *Project) resolve(ctx context.Context) error {
	if p.Options.Fuzz != "" {
		if _, err := regexp.Compile(p.Options.Fuzz); err != nil {
			return exit.Errorf(exit.Usage, "-fuzz: %w", err)
		}
	}
	tool, err := p.tools.Toolchain(ctx, cmp.Or(p.Options.Dir, "."), p.Options.Env, p.Options.BuildFlags)
	if err != nil {
		return exit.AsUsage(err)
	}
	p.GoCache = tool.Cache
	p.Phase("", "loading %s", strings.Join(p.Options.Packages, " "))
	p.Packages, err = load.Expand(ctx, p.LoadConfig(""), p.Options.Packages)
	return exit.AsUsage(err)
}

// goEnv asks the go command for one of its variables.
func (p *Project) goEnv(ctx context.Context, name string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", name)
	cmd.Dir, cmd.Env = p.Options.Dir, p.Options.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", exit.Errorf(exit.Usage, "the go command is not in PATH: %w", err)
		}
		return "", exit.Errorf(exit.Usage, "go env %s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// OverlayConfig is what rewriting and building need.
func (p *Project) OverlayConfig(pkg *Package) (overlay.Config, error) {
	spec := p.Options.Operators
	if spec == "" {
		spec = DefaultOperators
	}
	ops, err := operator.ByNames(spec)
	if err != nil {
		return overlay.Config{}, exit.Errorf(exit.Usage, "-operators: %w", err)
	}
	if err := checkArid(p.Options.Arid, pkg.Loaded); err != nil {
		return overlay.Config{}, err
	}
	if p.Unmutated {
		ops = nil
	}
	log := p.Options.Log
	if log == nil {
		log = io.Discard
	}
	dir := filepath.Join(p.WorkDir, strings.NewReplacer("/", "_", ":", "_").Replace(pkg.Loaded.Test.ImportPath))
	return overlay.Config{
		Loaded: pkg.Loaded, Operators: ops, WorkDir: dir, Output: filepath.Join(dir, "test.bin"),
		Generated: p.Options.Generated, Loggers: p.Options.Arid, Native: p.Options.Engine == EngineNative, Log: log,
		Identify: p.Share != nil || p.Options.Pack != "", Overflow: p.Options.Oracles.Overflow,
	}, nil
}

// OverlayConfigIn is OverlayConfig for one of several builds of a package, in a directory of
// that name.
func (p *Project) OverlayConfigIn(pkg *Package, name string) (overlay.Config, error) {
	cfg, err := p.OverlayConfig(pkg)
	if err != nil {
		return cfg, err
	}
	cfg.WorkDir = filepath.Join(cfg.WorkDir, name)
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	return cfg, nil
}

// Rewrite enumerates the mutants without building anything.
func (r *Project) Rewrite(ctx context.Context, pkg *Package) (*instrument.Program, error) {
	cfg, err := r.OverlayConfig(pkg)
	if err != nil {
		return nil, err
	}
	p, err := overlay.Rewrite(ctx, cfg)
	return p, exit.AsUsage(err)
}

// Build builds the one test binary that holds every mutant.
func (p *Project) Build(ctx context.Context, b *Package) error {
	return p.build(ctx, b, func(*instrument.Program) {})
}

// build is Build. It calls compiling before what was rewritten is compiled, each time.
func (p *Project) build(ctx context.Context, b *Package, compiling func(*instrument.Program)) error {
	cfg, err := p.OverlayConfig(b)
	if err != nil {
		return err
	}
	pkg := b.Loaded.Test.ImportPath
	p.Phase(pkg, "rewriting the code to hold its mutants")
	cfg.Keep = true
	cfg.Compiling = func(program *instrument.Program) {
		p.Phase(pkg, "building the test binary: %s", DescribeProgram(program))
		for _, note := range BuildNotes(b.Loaded, program) {
			p.Note(pkg, "%s", note)
		}
		compiling(program)
	}
	if b.Program, err = overlay.Build(ctx, cfg); err != nil {
		return exit.AsUsage(err)
	}
	b.Binary, b.Overlay = cfg.Output, cfg
	p.WarnBuild(b.Program)
	b.Live += count(b.Program, instrument.StatusLive)
	return nil
}

// count is how many mutants of a program have a status.
func count(program *instrument.Program, status instrument.Status) (n int) {
	for i := range program.Mutants {
		if program.Mutants[i].Status == status {
			n++
		}
	}
	return n
}

// BuildTests builds the package's own tests with mutants, in a directory of that name; nil:
// the package has none. adjust may change how it is loaded.
func (p *Project) BuildTests(ctx context.Context, pkg, dir string, adjust func(*load.Config)) (*Package, error) {
	cfg := p.LoadConfig(pkg)
	cfg.AnyTests, cfg.Derive = true, false
	adjust(&cfg)
	loaded, err := load.Load(ctx, cfg)
	if err != nil || loaded.Test.Untested {
		return nil, err
	}
	b := &Package{Loaded: loaded}
	bin, err := p.OverlayConfigIn(b, dir)
	if err != nil {
		return nil, err
	}
	bin.Tests, bin.Native, bin.Keep = true, false, true
	b.Program, err = overlay.Build(ctx, bin)
	b.Binary, b.Overlay = bin.Output, bin
	return b, err
}

// RaceBuild builds the binary of a package once more, for the race detector and without mutants.
func (p *Project) RaceBuild(ctx context.Context, pkg *Package) (*Package, error) {
	if pkg.races != nil || pkg.racesErr != nil {
		return pkg.races, pkg.racesErr
	}
	pkg.races, pkg.racesErr = p.buildRaces(ctx, pkg)
	return pkg.races, pkg.racesErr
}

func (p *Project) buildRaces(ctx context.Context, pkg *Package) (*Package, error) {
	if pkg.facts != nil {
		return nil, errPacked
	}
	p.Phase(pkg.Loaded.Test.ImportPath, "building the test binary for the race detector")
	load, err := p.loadAgain(ctx, pkg, "-race=true")
	if err != nil {
		return nil, err
	}
	b := &Package{Loaded: load}
	cfg, err := p.OverlayConfigIn(b, "race")
	if err != nil {
		return nil, err
	}
	cfg.Operators, cfg.Native, cfg.Overflow, cfg.Keep = nil, false, false, true
	if b.Program, err = overlay.Build(ctx, cfg); err != nil {
		return nil, err
	}
	b.Binary, b.Overlay = cfg.Output, cfg
	return b, nil
}

// loadAgain loads a package with more build flags.
func (p *Project) loadAgain(ctx context.Context, pkg *Package, flags ...string) (*load.Result, error) {
	cfg := p.LoadConfig(pkg.Loaded.Test.ImportPath)
	cfg.BuildFlags, cfg.Note = slices.Concat(cfg.BuildFlags, flags), nil
	return load.Load(ctx, cfg)
}

// WarnBuild tells what the user should know of a build. The trials of its fuzz tests
// have it in their results, too.
func (r *Project) WarnBuild(p *instrument.Program) {
	for _, w := range p.Warnings {
		r.Warn("%s: %s", p.Test.ImportPath, w)
	}
}

// DescribeProgram says how much there is to be built.
func DescribeProgram(program *instrument.Program) string {
	mutated := 0
	for _, p := range program.Packages {
		if p.Mutated {
			mutated++
		}
	}
	initial := ""
	if static := count(program, instrument.StatusStatic); static > 0 {
		initial = fmt.Sprintf(" and %d in package initialization", static)
	}
	functions := program.CountFuncs(func(m *instrument.Mutant) bool { return m.Status == instrument.StatusLive })
	return fmt.Sprintf("%s in %s of %s%s, %s to cover", report.Plural(count(program, instrument.StatusLive), "mutant"),
		report.Plural(functions, "function"), report.Plural(mutated, "package"), initial, report.Plural(len(program.Blocks), "block"))
}

// longBuild is from how many mutants on a build takes minutes.
const longBuild = 30_000

// manyFiles is how many files are named that have most of the mutants.
const manyFiles = 3

// BuildNotes are what a user can do about a build: it takes long, or leaves out what does the work.
func BuildNotes(loaded *load.Result, program *instrument.Program) (notes []string) {
	if note := manyNote(program); note != "" {
		notes = append(notes, note)
	}
	for _, pkg := range loaded.Packages {
		if pkg.Mutated && pkg.NoAssembly != "" {
			notes = append(notes, fmt.Sprintf("%s has assembly, which is not mutated; -tags %s has Go code instead", pkg.ImportPath, pkg.NoAssembly))
		}
	}
	return notes
}

// manyNote says what to do about a build with very many mutants, and where they are; "" if there
// are fewer. Often these are generated files without the line that says it.
func manyNote(program *instrument.Program) string {
	all, in := 0, make(map[string]int)
	for i := range program.Mutants {
		if m := &program.Mutants[i]; m.Status != instrument.StatusSkipped {
			all++
			in[m.File]++
		}
	}
	if all < longBuild {
		return ""
	}
	files := slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(in[b]-in[a], strings.Compare(a, b)) })
	most, names := 0, []string(nil)
	for _, f := range files[:min(manyFiles, len(files))] {
		most += in[f]
		names = append(names, filepath.Base(f))
	}
	return fmt.Sprintf("%s mutants make a long build, %s of them in %s; //fuzzmut:ignore REASON before its package clause leaves a file out, and -operators takes fewer: fuzzmut help directives",
		report.Group(int64(all)), report.Group(int64(most)), strings.Join(names, ", "))
}
