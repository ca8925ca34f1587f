package suggest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/refute"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds of what is done to refute relations.
const (
	attackPart   = 8           // of the budget, one is for it
	attackLeast  = 2400        // inputs for each probe, also where that is more
	attackMost   = 20_000      // and no more, also where there is time
	attackBatch  = 100         // those after it know of it
	attackCost   = 400_000_000 // of the calls of a probe: some tenths of a second
	attackDeaths = 16          // of its process
)

// attack looks for inputs with which relations do not hold, and drops these: what has held in all calls of
// tests, and in others like them, may be an accident.
func (i *inference) attack(ctx context.Context) error {
	var list []*probe
	for _, p := range i.probes {
		if p.statements = p.related(); len(p.statements) > 0 {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	part := i.part(attackPart)
	part.Duration /= time.Duration(len(list))
	part.Execs /= int64(len(list))
	i.project.Phase(i.pkg, "trying to refute what always held")
	for _, p := range list {
		begin := time.Now()
		calls, err := i.attackOne(ctx, p, part)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if part.Duration > 0 {
			i.budget.Duration -= min(part.Duration, time.Since(begin))
		} else {
			i.budget.Execs -= min(part.Execs, calls)
		}
	}
	return nil
}

// attackOne attacks the relations of one probe. Those of one that makes no call are dropped, too: nothing has
// tried to refute them.
func (i *inference) attackOne(ctx context.Context, p *probe, part project.FuzzTime) (calls int64, err error) {
	most := min(max(part.Execs, attackLeast), attackMost)
	within, stop := ctx, func() {}
	if part.Duration > 0 {
		most = attackMost
		within, stop = context.WithTimeout(ctx, part.Duration)
	}
	defer stop()
	c, err := i.newCaller(within, p)
	if err != nil {
		return 0, err
	}
	defer c.end()
	search := i.refuting(p)
	for c.calls < most && c.able() && within.Err() == nil && len(search.Left()) > 0 {
		c.call(within, search.Next(int(min(most-c.calls, attackBatch))), search.Show)
	}
	if c.shown == 0 {
		p.statements = nil
		return c.calls, nil
	}
	left := search.Left()
	for _, r := range p.statements {
		if !slices.ContainsFunc(left, func(l relations.Relation) bool { return l.Holds == r.Holds }) {
			i.project.Note(i.pkg, "%s: a call was found in which this does not hold: %s", p.Name, r.Holds)
		}
	}
	p.statements = left
	return c.calls, nil
}

// refuting is a search that knows what the rounds before have shown.
func (i *inference) refuting(p *probe) *refute.Search {
	var values []any
	add := func(list []*corpus.Input) {
		for _, in := range list {
			values = append(values, in.Values()...)
		}
	}
	add(i.known(p.claim))
	for _, other := range i.probes {
		add(other.valid[:min(len(other.valid), validMost)])
	}
	s := refute.New(refute.Options{Seed: i.project.Options.Seed, MaxLen: probeLen, Zero: p.claim.trial.Zero.Values(), Values: values, Statements: p.statements})
	for at, in := range p.valid {
		s.Show(in, p.rows[at])
	}
	return s
}

// A caller makes the calls of a probe.
type caller struct {
	probe   *probe
	trial   *trial.Trial
	process *worker.Process // nil: it has ended
	deaths  int
	calls   int64
	shown   int // rows
	cost    int64
}

// newCaller starts the process of a caller. One that can't be started calls nothing.
func (i *inference) newCaller(ctx context.Context, p *probe) (*caller, error) {
	nothing := change.FocusOnMutants(i.built.Program, i.code, func(*instrument.Mutant) bool { return false })
	c := &caller{probe: p, trial: trial.New(i.project, i.built, p.shown.test, nothing, trial.Hooks{HangFuel: hangFuel, Anew: true})}
	if err := c.trial.Greet(ctx); err != nil {
		if ctx.Err() == nil && exit.CodeOf(err) == exit.Internal {
			return nil, err
		}
		return c, nil
	}
	c.start(ctx)
	return c, nil
}

// start starts a process, or leaves the caller without one.
func (c *caller) start(ctx context.Context) {
	c.process, _ = c.trial.Engine.Processes.Start(ctx, true, func(uint32) bool { return true })
}

func (c *caller) end() {
	if c.process != nil {
		c.trial.Engine.Processes.Retire(c.process)
	}
}

// able says whether it can make more calls.
func (c *caller) able() bool {
	return c.process != nil && c.deaths < attackDeaths && c.cost < attackCost
}

// call makes calls, and hands on the rows that they show. One that ends the process is left out.
func (c *caller) call(ctx context.Context, inputs []*corpus.Input, show func(*corpus.Input, relations.Row)) {
	c.calls += max(int64(len(inputs)), 1)
	for len(inputs) > 0 && c.able() {
		run := &wire.Run{}
		for _, in := range inputs {
			run.Items = append(run.Items, wire.Item{Input: in.Wire(), Select: wire.SelectNone})
		}
		done := 0
		_, err := c.process.Run(ctx, run, worker.RunEvents{Result: func(r *wire.Result) {
			done++
			c.cost += r.Cost
			if row := c.probe.row(r.Outcome); row != nil {
				c.shown++
				show(inputs[r.Item], row)
			}
		}})
		if err == nil || ctx.Err() != nil {
			return
		}
		inputs = inputs[min(done+1, len(inputs)):]
		c.deaths++
		c.end()
		c.start(ctx)
	}
}

// row is what an execution has shown; nil: nothing.
func (p *probe) row(o wire.Outcome) relations.Row {
	_, text, ok := strings.Cut(o.Message, properties.Mark)
	if !ok || o.Kind != wire.Fail {
		return nil
	}
	if row := relations.ParseRow(text); len(row) == len(p.Columns) {
		return row
	}
	return nil
}

// oddMost is how many inputs are made for each property that no search would soon make.
const oddMost = 300

// oddFailures is after how many of them that fail the others are left.
const oddFailures = 32

// oddInputs are of special values, and texts that are put together of those that a search has left: a
// property that holds on likely inputs alone is not to be shown. They are made of inputs that get as far as all
// functions of the property.
func (o *oracles) oddInputs(p *properties.Property, t *trial.Trial) []*corpus.Input {
	reaches := o.reaching(p)
	opts := refute.Options{Seed: o.project.Options.Seed, MaxLen: probeLen, Zero: t.Zero.Values(), Statements: make([]relations.Relation, 1)}
	var far []*corpus.Input
	for _, e := range t.Engine.Pool.Entries() {
		opts.Values = append(opts.Values, e.Input.Values()...)
		if reaches(e.Features) {
			far = append(far, e.Input)
		}
	}
	s := refute.New(opts)
	for _, in := range far {
		s.Show(in, nil)
	}
	return s.Next(o.job.odd)
}

// tryOdd runs a property on odd inputs. Those on which it fails count as inputs of the search. The others are
// not kept: a search that goes on from them finds less. One on which a call does not end tells nothing, since
// special numbers are often sizes.
func (o *oracles) tryOdd(ctx context.Context, p *properties.Property, t *trial.Trial) error {
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: o.oddInputs(p, t), Select: wire.SelectNone, Failures: oddFailures, Cost: probeCost})
	if err != nil {
		return t.EngineError(err)
	}
	ev.Cut()
	var failing []*corpus.Input
	for at, r := range ev.Results {
		if k := r.Outcome.Kind; k == wire.Fail || k == wire.Panic {
			failing = append(failing, ev.Inputs[at])
		}
	}
	if len(failing) == 0 {
		return nil
	}
	return o.run(ctx, t, failing)
}
