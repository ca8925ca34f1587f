package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// MinimizeOptions say what Minimize works on. Of the Options those that are about
// fuzzing mean nothing here. With DryRun it says what it would remove.
type MinimizeOptions struct {
	Options
	// By selects what no entry may be lost for; 0 means kills and coverage. By
	// coverage alone no mutants are built.
	By matrix.Features
	// Cache minimises what lies in Go's fuzz cache instead of the corpus.
	Cache bool
	// Prune removes entries that no fuzz test can read, of those that fuzzmut wrote.
	Prune bool
}

// Minimize removes the entries that fuzzmut wrote and whose kills and coverage the
// other entries have together. The report is not nil whenever there is something to
// report, also together with an error.
func Minimize(ctx context.Context, opts MinimizeOptions) (*report.Minimization, error) {
	r, err := newRunner(ctx, config{opts: opts.Options, unmutated: opts.By == matrix.Coverage, writes: !opts.Cache})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	m := &minimizer{runner: r, opts: opts, report: &report.Minimization{
		Version: report.FormatVersion, By: describeFeatures(opts.By), DryRun: opts.DryRun,
	}}
	err = r.eachTest(ctx, func(b *built, test instrument.FuzzTest) error {
		return m.minimize(ctx, newTrial(r, b, test, nil, hooks{}))
	})
	if err == nil {
		err = m.staleVerdict()
	}
	if len(m.report.Tests) == 0 && err != nil {
		return nil, err
	}
	return m.report, err
}

// minimizer is one call of Minimize.
type minimizer struct {
	runner *runner
	opts   MinimizeOptions
	report *report.Minimization
	seen   []string // packages whose directories were looked through
}

// minimize does the job for one fuzz test. Nothing is removed before everything is
// known.
func (m *minimizer) minimize(ctx context.Context, t *trial) error {
	bad, err := t.meet(ctx)
	if err != nil {
		return err
	}
	if bad, err = m.takeStale(bad, (*corpus.Entry).Managed); err == nil && len(bad) > 0 {
		err = badEntries(bad)
	}
	if err == nil {
		err = m.lookThrough(t.b)
	}
	if err != nil {
		return err
	}
	result := report.Shrunk{Package: t.b.program.Test.ImportPath, Name: t.test.Name, Dir: t.corpusDir()}
	files := slices.DeleteFunc(slices.Clone(t.given), func(e corpus.Entry) bool { return e.Source == corpus.Seed })
	result.Seeds = len(t.given) - len(files)
	ours := replaceable(t)
	if m.opts.Cache {
		if result.Dir, err = m.readCache(t); err != nil {
			return err
		}
		files, ours = t.cached, ofCache(t)
	}
	was, failing, err := standPassing(ctx, t, slices.Concat(t.given, t.cached))
	if err != nil {
		return err
	}
	for _, path := range failing {
		delete(ours, path)
	}
	sel := &selector{trial: t, by: m.opts.By, patient: true}
	least, err := sel.shrink(ctx, was, func(i int) bool { return ours[was.entries[i].Path] })
	if ctx.Err() != nil {
		return exit.Errorf(exit.Interrupted, "interrupted; nothing of %s is removed", t.name())
	}
	if err != nil {
		return err
	}
	gone := was.without(least)
	result.Failing, result.Own = failing, len(files)-len(ours)
	result.Mutants, result.Blocks = t.b.live, len(t.b.program.Blocks)
	result.Before = figures(was, files)
	result.Removed, err = m.remove(t, gone)
	result.After = figures(least, without(files, withNames(gone, result.Removed)))
	if !m.opts.Cache && t.files() {
		t.warnIgnored(ctx)
	}
	result.Warnings = t.allWarnings()
	result.WallSeconds = time.Since(t.start).Seconds()
	m.report.Tests = append(m.report.Tests, result)
	return err
}

// withNames returns the entries that have one of the names.
func withNames(entries []corpus.Entry, names []string) []corpus.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return !slices.Contains(names, e.Name) })
}

// readCache reads what there is in Go's fuzz cache beyond the corpus. It is go test's
// and fuzzmut's own, so that all of no use in it may go.
func (m *minimizer) readCache(t *trial) (dir string, err error) {
	dir, err = t.cacheDir()
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%w", err)
	}
	bad, err := t.readCached(dir)
	if err == nil {
		_, err = m.takeStale(bad, func(e *corpus.Entry) bool { return e.Name == e.Hash })
	}
	return dir, err
}

// remove removes entries unless it is a dry run, and returns the names.
func (m *minimizer) remove(t *trial, gone []corpus.Entry) ([]string, error) {
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
	return removeEntries(t, gone)
}

// figures are those of a corpus, files of which can be minimised.
func figures(st *replay, files []corpus.Entry) report.CorpusSize {
	now := report.CorpusSize{Files: len(files), Covered: st.coverage().Covered}
	for _, e := range files {
		now.Bytes += e.Size
	}
	killed := make(map[uint32]bool)
	for _, k := range st.kills() {
		killed[k.Mutant] = true
	}
	now.Killed = len(killed)
	return now
}

// standPassing replays the entries on which the fuzz test does not fail, and names
// the files on which it does.
func standPassing(ctx context.Context, t *trial, entries []corpus.Entry) (st *replay, failing []string, err error) {
	t.phase("running %s", describeCorpus(len(t.given), len(t.cached)))
	ev, err := t.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputsOf(entries), Select: wire.SelectNone, Check: true})
	if err != nil {
		return nil, nil, t.engineError(err)
	}
	var passing []corpus.Entry
	for i, e := range entries {
		switch {
		case !ev.Results[i].Outcome.Kind.Failed():
			passing = append(passing, e)
		case e.Path != "":
			failing = append(failing, e.Path)
		default:
			t.warning(fmt.Sprintf("the fuzz test fails on %s: %s", e.Name, describeOutcome(ev.Results[i].Outcome)))
		}
	}
	if err := t.checkStable(); err != nil {
		return nil, nil, err
	}
	if !t.runner.unmutated {
		t.phase("running %s against %s",
			report.Plural(len(passing), "entry"), report.Plural(t.b.live, "mutant"))
	}
	st, err = t.replayCorpus(ctx, passing)
	if err == nil && ctx.Err() != nil {
		err = exit.Errorf(exit.Interrupted, "interrupted; nothing of %s is changed", t.name())
	}
	return st, failing, err
}

// ofCache returns the paths of the entries of Go's fuzz cache that go test -fuzz or
// fuzzmut put there.
func ofCache(t *trial) map[string]bool {
	ours := make(map[string]bool)
	for _, e := range t.cached {
		if e.Name == e.Hash && isRegular(e.Path) {
			ours[e.Path] = true
		}
	}
	return ours
}

// removeCached removes entries from Go's fuzz cache and returns their names.
func removeCached(entries []corpus.Entry) (names []string, err error) {
	for _, e := range entries {
		if err := corpus.Remove(filepath.Dir(e.Path), e.Name); err != nil {
			return names, exit.Errorf(exit.Usage, "%w", err)
		}
		names = append(names, e.Name)
	}
	return names, nil
}
