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

// goldenCount counts golden values that were written.
type goldenCount struct {
	files  int // one for each entry
	values int
}

// keepGolden writes golden values for the seeds and entries that have none. What an entry
// has already is left as it is: if it is not what is observed, that is told.
func keepGolden(ctx context.Context, t *trial) (n goldenCount, err error) {
	if t.runner.opts.NoGolden || t.runner.opts.DryRun || t.corpusDir() != t.testdata() {
		return n, nil
	}
	entries, err := entriesNow(t)
	if err != nil {
		return n, err
	}
	files, bad, err := store.Read(t.goldenDir())
	if err != nil {
		return n, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	var have, want []corpus.Entry
	for _, e := range entries {
		switch name := store.Name(&e); {
		case bad[name] != nil:
			t.warning(fmt.Sprintf("%v; fuzzmut corpus verify -update writes it anew", bad[name]))
		case files[name] != nil:
			have = append(have, e)
		default:
			want = append(want, e)
		}
	}
	if other := otherPackages(t, files); other != "" {
		t.warning(fmt.Sprintf("no golden values are written: those that there are observe calls of %s, this run %s; fuzzmut corpus verify -update with -mutate writes them anew",
			other, t.b.loaded.Observed()))
		return n, nil
	}
	if err := holdGolden(ctx, t, have, files); err != nil {
		return n, err
	}
	return writeGolden(ctx, t, want)
}

// entriesNow lists the seeds, and the entries as they lie in the directory that go test
// reads.
func entriesNow(t *trial) ([]corpus.Entry, error) {
	files, _, err := corpus.ReadDir(t.testdata(), t.types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
	}
	seeds := slices.DeleteFunc(slices.Clone(t.given), func(e corpus.Entry) bool { return e.Source != corpus.Seed })
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
func otherPackages(t *trial, files map[string]*golden.File) string {
	for _, f := range files {
		if f.Packages != t.b.loaded.Observed() {
			return f.Packages
		}
	}
	return ""
}

// holdGolden tells of entries whose golden values are not what is observed.
func holdGolden(ctx context.Context, t *trial, entries []corpus.Entry, files map[string]*golden.File) error {
	seen, err := observeOnce(ctx, t, entries)
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
		t.warning(fmt.Sprintf("%s of %s %s not what is observed now; they are left as they are: see fuzzmut corpus verify",
			report.Plural(values, "golden value"), report.Plural(differ, "entry"), report.Verb(values, "is", "are")))
	}
	if failing > 0 {
		t.warning(fmt.Sprintf("the golden values of %s can't be compared, since the fuzz target fails there: see fuzzmut corpus verify", report.Plural(failing, "entry")))
	}
	return nil
}

// writeGolden writes golden values for entries.
func writeGolden(ctx context.Context, t *trial, entries []corpus.Entry) (n goldenCount, err error) {
	seen, err := observeStable(ctx, t, entries)
	if err != nil {
		return n, err
	}
	for i, e := range entries {
		if seen[i].failure != "" {
			continue
		}
		if err := store.Write(t.goldenDir(), store.Name(&e), goldenFile(t, &seen[i])); err != nil {
			return n, exit.Errorf(exit.Usage, "golden values of %d of %s could not be written: %w; then fuzzmut corpus verify -update writes them",
				len(entries)-i, report.Plural(len(entries), "entry"), err)
		}
		n.files++
		n.values += len(seen[i].values)
	}
	return n, nil
}
