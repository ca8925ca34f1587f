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
	// Sure holds for mutants whose kills need not be confirmed. nil: for none.
	Sure func(m uint32) bool
	// Ledger holds the pairs of mutant and input that were run already; nil: none.
	Ledger *Ledger
}

// Confirm says what Evaluate says of the inputs with SelectAlive, Explain and Check, and
// uses what is known: a mutant is first run on the input that is known to kill it, and is
// run on others only if that does not. The original comes first, then the known kills, then
// what may live; with a ledger what may live comes before the known kills. When the time of
// ctx is over, kills that are known count without being confirmed, and mutants that were not
// run on all inputs that they infect are Late. The error is that of ctx only if the original
// was not run on all inputs, for which there is a little time more.
func (e *Evaluator) Confirm(ctx context.Context, inputs []*corpus.Input, know Knowing) (*Evaluation, error) {
	ev, err := e.Evaluate(ctx, Query{Inputs: inputs, Select: wire.SelectNone, Check: true, Infected: true, Reached: true})
	if errors.Is(err, context.DeadlineExceeded) {
		err = e.trace(ctx, ev, inputs)
	}
	if err != nil {
		return ev, err
	}
	c := &confirmation{e: e, ev: ev, know: know, killed: make(map[uint32]Kill)}
	ev.Late, ev.Unconfirmed = make(map[uint32]bool), make(map[uint32]bool)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	c.end()
	return ev, nil
}

// traceTime is the time after that of Confirm in which inputs are at least traced.
const traceTime = time.Second

// trace runs the original on the inputs that an evaluation lacks since the time was over, once
// and to see what they infect. A fuzz target that waits leaves no time for more, and the kills
// that are known count.
func (e *Evaluator) trace(ctx context.Context, ev *Evaluation, inputs []*corpus.Input) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceTime)
	defer cancel()
	rest, err := e.Evaluate(ctx, Query{Inputs: inputs[ev.AllDone():], Select: wire.SelectListed, Infected: true, Reached: true})
	if err != nil {
		return err
	}
	ev.Counts.Add(&rest.Counts)
	ev.Cut()
	ev.Extend(rest)
	return nil
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
	c := &confirmation{e: e, ev: n, killed: make(map[uint32]Kill)}
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
		return known && !c.sure(m) && !c.ev.Unconfirmed[m] && (!killed || k.Kind == oracle.OnlyInside)
	}
	if c.know.Ledger != nil {
		// There may be no time for all. Known kills count in any case: the others come first.
		c.enterClean(living)
		if err := c.look(ctx, all, func(m uint32) bool { return dead(m) || living(m) }); err != nil {
			return err
		}
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

// confirm runs mutants on the inputs that are known to kill them, but for those whose kills
// are sure.
func (c *confirmation) confirm(ctx context.Context, first map[uint32]int) error {
	first = maps.Clone(first)
	maps.DeleteFunc(first, func(m uint32, _ int) bool { return c.sure(m) })
	if len(first) == 0 {
		return nil
	}
	at := slices.Compact(slices.Sorted(maps.Values(first))) // inputs with kills
	index := make(map[int]int, len(at))
	q := Query{Select: wire.SelectListed, Explain: true, Known: make(map[uint32]int, len(first))}
	for n, i := range at {
		index[i] = n
		q.Inputs = append(q.Inputs, c.ev.Inputs[i])
	}
	for m, i := range first {
		q.Known[m] = index[i]
	}
	q.Exclude = func(m uint32) bool { _, known := first[m]; return !known }
	ev, err := c.e.Evaluate(ctx, q)
	if err != nil && !over(err) {
		return err
	}
	c.take(ev, at)
	for _, k := range c.know.Kills {
		if _, dead := c.killed[k.Mutant]; !dead && k.Input == first[k.Mutant] && q.Known[k.Mutant] >= ev.Done(k.Mutant) {
			c.killed[k.Mutant] = k
			c.ev.Unconfirmed[k.Mutant] = true
		}
	}
	return nil
}

// look runs the mutants for which which holds on the inputs for which on holds, as far as that
// was not done before.
func (c *confirmation) look(ctx context.Context, on func(i int) bool, which func(m uint32) bool) error {
	if !slices.ContainsFunc(c.e.numbers(), which) {
		return nil
	}
	var at []int
	q := Query{Select: wire.SelectAlive, Explain: true, Ledger: c.know.Ledger, Exclude: func(m uint32) bool { return !which(m) }}
	for i, input := range c.ev.Inputs {
		if on(i) && !c.ev.Results[i].Outcome.Kind.Failed() && (c.know.Ledger == nil || len(c.open(i, which)) > 0) {
			at = append(at, i)
			q.Inputs = append(q.Inputs, input)
		}
	}
	if len(at) == 0 {
		return nil
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
