package campaign

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// mutateModule has all packages of the module mutated that the fuzz tests need: a
// bug may be in any of them.
func mutateModule(loaded *load.Result) {
	for _, p := range loaded.Packages {
		if p.ModulePath == loaded.Test.ModulePath && len(p.Files) > 0 {
			p.Mutated = true
		}
	}
}

// buildTriage builds the binary whose mutants are those that triage tries, once for all
// fuzz tests of the package. An error is final unless ctx is done.
func (r *runner) buildMutants(ctx context.Context, b *built, operators string) (*built, error) {
	if b.triage != nil || b.triageErr != nil {
		return b.triage, b.triageErr
	}
	cfg, err := r.overlayConfig(b)
	if err != nil {
		return nil, err
	}
	if cfg.Operators, err = operator.ByNames(operators); err != nil {
		return nil, err
	}
	loaded := *b.loaded
	loaded.Packages = make([]*load.Package, len(b.loaded.Packages))
	for i, p := range b.loaded.Packages {
		own := *p
		loaded.Packages[i] = &own
	}
	mutateModule(&loaded) // whatever is to be killed, a bug may be anywhere
	cfg.Loaded, cfg.Native = &loaded, false
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "triage")
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	t := &built{loaded: &loaded, binary: cfg.Output, overlay: cfg, usesContext: b.usesContext}
	if t.program, err = overlay.Build(ctx, cfg); err != nil {
		if ctx.Err() == nil {
			b.triageErr = err
		}
		return nil, err
	}
	if b.program == nil || !slices.Equal(t.program.Warnings, b.program.Warnings) {
		r.warnBuild(t.program)
	}
	b.triage = t
	return t, nil
}

// buildTests builds the binary that runs the package's own tests, once for all fuzz
// tests of the package. fresh says that it was built by this call.
func (r *runner) buildTests(ctx context.Context, b *built) (tests *built, fresh bool, err error) {
	if b.tests != nil {
		return b.tests, false, nil
	}
	cfg, err := r.overlayConfig(b)
	if err != nil {
		return nil, false, err
	}
	cfg.Tests = true
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "tests")
	cfg.Output = filepath.Join(cfg.WorkDir, "tests.bin")
	r.phase(b.program.Test.ImportPath, "building the package's own tests")
	t := &built{loaded: b.loaded, binary: cfg.Output}
	if t.program, err = overlay.Build(ctx, cfg); err != nil {
		return nil, false, err
	}
	b.tests = t
	return t, true, nil
}
