package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// kept is what -accept changes of the corpus of a fuzz test that is in the tree.
type kept struct {
	pkg, fuzz string
	fresh     []corpus.Entry // inputs of accepted causes
	altered   []corpus.Entry // entries whose values the accepted change alters
}

// An explained cause, with the part of the change that repairs it; -1: none is known.
type explained struct {
	cause *behavior.Cause
	seen  *difference // the gravest, and of those the smallest
	part  int
	with  []int // parts that repair what is not a separate cause: see separate
}

// keep notes what of the corpus belongs to the causes that were found, if these are to be
// accepted. A fuzz test that was derived has no corpus in the tree.
func (c *comparison) keep(ctx context.Context, causes []explained, parts []revert.Part) error {
	if !c.opts.Accept || c.test.Target != "" || len(causes) == 0 {
		return nil
	}
	k := kept{pkg: c.importPath(), fuzz: c.test.Name}
	for _, e := range causes {
		// An entry on which the new code fails would make go test fail, and one that
		// takes long would make it slow.
		may := e.cause.Kind != behavior.KindPanic && e.cause.Kind != behavior.KindWork
		if may && !c.means(e.cause) {
			k.fresh = append(k.fresh, e.seen.Input.Found())
		}
	}
	var err error
	if k.altered, err = c.altered(ctx, causes, parts); err != nil {
		return err
	}
	c.kept = append(c.kept, k)
	return nil
}

// altered lists the entries on which the sides differ for one of the causes: because of the
// same part of the change, or, where no part is known, in the same values.
func (c *comparison) altered(ctx context.Context, causes []explained, parts []revert.Part) (entries []corpus.Entry, err error) {
	given := observed.Distinct(c.trials[after].Given)
	var list []*difference
	for _, e := range given {
		list = append(list, &difference{Result: lockstep.Result{Input: e.Input}})
	}
	if err := c.observe(ctx, list); err != nil {
		return nil, err
	}
	byNames := make(map[string]bool)
	tried := make(map[int]bool)
	for _, e := range causes {
		if e.part < 0 {
			byNames[namesKey(e.cause.Kind, e.cause.Values)] = true
			continue
		}
		for _, part := range append([]int{e.part}, e.with...) {
			if tried[part] {
				continue
			}
			tried[part] = true
			without, err := c.repairs.Build(ctx, parts[part])
			if err != nil {
				return nil, err
			}
			if err := c.tryRepair(ctx, list, without, part); err != nil {
				return nil, err
			}
		}
	}
	for i, d := range list {
		ch := changes(d)
		if len(ch) == 0 || d.sides[after].Failure != "" {
			continue
		}
		if len(d.repaired) > 0 || byNames[namesKey(kindOf(d), valuesOf(ch))] {
			entries = append(entries, given[i])
		}
	}
	return entries, nil
}

// namesKey is a kind of difference, and the names of the values that differ.
func namesKey(kind string, list []behavior.Value) string {
	var names []string
	for i := range list {
		names = append(names, list[i].Known())
	}
	slices.Sort(names)
	return kind + "\n" + strings.Join(slices.Compact(names), "\n")
}

// keepEntries writes the inputs of what is accepted to the corpora of their fuzz tests, with
// golden values, and the golden values that the accepted change alters.
func (j *job) keepEntries(ctx context.Context) error {
	slices.SortStableFunc(j.kept, func(a, b kept) int { return strings.Compare(a.pkg, b.pkg) })
	for len(j.kept) > 0 {
		n := 1
		for n < len(j.kept) && j.kept[n].pkg == j.kept[0].pkg {
			n++
		}
		if err := j.keepOf(ctx, j.kept[:n]); err != nil {
			return err
		}
		j.kept = j.kept[n:]
	}
	return nil
}

// keepOf is keepEntries for one package. It is built as corpus verify builds it: a comparison
// may observe more calls.
func (j *job) keepOf(ctx context.Context, list []kept) error {
	cfg := j.project.LoadConfig(list[0].pkg)
	cfg.TestOnly, cfg.Blank = true, goldentest.Generated
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return exit.AsUsage(err)
	}
	loaded.Test.Fuzz = slices.DeleteFunc(loaded.Test.Fuzz, func(f instrument.FuzzTest) bool {
		return !slices.ContainsFunc(list, func(k kept) bool { return k.fuzz == f.Name })
	})
	if err := observed.Select(j.project, loaded); err != nil {
		return err
	}
	if err := project.CheckLinks(j.project, loaded); err != nil {
		return err
	}
	b, err := observed.Build(ctx, j.project, loaded)
	if err != nil {
		return err
	}
	for _, test := range b.Program.Test.Fuzz {
		at := slices.IndexFunc(list, func(k kept) bool { return k.fuzz == test.Name })
		t := trial.New(j.project, b, test, nil, trial.Hooks{})
		if err := t.Greet(ctx); err != nil {
			return err
		}
		if err := j.keepIn(ctx, t, &list[at]); err != nil {
			return err
		}
	}
	return j.tellStale(loaded)
}

// keepIn writes entries and golden values of one fuzz test.
func (j *job) keepIn(ctx context.Context, t *trial.Trial, k *kept) error {
	values, err := store.Read(t.GoldenFile())
	if err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	entries := slices.Clone(k.fresh)
	for _, e := range k.altered {
		if values.Of(&e) != nil {
			entries = append(entries, e)
		}
	}
	entries = observed.Distinct(entries)
	seen, err := observed.Stable(ctx, t, entries)
	if err != nil {
		return err
	}
	change := store.Change{Packages: t.Package.Loaded.Observed()}
	for i, e := range entries {
		if seen[i].Failure == "" && len(seen[i].Values) > 0 {
			change.Put = append(change.Put, store.Entry(&e, seen[i].Values))
		}
	}
	for _, e := range k.fresh {
		data := e.Input.Encode()
		name := corpus.FileName(data)
		if slices.ContainsFunc(t.Given, func(g corpus.Entry) bool { return g.Input.Equal(e.Input) }) {
			continue
		}
		if _, err := corpus.WriteFile(t.Testdata(), name, data); err != nil {
			return exit.Errorf(exit.Usage, "-accept: %w", err)
		}
		j.wrote(t, filepath.Join(t.Testdata(), name))
	}
	if len(values.Bad) > 0 || values.Earlier != "" {
		j.warn("%s is damaged, or of an earlier fuzzmut: its values stay as they are; see fuzzmut corpus verify", values.Path)
		return nil
	}
	if len(change.Put) == 0 {
		return nil
	}
	if err := observed.Apply(j.project.GoCache, t.GoldenFile(), change); err != nil {
		return exit.Errorf(exit.Usage, "-accept: the golden values could not be written: %w", err)
	}
	j.wrote(t, t.GoldenFile())
	return nil
}

func (j *job) wrote(t *trial.Trial, path string) {
	j.report.Written = append(j.report.Written, report.RelativeFile(t.Package.Program.Test.ModuleDir, path))
}

// tellStale says that generated tests have to follow the golden values.
func (j *job) tellStale(loaded *load.Result) error {
	files, err := filepath.Glob(filepath.Join(loaded.Test.Dir, "*golden*_test.go"))
	if err != nil {
		return fmt.Errorf("generated tests: %w", err)
	}
	for _, path := range files {
		if src, err := os.ReadFile(path); err == nil && goldentest.Generated(src) {
			j.warn("the generated tests of %s have the golden values of before: fuzzmut corpus verify -write-test rewrites them", loaded.Test.ImportPath)
			break
		}
	}
	return nil
}
