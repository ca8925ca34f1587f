// Package reach chooses the packages to mutate if nobody has named any: those of the
// module that the seed corpora of the fuzz tests reach. A package that only parses flags
// and calls others has little to mutate itself.
//
// A binary without mutants is built, which counts what the seeds run; what of it stays as
// it is, the build of the mutants finds in Go's build cache. A package that needs no other
// of its module has no choice to make, and costs nothing.
package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// maxMutants bounds the mutants of packages that nobody has named, those of the package
// under test included. With more a run of a minute does not get to most of them.
const maxMutants = 10_000

// shown bounds the packages that are named in the line that says what is mutated.
const shown = 6

// Choose has those of the packages that may be mutated mutated that the seeds reach, and
// the package under test. Where they have too many mutants together, those go first of
// which the seeds run most blocks.
func Choose(ctx context.Context, p *project.Project, pkg *project.Package) error {
	blocks, err := measure(ctx, p, pkg)
	if err != nil {
		return err
	}
	may := pkg.Loaded.MayMutate()
	reached := slices.DeleteFunc(may, func(path string) bool {
		return blocks[path] == 0 && slices.Contains(pkg.Loaded.Candidates, path)
	})
	if len(reached) == 0 {
		return exit.Errorf(exit.Usage, "the seeds of %s reach no code of its module: add seeds that do, or name the packages to mutate with -mutate", pkg.Loaded.Test.ImportPath)
	}
	pkg.Loaded.SetMutated(reached)
	own := pkg.Loaded.Test.ImportPath
	if len(reached) == 1 && reached[0] == own {
		return nil
	}
	program, err := p.Rewrite(ctx, pkg)
	if err != nil {
		return err
	}
	slices.SortFunc(reached, func(a, b string) int {
		return cmp.Or(report.FalseFirst(a != own, b != own), cmp.Compare(blocks[b], blocks[a]), cmp.Compare(a, b))
	})
	chosen, left, n := fit(reached, count(program), maxMutants)
	pkg.Loaded.SetMutated(chosen)
	p.Phase(own, "%s", describe(p, pkg, chosen, left, n))
	return nil
}

// measure runs the seeds, and returns how many blocks of each package they run.
func measure(ctx context.Context, p *project.Project, pkg *project.Package) (map[string]int, error) {
	own := pkg.Loaded.Test.ImportPath
	p.Phase(own, "building without mutants, to see which packages the seeds reach")
	cfg, err := p.OverlayConfig(pkg)
	if err != nil {
		return nil, err
	}
	loaded := pkg.Loaded.Clone()
	loaded.SetMutated(nil)
	cfg.Loaded, cfg.Operators, cfg.Native, cfg.Keep = loaded, nil, false, true
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "reach")
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	b := &project.Package{Loaded: loaded, Overlay: cfg, Binary: cfg.Output, UsesContext: pkg.UsesContext, ValueTypes: pkg.ValueTypes}
	if b.Program, err = overlay.Build(ctx, cfg); err != nil {
		return nil, exit.AsUsage(err)
	}
	run, err := markAll(ctx, p, b)
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int)
	for i, hit := range run {
		if hit {
			counts[b.Program.Blocks[i].Package]++
		}
	}
	return counts, nil
}

// markAll marks what the seeds of all fuzz tests run. A fuzz test that can't be run, as one
// that skips itself, marks nothing, and its own run says why; the others are not its business.
// Where none can be run, there is nothing to build for.
func markAll(ctx context.Context, p *project.Project, b *project.Package) ([]bool, error) {
	run := make([]bool, len(b.Program.Blocks))
	var failed []error
	for _, test := range b.Program.Test.Fuzz {
		err := mark(ctx, trial.New(p, b, test, nil, trial.Hooks{}), run)
		if err != nil && (ctx.Err() != nil || exit.CodeOf(err) == exit.Internal) {
			return nil, err
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) == len(b.Program.Test.Fuzz) {
		return nil, errors.Join(failed...)
	}
	return run, nil
}

// mark marks the blocks that the seed corpus of a fuzz test runs. Entries that can't be
// used, or that fail, mark none: the run that follows says what is wrong with them.
func mark(ctx context.Context, t *trial.Trial, run []bool) error {
	if _, err := t.Meet(ctx); err != nil {
		return err
	}
	inputs := trial.Inputs(t.Given)
	if len(inputs) == 0 {
		inputs = []*corpus.Input{t.Zero} // the first input of any run
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil {
		return t.EngineError(err)
	}
	for i := range ev.Results {
		for _, feature := range ev.Results[i].Features {
			run[feature.Block()] = true
		}
	}
	return nil
}

// count counts the mutants of each package.
func count(program *instrument.Program) map[string]int {
	mutants := make(map[string]int)
	for i := range program.Mutants {
		if m := &program.Mutants[i]; m.Status != instrument.StatusSkipped {
			mutants[m.Package]++
		}
	}
	return mutants
}

// fit takes packages in turn as long as there is room for their mutants; the first has it
// in any case. It returns the number of mutants of those it has taken.
func fit(packages []string, mutants map[string]int, most int) (chosen, left []string, n int) {
	for i, path := range packages {
		if i > 0 && n+mutants[path] > most {
			left = append(left, path)
			continue
		}
		chosen, n = append(chosen, path), n+mutants[path]
	}
	return chosen, left, n
}

// describe says in a line what is mutated, what is not although the seeds reach it, and
// how to change that.
func describe(p *project.Project, pkg *project.Package, chosen, left []string, mutants int) string {
	name := func(path string) string { return patternOf(p, pkg, path) }
	first, more := names(chosen[:min(len(chosen), shown)], name), ""
	if rest := len(chosen) - shown; rest > 0 {
		more = fmt.Sprintf(" and %d more", rest)
	}
	s := fmt.Sprintf("mutating %s of the module that the seeds reach: %s%s; %s", report.Plural(len(chosen), "package"), first, more, report.Plural(mutants, "mutant"))
	if len(left) > 0 {
		s += fmt.Sprintf("; left out, for more than %s in all: %s", report.Plural(maxMutants, "mutant"), names(left, name))
	}
	if len(chosen) == 1 && len(left) > 0 {
		return s + "; -mutate " + name(left[0]) + " mutates that one in its place"
	}
	if own := pkg.Loaded.Test.ImportPath; slices.Contains(chosen, own) {
		return s + "; -mutate " + name(own) + " narrows"
	}
	return s + "; -mutate narrows"
}

func names(paths []string, name func(string) string) string {
	var list []string
	for _, path := range paths {
		list = append(list, name(path))
	}
	return strings.Join(list, ", ")
}

// patternOf is a pattern that -mutate takes for a package of the module.
func patternOf(p *project.Project, pkg *project.Package, path string) string {
	for _, l := range pkg.Loaded.Packages {
		if l.ImportPath != path {
			continue
		}
		rel, err := filepath.Rel(p.Options.Dir, l.Dir)
		switch {
		case err != nil || !filepath.IsLocal(rel):
		case rel == ".":
			return "."
		default:
			return "./" + filepath.ToSlash(rel)
		}
	}
	return path
}
