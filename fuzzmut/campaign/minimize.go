package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// MinimizeOptions say what Minimize works on. Of the Options those that are about
// fuzzing mean nothing here. With DryRun it says what it would remove.
type MinimizeOptions struct {
	Options
	// By selects what no entry may be lost for; 0 means kills and coverage. By
	// coverage alone no mutants are built.
	By Features
	// Cache minimises what lies in Go's fuzz cache instead of the corpus.
	Cache bool
	// Prune removes entries that no fuzz test can read, of those that fuzzmut wrote.
	Prune bool
}

// Features are what entries are kept for.
type Features = matrix.Features

// ParseFeatures reads "kills,coverage", "kills" or "coverage".
func ParseFeatures(s string) (f Features, err error) {
	for word := range strings.SplitSeq(s, ",") {
		switch strings.TrimSpace(word) {
		case "kills":
			f |= matrix.Kills
		case "coverage":
			f |= matrix.Coverage
		default:
			return 0, fmt.Errorf("%q is nothing to keep entries for; write kills, coverage or kills,coverage", word)
		}
	}
	return f, nil
}

// describeFeatures returns what ParseFeatures reads.
func describeFeatures(f Features) string {
	switch f {
	case matrix.Kills:
		return "kills"
	case matrix.Coverage:
		return "coverage"
	}
	return "kills,coverage"
}

// Minimize removes the entries that fuzzmut wrote and whose kills and coverage the
// other entries have together. The report is not nil whenever there is something to
// report, also together with an error.
func Minimize(ctx context.Context, opts MinimizeOptions) (*report.Minimization, error) {
	r, err := newRunner(ctx, opts.Options, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	r.count(opts.By)
	r.writes = !opts.Cache
	m := &minimizer{runner: r, opts: opts, report: &report.Minimization{
		Version: report.FormatVersion, By: describeFeatures(opts.By), DryRun: opts.DryRun,
	}}
	err = r.eachTest(ctx, func(s *session) error { return m.minimize(ctx, s) })
	if err == nil {
		err = m.staleVerdict()
	}
	if len(m.report.Tests) == 0 && err != nil {
		return nil, err
	}
	return m.report, err
}

// count sets up what entries are kept for: by coverage alone mutants are not built.
func (r *runner) count(by Features) {
	if by == matrix.Coverage {
		r.unmutated, r.filter = true, Filter{Name: "none"}
	}
}

// minimizer is one call of Minimize.
type minimizer struct {
	*runner
	opts   MinimizeOptions
	report *report.Minimization
	seen   []string // packages whose directories were looked through
}

// minimize does the job for one fuzz test. Nothing is removed before everything is
// known.
func (m *minimizer) minimize(ctx context.Context, s *session) error {
	s.prefs.By, s.patient = m.opts.By, true
	bad, err := s.meet(ctx)
	if err != nil {
		return err
	}
	if bad, err = m.takeStale(bad, (*corpus.Entry).Managed); err == nil && len(bad) > 0 {
		err = badEntries(bad)
	}
	if err == nil {
		err = m.lookThrough(s.b)
	}
	if err != nil {
		return err
	}
	result := report.Shrunk{Package: s.b.program.Test.ImportPath, Name: s.test.Name, Dir: s.corpusDir(s.b, &s.test)}
	files := slices.DeleteFunc(slices.Clone(s.given), func(e corpus.Entry) bool { return e.Source == corpus.Seed })
	result.Seeds = len(s.given) - len(files)
	ours := s.replaceable()
	if m.opts.Cache {
		if result.Dir, err = m.readCache(s); err != nil {
			return err
		}
		files, ours = s.cached, s.ofCache()
	}
	was, failing, err := s.standPassing(ctx, slices.Concat(s.given, s.cached))
	if err != nil {
		return err
	}
	for _, path := range failing {
		delete(ours, path)
	}
	least, err := s.shrink(ctx, was, func(i int) bool { return ours[was.entries[i].Path] })
	if ctx.Err() != nil {
		return exit.Errorf(exit.Interrupted, "interrupted; nothing of %s is removed", s.name())
	}
	if err != nil {
		return err
	}
	gone := was.without(least)
	result.Failing, result.Own = failing, len(files)-len(ours)
	result.Mutants, result.Blocks = s.b.live, len(s.b.program.Blocks)
	result.Before = m.standing(s, was, files)
	result.Removed, err = m.remove(s, gone)
	result.After = m.standing(s, least, without(files, named(gone, result.Removed)))
	if !m.opts.Cache && s.files() {
		s.warnIgnored(ctx)
	}
	result.Warnings = s.warnings
	result.WallSeconds = time.Since(s.start).Seconds()
	m.report.Tests = append(m.report.Tests, result)
	return err
}

// named returns the entries that have one of the names.
func named(entries []corpus.Entry, names []string) []corpus.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return !slices.Contains(names, e.Name) })
}

