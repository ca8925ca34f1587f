package project

import (
	"slices"

	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// ObserveGolden finds out which packages golden values are of: those that the golden
// files name, whatever is mutated. They are observed, too. If no file names any, they are
// the packages that are observed: unless Options.Mutate names some, the package under
// test, and those of its module that the fuzz tests call.
func ObserveGolden(p *Project, loaded *load.Result) error {
	if len(p.Options.Mutate) == 0 {
		loaded.Observe = observe.Called(loaded)
	}
	packages, err := goldenPackages(p, loaded)
	if packages != nil {
		loaded.Golden = packages
		loaded.Observe = slices.Compact(slices.Sorted(slices.Values(slices.Concat(loaded.Observe, packages))))
	}
	return err
}

// goldenPackages are the packages that the golden files name, sorted, nil if there are
// none. An error says that they do not all name the same.
func goldenPackages(p *Project, loaded *load.Result) ([]string, error) {
	packages, from := "", ""
	for _, test := range loaded.Test.Fuzz {
		values, err := store.Read(store.Path(p.Home(&loaded.Test, &test), test.Name))
		switch {
		case err != nil:
			return nil, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
		case values.Packages == "":
		case from != "" && values.Packages != packages:
			return nil, exit.Errorf(exit.Usage, "%s has golden values of %s, and %s of %s: choose the packages with -mutate, and rewrite the golden values with -update",
				from, packages, values.Path, values.Packages)
		default:
			packages, from = values.Packages, values.Path
		}
	}
	if packages == "" {
		return nil, nil
	}
	return loaded.ParseObserved(packages), nil
}
