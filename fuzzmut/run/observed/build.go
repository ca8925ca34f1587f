package observed

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// Build builds the fuzz tests of a package with calls that show what they return, and no
// mutants.
func Build(ctx context.Context, p *project.Project, loaded *load.Result) (*project.Package, error) {
	b := &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}
	err := b.RegisterDerived()
	if err != nil {
		return nil, err
	}
	if b.Overlay, err = p.OverlayConfig(b); err != nil {
		return nil, err
	}
	b.Overlay.Observe, b.Overlay.Keep = true, true
	p.Phase(loaded.Test.ImportPath, "building the observed fuzz tests")
	if b.Program, err = overlay.Build(ctx, b.Overlay); err != nil {
		return nil, exit.AsUsage(err)
	}
	b.Binary = b.Overlay.Output
	p.WarnBuild(b.Program)
	return b, nil
}

// Select says which packages the golden values of the chosen fuzz tests are of: those that
// the golden files name, unless the user has chosen others.
func Select(p *project.Project, loaded *load.Result) error {
	if len(p.Options.Mutate) > 0 {
		return nil
	}
	err := project.ObserveGolden(p, loaded)
	if err == nil && loaded.Golden != nil {
		loaded.Observe = loaded.Golden
	}
	return err
}
