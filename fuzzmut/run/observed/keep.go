package observed

import (
	"context"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// Count counts golden values that were written.
type Count struct {
	Files  int // one for each entry
	Values int
}

// Keep writes golden values for the seeds and entries that have none. What an entry
// has already is left as it is: a warning says where it is not what is observed.
func Keep(ctx context.Context, t *trial.Trial) (n Count, err error) {
	if t.Project.Options.NoGolden || t.Project.Options.DryRun || t.CorpusDir() != t.Testdata() {
		return n, nil
	}
	entries, err := entriesNow(t)
	if err != nil {
		return n, err
	}
	files, bad, err := store.Read(t.GoldenDir())
	if err != nil {
		return n, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	var have, want []corpus.Entry
	for _, e := range entries {
		switch name := store.Name(&e); {
		case bad[name] != nil:
			t.Warn(fmt.Sprintf("%v; fuzzmut corpus verify -update writes it anew", bad[name]))
		case files[name] != nil:
			have = append(have, e)
		default:
			want = append(want, e)
		}
	}
	if other := otherPackages(t, files); other != "" {
		t.Warn(fmt.Sprintf("no golden values are written: those that there are observe calls of %s, this run %s; fuzzmut corpus verify -update with -mutate writes them anew",
			other, t.Package.Loaded.Observed()))
		return n, nil
	}
	if err := compareKept(ctx, t, have, files); err != nil {
		return n, err
	}
	return writeMissing(ctx, t, want, len(files) > 0)
}

// entriesNow lists the seeds, and the entries as they lie in the directory that go test
// reads.
func entriesNow(t *trial.Trial) ([]corpus.Entry, error) {
	files, _, err := corpus.ReadDir(t.Testdata(), t.Types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
	}
	seeds := slices.DeleteFunc(slices.Clone(t.Given), func(e corpus.Entry) bool { return e.Source != corpus.Seed })
	return Distinct(append(seeds, files...)), nil
}

// Distinct leaves out entries with the values of one before them.
func Distinct(entries []corpus.Entry) []corpus.Entry {
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
func otherPackages(t *trial.Trial, files map[string]*golden.File) string {
	for _, f := range files {
		if f.Packages != t.Package.Loaded.Observed() {
			return f.Packages
		}
	}
	return ""
}

// compareKept tells of entries whose golden values are not what is observed.
func compareKept(ctx context.Context, t *trial.Trial, entries []corpus.Entry, files map[string]*golden.File) error {
	seen, err := Once(ctx, t, entries)
	if err != nil {
		return err
	}
	values, differ, failing := 0, 0, 0
	for i, e := range entries {
		n := len(golden.Compare(files[store.Name(&e)].Values, seen[i].Values))
		switch {
		case seen[i].Failure != "":
			failing++
		case n > 0:
			values += n
			differ++
		}
	}
	if differ > 0 {
		t.Warn(fmt.Sprintf("%s of %s %s not what is observed now; they are left as they are: see fuzzmut corpus verify",
			report.Plural(values, "golden value"), report.Plural(differ, "entry"), report.Verb(values, "is", "are")))
	}
	if failing > 0 {
		t.Warn(fmt.Sprintf("the golden values of %s can't be compared, since the fuzz target fails there: see fuzzmut corpus verify", report.Plural(failing, "entry")))
	}
	return nil
}

// writeMissing writes golden values for entries. before says that other entries have
// some. Files of which none would have a value are not written.
func writeMissing(ctx context.Context, t *trial.Trial, entries []corpus.Entry, before bool) (n Count, err error) {
	seen, err := Stable(ctx, t, entries)
	if err != nil {
		return n, err
	}
	if why := Nothing(t, seen); why != "" && !before {
		t.Warn("no golden values are written: " + why)
		return n, nil
	}
	for i, e := range entries {
		if seen[i].Failure != "" {
			continue
		}
		if err := store.Write(t.GoldenDir(), store.Name(&e), File(t, &seen[i])); err != nil {
			return n, exit.Errorf(exit.Usage, "golden values of %d of %s could not be written: %w; then fuzzmut corpus verify -update writes them",
				len(entries)-i, report.Plural(len(entries), "entry"), err)
		}
		n.Files++
		n.Values += len(seen[i].Values)
	}
	return n, nil
}
