package diff

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/samples"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// Numbers of the sides.
const (
	before = iota
	after
)

// sides are both sides of one package under test.
type sides struct {
	pkgs    [2]*project.Package
	changed *changed
	work    lockstep.Measure
	rows    []samples.Row // of the tests of the packages that differ, and of the one under test

	covered [2][]bool // blocks that entries of any fuzz test cover
	killed  []bool    // mutants of the new code, likewise, by number
	// untraced says that the one input that is compared fails on a side: what it covers there is not known.
	untraced bool
	// unmeasured says that not all fuzz tests got to the end of that.
	unmeasured bool
	// fresh are the fuzz tests that other sides of the package do not have: see deriveMore.
	fresh []instrument.FuzzTest
}

// take adds what inputs of other sides of the same code have covered and killed.
func (s *sides) take(o *sides) {
	union := func(to, from []bool) {
		for i := range min(len(to), len(from)) {
			to[i] = to[i] || from[i]
		}
	}
	for i := range s.covered {
		union(s.covered[i], o.covered[i])
	}
	union(s.killed, o.killed)
	s.unmeasured = s.unmeasured || o.unmeasured
}

// side returns a side of the pair.
func (j *job) side(i int) *versions.Side {
	if i == before {
		return &j.pair.Old
	}
	return &j.pair.New
}

// loadConfig says how a side of a package is loaded.
func (j *job) loadConfig(i int, pkg string) load.Config {
	s := j.side(i)
	cfg := j.project.LoadConfig(pkg)
	cfg.AnyTests, cfg.Derive, cfg.Targets = true, !j.opts.NoDerive, j.targets[pkg]
	cfg.Dir, cfg.Env, cfg.BuildFlags, cfg.Overlay = s.Dir, s.Env, s.BuildFlags, s.Overlay
	j.tests[pkg].use(&cfg, j.pair)
	cfg.MutateDirs, cfg.CodeDirs = j.dirs(i), j.dependencyDirs(i)
	if i == before {
		cfg.Note = nil // the other side says the same
	}
	return cfg
}

// dirs lists the directories of the packages that differ, as a side knows them.
func (j *job) dirs(i int) []string {
	return j.dirsOf(i, func(*versions.File) bool { return true })
}

// dependencyDirs lists those of them that are of dependencies which nobody has asked for: what
// only tests need of these is no part of the change.
func (j *job) dependencyDirs(i int) []string {
	return j.dirsOf(i, func(f *versions.File) bool { return f.Dependency != "" && len(j.opts.With) == 0 })
}

