package trial

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Baseline runs the corpus the run begins with. hints are as for BaselineWithin.
func (t *Trial) Baseline(ctx context.Context, hints map[uint32]string) error {
	all := append(t.Given[:len(t.Given):len(t.Given)], t.Cached...)
	t.Phase("running %s", t.describe())
	stop := sync.OnceFunc(t.Watch())
	defer stop()
	if err := t.follow(ctx, hints); err != nil {
		return err
	}
	return t.Begin(ctx, Inputs(all), baselineFuel, func(ev *evaluate.Evaluation) error {
		stop()
		return t.checkAll(ctx, all, ev)
	})
}

// checkAll checks what the inputs did that a run begins with.
func (t *Trial) checkAll(ctx context.Context, all []corpus.Entry, ev *evaluate.Evaluation) error {
	if err := t.CheckBaseline(ctx, all, ev); err != nil {
		return err
	}
	ReportVersions(t, all, ev)
	t.LeaveOut(ev)
	return nil
}

// BaselineWithin is Baseline within a time. The given entries that it does not suffice for
// are run once, without mutants. Those of Go's fuzz cache are Waiting then. hints name the
// entry, by mutant, that it is run on before all else: by its name, or by the hash of its input.
func (t *Trial) BaselineWithin(ctx context.Context, within time.Duration, hints map[uint32]string) error {
	inputs := Inputs(slices.Concat(t.Given, t.Cached))
	t.Phase("running %s", t.describe())
	stop := sync.OnceFunc(t.Watch())
	defer stop()
	soon, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := t.follow(soon, hints); err != nil {
		return err
	}
	q := t.beginning(inputs, baselineFuel)
	ev, err := t.Engine.Exact.Evaluate(soon, q)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		ev.Cut()
		err = t.runRest(ctx, ev)
	}
	stop()
	if err != nil {
		return t.EngineError(err)
	}
	cached := len(ev.Inputs) - len(t.Given)
	t.Cached, t.Waiting = t.Cached[:cached:cached], t.Cached[cached:]
	all := slices.Concat(t.Given, t.Cached)
	return t.begin(ctx, ev.Inputs, ev, func(ev *evaluate.Evaluation) error { return t.checkAll(ctx, all, ev) })
}

// follow runs mutants on the entries that hints name. What these kill need not be run on
// others.
func (t *Trial) follow(ctx context.Context, hints map[uint32]string) error {
	if len(hints) == 0 {
		return nil
	}
	q := t.following(hints)
	if len(q.Known) == 0 || t.Mutants() == wire.SelectNone {
		return nil
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, q)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return t.EngineError(err)
	}
	t.Engine.Credit(ev)
	return nil
}

// following is the query for the entries that hints name, in the order of the corpus.
func (t *Trial) following(hints map[uint32]string) evaluate.Query {
	named := make(map[string][]uint32)
	for m, name := range hints {
		if t.Focus.Mutant(m) {
			named[name] = append(named[name], m)
		}
	}
	q := evaluate.Query{Select: wire.SelectListed, Known: make(map[uint32]int)}
	q.Exclude = func(m uint32) bool { _, ok := q.Known[m]; return !ok }
	for _, e := range slices.Concat(t.Given, t.Cached) {
		list := slices.Concat(named[e.Name], named[e.Input.Hash()])
		for _, m := range list {
			q.Known[m] = len(q.Inputs)
		}
		if len(list) > 0 {
			q.Inputs = append(q.Inputs, e.Input)
		}
	}
	return q
}

// runRest runs the given entries that an evaluation lacks.
func (t *Trial) runRest(ctx context.Context, ev *evaluate.Evaluation) error {
	done := len(ev.Inputs)
	if done >= len(t.Given) {
		return nil
	}
	rest, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: Inputs(t.Given[done:]), Select: wire.SelectNone})
	if err == nil {
		ev.Extend(rest)
	}
	return err
}

// Begin runs the inputs that a search begins with, and makes them entries. If none becomes
// one, the zero values are the first input, as for go test. fuel bounds what the mutants of
// each worker burn. Before anything is an entry, check sees what the inputs did.
func (t *Trial) Begin(ctx context.Context, inputs []*corpus.Input, fuel int64, check func(*evaluate.Evaluation) error) error {
	ev, err := t.Engine.Exact.Evaluate(ctx, t.beginning(inputs, fuel))
	if err != nil {
		return t.EngineError(err)
	}
	return t.begin(ctx, inputs, ev, check)
}

