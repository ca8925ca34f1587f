// Package minimise is the job that removes entries of a corpus that others make
// redundant, and entries that no fuzz test can read.
package minimise

import (
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Options say what Run works on. Of the Options those that are about
// fuzzing mean nothing here. With DryRun it says what it would remove.
type Options struct {
	project.Options
	// By selects what no entry may be lost for; 0 means kills and coverage. By
	// coverage alone no mutants are built.
	By matrix.Features
	// Cache minimizes what is in Go's fuzz cache instead of the corpus.
	Cache bool
	// Prune removes entries that no fuzz test can read, of those that fuzzmut wrote.
	Prune bool
}

// Run removes the entries that fuzzmut wrote and whose kills and coverage the
// other entries have together. The report is not nil whenever there is something to
// report, also together with an error.
func Run(ctx context.Context, opts Options) (*report.Minimization, error) {
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Unmutated: opts.By == matrix.Coverage, Writes: !opts.Cache, Choose: reach.Choose})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	m := &minimiser{project: p, opts: opts, report: &report.Minimization{
		Version: report.FormatVersion, By: selection.DescribeFeatures(opts.By), DryRun: opts.DryRun,
	}}
	err = p.EachTest(ctx, func(pkg *project.Package, test instrument.FuzzTest) error {
		return m.minimise(ctx, trial.New(p, pkg, test, nil, trial.Hooks{}))
	})
	if err == nil {
		err = m.staleVerdict()
	}
	if len(m.report.Tests) == 0 && err != nil {
		return nil, err
	}
	return m.report, err
}

// minimiser is one call of Run.
type minimiser struct {
	project *project.Project
	opts    Options
	report  *report.Minimization
	seen    []string // packages whose directories were looked through
}

// minimise does the job for one fuzz test. Nothing is removed before everything is
// known.
func (m *minimiser) minimise(ctx context.Context, t *trial.Trial) error {
	if err := m.meet(ctx, t); err != nil {
		return err
	}
	var err error
	result := report.Shrunk{Package: t.Package.Program.Test.ImportPath, Name: t.Test.Name, Dir: t.CorpusDir()}
	files := slices.DeleteFunc(slices.Clone(t.Given), func(e corpus.Entry) bool { return e.Source == corpus.Seed })
	result.Seeds = len(t.Given) - len(files)
	ours := selection.Replaceable(t)
	if m.opts.Cache {
		if result.Dir, err = m.readCache(t); err != nil {
			return err
		}
		files, ours = t.Cached, ofCache(t)
	}
	was, failing, err := standPassing(ctx, t, slices.Concat(t.Given, t.Cached))
	if err != nil {
		return err
	}
	for _, path := range failing {
		delete(ours, path)
	}
	sel := &selection.Selector{Trial: t, By: m.opts.By, Thorough: true}
	least, err := sel.Shrink(ctx, was, func(i int) bool { return ours[was.Entries[i].Path] })
	if ctx.Err() != nil {
		return exit.Errorf(exit.Interrupted, "interrupted; nothing was removed from %s", t.Name())
	}
	if err != nil {
		return err
	}
	gone := was.Without(least)
	result.Failing, result.Own = failing, len(files)-len(ours)
	result.Mutants, result.Blocks = t.Package.Live, len(t.Package.Program.Blocks)
	result.Before = figures(was, files)
	result.Removed, err = m.remove(t, gone)
	result.After = figures(least, trial.Without(files, withNames(gone, result.Removed)))
	if !m.opts.Cache && trial.HasFiles(t) {
		trial.WarnIgnored(ctx, t)
	}
	result.Warnings = t.Warnings()
	result.WallSeconds = time.Since(t.Start).Seconds()
	m.report.Tests = append(m.report.Tests, result)
	return err
}

// meet reads the corpus, and takes out what no fuzz test can use.
func (m *minimiser) meet(ctx context.Context, t *trial.Trial) error {
	bad, err := t.Meet(ctx)
	if err != nil {
		return err
	}
	if bad, err = m.takeStale(bad, (*corpus.Entry).Managed); err != nil {
		return err
	}
	if len(bad) > 0 {
		return trial.BadEntries(bad)
	}
	return m.lookThrough(t.Package)
}

// withNames returns the entries that have one of the names.
func withNames(entries []corpus.Entry, names []string) []corpus.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return !slices.Contains(names, e.Name) })
}

// readCache reads what there is in Go's fuzz cache beyond the corpus. It is go test's
// and fuzzmut's own, so that what is useless in it may go.
func (m *minimiser) readCache(t *trial.Trial) (dir string, err error) {
	dir, err = t.CacheDir()
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%w", err)
	}
	bad, err := t.ReadCached(dir)
	if err == nil {
		_, err = m.takeStale(bad, func(e *corpus.Entry) bool { return e.Name == e.Input.Hash() })
	}
	return dir, err
}

// remove removes entries unless it is a dry run, and returns the names.
func (m *minimiser) remove(t *trial.Trial, gone []corpus.Entry) ([]string, error) {
	switch {
	case m.opts.DryRun:
		var names []string
		for _, e := range gone {
			names = append(names, e.Name)
		}
		return names, nil
	case m.opts.Cache:
		return removeCached(gone)
	}
	return selection.Remove(t, gone)
}

// figures measures a corpus. files are those that can be minimized.
func figures(st *trial.Replay, files []corpus.Entry) report.CorpusSize {
	now := report.CorpusSize{Files: len(files), Covered: st.Coverage().Covered}
	for _, e := range files {
		now.Bytes += e.Input.Size()
	}
	killed := make(map[uint32]bool)
	for _, k := range st.Kills() {
		killed[k.Mutant] = true
	}
	now.Killed = len(killed)
	return now
}
