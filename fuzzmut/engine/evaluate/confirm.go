package evaluate

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Knowing is what is known of inputs before they are evaluated.
type Knowing struct {
	Kills []Kill // of inputs; a mutant may have several
	// Clean says of an input that every mutant that lived then was run on it: those for which
	// Dead does not hold survive it. nil: of none.
	Clean func(i int) bool
	Dead  func(m uint32) bool
	// Dear holds for mutants whose kill on another input took as long as thousands of others.
	// nil: for none.
	Dear func(m uint32) bool
	// Sure holds for mutants whose kills need not be confirmed. nil: for none.
	Sure func(m uint32) bool
	// Ledger holds the pairs of mutant and input that were run already; nil: none.
	Ledger *Ledger
	// Features returns those of an input, as far as they are known, and Reached holds for
	// mutants that were reached before. They count where there is no time to run the original;
	// nil: there has to be time.
	Features func(i int) wire.Features
	Reached  func(m uint32) bool
}

// Confirm says what Evaluate says of the inputs with SelectAlive, Explain and Check, and
// uses what is known: a mutant is first run on the input that is known to kill it, and is
// run on others only if that does not. The original comes first, then the known kills, then
// what may live. With a ledger what may live comes before the known kills, and what kills show
// is asked last, when they are confirmed: that takes longest. When the time of
// ctx is over, kills that are known count without being confirmed, and mutants that were not
// run on all inputs that they infect are Late. For the original there is a little time more. If
// even that is too little, the kills that are known count, of the other mutants those are Late
// that were reached before, and without Knowing.Reached the error is that of ctx.
func (e *Evaluator) Confirm(ctx context.Context, inputs []*corpus.Input, know Knowing) (*Evaluation, error) {
	ev, err := e.Evaluate(ctx, Query{Inputs: inputs, Select: wire.SelectNone, Check: true, Infected: true, Reached: true})
	if errors.Is(err, context.DeadlineExceeded) {
		within := traceTime
		if know.Reached != nil {
			within = traceLeast
		}
		err = e.trace(ctx, ev, inputs, within)
	}
	c := &confirmation{e: e, ev: ev, know: know, killed: make(map[uint32]Kill), plain: make(map[uint32]Kill)}
	if errors.Is(err, context.DeadlineExceeded) && know.Reached != nil {
		ev.Late, ev.Unconfirmed = make(map[uint32]bool), make(map[uint32]bool)
		c.assume(inputs)
		c.end()
		return ev, nil
	}
	if err != nil {
		return ev, err
	}
	ev.Late, ev.Unconfirmed = make(map[uint32]bool), make(map[uint32]bool)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	c.end()
	return ev, nil
}

// traceTime is the time after that of Confirm in which inputs are at least traced, and traceLeast
// is that where something is known of them without that: other work waits for the time.
const (
	traceTime  = time.Second
	traceLeast = 250 * time.Millisecond
)

// trace runs the original on the inputs that an evaluation lacks since the time was over, once
// and to see what they infect. A fuzz target that waits leaves no time for more, and the kills
// that are known count.
func (e *Evaluator) trace(ctx context.Context, ev *Evaluation, inputs []*corpus.Input, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	rest, err := e.Evaluate(ctx, Query{Inputs: inputs[ev.AllDone():], Select: wire.SelectListed, Infected: true, Reached: true})
	if err != nil && !over(err) {
		return err
	}
	ev.Counts.Add(&rest.Counts)
	ev.Cut()
	rest.Cut()
	ev.Extend(rest)
	return err
}

// assume takes what is known for what the inputs do that there was no time to run: a machine may
// have given this process none at all.
func (c *confirmation) assume(inputs []*corpus.Input) {
	ev := c.ev
	ev.Cut()
	rest := &Evaluation{Inputs: inputs[len(ev.Inputs):]}
	for i := len(ev.Inputs); i < len(inputs); i++ {
		rest.Results = append(rest.Results, wire.Result{Features: c.know.Features(i)})
	}
	ev.Extend(rest)
	first := c.first()
	for _, k := range c.know.Kills {
		if _, have := c.killed[k.Mutant]; !have && k.Input == first[k.Mutant] {
			c.killed[k.Mutant] = k
			ev.Unconfirmed[k.Mutant] = !c.sure(k.Mutant)
		}
	}
	for _, m := range c.e.numbers() {
		if _, dead := c.killed[m]; !dead && (ev.Counts.Reached[m] > 0 || c.know.Reached(m)) {
			ev.Late[m] = true
		}
	}
}

