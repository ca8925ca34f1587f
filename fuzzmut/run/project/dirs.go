package project

import (
	"context"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Home is the directory whose testdata directory has what belongs to a fuzz test: that
// of the package, or for one that was derived, as long as it is not written, one in
// Go's fuzz cache.
func (p *Project) Home(pkg *instrument.TestPackage, test *instrument.FuzzTest) string {
	if test.Target != "" {
		if dir, err := corpus.DerivedDir(p.GoCache, pkg.ImportPath); err == nil {
			return dir
		}
	}
	return pkg.Dir
}

// CorpusDir is where the resulting entries of a fuzz test go.
func (p *Project) CorpusDir(pkg *Package, test *instrument.FuzzTest) string {
	fuzz := test.Name
	if p.Options.CorpusDir == "" {
		return corpus.TestdataDir(p.Home(&pkg.Program.Test, test), fuzz)
	}
	dir := p.Options.CorpusDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Options.Dir, dir)
	}
	if len(p.Packages) > 1 || len(pkg.Program.Test.Fuzz) > 1 {
		dir = filepath.Join(dir, fuzz)
	}
	return dir
}

// Watch looks at the work tree. The function that it returns says in a sentence which files have changed
// while what happened, but for those that we write; "" if none has, or if git can't tell.
func (p *Project) Watch(ctx context.Context) func(what string) string {
	w := git.NewWatch(ctx, p.Options.Dir, p.Options.Env, p.GoCache, p.WorkDir)
	return func(what string) string { return w.Sentence(ctx, what) }
}
