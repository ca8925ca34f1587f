package main

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

// suggest finds tests for mutants that the unit tests miss.
func (t *tool) suggest(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*suggestion.Report, error) {
		opts := f.suggest
		opts.Options = f.opts
		opts.Changed = t.restriction(f)
		return t.jobs.suggest(ctx, opts)
	})
}

// addSuggest adds the flags of the subcommand that finds tests.
func (f *flags) addSuggest() {
	f.addFuzzTimeFor("package")
	f.set.Uint64Var(&f.opts.Seed, "seed", 0, "`number` that determines random choices")
	f.set.BoolVar(&f.suggest.WriteTest, "write-test", false, "write the cases as tests for go test alone")
	f.set.BoolVar(&f.suggest.Oracles, "oracles", false, "look for properties that kill what the unit tests miss, in place of cases")
	f.addDiffBy()
	f.addChosen(&f.suggest.Run, &f.suggest.Skip, &f.suggest.Short)
	f.addLimits()
}