// Narrow says of some of the inputs of an Evaluation of Confirm what Confirm would: those at
// the indices to keep, ascending. What they were seen to do counts. The mutants alone that
// another input was seen to kill are run on them.
func (e *Evaluator) Narrow(ctx context.Context, ev *Evaluation, keep []int, know Knowing) (*Evaluation, error) {
	n := &Evaluation{
		Counts: kills.NewCounts(e.mutants()), NotRun: ev.NotRun, done: []int{len(keep)},
		Late: maps.Clone(ev.Late), Unconfirmed: make(map[uint32]bool),
	}
	copy(n.Counts.Executed, ev.Counts.Executed)
	place := make(map[int]int, len(keep))
	for at, i := range keep {
		place[i] = at
		n.Inputs, n.Results = append(n.Inputs, ev.Inputs[i]), append(n.Results, ev.Results[i])
		for _, m := range ev.Results[i].Reached {
			n.Counts.Reached[m]++
		}
		for _, m := range ev.Results[i].Infected {
			n.Counts.Infected[m]++
		}
	}
	c := &confirmation{e: e, ev: n, killed: make(map[uint32]Kill), plain: make(map[uint32]Kill)}
	lost := make(map[uint32]bool)
	for _, k := range ev.Kills {
		at, stays := place[k.Input]
		if lost[k.Mutant] = !stays; stays {
			k.Input = at
			c.killed[k.Mutant] = k
			n.Unconfirmed[k.Mutant] = ev.Unconfirmed[k.Mutant]
		}
	}
	c.know.Kills = slices.DeleteFunc(slices.Clone(know.Kills), func(k Kill) bool { return !lost[k.Mutant] })
	c.know.Sure, c.know.Ledger = know.Sure, know.Ledger
	c.trust(c.first())
	if err := c.confirm(ctx, c.first()); err != nil {
		return nil, err
	}
	open := func(m uint32) bool { _, dead := c.killed[m]; return lost[m] && !dead }
	if err := c.look(ctx, func(int) bool { return true }, open); err != nil {
		return nil, err
	}
	c.end()
	return n, nil
}

// end enters the kills.
func (c *confirmation) end() {
	c.ev.Kills = slices.SortedFunc(maps.Values(c.killed), func(a, b Kill) int {
		return cmp.Or(cmp.Compare(a.Input, b.Input), cmp.Compare(a.Mutant, b.Mutant))
	})
}

// confirmation is the state of one Confirm.
type confirmation struct {
	e      *Evaluator
	ev     *Evaluation // of the original, to be completed
	know   Knowing
	killed map[uint32]Kill
	plain  map[uint32]Kill // that were seen just now, and do not say what they show
}

func (c *confirmation) run(ctx context.Context) error {
	first := c.first()
	c.trust(first)
	clean, all := c.know.Clean != nil, func(int) bool { return true }
	dead := func(m uint32) bool { _, known := first[m]; return !known && clean && c.know.Dead(m) }
	living := func(m uint32) bool { _, known := first[m]; return !known && !(clean && c.know.Dead(m)) }
	// What was not confirmed is looked at again, and kills that only show inside: another
	// input may show more.
	doubtful := func(m uint32) bool {
		k, killed := c.killed[m]
		_, known := first[m]
		return known && !c.ev.Unconfirmed[m] && (!killed || k.Kind == oracle.OnlyInside)
	}
	if c.know.Ledger != nil {
		c.enterClean(living)
		if err := c.findAll(ctx, dead, living); err != nil {
			return err
		}
		if err := c.check(ctx, first); err != nil {
			return err
		}
		first = c.first()
		if err := c.confirm(ctx, first); err != nil {
			return err
		}
		return c.look(ctx, all, doubtful)
	}
	if err := c.confirm(ctx, first); err != nil {
		return err
	}
	if err := c.look(ctx, all, func(m uint32) bool { return dead(m) || doubtful(m) }); err != nil {
		return err
	}
	return c.look(ctx, func(i int) bool { return !clean || !c.know.Clean(i) }, living)
}

