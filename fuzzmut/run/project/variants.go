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
func BuildMutants(ctx context.Context, r *Project, b *Package, operators string) (*Package, error) {
	if b.repairs != nil || b.repairsErr != nil {
		return b.repairs, b.repairsErr
	}
	cfg, err := r.OverlayConfig(b)
	if err != nil {
		return nil, err
	}
	if cfg.Operators, err = operator.ByNames(operators); err != nil {
		return nil, err
	}
	loaded := *b.Loaded
	loaded.Packages = make([]*load.Package, len(b.Loaded.Packages))
	for i, p := range b.Loaded.Packages {
		own := *p
		loaded.Packages[i] = &own
	}
	MutateModule(&loaded) // whatever is to be killed, a bug may be anywhere
	cfg.Loaded, cfg.Native = &loaded, false
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "triage")
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	t := &Package{Loaded: &loaded, Binary: cfg.Output, Overlay: cfg, UsesContext: b.UsesContext}
	if t.Program, err = overlay.Build(ctx, cfg); err != nil {
		if ctx.Err() == nil {
			b.repairsErr = err
		}
		return nil, err
	}
	if b.Program == nil || !slices.Equal(t.Program.Warnings, b.Program.Warnings) {
		r.WarnBuild(t.Program)
	}
	b.repairs = t
	return t, nil
}

// BuildTests builds the binary that runs the package's own tests, once for all fuzz
// tests of the package. fresh says that it was built by this call.
func BuildTests(ctx context.Context, r *Project, b *Package) (tests *Package, fresh bool, err error) {
	if b.tests != nil {
		return b.tests, false, nil
	}
	cfg, err := r.OverlayConfig(b)
	if err != nil {
		return nil, false, err
	}
	cfg.Tests = true
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "tests")
	cfg.Output = filepath.Join(cfg.WorkDir, "tests.bin")
	r.Phase(b.Program.Test.ImportPath, "building the package's own tests")
	t := &Package{Loaded: b.Loaded, Binary: cfg.Output}
	if t.Program, err = overlay.Build(ctx, cfg); err != nil {
		return nil, false, err
	}
	b.tests = t
	return t, true, nil
}
