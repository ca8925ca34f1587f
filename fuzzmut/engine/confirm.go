package engine

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// confirmInputs is how many inputs that fail in one way are run to see whether it shows again.
	confirmInputs = 3
	// hangPatience is how many times the fuel of a hang an input may burn then. Seconds: an input that is
	// minimized takes little more than it must to be taken for a hang.
	hangPatience = 10
)

// A Doubt is a kind of failure that is to be seen again in a process that has run nothing else, and inputs that
// are said to show it.
type Doubt struct {
	Kind   wire.OutcomeKind
	Inputs []*corpus.Input
	// Patience is how many times the fuel of a hang each may burn, if that is the failure; 0: ten times.
	Patience int
	// Refuted is set by Confirm: how many of the inputs, from the first on, do not show it. Those after them were
	// not run, but for the next, which does, if it is one of the first three.
	Refuted int
	// CPU is the processor time that the first of these takes.
	CPU time.Duration
}

// Shows reports whether an input shows the failure, or there was none to be run.
func (d *Doubt) Shows() bool {
	return d.Refuted < min(len(d.Inputs), confirmInputs) || len(d.Inputs) == 0
}

// Confirm runs inputs of each of the doubts in fresh processes, one for each, until one shows the failure. An input that
// burned the fuel of a hang has some times as much, and the time of an execution: it is not run again if that is known.
func (e *Engine) Confirm(ctx context.Context, doubts []*Doubt) error {
	err := panics.Each(ctx, e.Processes.Parallel(), len(doubts), func(ctx context.Context, i int) error {
		return e.confirm(ctx, doubts[i])
	})
	return cmp.Or(err, ctx.Err())
}

func (e *Engine) confirm(ctx context.Context, d *Doubt) error {
	for _, input := range d.Inputs[:min(confirmInputs, len(d.Inputs))] {
		shows, cpu, err := e.shows(ctx, input, d.Kind, cmp.Or(d.Patience, hangPatience))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case shows || err != nil:
			return err
		}
		if d.Refuted++; d.Refuted == 1 {
			d.CPU = cpu
		}
	}
	return nil
}

// Hangs reports whether Confirm has seen that an input does not end.
func (e *Engine) Hangs(input *corpus.Input) bool { return e.patient.of(input, hangPatience).shows }

// patient is what Confirm knows of inputs that burned the fuel of a hang: each takes seconds.
type patient struct {
	mu   sync.Mutex
	seen map[asked]showing
}

// asked is an input, by its key, and how many times the fuel of a hang it may burn.
type asked struct {
	input    string
	patience int
}

type showing struct {
	known, shows bool
	cpu          time.Duration
}

func (p *patient) of(input *corpus.Input, patience int) showing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[asked{input.Key(), patience}]
}

func (p *patient) note(input *corpus.Input, patience int, s showing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = make(map[asked]showing)
	}
	p.seen[asked{input.Key(), patience}] = s
}

// shows reports whether an input fails in that way in a process that has run nothing else, and what processor time it
// takes.
func (e *Engine) shows(ctx context.Context, input *corpus.Input, kind wire.OutcomeKind, patience int) (shows bool, cpu time.Duration, err error) {
	if kind != wire.Fuel {
		return e.runAlone(ctx, input, kind, patience)
	}
	if s := e.patient.of(input, patience); s.known {
		return s.shows, s.cpu, nil
	}
	// A process that the context has ended shows nothing.
	if shows, cpu, err = e.runAlone(ctx, input, kind, patience); err == nil && ctx.Err() == nil {
		e.patient.note(input, patience, showing{known: true, shows: shows, cpu: cpu})
	}
	return shows, cpu, err
}

// runAlone is shows without what is known. A hang shows as well if the process dies, or another failure does: it does
// not pass.
func (e *Engine) runAlone(ctx context.Context, input *corpus.Input, kind wire.OutcomeKind, patience int) (shows bool, cpu time.Duration, err error) {
	hang := kind == wire.Fuel
	p, err := e.Processes.Start(ctx, hang, processes.Everything)
	if err != nil {
		return false, 0, err
	}
	defer e.Processes.Retire(p)
	item := wire.Item{Input: input.Wire(), Select: wire.SelectNone}
	if hang {
		item.Patience = int64(patience)
	}
	before := p.CPU()
	_, err = p.Run(ctx, &wire.Run{Items: []wire.Item{item}}, worker.RunEvents{Result: func(r *wire.Result) {
		shows = r.Outcome.Kind == kind || hang && r.Outcome.Kind.Failed()
	}})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		return hang, 0, nil
	}
	return shows, p.CPU() - before, err
}