// enterClean enters into the ledger what follows from Knowing.Clean.
func (c *confirmation) enterClean(living func(m uint32) bool) {
	for i, input := range c.ev.Inputs {
		if c.know.Clean != nil && c.know.Clean(i) {
			lived := slices.DeleteFunc(slices.Clone(c.ev.Results[i].Infected), func(m uint32) bool { return !living(m) })
			c.know.Ledger.enter(input, lived, lived)
		}
	}
}

func (c *confirmation) sure(m uint32) bool { return c.know.Sure != nil && c.know.Sure(m) }

// trust takes in the kills that need not be confirmed.
func (c *confirmation) trust(first map[uint32]int) {
	for _, k := range c.know.Kills {
		if _, have := c.killed[k.Mutant]; !have && c.sure(k.Mutant) && k.Input == first[k.Mutant] {
			c.killed[k.Mutant] = k
		}
	}
}

// first returns the first of the inputs that are known to kill a mutant, by mutant. One that
// shows it only inside does not count if another one does more.
func (c *confirmation) first() map[uint32]int {
	list := make(map[uint32]Kill)
	for _, k := range c.know.Kills {
		have, ok := list[k.Mutant]
		worse := func(k *Kill) int {
			if k.Kind == oracle.OnlyInside {
				return 1
			}
			return 0
		}
		if !ok || cmp.Or(cmp.Compare(worse(&k), worse(&have)), cmp.Compare(k.Input, have.Input)) < 0 {
			list[k.Mutant] = k
		}
	}
	first := make(map[uint32]int, len(list))
	for m, k := range list {
		first[m] = k.Input
	}
	return first
}

// findAll runs the mutants that another input has killed, and those that may live. There may
// be no time for all: those that are likely to fall, for little work, come first.
func (c *confirmation) findAll(ctx context.Context, dead, living func(m uint32) bool) error {
	dear := func(m uint32) bool { return c.know.Dear != nil && c.know.Dear(m) }
	for _, part := range []struct {
		which func(m uint32) bool
		tries int64
	}{
		{func(m uint32) bool { return dead(m) && !dear(m) }, 0},
		{living, surveyTries * surveyGrowth},
		{dead, 0},
		{living, 0},
	} {
		if err := c.find(ctx, part.which, part.tries); err != nil {
			return err
		}
	}
	return nil
}

// find runs the mutants for which which holds on all inputs, or on about as many as tries says
// that they live on; 0: on all. What it kills is known then.
func (c *confirmation) find(ctx context.Context, which func(m uint32) bool, tries int64) error {
	before := maps.Clone(c.killed)
	open := func(m uint32) bool {
		_, known := before[m]
		return !known && c.plain[m].Mutant == 0 && which(m)
	}
	err := c.lookFor(ctx, func(int) bool { return true }, open, Query{Tries: tries})
	for m, k := range c.killed {
		if _, known := before[m]; !known {
			c.know.Kills = append(slices.Clip(c.know.Kills), k)
		}
	}
	c.notExplained(before)
	return err
}

// check runs mutants on the inputs that are known to kill them, as confirm does, but does not
// find out what they show.
func (c *confirmation) check(ctx context.Context, first map[uint32]int) error {
	ev, at, err := c.known(ctx, first, false)
	if ev == nil {
		return err
	}
	before := maps.Clone(c.killed)
	c.take(ev, at)
	c.notExplained(before)
	return nil
}

// notExplained moves the kills that there were not before to plain, but for dear ones, which
// are not looked at again.
func (c *confirmation) notExplained(before map[uint32]Kill) {
	for m, k := range c.killed {
		if _, had := before[m]; !had && !k.Kind.Dear() {
			c.plain[m] = k
			delete(c.killed, m)
		}
	}
}

// confirm runs mutants on the inputs that are known to kill them, but for those whose kills
// are sure, and has them say what they show.
func (c *confirmation) confirm(ctx context.Context, first map[uint32]int) error {
	ev, at, err := c.known(ctx, first, true)
	if ev == nil {
		return err
	}
	for m := range c.plain {
		ev.Counts.Executed[m] = 0 // it counts once
	}
	c.take(ev, at)
	for _, k := range c.know.Kills {
		n := slices.Index(at, k.Input)
		if _, dead := c.killed[k.Mutant]; dead || k.Input != first[k.Mutant] || n < ev.Done(k.Mutant) {
			continue
		}
		if confirmed, ok := c.plain[k.Mutant]; ok {
			c.killed[k.Mutant] = confirmed
		} else {
			c.killed[k.Mutant], c.ev.Unconfirmed[k.Mutant] = k, true
		}
	}
	return nil
}

