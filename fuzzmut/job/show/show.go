// Package show is the job that lists the entries of corpora: what they hold, what they are
// kept for, and their golden values.
package show

import (
	"context"
	"fmt"

	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// matrixFuel bounds, in fuel of each worker, what is run to find which mutants an entry
// kills. Entries for which there is none left are listed without that.
const matrixFuel = 20_000_000_000

// Run lists the seeds and entries of each chosen fuzz test. Each is run with all mutants:
// no record says what an entry kills in the code as it is now. Of the options those that
// are about fuzzing mean nothing here.
func Run(ctx context.Context, opts project.Options) (*report.EntryList, error) {
	opts.FuzzTime.Execs = 1 // Go's fuzz cache is not read
	p, err := project.Open(ctx, project.Config{Options: opts})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	out := &report.EntryList{Version: report.FormatVersion}
	err = p.EachTest(ctx, func(pkg *project.Package, test instrument.FuzzTest) error {
		list, err := entriesOf(ctx, trial.New(p, pkg, test, nil, trial.Hooks{}))
		if err == nil {
			out.Tests = append(out.Tests, *list)
		}
		return err
	})
	if len(out.Tests) == 0 && err != nil {
		return nil, err
	}
	return out, err
}

// entriesOf lists the entries of one fuzz test.
func entriesOf(ctx context.Context, t *trial.Trial) (*report.ListedTest, error) {
	if err := t.Greet(ctx); err != nil {
		return nil, err
	}
	entries := observed.Distinct(t.Given)
	values, err := store.Read(t.GoldenFile())
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the golden values can't be read: %w; change the permissions of the directory", err)
	}
	t.Phase("running %s with all mutants", report.Plural(len(entries), "entry"))
	stop := t.Watch()
	// What differs from run to run kills nothing, and may show on a later entry.
	_, err = t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: trial.Inputs(entries), Select: wire.SelectNone, Check: true})
	var ev *evaluate.Evaluation
	if err == nil {
		ev, err = t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: trial.Inputs(entries), Select: wire.SelectInfected, Fuel: matrixFuel})
	}
	stop()
	if err != nil {
		return nil, t.EngineError(err)
	}
	list := &report.ListedTest{Package: t.Package.Program.Test.ImportPath, Name: t.Test.Name, Dir: t.Testdata()}
	for i := range entries {
		list.Entries = append(list.Entries, describe(t, &entries[i], values.Of(&entries[i])))
	}
	addReasons(t, list, ev)
	sources, done := trial.SourcesOf(ctx, t)
	defer done()
	for i := range entries {
		if o := &ev.Results[i].Outcome; o.Kind.Failed() {
			list.Entries[i].Source = sources.Of(entries[i].Input, o.Kind)
		}
	}
	if n := sources.Left(); n > 0 {
		t.Warn(fmt.Sprintf("%s %s not shown as Go source: that takes a process each; go test shows them", report.Plural(n, "failing entry"), report.Verb(n, "is", "are")))
	}
	list.Warnings = t.Warnings()
	return list, nil
}
