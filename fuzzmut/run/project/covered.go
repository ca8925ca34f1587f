package project

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/tyche"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Covers notes the resulting corpus of a fuzz test, for the coverage profile. failing says of
// the entry with an index that the fuzz test does not pass on it.
func (p *Project) Covers(pkg *Package, test *instrument.FuzzTest, entries []corpus.Entry, failing func(int) bool) {
	if p.Options.CoverProfile != "" || p.Options.Covered {
		p.covered.Add(pkg.Loaded, test.Name, entries, failing)
	}
}

// cover writes the coverage profile and enters it into the result, as far as that is asked for.
// failed is what the fuzz tests came to: what was interrupted has none.
func (p *Project) cover(ctx context.Context, failed error, rep *report.Report) error {
	path := p.Options.CoverProfile
	switch {
	case path == "" && !p.Options.Covered:
		return nil
	case ctx.Err() != nil || exit.CodeOf(failed) == exit.Internal:
		if path != "" {
			p.Warn("%s is not written: the run was not completed", path)
		}
		return nil
	}
	p.Phase("", "go test makes the coverage profile, without mutants")
	made, warnings, err := p.covered.Profile(ctx, covered.Options{WorkDir: p.WorkDir, Mutated: len(p.Options.Mutate) > 0})
	for _, w := range warnings {
		p.Warn("%s", w)
	}
	switch {
	case err == nil && p.Options.Covered:
		rep.Covered = made.Report()
	case err != nil && path == "" && ctx.Err() == nil:
		p.Warn("the result does not show what is covered: %v", err)
		return nil
	case err != nil:
		return exit.AsInterrupted(ctx, exit.Errorf(exit.CodeOf(err), "-coverprofile: %w", err))
	}
	if path == "" {
		return nil
	}
	return made.Save(path)
}

// shown are cases for Options.Tyche, and the corpora of fuzz tests whose inputs are values.
type shown struct {
	cases  []tyche.Case
	values covered.Corpora
}

// Shows notes what became of the entries of a fuzz test, for Options.Tyche: they replace those of
// before. asValues says that they stand for values, which are found at the end.
func (p *Project) Shows(pkg *Package, test *instrument.FuzzTest, entries []corpus.Entry, cases []tyche.Case, asValues bool) {
	property := pkg.Loaded.Test.ImportPath + "." + test.Name
	p.shown.cases = append(slices.DeleteFunc(p.shown.cases, func(c tyche.Case) bool { return c.Property == property }), cases...)
	if asValues {
		p.shown.values.Add(pkg.Loaded, test.Name, entries, func(i int) bool { return cases[i].Status == tyche.Failed })
	}
}

// writeShown writes the file of Options.Tyche.
func (p *Project) writeShown(ctx context.Context, failed error) error {
	switch path := p.Options.Tyche; {
	case path == "":
		return nil
	case ctx.Err() != nil || exit.CodeOf(failed) == exit.Internal:
		p.Warn("%s is not written: the run was not completed", path)
		return nil
	}
	values, err := p.shown.values.Values(ctx, p.WorkDir)
	if err != nil {
		return exit.AsInterrupted(ctx, err)
	}
	for i := range p.shown.cases {
		c := &p.shown.cases[i]
		dot := strings.LastIndexByte(c.Property, '.')
		if text := values[c.Property[:dot]][c.Property[dot+1:]+"/"+c.Metadata.Entry]; text != "" {
			c.Representation, c.Arguments = text, map[string]string{"1": text}
		}
	}
	if err := report.Save(p.Options.Tyche, func(w io.Writer) error { return tyche.Write(w, p.shown.cases) }); err != nil {
		return exit.Errorf(exit.Usage, "-tyche: %w", err)
	}
	return nil
}
