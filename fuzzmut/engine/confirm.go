package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// confirmInputs is how many inputs of a stack are run to see whether it shows again, the smallest first.
const confirmInputs = 3

// ConfirmAsked runs inputs of each stack that only an oracle that was asked for sees in fresh
// processes, one for each, and drops the stacks that show in none. It returns how many.
func (e *Engine) ConfirmAsked(ctx context.Context) (dropped int, err error) {
	for _, b := range e.Failures.Stacks() {
		if !b.Outcome.Kind.Asked() {
			continue
		}
		shows := len(b.Inputs) == 0
		for _, input := range b.Inputs[:min(confirmInputs, len(b.Inputs))] {
			if shows, err = e.shows(ctx, input, b.Outcome.Kind); shows || err != nil {
				break
			}
		}
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return dropped, err
		}
		if !shows {
			e.Failures.Drop(b.Key)
			dropped++
		}
	}
	return dropped, nil
}

// shows reports whether an input ends in that way in a process that has run nothing else.
func (e *Engine) shows(ctx context.Context, input *corpus.Input, kind wire.OutcomeKind) (shows bool, err error) {
	p, err := e.Processes.Start(ctx, false, processes.Everything)
	if err != nil {
		return false, err
	}
	defer e.Processes.Retire(p)
	req := wire.Run{Items: []wire.Item{{Input: input.Wire(), Select: wire.SelectNone}}}
	_, err = p.Run(ctx, &req, worker.RunEvents{Result: func(r *wire.Result) { shows = r.Outcome.Kind == kind }})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return false, nil
	}
	return shows, err
}
