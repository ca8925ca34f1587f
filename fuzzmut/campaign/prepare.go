package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// built is a package with its mutants, ready to be run.
type built struct {
	loaded      *load.Result
	overlay     overlay.Config
	program     *instrument.Program
	binary      string
	live        int // mutants that can be switched on
	usesContext bool
	values      *values.Found // about the types of inputs; nil for unit tests
	tests       *built        // that runs the package's own tests; nil until triage wants it
	triage      *built        // whose mutants are those of triage; nil until a run has failing inputs
	triageErr   error         // why there is none
}

// resolve turns package patterns into import paths and finds Go's cache.
func (r *runner) resolve(ctx context.Context) error {
	if r.opts.Fuzz != "" {
		if _, err := regexp.Compile(r.opts.Fuzz); err != nil {
			return exit.Errorf(exit.Usage, "-fuzz: %w", err)
		}
	}
	var err error
	if r.gocache, err = r.goEnv(ctx, "GOCACHE"); err != nil {
		return err
	}
	if err := load.CheckCache("GOCACHE", "build cache", r.gocache, r.opts.Env); err != nil {
		return exit.AsUsage(err)
	}
	r.phase("", "loading %s", strings.Join(r.opts.Packages, " "))
	r.packages, err = load.Expand(ctx, r.loadConfig(""), r.opts.Packages)
	return exit.AsUsage(err)
}

// goEnv asks the go command for one of its variables.
func (r *runner) goEnv(ctx context.Context, name string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", name)
	cmd.Dir, cmd.Env = r.opts.Dir, r.opts.Env
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

func (r *runner) loadConfig(pattern string) load.Config {
	return load.Config{
		Dir: r.opts.Dir, Pattern: pattern, Mutate: r.opts.Mutate,
		BuildFlags: r.opts.BuildFlags, Env: r.opts.Env, AnyTests: r.anyTests,
		Derive: !r.anyTests && !r.opts.NoDerive,
		Note:   func(text string) { r.phase("", "%s", text) },
	}
}

// load loads one package and selects its fuzz tests.
func (r *runner) load(ctx context.Context, pkg string) (*built, error) {
	cfg := r.loadConfig(pkg)
	if r.opts.WriteTypes {
		if err := r.writeTypes(ctx, cfg); err != nil {
			return nil, err
		}
	}
	loaded, err := load.Load(ctx, cfg)
	if r.plan != nil {
		loaded, err = r.loadAsBefore(ctx, cfg, loaded, err)
	}
	if err != nil {
		return nil, exit.AsUsage(err)
	}
	if !r.anyTests {
		if err := loaded.Select(r.opts.Fuzz); err != nil {
			return nil, exit.AsUsage(err)
		}
	}
	if err := r.tellDerived(loaded); err != nil {
		return nil, err
	}
	b := &built{loaded: loaded, usesContext: loaded.UsesContext}
	if !r.anyTests {
		b.values = values.Find(loaded)
		if err := b.registerDerived(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// tellDerived names the fuzz tests that are derived.
func (r *runner) tellDerived(loaded *load.Result) error {
	for _, d := range loaded.Derived {
		if !slices.ContainsFunc(loaded.Test.Fuzz, func(t instrument.FuzzTest) bool { return t.Name == d.Name }) {
			continue // -fuzz chose others
		}
		if r.opts.Engine == EngineNative {
			return exit.Errorf(exit.Usage, "%s: %s is derived for %s and stands in no file, where Go's own engine would have to find it: write it with -write-test, or use -engine guided",
				d.Place, d.Name, d.Function)
		}
		r.phase(loaded.Test.ImportPath, "%s is derived for %s (%s); -write-test writes it", d.Name, d.Function, d.Place)
	}
	return nil
}

// loadAsBefore loads a package once more if golden values name other packages to
// mutate than it was loaded with, or tried to be.
func (r *runner) loadAsBefore(ctx context.Context, cfg load.Config, loaded *load.Result, err error) (*load.Result, error) {
	look := loaded
	var lerr *load.Error
	if errors.As(err, &lerr) && lerr.Kind == load.KindNothingToMutate {
		cfg.TestOnly = true
		if look, _ = load.Load(ctx, cfg); look == nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	packages, perr := r.goldenPackages(look)
	switch {
	case perr != nil:
		return nil, perr
	case packages == nil || err == nil && slices.Equal(packages, loaded.Mutate):
		return loaded, err
	}
	cfg.TestOnly, cfg.Mutate = false, packages
	return load.Load(ctx, cfg)
}

// overlayConfig is what rewriting and building need.
func (r *runner) overlayConfig(b *built) (overlay.Config, error) {
	spec := r.opts.Operators
	if spec == "" {
		spec = defaultOperators
	}
	ops, err := operator.ByNames(spec)
	if err != nil {
		return overlay.Config{}, exit.Errorf(exit.Usage, "-operators: %w", err)
	}
	if r.unmutated {
		ops = nil
	}
	log := r.opts.Log
	if log == nil {
		log = io.Discard
	}
	dir := filepath.Join(r.workDir, strings.NewReplacer("/", "_", ":", "_").Replace(b.loaded.Test.ImportPath))
	return overlay.Config{
		Loaded: b.loaded, Operators: ops, WorkDir: dir, Output: filepath.Join(dir, "test.bin"),
		Generated: r.opts.Generated, Native: r.opts.Engine == EngineNative, Log: log,
	}, nil
}

// rewrite enumerates the mutants without building anything.
func (r *runner) rewrite(ctx context.Context, b *built) (*instrument.Program, error) {
	cfg, err := r.overlayConfig(b)
	if err != nil {
		return nil, err
	}
	p, err := overlay.Rewrite(ctx, cfg)
	return p, exit.AsUsage(err)
}

// build builds the one test binary that holds every mutant.
func (r *runner) build(ctx context.Context, b *built) error {
	cfg, err := r.overlayConfig(b)
	if err != nil {
		return err
	}
	pkg := b.loaded.Test.ImportPath
	r.phase(pkg, "rewriting and building the test binary")
	if b.program, err = overlay.Build(ctx, cfg); err != nil {
		return exit.AsUsage(err)
	}
	b.binary, b.overlay = cfg.Output, cfg
	r.warnBuild(b.program)
	for _, m := range b.program.Mutants {
		if m.Status == instrument.StatusLive {
			b.live++
		}
	}
	r.phase(pkg, "%s", describeProgram(b))
	return nil
}

// warnBuild tells what the user should know of a build. The sessions of its fuzz tests
// have it in their results, too.
func (r *runner) warnBuild(p *instrument.Program) {
	for _, w := range p.Warnings {
		r.warn("%s: %s", p.Test.ImportPath, w)
	}
}

func describeProgram(b *built) string {
	mutated := 0
	for _, p := range b.program.Packages {
		if p.Mutated {
			mutated++
		}
	}
	return fmt.Sprintf("%s in %s of %s, %s to cover", report.Plural(b.live, "mutant"),
		report.Plural(len(b.program.Funcs), "function"), report.Plural(mutated, "package"), report.Plural(len(b.program.Blocks), "block"))
}