// beginning is the query for inputs that a search begins with.
func (t *Trial) beginning(inputs []*corpus.Input, fuel int64) evaluate.Query {
	return evaluate.Query{
		Inputs: inputs, Select: t.Mutants(), Check: true, Infected: true, Fuel: fuel,
		Exclude: func(m uint32) bool { return !t.Focus.Mutant(m) || t.Engine.Kills.Dead(int(m)) },
	}
}

// begin is Begin with inputs that were run.
func (t *Trial) begin(ctx context.Context, inputs []*corpus.Input, ev *evaluate.Evaluation, check func(*evaluate.Evaluation) error) error {
	if err := check(ev); err != nil {
		return err
	}
	t.Engine.Begin(inputs, ev)
	if t.Focus == nil {
		t.Engine.Clean(ev)
	}
	t.Engine.Processes.AddTokens(dictionary.OfEntries(passing(inputs, ev)))
	if t.Engine.Pool.Size().Entries > 0 || slices.ContainsFunc(inputs, t.Zero.Equal) {
		return nil
	}
	zero := []*corpus.Input{t.Zero}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: zero, Select: t.Mutants(), Check: true, Infected: true, Fuel: zeroFuel})
	if err != nil {
		return t.EngineError(err)
	}
	t.Engine.Found(zero, ev)
	return nil
}

// zeroFuel bounds what the mutants of each worker burn on the zero values.
const zeroFuel = 300_000_000

// Mutants says which mutants evaluations run: those that live, or none where the filter
// leaves all out.
func (t *Trial) Mutants() wire.Select {
	if t.Project.Filter.RunsMutants() {
		return wire.SelectAlive
	}
	return wire.SelectNone
}

// baselineFuel bounds what the mutants of each worker burn on the inputs that a run
// begins with: some seconds. With a large corpus the fuzzing would else begin after
// minutes. What is not killed here falls later, or when the result is scored.
const baselineFuel = 1_500_000_000

// passing lists the inputs on which the fuzz target neither fails nor skips.
func passing(inputs []*corpus.Input, ev *evaluate.Evaluation) []corpus.Entry {
	var list []corpus.Entry
	for i, in := range inputs {
		if ev.Results[i].Outcome.Kind == wire.Pass {
			list = append(list, in.Found())
		}
	}
	return list
}

// describe says what a run begins with.
func (t *Trial) describe() string {
	text := DescribeCorpus(len(t.Given), len(t.Cached)-t.Shared)
	if t.Shared > 0 {
		text += fmt.Sprintf(", %d more from %s", t.Shared, t.Project.Share.Path())
	}
	return text
}

func DescribeCorpus(given, cached int) string {
	s := report.Plural(given, "seed and corpus entry")
	if given != 1 {
		s = fmt.Sprintf("%d seeds and corpus entries", given)
	}
	if cached > 0 {
		s += fmt.Sprintf(", %d more from Go's fuzz cache", cached)
	}
	return s
}

// CheckBaseline refuses a corpus on which the original is not itself from run to run, or
// fails on a seed, unless that failure is known. What is in a file may fail: that is a
// finding. all are the given entries, and those of the cache. The outcome of a given one that only seems to hang
// becomes a wire.Slow.
func (t *Trial) CheckBaseline(ctx context.Context, all []corpus.Entry, ev *evaluate.Evaluation) error {
	if err := t.slowGiven(ctx, all, ev); err != nil {
		return err
	}
	for i, e := range all {
		o := ev.Results[i].Outcome
		t.Known.Saw(e.Name, o, FailureKind(o))
	}
	observed := 0
	for i, e := range t.Given {
		r := &ev.Results[i]
		observed += r.Observed
		// No other tool shows what is asked for: it is a finding, also of a seed.
		if r.Outcome.Kind.Failed() && !r.Outcome.Kind.Asked() && e.Source == corpus.Seed && !t.Project.Options.WriteKnown && !t.Known.Has(r.Outcome) {
			help := "fix the code or the seed first"
			if project.Foreign(t.Package.Loaded) != "" {
				help = "leave the fuzz test out with -fuzz, or copy it without the seed to a package of your own"
			}
			return exit.Errorf(exit.Baseline, "%s fails on %s (%s): %s; %s%s",
				t.Name(), e.Name, t.Test.File, DescribeOutcome(r.Outcome)+t.placeOf(r.Outcome), help, shownBy(t))
		}
	}
	if err := t.CheckStable(); err != nil {
		return err
	}
	unstable := t.Engine.Processes.Unstable()
	for _, text := range unstableFunctions(t, unstable) {
		t.Warn(text)
	}
	if len(unstable) > 0 && observed == 0 && ev.Unobserved == 0 {
		return exit.Errorf(exit.Baseline, "%s is unstable: every observed value differs from run to run, first %s; make it depend on its input alone, or name a //fuzzmut:compare function for its type",
			t.Name(), describeUnstable(t, unstable[0]))
	}
	return nil
}

