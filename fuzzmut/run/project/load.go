package project

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

func (p *Project) LoadConfig(pattern string) load.Config {
	return load.Config{
		Dir: p.Options.Dir, Pattern: pattern, Mutate: p.Options.Mutate,
		BuildFlags: p.Options.BuildFlags, Env: p.Options.Env, AnyTests: p.anyTests,
		Derive: !p.anyTests && !p.Options.NoDerive,
		Note:   func(text string) { p.Note("", "%s", text) },
		Tools:  &p.tools,
	}
}

// LoadPhase says that a package is loaded now, where there are others.
func (p *Project) LoadPhase(pkg string) {
	if n := len(p.Packages); n > 1 {
		p.Phase(pkg, "loading package %d of %d", slices.Index(p.Packages, pkg)+1, n)
	}
}

// Load loads one package and selects its fuzz tests.
func (p *Project) Load(ctx context.Context, pkg string) (*Package, error) {
	cfg := p.LoadConfig(pkg)
	p.LoadPhase(pkg)
	if p.Options.WriteTypes {
		if err := writeTypes(ctx, p, cfg); err != nil {
			return nil, err
		}
	}
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, exit.AsUsage(err)
	}
	if !p.anyTests {
		if err := loaded.Select(p.Options.Fuzz); err != nil {
			return nil, exit.AsUsage(err)
		}
	}
	if err := p.tellDerived(loaded); err != nil {
		return nil, err
	}
	if !p.anyTests {
		ObserveGolden(p, loaded) //nolint:errcheck // who writes golden values says what is wrong with a file
	}
	b := &Package{Loaded: loaded, UsesContext: loaded.UsesContext}
	if !p.anyTests {
		b.ValueTypes = values.Find(loaded)
		if err := b.RegisterDerived(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// tellDerived names the fuzz tests that are derived.
func (p *Project) tellDerived(loaded *load.Result) error {
	for _, d := range loaded.Derived {
		if !slices.ContainsFunc(loaded.Test.Fuzz, func(t instrument.FuzzTest) bool { return t.Name == d.Name }) {
			continue // -fuzz chose others
		}
		if p.Options.Engine == EngineNative {
			return exit.Errorf(exit.Usage, "%s: %s is derived for %s and is not in a file, so go test -fuzz can't run it: write it with -write-test, or use -engine guided",
				loaded.Short(d.At), d.Name, d.Function)
		}
		p.Note(loaded.Test.ImportPath, "%s is derived for %s (%s); -write-test writes it", d.Name, d.Function, loaded.Short(d.At))
		if left := d.LeftOut(); left != "" {
			p.Note(loaded.Test.ImportPath, "%s calls %d of %d methods, and leaves out %s", d.Name, len(d.Methods), len(d.Methods)+len(d.Left), left)
		}
	}
	return nil
}
