package campaign

import (
	"context"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// keepGolden writes golden values for the seeds and entries that have none. What an entry
// has already is left as it is: if it is not what is observed, that is told.
func (s *session) keepGolden(ctx context.Context) error {
	if s.opts.NoGolden || s.opts.DryRun || s.corpusDir(s.b, &s.test) != s.testdata() {
		return nil
	}
	entries, err := s.entriesNow()
	if err != nil {
		return err
	}
	files, bad, err := store.Read(s.goldenDir())
	if err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	var have, want []corpus.Entry
	for _, e := range entries {
		switch name := store.Name(&e); {
		case bad[name] != nil:
			s.warning(fmt.Sprintf("%v; fuzzmut corpus verify -update writes it anew", bad[name]))
		case files[name] != nil:
			have = append(have, e)
		default:
			want = append(want, e)
		}
	}
	if other := s.otherPackages(files); other != "" {
		s.warning(fmt.Sprintf("no golden values are written: those that there are observe calls of %s, this run %s; fuzzmut corpus verify -update with -mutate writes them anew",
			other, s.b.loaded.Observed()))
		return nil
	}
	if err := s.holdGolden(ctx, have, files); err != nil {
		return err
	}
	return s.writeGolden(ctx, want)
}

// entriesNow lists the seeds, and the entries as they lie in the directory that go test
// reads.
func (s *session) entriesNow() ([]corpus.Entry, error) {
	files, _, err := corpus.ReadDir(s.testdata(), s.types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
	}
	seeds := slices.DeleteFunc(slices.Clone(s.given), func(e corpus.Entry) bool { return e.Source != corpus.Seed })
	return distinct(append(seeds, files...)), nil
}

// distinct leaves out entries with the values of one before them.
func distinct(entries []corpus.Entry) []corpus.Entry {
	var list []corpus.Entry
	seen := make(map[string]bool)
	for _, e := range entries {
		if !seen[e.Hash] {
			seen[e.Hash] = true
			list = append(list, e)
		}
	}
	return list
}

// otherPackages returns whose calls are observed by golden files if it is not those
// that this run observes.
func (s *session) otherPackages(files map[string]*golden.File) string {
	for _, f := range files {
		if f.Packages != s.b.loaded.Observed() {
			return f.Packages
		}
	}
	return ""
}

// holdGolden tells of entries whose golden values are not what is observed.
func (s *session) holdGolden(ctx context.Context, entries []corpus.Entry, files map[string]*golden.File) error {
	seen, err := s.observeOnce(ctx, entries)
	if err != nil {
		return err
	}
	values, differ, failing := 0, 0, 0
	for i, e := range entries {
		n := len(golden.Compare(files[store.Name(&e)].Values, seen[i].values))
		switch {
		case seen[i].failure != "":
			failing++
		case n > 0:
			values += n
			differ++
		}
	}
	if differ > 0 {
		s.warning(fmt.Sprintf("%s of %s %s not what is observed now; they are left as they are: see fuzzmut corpus verify",
			report.Plural(values, "golden value"), report.Plural(differ, "entry"), report.Verb(values, "is", "are")))
	}
	if failing > 0 {
		s.warning(fmt.Sprintf("the golden values of %s can't be compared, since the fuzz target fails there: see fuzzmut corpus verify", report.Plural(failing, "entry")))
	}
	return nil
}

// writeGolden writes golden values for entries.
func (s *session) writeGolden(ctx context.Context, entries []corpus.Entry) error {
	seen, err := s.observeStable(ctx, entries)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if seen[i].failure != "" {
			continue
		}
		if err := store.Write(s.goldenDir(), store.Name(&e), s.goldenFile(&seen[i])); err != nil {
			return exit.Errorf(exit.Usage, "golden values of %d of %s could not be written: %w; then fuzzmut corpus verify -update writes them",
				len(entries)-i, report.Plural(len(entries), "entry"), err)
		}
		s.result.Corpus.Golden++
		s.result.Corpus.GoldenValues += len(seen[i].values)
	}
	return nil
}
