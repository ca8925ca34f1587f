package bugs

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// nameHangs finds out in which loops inputs hang. On a busy machine the clock ends many of them
// before their fuel is out, anywhere below the loop. If calls go ever deeper, the clock or the fuel has
// been faster than the overflow of the stack: that counts, as it does on a faster machine.
func (t *Sorting) nameHangs(ctx context.Context) error {
	var list []int
	var inputs []*corpus.Input
	for i := range t.Inputs {
		if f := &t.Inputs[i]; f.Status == "" && f.Result.Outcome.Kind == wire.Fuel {
			list, inputs = append(list, i), append(inputs, f.Entry.Input)
		}
	}
	if len(list) == 0 {
		return nil
	}
	t.trial.Phase("looking for the loops of %s", report.Plural(len(list), "hang"))
	within, cancel := t.time.until(ctx, oracleShare) // it takes little, and all else goes by it
	defer cancel()
	named, err := repair.Name(within, t.trial.Engine.Processes, inputs)
	if err != nil {
		return t.trial.EngineError(err)
	}
	for i, at := range list {
		f, o := &t.Inputs[at].Result.Outcome, &named[i]
		switch {
		case o.Deeper:
			*f = wire.Outcome{Kind: wire.Death, Message: failure.ForeseenOverflow, Frames: o.Frames}
		case o.Kind == wire.Death && failure.OverflowsStack(o):
			*f = *o
		case o.Loop || o.Kind == wire.Fuel && len(f.Frames) == 0:
			f.Frames, f.Loop, f.Ends = o.Frames, o.Loop, o.Ends
		}
	}
	return nil
}
