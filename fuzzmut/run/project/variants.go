package project

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// MutateModule has all packages of the module mutated that the fuzz tests need: a
// bug may be in any of them.
func MutateModule(loaded *load.Result) {
	for _, p := range loaded.Packages {
		if p.ModulePath == loaded.Test.ModulePath && len(p.Files) > 0 {
			p.Mutated = true
		}
	}
}

// buildTriage builds the binary whose mutants are those that triage tries, once for all
// fuzz tests of the package. An error is final unless ctx is done.
func BuildMutants(ctx context.Context, r *Project, pkg *Package, operators string) (*Package, error) {
	if pkg.repairs != nil || pkg.repairsErr != nil {
		return pkg.repairs, pkg.repairsErr
	}
	if pkg.facts != nil {
		return nil, errPacked
	}
	cfg, err := r.OverlayConfig(pkg)
	if err != nil {
		return nil, err
	}
	if cfg.Operators, err = operator.ByNames(operators); err != nil {
		return nil, err
	}
	loaded := pkg.Loaded.Clone()
	MutateModule(loaded) // whatever is to be killed, a bug may be anywhere
	cfg.Loaded, cfg.Native = loaded, false
	cfg.Everything, cfg.Keep = true, true // what is logged may panic
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "triage")
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	t := &Package{Loaded: loaded, Binary: cfg.Output, Overlay: cfg, UsesContext: pkg.UsesContext}
	if t.Program, err = overlay.Build(ctx, cfg); err != nil {
		if ctx.Err() == nil {
			pkg.repairsErr = err
		}
		return nil, err
	}
	if pkg.Program == nil || !slices.Equal(t.Program.Warnings, pkg.Program.Warnings) {
		r.WarnBuild(t.Program)
	}
	pkg.repairs = t
	return t, nil
}

// BuildTests builds the binary that runs the package's own tests, once for all fuzz
// tests of the package. fresh says that it was built by this call.
func BuildTests(ctx context.Context, p *Project, pkg *Package) (tests *Package, fresh bool, err error) {
	if pkg.tests != nil {
		return pkg.tests, false, nil
	}
	if pkg.facts != nil {
		return nil, false, errPacked
	}
	cfg, err := p.OverlayConfig(pkg)
	if err != nil {
		return nil, false, err
	}
	cfg.Tests, cfg.Keep = true, true
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "tests")
	cfg.Output = filepath.Join(cfg.WorkDir, "tests.bin")
	p.Phase(pkg.Program.Test.ImportPath, "building the package's own tests")
	t := &Package{Loaded: pkg.Loaded, Binary: cfg.Output}
	if t.Program, err = overlay.Build(ctx, cfg); err != nil {
		return nil, false, err
	}
	pkg.tests = t
	return t, true, nil
}
