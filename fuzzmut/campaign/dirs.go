package campaign

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

func testdataDir(pkgDir, fuzz string) string { return corpus.TestdataDir(pkgDir, fuzz) }

// home is the directory whose testdata directory has what belongs to a fuzz test: that
// of the package, or for one that was derived, as long as it is not written, one in
// Go's fuzz cache.
func (r *runner) home(pkg *instrument.TestPackage, test *instrument.FuzzTest) string {
	if test.Target != "" {
		if dir, err := corpus.DerivedDir(r.gocache, pkg.ImportPath); err == nil {
			return dir
		}
	}
	return pkg.Dir
}

// corpusDir is where the resulting entries of a fuzz test go.
func (r *runner) corpusDir(b *built, test *instrument.FuzzTest) string {
	fuzz := test.Name
	if r.opts.CorpusDir == "" {
		return testdataDir(r.home(&b.program.Test, test), fuzz)
	}
	dir := r.opts.CorpusDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	if len(r.packages) > 1 || len(b.program.Test.Fuzz) > 1 {
		dir = filepath.Join(dir, fuzz)
	}
	return dir
}

// goldenPackages are the packages that the golden files name, nil if there are none
// or others were asked for.
func (r *runner) goldenPackages(loaded *load.Result) ([]string, error) {
	if len(r.opts.Mutate) > 0 {
		return nil, nil
	}
	packages, from := "", ""
	for _, test := range loaded.Test.Fuzz {
		dir := store.Dir(r.home(&loaded.Test, &test), test.Name)
		files, _, err := store.Read(dir)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			path, found := filepath.Join(dir, name), files[name].Packages
			if from != "" && found != packages {
				return nil, exit.Errorf(exit.Usage, "%s holds golden values of %s, and %s of %s: say with -mutate whose calls are to be observed, and write them anew with -update",
					from, packages, path, found)
			}
			packages, from = found, path
		}
	}
	if packages == "" {
		return nil, nil
	}
	return loaded.ParseObserved(packages), nil
}
