package observed

import (
	"context"
	"errors"
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
	values map[string]int // of entries, by their names
	Late   int            // entries for which the time was over
	Slow   int            // entries that have none, and that no run with mutants runs
}

// Entries is how many have got golden values.
func (c *Count) Entries() int { return len(c.values) }

// Values is how many golden values these are.
func (c *Count) Values() (n int) {
	for _, of := range c.values {
		n += of
	}
	return n
}

// Drop leaves out entries that are removed, by their names and as they are.
func (c *Count) Drop(names []string, entries []corpus.Entry) {
	for _, name := range names {
		delete(c.values, name)
	}
	for _, e := range entries {
		delete(c.values, e.Name)
	}
}

// Keep writes golden values for the seeds and entries that have none. What an entry
// has already is left as it is: a warning says where it is not what is observed. That comes
// last: when the time of ctx is over, the entries that are left have none yet, and those that
// have were not compared.
func Keep(ctx context.Context, t *trial.Trial) (n Count, err error) {
	if t.Project.Options.NoGolden || t.Project.Options.DryRun || t.CorpusDir() != t.Testdata() {
		return n, nil
	}
	entries, err := entriesNow(t)
	if err != nil {
		return n, err
	}
	values, err := store.Read(t.GoldenFile())
	if err != nil {
		return n, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	if values.Earlier != "" {
		t.Warn(fmt.Sprintf("no golden values are written: %s; fuzzmut corpus verify -update rewrites them", EarlierText(values)))
		return n, nil
	}
	if now := t.Package.Loaded.Observed(); values.Packages != "" && values.Packages != now {
		t.Warn(fmt.Sprintf("no golden values are written: those in %s observe calls of %s, this run %s; fuzzmut corpus verify -update with -mutate rewrites them",
			values.Path, values.Packages, now))
		return n, nil
	}
	var have, want []corpus.Entry
	for _, e := range entries {
		if values.Of(&e) != nil {
			have = append(have, e)
		} else {
			want = append(want, e)
		}
	}
	if len(values.Bad) > 0 {
		t.Warn(fmt.Sprintf("no golden values are written: %v; fuzzmut corpus verify -update rewrites the file", &values.Bad[0]))
	} else if n, err = writeMissing(ctx, t, want, !values.None()); err != nil {
		return n, err
	}
	for _, e := range t.SlowEntries() {
		if values.Of(&e) == nil {
			n.Slow++
		}
	}
	err = compareKept(ctx, t, have, values)
	if errors.Is(err, context.DeadlineExceeded) {
		n.Late += len(have)
		return n, nil
	}
	return n, err
}

// EarlierText says that an earlier version of fuzzmut has written golden values.
func EarlierText(values *store.Values) string {
	return values.Earlier + " was written by an earlier fuzzmut, which wrote values in another way"
}

// entriesNow lists the seeds, and the entries as they are in the directory that go test
// reads, without those that take too long.
func entriesNow(t *trial.Trial) ([]corpus.Entry, error) {
	files, _, err := corpus.ReadDir(t.Testdata(), t.Types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
	}
	seeds := slices.DeleteFunc(slices.Clone(t.Given), func(e corpus.Entry) bool { return e.Source != corpus.Seed })
	return slices.DeleteFunc(Distinct(append(seeds, files...)), func(e corpus.Entry) bool { return t.IsSlow(&e) }), nil
}

// Distinct leaves out entries with the values of one before them.
func Distinct(entries []corpus.Entry) []corpus.Entry {
	var list []corpus.Entry
	seen := make(map[string]bool)
	for _, e := range entries {
		if !seen[e.Input.Hash()] {
			seen[e.Input.Hash()] = true
			list = append(list, e)
		}
	}
	return list
}

// compareKept tells of entries whose golden values are not what is observed.
func compareKept(ctx context.Context, t *trial.Trial, entries []corpus.Entry, values *store.Values) error {
	if len(entries) == 0 {
		return nil
	}
	stop := watch(t, "comparing golden values", len(entries), 1)
	seen, err := Once(ctx, t, entries)
	stop()
	if err != nil {
		return err
	}
	changed, differ, failing := 0, 0, 0
	for i, e := range entries {
		n := len(golden.Compare(values.Of(&e).Values, seen[i].Values))
		switch {
		case seen[i].Failure != "":
			failing++
		case n > 0:
			changed += n
			differ++
		}
	}
	if differ > 0 {
		t.Warn(fmt.Sprintf("%s of %s %s from what is observed now; they are kept: see fuzzmut corpus verify",
			report.Plural(changed, "golden value"), report.Plural(differ, "entry"), report.Verb(changed, "differs", "differ")))
	}
	if failing > 0 {
		t.Warn(fmt.Sprintf("the golden values of %s can't be compared: the fuzz target fails on them; see fuzzmut corpus verify", report.Plural(failing, "entry")))
	}
	return nil
}

// watch shows how many entries have been observed, each a number of times.
func watch(t *trial.Trial, what string, entries, times int) (stop func()) {
	begin := t.Engine.Exact.Observed()
	return t.WatchSteps(what, "entry", func() (done, of int) {
		return int(t.Engine.Exact.Observed()-begin) / times, entries
	})
}

// writeMissing writes golden values for entries. before says that other entries have
// some. A file that would hold no value is not written.
func writeMissing(ctx context.Context, t *trial.Trial, entries []corpus.Entry, before bool) (n Count, err error) {
	if len(entries) == 0 {
		return n, nil
	}
	stop := watch(t, "observing golden values", len(entries), passesBefore(len(passesIn)))
	seen, err := stableInTime(ctx, t, entries)
	stop()
	if err != nil {
		return n, err
	}
	n.Late = len(entries) - len(seen)
	entries = entries[:len(seen)]
	if why := Nothing(t, seen); why != "" && !before {
		if !t.InTurn() { // else nobody can do anything about it
			t.Warn("no golden values are written: " + why)
		}
		return n, nil
	}
	var put []golden.Entry
	values := make(map[string]int)
	for i, e := range entries {
		if seen[i].Failure == "" {
			put = append(put, store.Entry(&e, seen[i].Values))
			values[e.Name] = len(seen[i].Values)
		}
	}
	if len(put) == 0 {
		return n, nil
	}
	if err := Apply(t.Project.GoCache, t.GoldenFile(), store.Change{Packages: t.Package.Loaded.Observed(), Put: put}); err != nil {
		return Count{Late: n.Late}, exit.Errorf(exit.Usage, "golden values of %s could not be written: %w; fix that, then run fuzzmut corpus verify -update",
			report.Plural(len(put), "entry"), err)
	}
	n.values = values
	return n, nil
}

// inTime is how many entries are observed at once, at most, where the time is bounded: what
// was observed whole then counts. It begins with one, and then there are twice as many each
// time: if only one has its values at the end of each run, the last one has them some day.
const inTime = 16

// stableInTime is Stable for as many of the entries, from the first on, as the time of ctx
// suffices for.
func stableInTime(ctx context.Context, t *trial.Trial, entries []corpus.Entry) (seen []Observation, err error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return Stable(ctx, t, entries)
	}
	s := newStability(t)
	defer s.close()
	return inParts(entries, func(part []corpus.Entry) ([]Observation, error) { return s.of(ctx, part) })
}

// inParts is stable for the entries in parts, up to the one for which the time is over.
func inParts(entries []corpus.Entry, stable func([]corpus.Entry) ([]Observation, error)) (seen []Observation, err error) {
	for n := 1; len(seen) < len(entries); n = min(2*n, inTime) {
		more, err := stable(entries[len(seen):min(len(seen)+n, len(entries))])
		if errors.Is(err, context.DeadlineExceeded) {
			return seen, nil
		}
		if err != nil {
			return nil, err
		}
		seen = append(seen, more...)
	}
	return seen, nil
}
