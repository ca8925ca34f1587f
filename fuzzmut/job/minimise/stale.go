package minimise

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// takeStale reports entries whose types do not fit and returns the other bad ones.
// If asked to, it removes those that fuzzmut wrote, or in Go's fuzz cache all.
func (m *minimiser) takeStale(list []corpus.BadEntry, ours func(*corpus.Entry) bool) (others []corpus.BadEntry, err error) {
	for _, b := range list {
		var types *corpus.StaleError
		if !errors.As(b.Err, &types) {
			others = append(others, b)
			continue
		}
		entry := report.StaleEntry{Path: b.Path, Reason: b.Err.Error(), Fix: b.Fix, Managed: ours(types.Entry) && selection.IsRegular(b.Path)}
		if entry.Managed {
			entry.Fix = "-prune removes it"
		}
		if err := m.prune(&entry); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// prune adds a useless entry to the report and removes it if it may.
func (m *minimiser) prune(e *report.StaleEntry) (err error) {
	if m.opts.Prune && e.Managed && !m.opts.DryRun {
		if m.opts.Cache {
			err = corpus.Remove(filepath.Dir(e.Path), filepath.Base(e.Path))
			e.Removed = err == nil
		} else {
			e.Removed, err = selection.RemoveManaged(e.Path)
		}
	}
	m.report.Stale = append(m.report.Stale, *e)
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	return nil
}

// staleVerdict is the error that useless entries amount to: go test fails on
// those with wrong types, and skips those of fuzz tests that are not there.
func (m *minimiser) staleVerdict() error {
	left := 0
	for _, e := range m.report.Stale {
		if !e.Removed {
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return exit.Errorf(exit.Baseline, "%s, listed in the result; -prune removes those that fuzzmut wrote", report.Plural(left, "unusable corpus entry"))
}

// lookThrough reports, once for each package, what is in directories of fuzz tests
// that the package does not have.
func (m *minimiser) lookThrough(pkg *project.Package) error {
	test := &pkg.Program.Test
	if m.opts.CorpusDir != "" || slices.Contains(m.seen, test.ImportPath) {
		return nil
	}
	m.seen = append(m.seen, test.ImportPath)
	for _, name := range strayDirs(test.Dir) {
		dir := corpus.TestdataDir(test.Dir, name)
		entries, _, err := corpus.ReadDir(dir, nil, 0)
		if err != nil {
			continue // nobody reads it
		}
		for _, e := range entries {
			stray := report.StaleEntry{
				Path: e.Path, Reason: fmt.Sprintf("is of %s, which is not in the package", name),
				Fix: "git mv the directory if the fuzz test was renamed", Managed: e.Managed() && selection.IsRegular(e.Path),
			}
			if stray.Managed {
				stray.Fix += "; -prune removes it if not"
			}
			if err := m.prune(&stray); err != nil {
				return err
			}
		}
	}
	return nil
}

// strayDirs lists the directories in testdata/fuzz of a package that no test file
// has a fuzz test for. Files count that other build tags choose. With a file that
// can't be read, none is stray.
func strayDirs(pkgDir string) []string {
	dirs, err := os.ReadDir(filepath.Dir(corpus.TestdataDir(pkgDir, "x")))
	if err != nil {
		return nil
	}
	declared, err := load.InTestFiles(pkgDir)
	if err != nil {
		return nil
	}
	var stray []string
	for _, d := range dirs {
		if d.IsDir() && declared[d.Name()] == "" {
			stray = append(stray, d.Name())
		}
	}
	return stray
}