// dirsOf lists the directories of the files that are wanted, as a side knows them.
func (j *job) dirsOf(i int, wanted func(*versions.File) bool) []string {
	set := make(map[string]bool)
	for k := range j.pair.Files {
		f := &j.pair.Files[k]
		if !wanted(f) {
			continue
		}
		if i == before {
			set[filepath.Dir(f.OldPath)] = true
		} else {
			set[filepath.Dir(f.Path)] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// load loads both sides of a package, with fuzz tests derived for changed functions that
// no other reaches.
func (j *job) load(ctx context.Context, pkg string) (*sides, error) {
	loaded, err := j.loadBoth(ctx, pkg)
	if err != nil {
		return nil, err
	}
	if !j.opts.NoDerive {
		more, err := j.derive(pkg, loaded, newChanged(j.pair, loaded))
		if err != nil {
			return nil, exit.Errorf(exit.Internal, "%w", err)
		}
		if more {
			if loaded, err = j.loadDerived(ctx, pkg, loaded); err != nil {
				return nil, err
			}
		}
	}
	if len(loaded[after].Test.Fuzz) == 0 && !j.opts.NoDerive && !j.unfit {
		j.oneSided = true
		return nil, &problem.Error{Kind: problem.KindNothingToMutate, Msg: "no function that both sides have is changed, or uses what is"}
	}
	s, err := j.sidesOf(loaded)
	var bad *problem.Error
	if errors.As(err, &bad) && bad.Kind == problem.KindNoFuzzMatch && !j.opts.NoDerive {
		// It may be one that an earlier run has derived since no input reached a function.
		c := newChanged(j.pair, loaded)
		again, more, missErr := j.loadMissed(ctx, pkg, loaded, c, c.holds(after), places(nil).holds, places(nil).holds)
		if missErr == nil && more {
			return j.sidesOf(again)
		}
	}
	return s, err
}

// sidesOf are both sides of a package that was loaded.
func (j *job) sidesOf(loaded [2]*load.Result) (*sides, error) {
	if len(loaded[after].Test.Fuzz) == 0 {
		return nil, &problem.Error{Kind: problem.KindNoFuzzTests, Msg: "there is no fuzz test, and none was derived"}
	}
	if len(loaded[before].Test.Fuzz) == 0 {
		return nil, &problem.Error{Kind: problem.KindNoFuzzTests, Msg: "there is no fuzz test for both sides: what " +
			loaded[after].Test.Fuzz[0].Name + " is derived for is marked //fuzzmut:target in new code alone"}
	}
	s := new(sides)
	for i, l := range loaded {
		if err := l.Select(j.opts.Fuzz); err != nil {
			return nil, err
		}
		b := &project.Package{Loaded: l, UsesContext: l.UsesContext, ValueTypes: values.Find(l)}
		if err := b.RegisterDerived(); err != nil {
			return nil, err
		}
		s.pkgs[i] = b
	}
	observe := s.observed()
	for _, l := range loaded {
		l.Observe, l.Golden = observe, nil
	}
	hideMembers(loaded)
	j.tellDerived(loaded[after])
	s.changed = newChanged(j.pair, loaded)
	s.rows = j.rows(loaded)
	return s, nil
}

// rows are what the tests of the packages that differ, and those of the package under test,
// hold.
func (j *job) rows(loaded [2]*load.Result) []samples.Row {
	var rows [2][]samples.Row
	for i, l := range loaded {
		dirs := slices.DeleteFunc(j.dirs(i), func(dir string) bool {
			rewritten := func(p *load.Package) bool { return p.Mutated && p.Dir == dir }
			return j.forTests[i][dir] && !slices.ContainsFunc(l.Packages, rewritten)
		})
		if dir := l.Test.Dir; !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		overlay := j.side(i).Overlay
		if i == before {
			overlay = maps.Clone(overlay)
			if overlay == nil {
				overlay = make(map[string][]byte)
			}
			maps.Copy(overlay, j.pair.OldTests)
		}
		rows[i] = samples.Of(dirs, overlay)
	}
	return samples.NewFirst(rows[after], rows[before])
}

// loadDerived loads both sides of a package again, with derived fuzz tests. If these do not
// compile, the sides stay as they are: a fault of fuzzmut must not keep others from being
// compared.
func (j *job) loadDerived(ctx context.Context, pkg string, without [2]*load.Result) ([2]*load.Result, error) {
	loaded, err := j.loadBoth(ctx, pkg)
	var bad *problem.Error
	if errors.As(err, &bad) && bad.Kind == problem.KindBroken {
		for _, t := range j.targets[pkg] {
			j.leaveOut(t.Function, "its derived fuzz test does not compile, please report it: "+bad.Error())
		}
		delete(j.targets, pkg)
		return without, nil
	}
	return loaded, err
}

// observed lists the packages whose calls are compared: all that are rewritten on either
// side.
func (s *sides) observed() []string {
	set := make(map[string]bool)
	for _, b := range s.pkgs {
		for _, p := range b.Loaded.Packages {
			set[p.ImportPath] = true
		}
		for _, path := range b.Loaded.Observe {
			set[path] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// build builds both sides, at the same time.
func (j *job) build(ctx context.Context, s *sides) error {
	pkg := s.pkgs[after].Loaded.Test.ImportPath
	j.project.Phase(pkg, "building old and new code: %s", describeFunctions(s.changed))
	g, gctx := panics.NewGroup(ctx)
	for i, b := range s.pkgs {
		g.Go(func() error {
			cfg, err := j.project.OverlayConfigIn(b, [...]string{"old", "new"}[i])
			if err != nil {
				return err
			}
			cfg.Changed, cfg.Keep = s.changed.holds(i), true
			if b.Program, err = overlay.Build(gctx, cfg); err != nil {
				return sideError(j.side(i), err)
			}
			b.Binary, b.Overlay = cfg.Output, cfg
			s.covered[i] = make([]bool, len(b.Program.Blocks))
			if i == after {
				s.killed = make([]bool, len(b.Program.Mutants)+1)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	s.work = j.measure(s)
	return nil
}

// sideError says which side an error is about.
func sideError(s *versions.Side, err error) error {
	var bad *problem.Error
	if errors.As(err, &bad) {
		return exit.Errorf(exit.Usage, "%s: %w", s.Name, err)
	}
	return err
}
