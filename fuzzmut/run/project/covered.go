package project

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Covers notes the resulting corpus of a fuzz test, for the coverage profile. failing says of
// the entry with an index that the fuzz test does not pass on it.
func (p *Project) Covers(pkg *Package, test *instrument.FuzzTest, entries []corpus.Entry, failing func(int) bool) {
	if p.Options.CoverProfile != "" {
		p.covered.Add(pkg.Loaded, test.Name, entries, failing)
	}
}

// writeCovered writes the coverage profile, if one is asked for. failed is what the fuzz tests
// came to: what was interrupted has none.
func (p *Project) writeCovered(ctx context.Context, failed error) error {
	switch path := p.Options.CoverProfile; {
	case path == "":
		return nil
	case ctx.Err() != nil || exit.CodeOf(failed) == exit.Internal:
		p.Warn("%s is not written: the run was not completed", path)
		return nil
	}
	p.Phase("", "go test makes the coverage profile, without mutants")
	warnings, err := p.covered.Write(ctx, covered.Options{Path: p.Options.CoverProfile, WorkDir: p.WorkDir, Mutated: len(p.Options.Mutate) > 0})
	for _, w := range warnings {
		p.Warn("%s", w)
	}
	return exit.AsInterrupted(ctx, err)
}