// known runs mutants on the inputs that are known to kill them, but for those whose kills
// count already. at are the inputs, as indices into those of all. Without
// such mutants there is no evaluation.
func (c *confirmation) known(ctx context.Context, first map[uint32]int, explain bool) (ev *Evaluation, at []int, err error) {
	first = maps.Clone(first)
	maps.DeleteFunc(first, func(m uint32, _ int) bool { _, dead := c.killed[m]; return dead })
	if len(first) == 0 {
		return nil, nil, nil
	}
	at = slices.Compact(slices.Sorted(maps.Values(first))) // inputs with kills
	index := make(map[int]int, len(at))
	q := Query{Select: wire.SelectListed, Explain: explain, Known: make(map[uint32]int, len(first))}
	for n, i := range at {
		index[i] = n
		q.Inputs = append(q.Inputs, c.ev.Inputs[i])
	}
	for m, i := range first {
		q.Known[m] = index[i]
	}
	q.Exclude = func(m uint32) bool { _, known := first[m]; return !known }
	ev, err = c.e.Evaluate(ctx, q)
	if err != nil && !over(err) {
		return nil, nil, err
	}
	return ev, at, nil
}

// look runs the mutants for which which holds on the inputs for which on holds, as far as that
// was not done before, and has kills say what they show.
func (c *confirmation) look(ctx context.Context, on func(i int) bool, which func(m uint32) bool) error {
	return c.lookFor(ctx, on, which, Query{Explain: true})
}

// lookFor is look for a query that says how. Where kills do not say what they show, any input
// will do, and the one for which the original does least comes first: what a mutant without end
// burns goes by that.
func (c *confirmation) lookFor(ctx context.Context, on func(i int) bool, which func(m uint32) bool, q Query) error {
	if !slices.ContainsFunc(c.e.numbers(), which) {
		return nil
	}
	var at []int
	q.Select, q.Ledger, q.Exclude = wire.SelectAlive, c.know.Ledger, func(m uint32) bool { return !which(m) }
	for i := range c.ev.Inputs {
		if on(i) && !c.ev.Results[i].Outcome.Kind.Failed() && (c.know.Ledger == nil || len(c.open(i, which)) > 0) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	if !q.Explain {
		slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(c.ev.Results[i].Cost, c.ev.Results[j].Cost) })
	}
	for _, i := range at {
		q.Inputs = append(q.Inputs, c.ev.Inputs[i])
	}
	ev, err := c.e.Evaluate(ctx, q)
	if err != nil && !over(err) {
		return err
	}
	c.take(ev, at)
	if err == nil {
		return nil
	}
	for n, i := range at {
		for _, m := range c.open(i, which) {
			if _, dead := c.killed[m]; !dead && n >= ev.Done(m) {
				c.ev.Late[m] = true
			}
		}
	}
	return nil
}

// open lists the mutants for which which holds that an input infects, and that were not run
// on it.
func (c *confirmation) open(i int, which func(m uint32) bool) (list []uint32) {
	for _, m := range c.ev.Results[i].Infected {
		if which(m) && !c.know.Ledger.Lived(c.ev.Inputs[i], m) {
			list = append(list, m)
		}
	}
	return list
}

// take takes in what mutants did. at are the inputs, as indices into those of all.
func (c *confirmation) take(ev *Evaluation, at []int) {
	for _, k := range ev.Kills {
		k.Input = at[k.Input]
		if have, ok := c.killed[k.Mutant]; !ok || have.Kind == oracle.OnlyInside {
			c.killed[k.Mutant] = k
		}
	}
	for m, n := range ev.Counts.Executed {
		c.ev.Counts.Executed[m] += n
	}
	maps.Copy(c.ev.NotRun, ev.NotRun)
}

// numbers lists the mutants.
func (e *Evaluator) numbers() []uint32 {
	list := make([]uint32, e.mutants())
	for i := range list {
		list[i] = uint32(i + 1)
	}
	return list
}

// over reports whether an error says that the time is over.
func over(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
