package campaign

import (
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// hangsMost is how many bugs that are hangs are confirmed: each takes seconds.
const hangsMost = 4

// confirm drops the bugs that show in no fresh process, as leaks that other inputs have left, inputs that burn
// the fuel of a hang and end, and those that once had not finished in their time. With several inputs the first
// that shows it stands for the bug.
func (c *Campaign) confirm(ctx context.Context, list []bugs.Bug) ([]bugs.Bug, error) {
	c.ahead.finish()
	var doubts []*engine.Doubt
	of := make([]*engine.Doubt, len(list))
	hangs := 0
	for i := range list {
		switch o := list[i].Outcome; {
		case o.Kind == wire.Fuel && hangs < hangsMost:
			hangs++
			list[i].Inputs = c.confirmedFirst(list[i].Inputs)
		case !o.Kind.Asked():
			continue
		}
		of[i] = &engine.Doubt{Kind: list[i].Outcome.Kind, Inputs: list[i].Inputs}
		doubts = append(doubts, of[i])
	}
	if len(doubts) == 0 {
		return list, nil
	}
	c.Trial.Phase("confirming failing inputs of %s in fresh processes", report.Plural(len(doubts), "bucket"))
	if err := c.Trial.Engine.Confirm(ctx, doubts); err != nil {
		if ctx.Err() != nil {
			return list, nil
		}
		return list, c.Trial.EngineError(err)
	}
	return c.confirmed(list, of), nil
}

// confirmedFirst lists the first input that is known to hang before the others. The small input that opened the bucket
// is, unless the search ended before.
func (c *Campaign) confirmedFirst(inputs []*corpus.Input) []*corpus.Input {
	at := slices.IndexFunc(inputs, c.Trial.Engine.Hangs)
	if at <= 0 {
		return inputs
	}
	return append([]*corpus.Input{inputs[at]}, slices.Delete(slices.Clone(inputs), at, at+1)...)
}

// confirmed lists the bugs that were confirmed, and says what became of the others.
func (c *Campaign) confirmed(list []bugs.Bug, of []*engine.Doubt) (kept []bugs.Bug) {
	dropped := 0
	for i, b := range list {
		switch d := of[i]; {
		case d == nil:
		case d.Shows():
			b.Inputs = b.Inputs[d.Refuted:]
		case trial.ByFuel(b.Outcome):
			c.endedInput(&b, trial.TakesTime(d.CPU), "and ends")
			c.slow = append(c.slow, b.Inputs[0])
			continue
		case d.Kind == wire.Fuel:
			c.endedInput(&b, "was "+b.Outcome.Message, "and passes in a fresh process")
			continue
		default:
			dropped++
			continue
		}
		kept = append(kept, b)
	}
	if dropped > 0 {
		c.Trial.Note("what inputs showed at %s, they do not show in a fresh process", report.Plural(dropped, "place"))
	}
	return kept
}

// endedInput says what an input did that was taken for a hang, and that it ends: it takes long, or something else was
// why it did not end, as other work on the machine.
func (c *Campaign) endedInput(b *bugs.Bug, did, does string) {
	where := ""
	if f := trial.Frames(c.Trial.Package.Program.Test.ModuleDir, b.Outcome.Frames); len(f) > 0 {
		where = " at " + f[0]
	}
	input := b.Inputs[0]
	kept := ""
	if path := c.keepCost(input); path != "" {
		kept = "; it is kept as " + path
	}
	c.Trial.Warn("an input of " + report.Plural(input.Len(), "byte") + " " + did + where + ", " + does + ": it is no failing input" + kept)
}

// cutSlow looks for what grows in slow inputs, for that to be measured.
func (c *Campaign) cutSlow(ctx context.Context) error {
	if c.Trial.Project.Options.CostShare() == 0 {
		return nil
	}
	for _, input := range c.slow {
		if c.ahead.hasCut(input) {
			continue
		}
		if err := cutSlow(ctx, c.Trial, input, c.cutTime()); err != nil {
			return err
		}
	}
	return nil
}

// cutTime is the time to look for what grows in an input; 0: there is no bound.
func (c *Campaign) cutTime() time.Duration { return c.endTime() / weighParts }

// cutSlow looks for what grows in a slow input, for some time; 0: as long as it takes.
func cutSlow(ctx context.Context, t *trial.Trial, input *corpus.Input, most time.Duration) error {
	within := ctx
	if most > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	cutter := growth.NewCutter(t.Engine.Processes)
	defer cutter.Close()
	n, err := cutter.Cut(within, input)
	switch {
	case n != nil:
		t.Engine.Growth.Add(&n.Costly)
	case within.Err() != nil:
		return ctx.Err() // what grows is not known
	}
	return err
}