// placeOf says where an input fails, as " at p.F file.go:7"; "" if that is not known.
func (t *Trial) placeOf(o wire.Outcome) string {
	if len(o.Frames) == 0 {
		return ""
	}
	return " at " + Frames(t.Package.Program.Test.ModuleDir, o.Frames)[0]
}

// LeaveOut takes the given entries that fail, or are slow, out of the corpus, and reports it. No mutant
// is run on them.
func (t *Trial) LeaveOut(ev *evaluate.Evaluation) {
	var pass []corpus.Entry
	known := 0
	for i, e := range t.Given {
		r := &ev.Results[i]
		if r.Outcome.Kind == wire.Slow {
			t.leaveSlow(e, r.Outcome)
			continue
		}
		if !r.Outcome.Kind.Failed() {
			pass = append(pass, e)
			continue
		}
		t.Failing = append(t.Failing, e)
		if t.Known.Has(r.Outcome) {
			known++
		}
	}
	t.Given = pass
	if fixed := t.Known.Fixed(); len(fixed) > 0 {
		t.Note("fixed: %s", strings.Join(fixed, "; "))
	}
	n := len(t.Failing)
	switch {
	case n == 0:
	case n == known:
		t.Note("%s still %s: left out", report.Plural(n, "known failing input"), report.Verb(n, "fails", "fail"))
	default:
		t.Note("%s of the corpus %s, %d of them known: left out", report.Plural(n, "input"), report.Verb(n, "fails", "fail"), known)
	}
}

// shownBy says how to see a failure without fuzzmut.
func shownBy(t *Trial) string {
	if t.Test.Target != "" {
		return ""
	}
	return ": `go test -run='^" + t.Test.Name + "$'` shows it"
}

// CheckStable refuses a fuzz target that passes or fails by chance.
func (t *Trial) CheckStable() error {
	for _, u := range t.Engine.Processes.Unstable() {
		if u.Outcome {
			return exit.Errorf(exit.Baseline, "%s is unstable: %s on the same input; make it depend on its input alone (time, random numbers, map order, goroutines, global state)", t.Name(), u.Text)
		}
	}
	return nil
}

// unstableFunctions describes the first value of each function, and counts the others.
func unstableFunctions(t *Trial, list []processes.Unstable) []string {
	var texts, names []string // names are "" for what is no function's
	var more []int
	for _, u := range list {
		name := ""
		if sites := t.Package.Program.Sites; !u.Outcome && int(u.Value.Site) < len(sites) {
			name = sites[u.Value.Site].Name
		}
		if i := slices.Index(names, name); i >= 0 && name != "" {
			more[i]++
			continue
		}
		texts, names, more = append(texts, describeUnstable(t, u)), append(names, name), append(more, 0)
	}
	for i, n := range more {
		if n > 0 {
			texts[i] += fmt.Sprintf("; %s of %s %s not compared", report.Plural(n, "more value"), names[i], report.Verb(n, "is", "are"))
		}
	}
	return texts
}

// describeUnstable names an observed value and says how it differs.
func describeUnstable(t *Trial, u processes.Unstable) string {
	sites := t.Package.Program.Sites
	if u.Outcome {
		return u.Text + " on the same input"
	}
	if int(u.Value.Site) >= len(sites) {
		return u.Text
	}
	site := sites[u.Value.Site]
	if u.Value.Value < 0 || u.Value.Value >= len(site.Values) {
		return fmt.Sprintf("values of %s (%s:%d) differ from run to run and are not compared: %s", site.Name, filepath.Base(site.File), site.Line, u.Text)
	}
	field, order := strings.CutSuffix(u.Value.Field, observe.AnyOrder)
	within := ""
	if order {
		within = "the order of "
	}
	if field != "" {
		within += field[strings.LastIndexByte(field, '/')+1:] + " in "
	}
	return fmt.Sprintf("%s%s of %s (%s:%d) differs from run to run and is not compared: %s", within, site.Values[u.Value.Value], site.Name, filepath.Base(site.File), site.Line, u.Text)
}