// readCache reads what there is in Go's fuzz cache beyond the corpus. It is go test's
// and fuzzmut's own, so that all of no use in it may go.
func (m *minimizer) readCache(s *session) (dir string, err error) {
	dir, err = corpus.CacheDir(s.gocache, s.b.program.Test.ImportPath, s.test.Name)
	if err != nil {
		return "", exit.Errorf(exit.Usage, "%w", err)
	}
	bad, err := s.readCached(dir)
	if err == nil {
		_, err = m.takeStale(bad, func(e *corpus.Entry) bool { return e.Name == e.Hash })
	}
	return dir, err
}

// remove removes entries unless it is a dry run, and returns the names.
func (m *minimizer) remove(s *session, gone []corpus.Entry) ([]string, error) {
	switch {
	case m.opts.DryRun:
		var names []string
		for _, e := range gone {
			names = append(names, e.Name)
		}
		return names, nil
	case m.opts.Cache:
		return s.removeCached(gone)
	}
	return s.removeEntries(gone)
}

func (m *minimizer) standing(s *session, st *standing, files []corpus.Entry) report.Standing {
	now := report.Standing{Files: len(files), Covered: s.coverage(st.ev).Covered}
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
func (s *session) standPassing(ctx context.Context, entries []corpus.Entry) (st *standing, failing []string, err error) {
	s.phase(s.b.program.Test.ImportPath, "%s: running %s", s.test.Name, describeCorpus(len(s.given), len(s.cached)))
	ev, err := s.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputsOf(entries), Select: wire.SelectNone, Check: true})
	if err != nil {
		return nil, nil, s.engineError(err)
	}
	var passing []corpus.Entry
	for i, e := range entries {
		switch {
		case !ev.Results[i].Outcome.Kind.Failed():
			passing = append(passing, e)
		case e.Path != "":
			failing = append(failing, e.Path)
		default:
			s.warning(fmt.Sprintf("the fuzz test fails on %s: %s", e.Name, describeOutcome(ev.Results[i].Outcome)))
		}
	}
	if err := s.checkStable(); err != nil {
		return nil, nil, err
	}
	if !s.unmutated {
		s.phase(s.b.program.Test.ImportPath, "%s: running %s against %s", s.test.Name,
			report.Plural(len(passing), "entry"), report.Plural(s.b.live, "mutant"))
	}
	st, err = s.stand(ctx, passing)
	if err == nil && ctx.Err() != nil {
		err = exit.Errorf(exit.Interrupted, "interrupted; nothing of %s is changed", s.name())
	}
	return st, failing, err
}

// ofCache returns the paths of the entries of Go's fuzz cache that go test -fuzz or
// fuzzmut put there.
func (s *session) ofCache() map[string]bool {
	ours := make(map[string]bool)
	for _, e := range s.cached {
		if e.Name == e.Hash && isRegular(e.Path) {
			ours[e.Path] = true
		}
	}
	return ours
}

// removeCached removes entries from Go's fuzz cache and returns their names.
func (s *session) removeCached(entries []corpus.Entry) (names []string, err error) {
	for _, e := range entries {
		if err := corpus.Remove(filepath.Dir(e.Path), e.Name); err != nil {
			return names, exit.Errorf(exit.Usage, "%w", err)
		}
		names = append(names, e.Name)
	}
	return names, nil
}
