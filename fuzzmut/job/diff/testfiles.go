package diff

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// testFiles are the test files of a package that both sides are built with. Those of one tree
// may use what the code of the other does not have.
type testFiles int

const (
	testsOfNew testFiles = iota
	testsOfOld
	testsOfBoth // those in which the trees do not differ
	noTests     // derived fuzz tests need none
)

// use changes how a side is loaded.
func (t testFiles) use(cfg *load.Config, pair *versions.Pair) {
	var overlay map[string][]byte
	switch t {
	case testsOfNew:
		return
	case testsOfOld:
		overlay = pair.OldTests
	case testsOfBoth:
		overlay = pair.NoTests()
	case noTests:
		cfg.Blank = func([]byte) bool { return true }
		return
	}
	cfg.Overlay = maps.Clone(cfg.Overlay)
	if cfg.Overlay == nil {
		cfg.Overlay = make(map[string][]byte)
	}
	maps.Copy(cfg.Overlay, overlay)
}

// loadBoth loads both sides of a package. If they do not compile with the tests of the new
// tree, others are tried.
func (j *job) loadBoth(ctx context.Context, pkg string) ([2]*load.Result, error) {
	loaded, err := j.loadSides(ctx, pkg)
	var bad *problem.Error
	if _, chosen := j.tests[pkg]; chosen || !errors.As(err, &bad) {
		return loaded, err
	}
	if j.isNew(ctx, pkg) {
		return loaded, &problem.Error{Kind: problem.KindNothingToMutate, Msg: "the package is new"}
	}
	if bad.Kind != problem.KindBroken || len(j.pair.OldTests) == 0 {
		return loaded, err
	}
	if j.tests == nil {
		j.tests = make(map[string]testFiles)
	}
	for t := testsOfOld; t <= noTests; t++ {
		j.tests[pkg] = t
		other, otherErr := j.loadSides(ctx, pkg)
		if ctx.Err() != nil {
			break
		}
		if otherErr != nil {
			err = otherErr // in the end that of the code alone
			continue
		}
		if before, after := j.pair.Old.Name, j.pair.New.Name; t == testsOfOld {
			j.warn("the tests of %s do not compile with the code of %s: those of %[2]s are used", after, before)
		} else {
			left := "those that differ are left out"
			if t == noTests {
				left = "no test file is used"
			}
			why, _, _ := strings.Cut(bad.Msg, "; ") // what has to be done about it does not hold here
			j.warn("the tests of %s do not compile with the code of %s, nor the other way round: %s (%s)", after, before, left, why)
		}
		return other, nil
	}
	delete(j.tests, pkg)
	return loaded, err
}

// isNew says whether the old tree has no code of a package. Most packages that are asked for are
// not: they are not loaded.
func (j *job) isNew(ctx context.Context, pkg string) bool {
	if !slices.ContainsFunc(j.pair.Files, func(f versions.File) bool {
		return f.Old == nil && strings.HasSuffix("/"+pkg, "/"+path.Dir(f.Name))
	}) {
		return false
	}
	loaded, err := load.Load(ctx, j.loadConfig(after, pkg))
	if err != nil {
		return false
	}
	added := make(map[string]bool)
	for i := range j.pair.Files {
		if f := &j.pair.Files[i]; f.Old == nil {
			added[f.Path] = true
		}
	}
	for _, f := range loaded.Packages[0].Files {
		if !added[f.Path] {
			return false
		}
	}
	return len(loaded.Packages[0].Cgo) == 0
}

// loadSides loads both sides of a package, at the same time.
func (j *job) loadSides(ctx context.Context, pkg string) (loaded [2]*load.Result, err error) {
	for i := range j.forTests {
		if j.forTests[i] == nil {
			j.forTests[i] = make(map[string]bool)
		}
	}
	g, gctx := panics.NewGroup(ctx)
	for i := range loaded {
		g.Go(func() (err error) {
			cfg := j.loadConfig(i, pkg)
			cfg.LeftOut = func(dir string) { j.forTests[i][dir] = true }
			loaded[i], err = load.Load(gctx, cfg)
			return err
		})
	}
	return loaded, g.Wait()
}
