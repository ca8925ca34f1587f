package bugs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Intake puts failing inputs into buckets while the search goes on. The first one is
// shown at once, and has the binary built whose mutants are those of triage. With it
// the inputs are assigned one after the other, in the order in which they were found: by
// the failure's identity, then by the mutants that tell the buckets apart. What fits
// a bucket is counted there. What does not is run with all mutants, opens a bucket,
// is shown, and minimized.
//
// What becomes of an input depends on those before it and on the corpus when it was
// found, and not on when its turn comes: so a run that is bounded by executions gives
// the same buckets each time, whatever the clock says.
type Intake struct {
	// Opened is given the small input that opens a bucket, and how it fails, before the first one is added;
	// nil: nobody asks. It must not wait.
	Opened func(*corpus.Input, wire.Outcome)

	trial  *trial.Trial // of the run
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when the work has ended; nil before it begins

	mu     sync.Mutex
	more   *sync.Cond
	queue  []*queued
	closed bool          // nothing more is coming
	failed bool          // the binary can't be had
	opened int           // buckets
	waited time.Duration // after the search, until all were assigned

	// The rest belongs to the goroutine that works until done is closed.
	sort     *Sorting // on the binary; nil if there is none
	repairer *repair.Repairer
	checked  map[uint32]bool // mutants that were run on passing inputs
	buckets  []*bucket
	stacks   map[string]*stackBuckets // by the engine's key
}

// queued is a failing input that waits for its turn.
type queued struct {
	failures.Failure
	shown bool
}

// stackBuckets are the buckets of the inputs that fail with one stack.
type stackBuckets struct {
	buckets  []*bucket
	assigned int
}

// intakeShare divides the search's processor time: one part of it, plus intakeGrant,
// is for placing failing inputs while the search goes on. Once placing has taken more,
// the next input waits.
const (
	intakeShare = 8
	intakeGrant = 2 * time.Second
	intakePause = 50 * time.Millisecond
)

// checkedInputs bounds the inputs of the corpus on which repairs are tried while the
// search goes on. All are in the end.
const checkedInputs = 128

// NewIntake makes an intake that has not begun. Without mutants there is none.
func NewIntake(ctx context.Context, t *trial.Trial) *Intake {
	if t.Project.Unmutated {
		return nil
	}
	in := &Intake{trial: t, checked: make(map[uint32]bool), stacks: make(map[string]*stackBuckets)}
	in.ctx, in.cancel = context.WithCancel(ctx)
	in.more = sync.NewCond(&in.mu)
	return in
}

