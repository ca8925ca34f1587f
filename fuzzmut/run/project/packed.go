package project

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/packed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/samples"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// errPacked says what can't be done with a test binary of Options.Packed.
var errPacked = errors.New("the test binary has come without its source")

// Tokens are those of the rewritten packages, for new inputs.
func (pkg *Package) Tokens() [][]byte {
	if pkg.facts != nil {
		return pkg.facts.Tokens
	}
	return dictionary.OfCode(pkg.Loaded)
}

// Samples are likely inputs that stand in the tests and in the testdata of the package under
// test, and of those that are rewritten.
func (pkg *Package) Samples() []samples.Row {
	if pkg.facts != nil {
		return pkg.facts.Samples
	}
	dirs := []string{pkg.Loaded.Test.Dir}
	for _, p := range pkg.Loaded.Packages {
		if !slices.Contains(dirs, p.Dir) {
			dirs = append(dirs, p.Dir)
		}
	}
	return samples.Of(dirs, nil)
}

// CostBounds are the directives that say how a cost may grow.
func (pkg *Package) CostBounds() []load.CostBound {
	if pkg.facts != nil {
		return pkg.facts.Bounds
	}
	return pkg.Loaded.CostBounds()
}

// Packed reports whether the test binary has come without its source.
func (pkg *Package) Packed() bool { return pkg.facts != nil }

// pack writes the file of Options.Pack for a package that is built. What has no name without the
// binary is left out: it depends on the machine.
func (p *Project) pack(ctx context.Context, pkg *Package) error {
	path := pkg.Program.Test.ImportPath
	if pkg.Program.Code == "" {
		p.Note(path, "-pack: no file for %s: what is compiled depends on more than Go source", path)
		return nil
	}
	platform, err := p.platform(ctx)
	if err != nil {
		return err
	}
	file := filepath.Join(p.Options.Pack, pkg.Program.Code+".zip")
	if err := packed.Write(file, p.factsOf(pkg), pkg.Binary, platform); err != nil {
		return exit.Errorf(exit.Usage, "-pack %s: %s: %w", p.Options.Pack, path, err)
	}
	p.Note(path, "wrote %s", file)
	return nil
}

// platform is what the go command builds for.
func (p *Project) platform(ctx context.Context) (string, error) {
	system, err := p.goEnv(ctx, "GOOS")
	if err != nil {
		return "", err
	}
	processor, err := p.goEnv(ctx, "GOARCH")
	return system + "/" + processor, err
}

// factsOf is what a search needs of the source of a package.
func (p *Project) factsOf(pkg *Package) *packed.Facts {
	o := &p.Options
	f := &packed.Facts{
		Program: pkg.Program, UsesContext: pkg.UsesContext, Tokens: pkg.Tokens(), Samples: pkg.Samples(), Bounds: pkg.CostBounds(), Constants: pkg.Constants(),
		Places: make(map[string]token.Position),
		Settings: packed.Settings{
			Filter: o.Filter, Dict: o.Dict, Inputs: o.Inputs, Cost: o.Cost, CostFails: o.CostFails, Oracles: o.Oracles.String(), NoStudy: o.NoStudy,
			Timeout: o.Timeout, Timeouts: o.Timeouts, MemLimit: o.MemLimit, UntilTime: o.Until.Duration, UntilExecs: o.Until.Execs, UntilNews: o.Until.News,
		},
	}
	for _, d := range pkg.Loaded.Derived {
		f.Places[d.Name] = d.At
	}
	return f
}

// openPacked opens the file of Options.Packed in place of packages: the settings are those of the
// run that has packed it.
func (p *Project) openPacked() error {
	dir := filepath.Join(p.WorkDir, "packed")
	facts, binary, err := packed.Open(p.Options.Packed, dir, runtime.GOOS+"/"+runtime.GOARCH)
	if err != nil {
		return exit.Errorf(exit.Usage, "-packed: %w", err)
	}
	o, s := &p.Options, &facts.Settings
	o.Filter, o.Dict, o.Inputs, o.Cost, o.CostFails, o.NoStudy, o.NoGolden = s.Filter, s.Dict, s.Inputs, s.Cost, s.CostFails, s.NoStudy, true
	o.Timeout, o.Timeouts, o.MemLimit = s.Timeout, s.Timeouts, s.MemLimit
	o.Until = Until{FuzzTime{s.UntilTime, s.UntilExecs}, s.UntilNews}
	if o.CorpusDir == "" {
		o.CorpusDir = filepath.Join(p.WorkDir, "corpus")
	}
	if p.Filter, err = ParseFilter(s.Filter); err == nil && s.Oracles != "" {
		o.Oracles, err = ParseOracles(s.Oracles)
	}
	if err == nil {
		err = choose(&facts.Program.Test, o.Fuzz)
	}
	if err != nil {
		return exit.Errorf(exit.Usage, "-packed: %s: %w", o.Packed, err)
	}
	p.GoCache, p.Packages = filepath.Join(p.WorkDir, "cache"), []string{facts.Program.Test.ImportPath}
	p.packed = packedPackage(facts, binary)
	return nil
}

// choose leaves the fuzz tests that match a pattern.
func choose(test *instrument.TestPackage, pattern string) error {
	kept, err := load.Matching(test.Fuzz, pattern)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return fmt.Errorf("no fuzz test matches -fuzz %s; it has %s", pattern, test.Fuzz[0].Name)
	}
	test.Fuzz = kept
	return nil
}

// packedPackage is a package without its source.
func packedPackage(facts *packed.Facts, binary string) *Package {
	test := facts.Program.Test
	pkg := &Package{facts: facts, Program: facts.Program, Binary: binary, UsesContext: facts.UsesContext, Loaded: &load.Result{Test: test, UsesContext: facts.UsesContext}}
	for _, f := range test.Fuzz {
		if at, ok := facts.Places[f.Name]; ok {
			pkg.Loaded.Derived = append(pkg.Loaded.Derived, load.Derived{Test: &target.Test{Name: f.Name}, At: at})
		}
	}
	for _, m := range pkg.Program.Mutants {
		if m.Status == instrument.StatusLive {
			pkg.Live++
		}
	}
	return pkg
}

// checkPack says of options that a packed test binary has no place for, before anything is built.
func checkPack(o *Options) error {
	switch {
	case o.Pack == "":
		return nil
	case o.Accepted != "" || o.Known != "":
		return exit.Errorf(exit.Usage, "-pack: a file of -baseline or -known is not packed; leave it out")
	case o.Engine == EngineNative:
		return exit.Errorf(exit.Usage, "-pack needs the guided engine; leave out -engine native")
	}
	return os.MkdirAll(o.Pack, 0o777)
}
