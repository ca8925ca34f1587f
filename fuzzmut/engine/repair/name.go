package repair

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// nameDeaths bounds the inputs that the clock ends here, each after a part of the time of an execution,
// or after leastNameTime: the fuel takes some hundredths of a second, and more on a busy machine.
const (
	nameDeaths    = 8
	leastNameTime = time.Second
)

// Name runs inputs that hang with little fuel, and returns of each how that ends: with the loop
// that does not end, and what it calls last. All are looked at with the same fuel, so that neither
// the clock nor the place where it struck decides. Of those that the clock ends again it tells
// where. The outcome is the zero value of all others, and of those for
// which there was no time.
func Name(ctx context.Context, procs *processes.Set, inputs []*corpus.Input) ([]wire.Outcome, error) {
	list := make([]wire.Outcome, len(inputs))
	r := New(procs, nil)
	r.limit = max(procs.Worker().Timeout/blockedShare, leastNameTime)
	defer r.Close()
	deaths := 0
	for i, input := range inputs {
		if deaths == nameDeaths {
			break
		}
		o, err := r.name(ctx, input)
		if ctx.Err() != nil {
			break
		}
		var death *worker.Death
		switch {
		case errors.As(err, &death) && !death.Internal:
			r.Close()
			if death.TimedOut {
				deaths++
			}
			list[i] = procs.Outcome(death)
		case err != nil:
			return nil, err
		case o.Kind == wire.Fuel && o.Loop:
			list[i] = o
		}
	}
	return list, nil
}

// noMutant is the number of none.
const noMutant = 0

func (r *Repairer) name(ctx context.Context, input *corpus.Input) (o wire.Outcome, err error) {
	if err := r.start(ctx); err != nil {
		return o, err
	}
	item := wire.RepairItem{Input: input.Wire(), Fuel: hangRepairFuel, Mutants: []uint32{noMutant}}
	_, err = r.p.Repair(ctx, &wire.Repair{Items: []wire.RepairItem{item}}, worker.RepairEvents{
		Effect:    func(*wire.Effect) {},
		Damaged:   func(*worker.Damaged) {},
		Diagnosis: func(d *wire.Diagnosis) { o = d.Outcome },
	})
	return o, err
}