// Add takes a failing input. It reports whether that is to be shown now.
func (in *Intake) Add(f failures.Failure) (show bool) {
	if in == nil {
		return f.First
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.failed {
		return f.First
	}
	show = in.done == nil
	in.queue = append(in.queue, &queued{f, show})
	in.more.Signal()
	if show {
		in.done = make(chan struct{})
		go func() {
			defer close(in.done)
			if err := panics.Do(in.work); err != nil {
				in.trial.Project.Faults.Note(err)
				in.giveUp(err)
			}
		}()
	}
	return show
}

// Known is the number of buckets of the failing inputs assigned so far. stacks is the
// number of stacks that all failing inputs have.
func (in *Intake) Known(stacks int) int {
	if in == nil {
		return stacks
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.failed || stacks == 0 {
		return stacks
	}
	return max(1, in.opened)
}

// Close says that nothing more is coming. From then on assigning has a part of the run's time, if that bounds it.
func (in *Intake) Close() {
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	if t := in.trial.Project.Options.FuzzTime.Duration; t > 0 {
		time.AfterFunc(joinTime(t), in.cancel)
	}
	in.more.Signal()
}

// Finish waits, after Close, until all failing inputs are assigned, or the time for that is over, and reports whether
// they are. If not, the run's own mutants have to do.
func (in *Intake) Finish() bool {
	if in == nil || in.done == nil {
		return false
	}
	select {
	case <-in.done:
	default:
		in.trial.Phase("sorting failing inputs into buckets")
	}
	begin := time.Now()
	<-in.done
	in.waited = time.Since(begin)
	return in.sort != nil
}

// Smaller makes failing inputs of a run smaller that are not all assigned to buckets, in what is left
// of the time for sorting them. in is nil where nothing sorts them.
func (in *Intake) Smaller(ctx context.Context, t *trial.Trial) error {
	var waited time.Duration
	if in != nil {
		waited = in.waited
	}
	cut, err := t.Engine.Failures.Trim(ctx, t.Engine.Processes, timeLeft(t, waited))
	if cut > 0 && ctx.Err() == nil {
		t.Warn(fmt.Sprintf("%s may be larger than need be: there was no time to make them smaller; fuzzmut triage does", report.Plural(cut, "failing input")))
	}
	return err
}

// Stop gives up what is not done.
func (in *Intake) Stop() {
	if in == nil {
		return
	}
	in.cancel()
	in.mu.Lock()
	in.closed = true
	in.more.Signal()
	done := in.done
	in.mu.Unlock()
	if done != nil {
		<-done
	}
}

// work assigns failing inputs to buckets until there are no more. giveUp reports what goes wrong;
// the error is nil.
func (in *Intake) work() error {
	if !in.prepare() {
		return nil
	}
	defer func() { in.repairer.Close() }()
	for {
		f, ok := in.next()
		if !ok {
			return nil
		}
		done, err := in.assign(f)
		if done {
			continue
		}
		in.mu.Lock()
		in.queue = slices.Insert(in.queue, 0, f) // it has not been looked at to the end
		in.mu.Unlock()
		if in.ctx.Err() == nil {
			in.giveUp(err)
		}
		return nil
	}
}

// prepare builds the binary. Without it every kind of stack is shown, and the run's
// own mutants sort in the end.
func (in *Intake) prepare() bool {
	run := in.trial
	pkg, err := project.BuildMutants(in.ctx, run.Project, run.Package, Operators)
	if err != nil {
		in.giveUp(fmt.Errorf("the mutants for triage can't be built: %w", err))
		return false
	}
	t := trial.New(run.Project, pkg, run.Test, nil, trial.Hooks{})
	t.Types, t.Zero = run.Types, run.Zero
	in.sort = New(t, Options{Time: time.Hour, NoTests: true})
	in.repairer = repair.New(t.Engine.Processes, in.sort.excluded)
	return true
}

// giveUp leaves sorting to the end of the run, with the mutants that it has.
func (in *Intake) giveUp(err error) {
	in.mu.Lock()
	in.failed, in.sort = true, nil
	waiting := in.queue
	in.queue = nil
	in.mu.Unlock()
	if in.ctx.Err() != nil {
		return
	}
	in.trial.Warn(fmt.Sprintf("failing inputs are sorted with the mutants of this run: %s", trial.FirstLine(err.Error())))
	for _, f := range waiting {
		if f.First {
			in.show(f)
		}
	}
}

// show shows a failing input unless that has been done.
func (in *Intake) show(f *queued) {
	if !f.shown {
		f.shown = true
		trial.ShowFailure(in.trial, f.Outcome)
	}
}

// next waits for a failing input whose turn it is. It returns false when there will be
// none.
func (in *Intake) next() (f *queued, ok bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for in.ctx.Err() == nil {
		switch {
		case len(in.queue) == 0 && in.closed:
			return f, false
		case len(in.queue) == 0:
			in.more.Wait()
		case !in.closed && in.sort.trial.Engine.Processes.CPU() > intakeGrant+in.trial.Engine.Processes.CPU()/intakeShare:
			in.mu.Unlock()
			time.Sleep(intakePause)
			in.mu.Lock()
		default:
			f, in.queue = in.queue[0], in.queue[1:]
			return f, true
		}
	}
	return f, false
}

// assign finds the bucket of a failing input, or opens one for it. It reports whether
// the input is done with; if there is no error either, there was no time.
func (in *Intake) assign(f *queued) (done bool, err error) {
	stack := in.stacks[f.Key]
	if stack == nil {
		stack = &stackBuckets{}
		in.stacks[f.Key] = stack
	}
	if stack.assigned >= enough(f.Outcome) && len(stack.buckets) == 1 {
		stack.buckets[0].inputs = append(stack.buckets[0].inputs, assigned{input: f.Input, stack: f.Key})
		return true, nil
	}
	x := Input{
		Entry: f.Input.Found(), Asked: true, tried: true,
		Result: wire.Result{Outcome: f.Outcome, Cost: cmp.Or(f.Cost, joinCost)},
	}
	b, all, err := in.find(&x, f.Known)
	switch {
	case err != nil:
		return false, err
	case in.ctx.Err() != nil:
		return false, nil
	case b == nil:
		in.show(f)
		b, all = &bucket{}, true
		if b.small, err = in.smaller(&x); err != nil {
			return false, err
		}
		in.buckets = append(in.buckets, b)
		in.mu.Lock()
		in.opened++
		in.mu.Unlock()
		if in.Opened != nil {
			in.Opened(b.small, f.Outcome)
		}
	}
	p := assigned{input: f.Input, stack: f.Key}
	if all {
		p.known = &x
		b.known = append(b.known, &x)
	}
	b.inputs = append(b.inputs, p)
	if !slices.Contains(stack.buckets, b) {
		stack.buckets = append(stack.buckets, b)
	}
	stack.assigned++
	return true, nil
}

// enough is how many inputs of a stack in one bucket show that the others are in it, too.
// Other bugs than the first ones often fail at the same assertion.
func enough(o wire.Outcome) int {
	if o.Kind == wire.Fail {
		return joinAsserted
	}
	return joinInputs
}

// find returns the bucket of a failing input, nil if it is in none, and whether all is
// known about the input then. known is the number of entries in the corpus when the
// input was found.
func (in *Intake) find(x *Input, known int) (b *bucket, all bool, err error) {
	alike, cases := in.failingLike(x)
	if !fit(x) {
		return first(alike), false, nil
	}
	inputs, most := in.trial.Engine.Pool.Inputs(known)
	in.sort.cost = most
	if b, err := in.findByTelling(x, alike, cases); b != nil || err != nil {
		return b, false, err
	}
	if err := in.try(x, nil); err != nil {
		return nil, false, err
	}
	if !x.Repairs.Done {
		return first(alike), false, nil
	}
	if err := in.checkRepairs(x, inputs); err != nil {
		return nil, false, err
	}
	buckets := make([][]triage.Case, len(in.buckets))
	for i, b := range in.buckets {
		for _, k := range b.known {
			buckets[i] = append(buckets[i], in.sort.CaseOf(k))
		}
	}
	if at := triage.Nearest(buckets, in.sort.CaseOf(x)); at >= 0 {
		return in.buckets[at], true, nil
	}
	return nil, true, nil
}

func first(list []*bucket) *bucket {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// findByTelling returns the bucket, of those that fail alike, in which the telling
// mutants assign an input, nil if they can't. Of a bucket that no mutant repairs they
// tell nothing.
func (in *Intake) findByTelling(x *Input, alike []*bucket, cases []triage.Case) (*bucket, error) {
	var known []triage.Case
	var at []int
	for i := range cases {
		if cases[i].Repairable() {
			known, at = append(known, cases[i]), append(at, i)
		}
	}
	telling := triage.Telling(known)
	if len(telling) == 0 {
		return nil, nil
	}
	if err := in.try(x, telling); err != nil || !x.Repairs.Done {
		return nil, err
	}
	if i := triage.NearestByTelling(known, in.sort.CaseOf(x), telling); i >= 0 {
		return alike[at[i]], nil
	}
	return nil, nil
}

// failingLike lists the buckets whose failure has the same identity.
func (in *Intake) failingLike(x *Input) (list []*bucket, cases []triage.Case) {
	token := in.sort.CaseOf(x).Token
	for _, b := range in.buckets {
		c := in.sort.CaseOf(b.known[0])
		// What a loop calls last is not known of an input that was not run with mutants.
		rest, ok := strings.CutPrefix(c.Token, token)
		if ok && (rest == "" || rest[0] == '\n' && x.Result.Outcome.Kind == wire.Fuel) {
			list, cases = append(list, b), append(cases, c)
		}
	}
	return list, cases
}

// fit reports whether mutants can be run on a failing input without a process, or
// a wait, for each of them.
func fit(x *Input) bool {
	f := repair.Failing{Outcome: x.Result.Outcome}
	return f.Unfit() == "" && !repair.Blocks(x.Result.Outcome)
}

// try runs a failing input with mutants, with all that it infects if none are named.
func (in *Intake) try(x *Input, mutants []int) (err error) {
	f := repair.Failing{Input: x.Entry.Input, Outcome: x.Result.Outcome, Cost: x.Result.Cost, Passing: in.sort.cost}
	for _, m := range mutants {
		f.Mutants = append(f.Mutants, uint32(m))
	}
	x.Repairs, err = in.repairer.Try(in.ctx, f)
	return err
}

// checkRepairs finds out which of the mutants that repair an input break what passes, as far
// as that is not known.
func (in *Intake) checkRepairs(x *Input, inputs []*corpus.Input) error {
	fresh := make(map[uint32]bool)
	in.sort.note(&x.Repairs)
	for _, m := range x.Repairs.Repaired {
		if !in.checked[m] {
			in.checked[m], fresh[m] = true, true
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	ev, err := in.sort.trial.Engine.Exact.Evaluate(in.ctx, evaluate.Query{
		Inputs: inputs[:min(checkedInputs, len(inputs))], Select: wire.SelectAlive, Check: true, Fuel: othersFuel,
		Exclude: func(m uint32) bool { return !fresh[m] },
	})
	if err != nil {
		if Stopped(in.ctx, err) {
			return nil
		}
		return err
	}
	for _, k := range ev.Kills {
		e := in.sort.mutants[k.Mutant]
		e.breaks, e.reason = 1, breaksInput
	}
	return nil
}

// smaller makes the opener of a bucket smaller, as long as what repaired it does so.
func (in *Intake) smaller(x *Input) (*corpus.Input, error) {
	if !fit(x) || x.Result.Outcome.Kind == wire.Death {
		return x.Entry.Input, nil
	}
	input, err := failures.Trim(in.ctx, in.sort.trial.Engine.Processes, x.Entry.Input)
	if err != nil || input.Equal(x.Entry.Input) || in.ctx.Err() != nil {
		return x.Entry.Input, err
	}
	small := Input{Entry: corpus.Entry{Input: input}, Result: x.Result}
	var telling []int
	for _, m := range slices.Concat(x.Repairs.Repaired, x.Repairs.Changed) {
		telling = append(telling, int(m))
	}
	if len(telling) == 0 {
		return input, nil
	}
	if err := in.try(&small, telling); err != nil {
		return x.Entry.Input, err
	}
	if !in.sort.showsSame(x, &small) {
		return x.Entry.Input, nil
	}
	return input, nil
}

// Bugs lists the bugs that the failing inputs of the run show, in the order in which the
// run met them. If assigned, as Finish reports, it compares the buckets that the run has
// assigned inputs to, now that all of them are known. It also compares what repairs break
// in the resulting corpus. If not assigned, each stack is a bucket, and the run's own
// mutants repair: some of those that triage would try. The inputs about which all is known
// are sorted. The other inputs of a bucket follow the one that opened it.
func (in *Intake) Bugs(ctx context.Context, final []corpus.Entry, assigned bool) ([]Bug, error) {
	stacks := in.trial.Engine.Failures.Stacks()
	c, count := newCollector(stacks), len(stacks)
	if assigned {
		in.placeRest()
		c.sort, c.buckets, c.assigned = in.sort, in.buckets, true
		count = len(in.buckets)
	} else {
		if len(stacks) == 0 || ctx.Err() != nil {
			return Unsorted(stacks), nil
		}
		c.sort = New(in.trial, Options{NoTests: true, exclude: noRepair(in.trial.Package.Program)})
		c.buckets = ofStacks(stacks)
	}
	c.sort.opts.Time = timeLeft(in.trial, in.waited)
	if ctx.Err() == nil {
		in.trial.Phase("sorting failing inputs of %s", report.Plural(count, "bucket"))
	}
	err := c.run(ctx, final)
	if assigned {
		in.trial.AddWarnings(c.sort.trial.Warnings()...)
	}
	if err == nil {
		err = Quote(ctx, in.trial, c.bugs)
	}
	return c.bugs, err
}

// quoteTime bounds the runs of representatives, where a clock may.
const quoteTime = time.Second

// Quote has each bug say what its representative says: a text with a size or a value in it is else that of
// the input which it was made of, and who repeats the run reads another.
func Quote(ctx context.Context, t *trial.Trial, bugs []Bug) error {
	var list []int
	var inputs []*corpus.Input
	for i := range bugs {
		if k := bugs[i].Outcome.Kind; (k == wire.Fail || k == wire.Panic) && len(bugs[i].Inputs) > 0 {
			list, inputs = append(list, i), append(inputs, bugs[i].Inputs[0])
		}
	}
	if len(list) == 0 {
		return nil
	}
	if t.Project.Options.FuzzTime.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, quoteTime)
		defer cancel()
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	if err != nil {
		if Stopped(ctx, err) {
			return nil
		}
		return t.EngineError(err)
	}
	for i, at := range list {
		if o := ev.Results[i].Outcome; failure.Identity(o) == failure.Identity(bugs[at].Outcome) {
			bugs[at].Outcome.Message = o.Message
		}
	}
	return nil
}

// placeRest puts inputs that nobody had the time to look at with others of their stack.
func (in *Intake) placeRest() {
	for _, f := range in.queue {
		if s := in.stacks[f.Key]; s != nil && len(s.buckets) > 0 {
			s.buckets[0].inputs = append(s.buckets[0].inputs, assigned{input: f.Input, stack: f.Key})
		}
	}
	in.queue = nil
}
