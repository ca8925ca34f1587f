package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/samples"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Greet asks the fuzz test for its types and seeds and reads the corpus. All of it must be of use, but for entries of a
// derived fuzz test that hold other arguments: its function or what makes them has changed, or it was derived in another
// way. Nobody has written these.
func (t *Trial) Greet(ctx context.Context) error {
	bad, err := t.Meet(ctx)
	if err == nil && t.Test.Target != "" {
		bad = t.leaveStale(bad)
	}
	if err == nil && len(bad) > 0 {
		err = BadEntries(bad)
	}
	return err
}

// leaveStale leaves out what holds other arguments, with a warning.
func (t *Trial) leaveStale(bad []corpus.BadEntry) []corpus.BadEntry {
	all := len(bad)
	bad = slices.DeleteFunc(bad, func(b corpus.BadEntry) bool {
		var stale *corpus.StaleError
		return errors.As(b.Err, &stale)
	})
	if n := all - len(bad); n > 0 && !t.hooks.Anew {
		t.Warn(fmt.Sprintf("%s of its corpus %s other arguments than it takes, and %s left out: fuzzmut corpus minimize -prune removes %s",
			report.Plural(n, "entry"), report.Verb(n, "holds", "hold"), report.Verb(n, "is", "are"), report.Verb(n, "it", "them")))
	}
	return bad
}

// Meet is greet for who can do without some entries, which it returns.
func (t *Trial) Meet(ctx context.Context) (unusable []corpus.BadEntry, err error) {
	dirs := []string{t.Testdata()}
	if dir := t.CorpusDir(); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		// What can't be read at all is reported before anything is run.
		if _, _, err := corpus.ReadDir(dir, nil, 0); err != nil {
			return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
		}
	}
	hello, err := t.Engine.Processes.Hello(ctx)
	if err != nil {
		return nil, t.startError(err)
	}
	if hello.SeedError != "" {
		return nil, exit.Errorf(exit.Baseline, "%s: an f.Add call does not fit the fuzz target: %s; fix it in %s", t.Name(), hello.SeedError, t.Test.File)
	}
	if err := t.hear(hello); err != nil {
		return nil, exit.Errorf(exit.Internal, "%s: an input from the test binary: %w", t.Name(), err)
	}
	for _, dir := range dirs {
		files, bad, err := corpus.ReadDir(dir, t.Types, 0)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
		}
		unusable = append(unusable, bad...)
		t.Given = append(t.Given, files...)
	}
	return unusable, nil
}

// hear takes in what the fuzz test says of itself.
func (t *Trial) hear(hello *wire.Hello) (err error) {
	t.Types, t.hello = hello.Types, hello
	if t.Zero, err = corpus.FromWorker(hello.Zero); err != nil {
		return err
	}
	for i, seed := range hello.Seeds {
		in, err := corpus.FromWorker(seed)
		if err != nil {
			return err
		}
		t.Given = append(t.Given, in.Seed(i))
	}
	return nil
}

// BadEntries reports corpus entries that can't be used: the first ones each with
// its fix, the rest by their number.
func BadEntries(bad []corpus.BadEntry) error {
	const most = 5
	var lines []string
	for i, b := range bad {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(bad)-most))
			break
		}
		var stale *corpus.StaleError
		if errors.As(b.Err, &stale) && stale.Entry.Managed() {
			b.Fix = "fuzzmut corpus minimize -prune removes it"
		}
		lines = append(lines, b.Error())
	}
	return exit.Errorf(exit.Baseline, "%s", strings.Join(lines, "\n"))
}

// ReadCache adds what earlier runs have left in Go's fuzz cache. A run with a
// budget of executions does not read it: what such a run does must depend on
// nothing but what is in the tree.
func (t *Trial) ReadCache() {
	dir, err := t.CacheDir()
	if err != nil {
		return
	}
	bad, err := t.ReadCached(dir)
	if err != nil {
		t.Warn(err.Error())
		return
	}
	if len(bad) > 0 {
		t.Warn(fmt.Sprintf("%d entries of Go's fuzz cache are skipped, the first: %v", len(bad), bad[0]))
	}
}

// ReadCached adds the entries in the directory of Go's fuzz cache that are not
// given, and returns those that can't be used.
func (t *Trial) ReadCached(dir string) (unusable []corpus.BadEntry, err error) {
	cached, bad, err := corpus.ReadDir(dir, t.Types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "Go's fuzz cache can't be read: %w", err)
	}
	have := make(map[string]bool)
	for _, g := range t.Given {
		have[g.Input.Hash()] = true
	}
	for _, c := range cached {
		if !have[c.Input.Hash()] {
			t.Cached = append(t.Cached, c)
		}
	}
	return bad, nil
}

// ReadKnown reads the list of known failures, and the inputs on it that lie beside Go's
// fuzz cache and not in the corpus, if the cache is read.
func (t *Trial) ReadKnown() (err error) {
	opts := &t.Project.Options
	path := opts.Known
	if path == "" {
		path = known.Path(t.Project.Home(&t.Package.Program.Test, &t.Test))
	}
	pkg := t.Package.Program.Test.ImportPath
	if t.Known, err = known.Open(path, opts.Known != "" && !opts.WriteKnown, pkg, t.Test.Name); err != nil {
		return err
	}
	dir, err := t.CrashersDir()
	if err != nil || opts.FuzzTime.Execs > 0 {
		return nil
	}
	listed := make(map[string]bool)
	for _, name := range t.Known.Inputs() {
		listed[name] = true
	}
	if len(listed) == 0 {
		return nil
	}
	have := make(map[string]bool)
	for _, e := range slices.Concat(t.Given, t.Cached) {
		have[e.Input.Hash()] = true
	}
	// They are run in any case, also where there is no time for all of the cache.
	slices.SortStableFunc(t.Cached, func(a, b corpus.Entry) int { return cmp.Compare(order(listed[a.Name]), order(listed[b.Name])) })
	beside, _, _ := corpus.ReadDir(dir, t.Types, 0) // what can't be read is not looked at
	for _, e := range beside {
		if listed[e.Name] && !have[e.Input.Hash()] {
			t.Cached = slices.Insert(t.Cached, 0, e)
		}
	}
	return nil
}

// order puts what is listed first.
func order(listed bool) int {
	if listed {
		return 0
	}
	return 1
}

// Samples returns inputs that stand in the tests and in the testdata of the package under
// test, and of those that are rewritten.
func (t *Trial) Samples() []*corpus.Input { return t.SamplesOf(t.Package.Samples()) }

// SamplesOf returns inputs that rows of samples make. A text is no encoding of values: a
// fuzz test whose arguments are made of one has none.
func (t *Trial) SamplesOf(rows []samples.Row) []*corpus.Input {
	if t.OfValues() {
		return nil
	}
	base := t.Zero
	if len(t.Given) > 0 {
		base = t.Given[0].Input
	}
	return samples.Inputs(rows, t.Types, base)
}

// Inputs lists the inputs of entries.
func Inputs(entries []corpus.Entry) []*corpus.Input {
	inputs := make([]*corpus.Input, len(entries))
	for i, e := range entries {
		inputs[i] = e.Input
	}
	return inputs
}
