package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Triage sorts the failing inputs of every chosen fuzz test by the bugs they show.
// The report is not nil whenever there is something to report, also together with
// an error.
func Triage(ctx context.Context, opts TriageOptions) (*report.TriageReport, error) {
	if opts.Operators == "" {
		opts.Operators = TriageOperators
	}
	if opts.Time == 0 {
		opts.Time = DefaultTriageTime
	}
	r, err := newRunner(ctx, opts.Options, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	r.writes = opts.Write
	if opts.Since != "" {
		if _, err := checkSince(ctx, &opts, r); err != nil {
			return nil, exit.AsInterrupted(ctx, err)
		}
	}
	rep := &report.TriageReport{Version: report.FormatVersion}
	var errs []error
	for _, pkg := range r.packages {
		if ctx.Err() != nil {
			break
		}
		if err := triagePackage(ctx, r, &opts, pkg, rep); err != nil {
			errs = append(errs, exit.AsInterrupted(ctx, err))
			if exit.CodeOf(err) == exit.Internal {
				break
			}
		}
	}
	if ctx.Err() != nil {
		rep.Interrupted = true
		errs = append(errs, exit.Errorf(exit.Interrupted, "interrupted; what was sorted so far is told"))
	}
	err = errors.Join(errs...)
	if len(rep.Tests) == 0 && err != nil {
		return nil, err
	}
	return rep, errors.Join(err, triageVerdict(rep))
}

// triageVerdict is the error that failing inputs amount to.
func triageVerdict(r *report.TriageReport) error {
	buckets, unsorted := 0, 0
	for i := range r.Tests {
		buckets += len(r.Tests[i].Buckets)
		unsorted += r.Tests[i].Unsorted()
	}
	switch {
	case buckets > 0 && unsorted > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s, and %d not sorted: mend them, then run again", report.Plural(buckets, "bucket"), unsorted)
	case buckets > 0:
		return exit.Errorf(exit.Failing, "failing inputs, in %s: mend them, then run again", report.Plural(buckets, "bucket"))
	case unsorted > 0:
		return exit.Errorf(exit.Failing, "%s not sorted: -triagetime gives more time for those that were not run; those that fail now and then hang on more than the input",
			report.Plural(unsorted, "failing input"))
	}
	return nil
}

// triagePackage sorts the failing inputs of the fuzz tests of one package.
func triagePackage(ctx context.Context, r *runner, opts *TriageOptions, pkg string, rep *report.TriageReport) error {
	b, err := r.load(ctx, pkg)
	if err != nil {
		return err
	}
	if opts.Mutate == nil {
		mutateModule(b.loaded)
	}
	if err := r.checkLinks(b.loaded); err != nil {
		return err
	}
	if err := r.build(ctx, b); err != nil {
		return err
	}
	var errs []error
	for _, test := range b.program.Test.Fuzz {
		if ctx.Err() != nil {
			break
		}
		t := &triager{session: newSession(r, b, test), opts: opts}
		if err := t.run(ctx); err != nil {
			errs = append(errs, err)
			continue
		}
		rep.Tests = append(rep.Tests, *t.result)
	}
	return errors.Join(errs...)
}

// mutateModule has all packages of the module mutated that the fuzz tests need: a
// bug may be in any of them.
func mutateModule(loaded *load.Result) {
	for _, p := range loaded.Packages {
		if p.ModulePath == loaded.Test.ModulePath && len(p.Files) > 0 {
			p.Mutated = true
		}
	}
}

// buildTriage builds the binary whose mutants are those that triage tries, once for all
// fuzz tests of the package. An error is final unless ctx is done.
func (r *runner) buildTriage(ctx context.Context, b *built) (*built, error) {
	if b.triage != nil || b.triageErr != nil {
		return b.triage, b.triageErr
	}
	cfg, err := r.overlayConfig(b)
	if err != nil {
		return nil, err
	}
	if cfg.Operators, err = operator.ByNames(TriageOperators); err != nil {
		return nil, err
	}
	loaded := *b.loaded
	loaded.Packages = make([]*load.Package, len(b.loaded.Packages))
	for i, p := range b.loaded.Packages {
		own := *p
		loaded.Packages[i] = &own
	}
	mutateModule(&loaded) // whatever is to be killed, a bug may be anywhere
	cfg.Loaded, cfg.Native = &loaded, false
	cfg.WorkDir = filepath.Join(cfg.WorkDir, "triage")
	cfg.Output = filepath.Join(cfg.WorkDir, "test.bin")
	t := &built{loaded: &loaded, binary: cfg.Output, overlay: cfg, usesContext: b.usesContext}
	if t.program, err = overlay.Build(ctx, cfg); err != nil {
		if ctx.Err() == nil {
			b.triageErr = err
		}
		return nil, err
	}
	if b.program == nil || !slices.Equal(t.program.Warnings, b.program.Warnings) {
		r.warnBuild(t.program)
	}
	b.triage = t
	return t, nil
}

// triager is the work on the failing inputs of one fuzz test.
type triager struct {
	*session
	opts    *TriageOptions
	exclude func(m uint32) bool // mutants that are not tried; nil: none
	inputs  []failing
	cases   []int // the inputs that are sorted, in the order that package triage wants

	passing  [][]byte // inputs
	cost     int64    // fuel burned by the dearest of them
	mutants  map[uint32]*effect
	tests    int // of the package's own, that repairs must not break
	matrix   time.Duration
	sorted   triage.Sorted
	deadline time.Time
	result   *report.Triage
}

// effect is what is known of a mutant that does something to a failing input.
type effect struct {
	repairs bool   // some failing input
	breaks  int    // passing inputs
	test    string // of the package's own
	untried bool   // with the package's own tests, for want of time
	reason  string // why it counts as no repair; "" if it does, or repairs nothing
}

// counts reports whether a mutant is a repair that breaks nothing.
func (e *effect) counts() bool { return e != nil && e.repairs && e.reason == "" }

// The parts of the time by whose ends the matrix is to be there, and what repairs
// break is to be known.
const (
	matrixShare = 0.6
	oracleShare = 0.9
)

func (t *triager) run(ctx context.Context) error {
	if err := t.collect(ctx); err != nil {
		return err
	}
	if err := t.analyse(ctx); err != nil {
		return err
	}
	if err := t.describe(ctx); err != nil {
		return err
	}
	return t.since(ctx, t.runner)
}

// analyse runs the inputs, those that fail with mutants, too, and sorts these.
func (t *triager) analyse(ctx context.Context) error {
	t.deadline = time.Now().Add(t.opts.Time)
	t.dropDuplicates()
	if err := t.split(ctx); err != nil {
		return err
	}
	if err := t.findRepairs(ctx); err != nil {
		return err
	}
	if err := t.judgeRepairs(ctx); err != nil {
		return err
	}
	t.sort()
	return nil
}

// until returns a context that ends when a share of the time is over, with a little
// time left in any case.
func (t *triager) until(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	const least = time.Second
	end := t.deadline.Add(-time.Duration(float64(t.opts.Time) * (1 - share)))
	if soon := time.Now().Add(least); end.Before(soon) {
		end = soon
	}
	return context.WithDeadline(ctx, end)
}

// split runs the inputs without mutants of which it is not known that they fail, and
// finds out which ones do.
func (t *triager) split(ctx context.Context) error {
	var list []int
	var inputs [][]byte
	for i := range t.inputs {
		if f := &t.inputs[i]; f.status == "" && !f.result.Outcome.Kind.Failed() {
			list, inputs = append(list, i), append(inputs, f.input)
		}
	}
	t.phase(t.b.program.Test.ImportPath, "%s: running %s", t.test.Name, report.Plural(len(inputs), "input"))
	ctx, cancel := t.until(ctx, matrixShare)
	defer cancel()
	ev, err := t.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil && !stopped(ctx, err) {
		return t.engineError(err)
	}
	for i, at := range list {
		f := &t.inputs[at]
		f.result = ev.Results[i]
		switch {
		case f.result.Outcome.Kind.Failed():
		case f.result.Features == nil && ctx.Err() != nil:
			f.status, f.reason = report.NotRun, "there was no time to run it"
		default:
			f.status = report.Passes
		}
	}
	if err := t.doubt(ctx); err != nil {
		return err
	}
	for i := range t.inputs {
		if f := &t.inputs[i]; f.status == report.Passes && f.result.Outcome.Kind == wire.Pass {
			t.passing = append(t.passing, f.input)
			t.cost = max(t.cost, f.result.Cost)
		}
	}
	return nil
}

// doubtRuns is how often an input is run again that was given as failing and passes.
const doubtRuns = 5

// doubt runs inputs again that were given as failing and pass.
func (t *triager) doubt(ctx context.Context) error {
	var list []int
	var inputs [][]byte
	for i := range t.inputs {
		if f := &t.inputs[i]; f.asked && f.status == report.Passes {
			for range doubtRuns {
				list, inputs = append(list, i), append(inputs, f.input)
			}
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	ev, err := t.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil && !stopped(ctx, err) {
		return t.engineError(err)
	}
	for i, at := range list {
		if f := &t.inputs[at]; ev.Results[i].Outcome.Kind.Failed() {
			f.status, f.reason = report.Flaky, "it fails in some runs, and passes in others"
		}
	}
	return nil
}

// stopped reports whether err is only that there was no more time.
func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// findRepairs runs the failing inputs with mutants. Different failures take turns,
// the smallest inputs first.
func (t *triager) findRepairs(ctx context.Context) error {
	var list []int
	for i := range t.inputs {
		if t.inputs[i].status == "" {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return triage.BySize(string(t.inputs[a].input), string(t.inputs[b].input))
	})
	identities := make([]string, len(list))
	for i, at := range list {
		identities[i] = failure.Identity(t.inputs[at].result.Outcome)
	}
	var order []int
	var queries []repair.Failing
	for _, i := range triage.InTurns(identities) {
		f := &t.inputs[list[i]]
		if f.treated {
			continue
		}
		order = append(order, list[i])
		queries = append(queries, repair.Failing{Input: f.input, Outcome: f.result.Outcome, Cost: f.result.Cost, Passing: t.cost})
	}
	if err := t.treat(ctx, order, queries); err != nil {
		return err
	}
	t.cases = nil
	for _, at := range list {
		f := &t.inputs[at]
		if r := &f.repairs; r.Unsteady {
			f.status, f.reason = report.Flaky, r.Reason
			continue
		}
		t.cases = append(t.cases, at)
	}
	return nil
}

// treat runs some of the inputs with mutants.
func (t *triager) treat(ctx context.Context, order []int, queries []repair.Failing) error {
	if len(queries) == 0 {
		return nil
	}
	t.phase(t.b.program.Test.ImportPath, "%s: running %s with the mutants that they infect", t.test.Name, report.Plural(len(queries), "failing input"))
	begin := t.eng.Processes.CPU()
	ctx, cancel := t.until(ctx, matrixShare)
	defer cancel()
	results, err := repair.All(ctx, t.eng.Processes, queries, t.exclude)
	t.matrix = t.eng.Processes.CPU() - begin
	if err != nil {
		return t.engineError(err)
	}
	for i, at := range order {
		t.inputs[at].repairs = results[i]
	}
	return nil
}

// sort ranks the failing inputs and puts them into buckets.
func (t *triager) sort() {
	first := -1
	var cases []triage.Case
	for i, at := range t.cases {
		f := &t.inputs[at]
		cases = append(cases, t.caseOf(f))
		if t.opts.First != "" && f.entry.Name == t.opts.First {
			first = i
		}
	}
	if t.opts.First != "" && first < 0 {
		t.warning(fmt.Sprintf("-first %s names no failing input of this fuzz test; the ranking begins where it likes", t.opts.First))
	}
	t.sorted = triage.Sort(cases, triage.Options{First: first})
}

func (t *triager) caseOf(f *failing) triage.Case {
	c := triage.Case{Token: failure.Identity(f.result.Outcome), Stack: stackOf(f.result.Outcome)}
	if f.repairs.Done && f.result.Outcome.Kind == wire.Fuel {
		c.Token = f.repairs.Identity // seen with as much fuel as other hangs, whatever the clock said
	}
	for _, m := range f.repairs.Repaired {
		if t.mutants[m].counts() {
			c.Repaired.Add(int(m))
		}
	}
	for _, m := range f.repairs.Changed {
		if t.mutants[m].counts() {
			c.Changed.Add(int(m))
		}
	}
	for _, feature := range f.result.Features {
		c.Covered.Add(feature.Block())
	}
	if f.result.Features == nil {
		for _, counter := range f.repairs.Counters {
			c.Covered.Add(int(counter))
		}
	}
	return c
}

// stackOf is the stack of a failure as other tools see it: functions without lines.
func stackOf(o wire.Outcome) triage.Stack {
	s := triage.Stack{Kind: crashKind(o) + ": " + failure.Template(o.Message)}
	for _, f := range o.Frames {
		s.Frames = append(s.Frames, functionOf(f))
	}
	return s
}
