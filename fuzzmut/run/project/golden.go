package project

import (
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// GoldenPackages are the packages that the golden files name, nil if there are none
// or others were asked for.
func GoldenPackages(p *Project, loaded *load.Result) ([]string, error) {
	if len(p.Options.Mutate) > 0 {
		return nil, nil
	}
	packages, from := "", ""
	for _, test := range loaded.Test.Fuzz {
		values, err := store.Read(store.Path(p.Home(&loaded.Test, &test), test.Name))
		switch {
		case err != nil:
			return nil, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
		case values.Packages == "":
		case from != "" && values.Packages != packages:
			return nil, exit.Errorf(exit.Usage, "%s holds golden values of %s, and %s of %s: say with -mutate whose calls are to be observed, and write them anew with -update",
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
