// Package verify is the job that compares golden values with what is observed, and writes
// the test files that do so with go test alone.
package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/values"
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
	v := &verifier{project: p, opts: opts, report: &report.Verification{Version: report.FormatVersion}}
	var errs []error
	for _, pkg := range p.Packages {
		if ctx.Err() != nil {
			break
		}
		if err := v.verifyPackage(ctx, pkg); err != nil {
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if len(errs) == 0 && ctx.Err() != nil {
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; what is verified so far is told, and every file is whole"))
	}
	if len(v.report.Tests) == 0 {
		return nil, errors.Join(errs...)
	}
	return v.report, errors.Join(append(errs, verifyVerdict(v.report))...)
}

// verifyVerdict returns the error that a report amounts to.
func verifyVerdict(r *report.Verification) error {
	n := r.Differences()
	if n == 0 {
		return nil
	}
	return exit.Errorf(exit.Failing, "%s from the golden values: fix the code, or accept with fuzzmut corpus verify -update",
		report.Plural(n, "difference"))
}

// verifier is one call of Run.
type verifier struct {
	project *project.Project
	opts    Options
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
	if err := loaded.Select(v.opts.Fuzz); err != nil {
		return exit.AsUsage(err)
	}
	if err := v.observedPackages(loaded); err != nil {
		return err
	}
	if err := project.CheckLinks(v.project, loaded); err != nil {
		return err
	}
	stale, err := v.generatedTests(ctx, cfg, loaded)
	if err != nil {
		return err
	}
	b := &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}
	if err := b.RegisterDerived(); err != nil {
		return err
	}
	if b.Overlay, err = v.project.OverlayConfig(b); err != nil {
		return err
	}
	b.Overlay.Observe = true
	v.project.Phase(pkg, "building the observed fuzz tests")
	if b.Program, err = overlay.Build(ctx, b.Overlay); err != nil {
		return exit.AsUsage(err)
	}
	b.Binary = b.Overlay.Output
	v.project.WarnBuild(b.Program)
	var errs []error
	for _, test := range b.Program.Test.Fuzz {
		if ctx.Err() != nil {
			break
		}
		t := &verifiedTest{trial: trial.New(v.project, b, test, nil, trial.Hooks{})}
		t.report = &report.VerifiedTest{Package: pkg, Name: test.Name, Files: stale}
		stale = nil
		err := t.verify(ctx, v.opts.Update)
		v.report.Tests = append(v.report.Tests, *t.report)
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// vanished reports the golden values of fuzz tests that the package does not have,
// and removes them if changes are accepted.
func (v *verifier) vanished(loaded *load.Result) error {
	names, err := store.Tests(loaded.Test.Dir)
	if err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	for _, name := range names {
		if slices.ContainsFunc(loaded.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == name }) {
			continue
		}
		files, bad, err := store.Read(store.Dir(loaded.Test.Dir, name))
		if err != nil {
			return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
		}
		dir := store.Dir(loaded.Test.Dir, name)
		res := report.VerifiedTest{Package: loaded.Test.ImportPath, Name: name, Updated: v.opts.Update}
		if len(files)+len(bad) == 0 {
			continue
		}
		res.Files = append(res.Files, report.FileProblem{
			Path: report.RelativeFile(loaded.Test.ModuleDir, dir), Kind: report.FileOrphaned,
			Text: fmt.Sprintf("the package has no fuzz test %s; if it was renamed, rename this directory and testdata/fuzz/%[1]s as well", name),
		})
		if v.opts.Update {
			for _, entry := range slices.Concat(slices.Collect(maps.Keys(files)), slices.Collect(maps.Keys(bad))) {
				if err := store.Remove(dir, entry); err != nil {
					return exit.Errorf(exit.Usage, "%w", err)
				}
				res.Removed = append(res.Removed, entry)
			}
			slices.Sort(res.Removed)
		}
		v.report.Tests = append(v.report.Tests, res)
	}
	return nil
}

// observedPackages has those packages observed that the golden files name, unless
// others were asked for.
func (v *verifier) observedPackages(loaded *load.Result) error {
	packages, err := project.GoldenPackages(v.project, loaded)
	if packages != nil {
		loaded.Observe = packages
	}
	return err
}

// verifiedTest is the work on one fuzz test.
type verifiedTest struct {
	trial  *trial.Trial
	files  map[string]*golden.File
	bad    map[string]*store.Bad
	report *report.VerifiedTest
}

// verify compares the values of one fuzz test, or accepts what they are.
func (t *verifiedTest) verify(ctx context.Context, update bool) (err error) {
	if t.files, t.bad, err = store.Read(t.trial.GoldenDir()); err != nil {
		return exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	if !update && len(t.files)+len(t.bad) == 0 {
		t.report.None = true
		return nil
	}
	if err := t.trial.Greet(ctx); err != nil {
		return err
	}
	defer func() {
		if trial.HasFiles(t.trial) {
			trial.WarnIgnored(ctx, t.trial)
		}
	}()
	entries := observed.Distinct(t.trial.Given)
	t.report.Entries = len(entries)
	first, err := observed.Once(ctx, t.trial, entries)
	if err != nil {
		return err
	}
	var todo []corpus.Entry
	for i, e := range entries {
		if !t.same(store.Name(&e), &first[i]) {
			todo = append(todo, e)
		}
	}
	// What differs may be what differs from run to run.
	seen, err := observed.Stable(ctx, t.trial, todo)
	if err != nil {
		return err
	}
	if len(t.files)+len(t.bad) == 0 {
		if why := observed.Nothing(t.trial, seen); why != "" {
			t.report.None, t.report.Nothing, t.report.Entries = true, why, 0
			return nil
		}
	}
	for i := range todo {
		t.compare(&todo[i], &seen[i])
	}
	t.orphans(entries)
	if !update {
		return nil
	}
	return t.update(todo, seen)
}

// same says whether an entry's golden values are what was observed.
func (t *verifiedTest) same(name string, o *observed.Observation) bool {
	f := t.files[name]
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
	name := store.Name(e)
	path, f := filepath.Join(t.trial.GoldenDir(), name), t.files[name]
	switch {
	case o.Failure != "":
		t.report.Failing++
		t.report.Changes = append(t.report.Changes, report.ValueChange{
			Entry: t.entryName(e), Value: "fuzz target", File: t.relative(t.trial.Test.File), Line: t.trial.Test.Line, Failure: o.Failure,
		})
	case t.bad[name] != nil:
		t.problem(path, report.FileDamaged, t.bad[name].Err.Error())
	case f == nil:
		t.problem(path, report.FileMissing, t.entryName(e)+" has no golden values")
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
		Want: c.Want, Got: c.Got,
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

func (t *verifiedTest) problem(path, kind, text string) {
	t.report.Files = append(t.report.Files, report.FileProblem{Path: t.relative(path), Kind: kind, Text: text})
}

// orphans reports golden files without an entry.
func (t *verifiedTest) orphans(entries []corpus.Entry) {
	for _, name := range t.withoutEntry(entries) {
		t.problem(filepath.Join(t.trial.GoldenDir(), name), report.FileOrphaned, "there is no such entry any more")
	}
}

// withoutEntry lists the golden files that belong to no entry.
func (t *verifiedTest) withoutEntry(entries []corpus.Entry) []string {
	var names []string
	for name := range t.files {
		names = append(names, name)
	}
	for name := range t.bad {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(entries, func(e corpus.Entry) bool { return store.Name(&e) == name })
	})
}

// update writes what was observed of the entries that had other golden values or
// none, and removes those of entries that are gone. A failure can't be accepted.
func (t *verifiedTest) update(todo []corpus.Entry, seen []observed.Observation) error {
	t.report.Updated = true
	dir := t.trial.GoldenDir()
	if err := corpus.RemoveLeftovers(dir); err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	for i, e := range todo {
		if seen[i].Failure != "" {
			continue
		}
		if err := store.Write(dir, store.Name(&e), observed.File(t.trial, &seen[i])); err != nil {
			return exit.Errorf(exit.Usage, "a golden file could not be written: %w", err)
		}
		t.report.Written = append(t.report.Written, store.Name(&e))
	}
	slices.Sort(t.report.Written)
	for _, name := range t.withoutEntry(observed.Distinct(t.trial.Given)) {
		if err := store.Remove(dir, name); err != nil {
			return exit.Errorf(exit.Usage, "%w", err)
		}
		t.report.Removed = append(t.report.Removed, name)
	}
	return nil
}
