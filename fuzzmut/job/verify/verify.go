// Package verify is the job that compares golden values with what is observed, and writes
// the test files that do so with go test alone.
package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Options say which golden values to verify. Of Options only what chooses,
// loads and runs fuzz tests matters.
type Options struct {
	project.Options
	// Update accepts what is observed: golden values are written for every
	// entry, and those of entries that are gone are removed.
	Update bool
	// WriteTest writes a test file beside the fuzz tests that compares golden values
	// with go test alone, or brings it up to date.
	WriteTest bool
	// Blame has the causes of differences looked for in what has changed since the last
	// commit. That takes up to 20 seconds, and changes nothing but what is shown.
	Blame bool
}

// Run runs the seeds and entries of every chosen fuzz test and compares what is
// observed with the golden values. The report is not nil whenever there is something
// to report; a change, unless it was accepted, is also an error of code exit.Failing.
func Run(ctx context.Context, opts Options) (*report.Verification, error) {
	opts.FuzzTime.Execs = 1 // Go's fuzz cache is not read
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Writes: opts.Update || opts.WriteTest})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	v := &verifier{project: p, opts: opts, blame: &blame{project: p, left: blameTime}, report: &report.Verification{Version: report.FormatVersion}}
	defer v.blame.close()
	var errs []error
	for _, pkg := range p.Packages {
		if ctx.Err() != nil {
			break
		}
		if err := v.verifyPackage(ctx, pkg); err != nil {
			errs = append(errs, exit.AsCut(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if len(errs) == 0 && ctx.Err() != nil {
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; the result so far is shown, and all files are complete"))
	}
	if len(v.report.Tests) == 0 {
		return nil, errors.Join(errs...)
	}
	v.report.Next = v.next()
	return v.report, errors.Join(append(errs, verifyVerdict(v.report))...)
}

// next is the command that records what is observed now, for the same fuzz tests; "" if all have the golden values
// that they should have, or can have none.
func (v *verifier) next() string {
	differs := v.report.Differences() > 0
	none := slices.ContainsFunc(v.report.Tests, func(t report.VerifiedTest) bool { return t.None && t.Nothing == "" })
	if !differs && !none || v.opts.Update {
		return ""
	}
	var chosen []string
	if v.opts.Fuzz != "" {
		chosen = []string{"-fuzz", v.opts.Fuzz}
	}
	return v.project.Command("corpus verify -update", slices.Concat(chosen, v.project.Options.Packages)...)
}

// verifyVerdict returns the error that a report amounts to.
func verifyVerdict(r *report.Verification) error {
	failing, rest := 0, "; all other values are accepted"
	for i := range r.Tests {
		if failing += r.Tests[i].Failing; !r.Tests[i].Updated {
			rest = ""
		}
	}
	switch r.Differences() {
	case 0:
		return nil
	case failing:
		return exit.Errorf(exit.Failing, "%s %s, which can't be accepted: fix the code, or remove the file of the entry%s",
			report.Plural(failing, "entry"), report.Verb(failing, "fails", "fail"), rest)
	}
	if allMissing(r) {
		return exit.Errorf(exit.Failing, "entries have no golden values: record them with %s", r.Next)
	}
	if r.Next == "" { // what is left failed while the rest was accepted
		return exit.Errorf(exit.Failing, "the golden values do not match: fix the code")
	}
	return exit.Errorf(exit.Failing, "the golden values do not match: fix the code, or accept with %s", r.Next)
}

// verifier is one call of Run.
type verifier struct {
	project *project.Project
	opts    Options
	blame   *blame
	report  *report.Verification
}

// verifyPackage verifies the fuzz tests of one package.
func (v *verifier) verifyPackage(ctx context.Context, pkg string) error {
	cfg := v.project.LoadConfig(pkg)
	cfg.TestOnly, cfg.Blank = true, goldentest.Generated
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return exit.AsUsage(err)
	}
	if v.opts.Fuzz == "" {
		if err := v.vanished(loaded); err != nil {
			return err
		}
	}
	all := slices.Clone(loaded.Test.Fuzz)
	if err := loaded.Select(v.opts.Fuzz); err != nil {
		return exit.AsUsage(err)
	}
	if err := observed.Select(v.project, loaded); err != nil {
		return err
	}
	if err := project.CheckLinks(v.project, loaded); err != nil {
		return err
	}
	tests, err := findGenerated(loaded, all, v.opts.WriteTest)
	if err != nil {
		return err
	}
	if err := tests.others(all, loaded.Test.Fuzz); err != nil {
		return err
	}
	b, err := observed.Build(ctx, v.project, loaded)
	if err != nil {
		return err
	}
	first := len(v.report.Tests)
	var blamed *suspect
	if v.opts.Blame && !v.opts.Update {
		blamed = &suspect{blame: v.blame, pkg: b, load: cfg}
	}
	if err := v.verifyTests(ctx, b, tests, blamed); err != nil || ctx.Err() != nil {
		return err
	}
	stale, err := v.settle(ctx, cfg, tests)
	if len(stale) > 0 {
		t := &v.report.Tests[first]
		t.Files = append(t.Files, stale...)
	}
	return err
}

// verifyTests verifies the chosen fuzz tests of a package, one after the other.
func (v *verifier) verifyTests(ctx context.Context, b *project.Package, tests *generatedTests, blamed *suspect) error {
	var errs []error
	for _, test := range b.Program.Test.Fuzz {
		if ctx.Err() != nil {
			break
		}
		t := &verifiedTest{trial: trial.New(v.project, b, test, nil, trial.Hooks{}), suspect: blamed}
		t.report = &report.VerifiedTest{Package: b.Loaded.Test.ImportPath, Name: test.Name}
		err := t.verify(ctx, v.opts.Update)
		t.report.Cut = err != nil
		v.report.Tests = append(v.report.Tests, *t.report)
		if err == nil {
			err = tests.add(t, v.opts.WriteTest)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// vanished reports the golden values of fuzz tests that the package does not have,
// and removes them if changes are accepted. Those that it has under other build constraints are left alone.
func (v *verifier) vanished(loaded *load.Result) error {
	names, err := store.Tests(loaded.Test.Dir)
	if err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(loaded.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == name })
	})
	if len(names) == 0 {
		return nil
	}
	declared, err := load.InTestFiles(loaded.Test.Dir)
	if err != nil {
		return exit.Errorf(exit.Usage, "golden values may be those of a fuzz test in a test file that can't be read: %w; fix it", err)
	}
	for _, name := range names {
		if file := declared[name]; file != "" {
			v.project.Note(loaded.Test.ImportPath, "%s is not compared: build constraints leave out %s; see -tags", name, file)
			continue
		}
		values, err := store.Read(store.Path(loaded.Test.Dir, name))
		if err != nil {
			return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
		}
		if values.None() {
			continue
		}
		res := report.VerifiedTest{Package: loaded.Test.ImportPath, Name: name, Updated: v.opts.Update}
		res.Files = append(res.Files, report.FileProblem{
			Path: report.RelativeFile(loaded.Test.ModuleDir, values.Path), Kind: report.FileOrphaned,
			Text: fmt.Sprintf("the package has no fuzz test %s; if it was renamed, rename this file and testdata/fuzz/%[1]s as well", name),
		})
		if v.opts.Update {
			change := store.Change{Replace: true}
			for _, e := range values.Entries {
				change.Drop, res.Removed = append(change.Drop, golden.Key(e.Name)), append(res.Removed, e.Name)
			}
			if err := observed.Apply(v.project.GoCache, values.Path, change); err != nil {
				return exit.Errorf(exit.Usage, "%w", err)
			}
		}
		v.report.Tests = append(v.report.Tests, res)
	}
	return nil
}

// verifiedTest is the work on one fuzz test.
type verifiedTest struct {
	trial  *trial.Trial
	values *store.Values
	report *report.VerifiedTest
	differ []difference
	// suspect is where the causes of differences are looked for; nil: nowhere.
	suspect *suspect
}

// verify compares the values of one fuzz test, or accepts what they are.
func (t *verifiedTest) verify(ctx context.Context, update bool) (err error) {
	if t.values, err = store.Read(t.trial.GoldenFile()); err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	if !update && t.values.None() {
		t.report.None = true
		return t.lookForEntries(ctx)
	}
	t.problems()
	if !update && t.values.Earlier != "" && len(t.values.Entries) == 0 {
		return nil // there is nothing to compare with
	}
	if err := t.trial.Greet(ctx); err != nil {
		return err
	}
	defer func() {
		if trial.HasFiles(t.trial) {
			trial.WarnIgnored(ctx, t.trial)
		}
	}()
	if t.values.None() && len(t.trial.Given) == 0 {
		t.report.None, t.report.Nothing = true, t.noEntries()
		return nil
	}
	entries := observed.Distinct(t.trial.Given)
	t.report.Entries = len(entries)
	first, err := t.once(ctx, entries)
	if err != nil {
		return err
	}
	known, err := t.known(ctx, entries, first)
	if err != nil {
		return err
	}
	var todo []corpus.Entry
	var seen []observed.Observation
	for i, e := range entries {
		if known[&entries[i]] {
			t.report.Known = append(t.report.Known, t.entryName(&e))
		} else if !t.same(&e, &first[i]) {
			todo, seen = append(todo, e), append(seen, first[i])
		}
	}
	// What differs may be what differs from run to run.
	if seen, err = t.stable(ctx, todo, seen); err != nil {
		return err
	}
	if t.values.None() {
		if why := observed.Nothing(t.trial, seen); why != "" {
			t.report.None, t.report.Nothing, t.report.Entries = true, why, 0
			return nil
		}
	}
	for i := range todo {
		t.compare(&todo[i], &seen[i])
	}
	t.causes(ctx)
	t.orphans(entries)
	if !update {
		return nil
	}
	return t.update(todo, seen)
}

// lookForEntries notes that nothing can be recorded, where there are no golden values. The fuzz test is asked for its
// seeds only if there are no files.
func (t *verifiedTest) lookForEntries(ctx context.Context) error {
	files, bad, err := corpus.ReadDir(t.trial.Testdata(), nil, 0)
	if err != nil || len(files)+len(bad) > 0 {
		return nil // who records says what is wrong
	}
	if err := t.trial.Greet(ctx); err != nil {
		return ctx.Err()
	}
	if len(t.trial.Given) == 0 {
		t.report.Nothing = t.noEntries()
	}
	return nil
}

// noEntries says that a fuzz test has no entries, and what finds some.
func (t *verifiedTest) noEntries() string {
	return "it has no entries; " + trial.SearchCommand(t.trial) + " finds some, and records their golden values"
}

// known are the entries that fail in a way that is on the list of known failures. Those
// that fail are run again, since what was observed does not say where.
func (t *verifiedTest) known(ctx context.Context, entries []corpus.Entry, first []observed.Observation) (map[*corpus.Entry]bool, error) {
	var failing []*corpus.Entry
	var inputs []*corpus.Input
	for i := range entries {
		if first[i].Failure != "" {
			failing, inputs = append(failing, &entries[i]), append(inputs, entries[i].Input)
		}
	}
	if len(failing) == 0 {
		return nil, nil
	}
	if err := t.trial.ReadKnown(); err != nil {
		return nil, err
	}
	if t.trial.Known.None() {
		return nil, nil
	}
	ev, err := t.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil {
		return nil, t.trial.EngineError(err)
	}
	for i, e := range failing {
		o := ev.Results[i].Outcome
		t.trial.Known.Saw(e.Name, o, trial.FailureKind(o))
	}
	known := make(map[*corpus.Entry]bool)
	for i, e := range failing {
		o := ev.Results[i].Outcome
		known[e] = o.Kind.Failed() && t.trial.Known.Has(o)
	}
	return known, nil
}

// same says whether an entry's golden values are what was observed.
func (t *verifiedTest) same(e *corpus.Entry, o *observed.Observation) bool {
	f := t.values.Of(e)
	if f == nil || o.Failure != "" || golden.Compare(f.Values, o.Values) != nil {
		return false
	}
	count(t.report, f.Values, nil)
	return true
}

// count adds the values of one entry, wanted ones and those that have changed.
func count(r *report.VerifiedTest, want []golden.Value, changes []golden.Change) {
	changed := make(map[string]bool, len(changes))
	for _, c := range changes {
		changed[c.Name] = true
	}
	for _, v := range want {
		switch {
		case changed[v.Name]:
		case v.Text == golden.Unstable:
			r.Unstable++
		default:
			r.Values++
		}
	}
	r.Changed += len(changes)
}

// compare reports how an entry's golden values differ from what was observed.
func (t *verifiedTest) compare(e *corpus.Entry, o *observed.Observation) {
	f := t.values.Of(e)
	if f != nil || o.Failure != "" {
		t.note(e, f, o)
	}
	switch {
	case o.Failure != "":
		t.report.Failing++
		t.report.Changes = append(t.report.Changes, report.ValueChange{
			Entry: t.entryName(e), Value: "fuzz target", File: t.relative(t.trial.Test.File), Line: t.trial.Test.Line, Failure: o.Failure,
		})
	case f == nil && t.isDamaged(e):
	case f == nil:
		t.report.Files = append(t.report.Files, report.FileProblem{
			Path: t.relative(t.values.Path), Kind: report.FileMissing, Entry: t.entryName(e), Text: t.entryName(e) + " has no golden values",
		})
	default:
		changes := golden.Compare(f.Values, o.Values)
		count(t.report, f.Values, changes)
		for _, c := range changes {
			t.report.Changes = append(t.report.Changes, t.change(e, o, c))
		}
	}
}

// change describes a changed value.
func (t *verifiedTest) change(e *corpus.Entry, o *observed.Observation, c golden.Change) report.ValueChange {
	v := report.ValueChange{
		Entry: t.entryName(e), Value: c.Name, File: t.relative(t.trial.Test.File), Line: t.trial.Test.Line,
		Want: c.Want, Got: golden.Masked(c.Got, c.Want),
	}
	if site := t.siteOf(o, c.Name); site != nil {
		v.Function, v.File, v.Line = site.Name, t.relative(site.File), site.Line
	}
	return v
}

// siteOf returns where a value was observed, or, if it was not, where others of the
// same function may be.
func (t *verifiedTest) siteOf(o *observed.Observation, name string) *instrument.Site {
	if site := o.Sites[name]; site != nil {
		return site
	}
	function, _, _ := strings.Cut(name, " #")
	for i := range t.trial.Package.Program.Sites {
		if site := &t.trial.Package.Program.Sites[i]; site.GoldenName() == function {
			return site
		}
	}
	return nil
}

// entryName is how an entry is called in reports: by its file, or by its number.
func (t *verifiedTest) entryName(e *corpus.Entry) string {
	if e.Path == "" {
		return e.Name
	}
	return t.relative(e.Path)
}

func (t *verifiedTest) relative(path string) string {
	return report.RelativeFile(t.trial.Package.Program.Test.ModuleDir, path)
}

// problems reports what is wrong with the golden file.
func (t *verifiedTest) problems() {
	if t.values.Earlier != "" {
		t.report.Files = append(t.report.Files, report.FileProblem{
			Path: t.relative(t.values.Earlier), Kind: report.FileOutdated,
			Text: "written by an earlier fuzzmut, which wrote values in another way; fuzzmut corpus verify -update rewrites them",
		})
	}
	for _, b := range t.values.Bad {
		p := report.FileProblem{Path: t.relative(b.Path), Line: b.Line, Entry: b.Entry, Kind: report.FileDamaged, Text: b.Text}
		if b.Entry != "" {
			p.Text = b.Entry + ": " + b.Text
		}
		t.report.Files = append(t.report.Files, p)
	}
}

// isDamaged says whether the lack of an entry's golden values is reported already: its
// place in the file is damaged, or the file as a whole, or is in another format.
func (t *verifiedTest) isDamaged(e *corpus.Entry) bool {
	return t.values.Earlier != "" || slices.ContainsFunc(t.values.Bad, func(b store.Bad) bool {
		return b.Entry == "" || golden.Key(b.Entry) == e.Input.Hash()
	})
}

// orphans reports golden values without an entry.
func (t *verifiedTest) orphans(entries []corpus.Entry) {
	for _, e := range t.withoutEntry(entries) {
		t.report.Files = append(t.report.Files, report.FileProblem{
			Path: t.relative(t.values.Path), Line: e.Line, Entry: e.Name, Kind: report.FileOrphaned, Text: e.Name + ": the entry no longer exists",
		})
	}
}

// withoutEntry lists the golden values that belong to no entry.
func (t *verifiedTest) withoutEntry(entries []corpus.Entry) (list []golden.Entry) {
	have := make(map[string]bool)
	for _, e := range entries {
		have[e.Input.Hash()] = true
	}
	for _, e := range t.values.Entries {
		if !have[golden.Key(e.Name)] {
			list = append(list, e)
		}
	}
	return list
}

// update writes what was observed of the entries that had other golden values or
// none, and removes those of entries that are gone. A failure can't be accepted.
func (t *verifiedTest) update(todo []corpus.Entry, seen []observed.Observation) error {
	t.report.Updated = true
	change := store.Change{Packages: t.trial.Package.Loaded.Observed(), Replace: true}
	for i, e := range todo {
		if seen[i].Failure == "" {
			put := store.Entry(&e, seen[i].Values)
			change.Put, t.report.Written = append(change.Put, put), append(t.report.Written, put.Name)
		}
	}
	slices.Sort(t.report.Written)
	for _, e := range t.withoutEntry(observed.Distinct(t.trial.Given)) {
		change.Drop, t.report.Removed = append(change.Drop, golden.Key(e.Name)), append(t.report.Removed, e.Name)
	}
	asBefore := len(t.values.Bad) == 0 && t.values.Earlier == "" && t.values.Packages == change.Packages
	if asBefore && len(change.Put)+len(change.Drop) == 0 {
		return nil
	}
	if err := corpus.RemoveLeftovers(filepath.Dir(t.values.Path)); err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	if err := observed.Apply(t.trial.Project.GoCache, t.values.Path, change); err != nil {
		return exit.Errorf(exit.Usage, "the golden values could not be written: %w", err)
	}
	return nil
}
