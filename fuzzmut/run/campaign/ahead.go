package campaign

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// ahead confirms hangs while the search goes on, one after the other: each takes some ten seconds of processor time,
// for which a user would wait after the search. What is confirmed depends on the order in which buckets open, and
// not on the clock. Where the clock ends the run, it looks for what grows in those that end, too, so that this is measured
// in time. A nil ahead confirms nothing.
type ahead struct {
	trial  *trial.Trial
	cuts   time.Duration // for which it looks for what grows; 0: it does not
	ctx    context.Context
	cancel context.CancelFunc

	beside
	asked int // inputs so far
	queue []waiting
	cut   map[string]bool // inputs that were looked at, by key
}

// waiting is an input that is to be confirmed. Whether fuel alone says that it hangs decides what is done with one
// that ends.
type waiting struct {
	input  *corpus.Input
	byFuel bool
}

func newAhead(ctx context.Context, t *trial.Trial) *ahead {
	a := &ahead{trial: t, cut: make(map[string]bool)}
	a.ctx, a.cancel = context.WithCancel(ctx)
	return a
}

// add takes the input that opens a bucket. It does not wait.
func (a *ahead) add(input *corpus.Input, o wire.Outcome) {
	if o.Kind != wire.Fuel {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked == hangsMost {
		return
	}
	a.asked++
	a.queue = append(a.queue, waiting{input, trial.ByFuel(o)})
	a.start(a.trial, a.work)
}

// work confirms what is asked for. An input that can't be run now is run after the search: the error is nil.
func (a *ahead) work() error {
	for {
		a.mu.Lock()
		if len(a.queue) == 0 {
			a.busy = false
			a.mu.Unlock()
			return nil
		}
		next := a.queue[0]
		a.queue = a.queue[1:]
		a.mu.Unlock()
		d := &engine.Doubt{Kind: wire.Fuel, Inputs: []*corpus.Input{next.input}}
		if err := a.trial.Engine.Confirm(a.ctx, []*engine.Doubt{d}); err == nil && !d.Shows() && next.byFuel && a.cuts > 0 {
			a.cutSlow(next.input)
		}
	}
}

// cutSlow looks for what grows in an input that was taken for a hang, and ends. It is done once, whatever comes of it.
func (a *ahead) cutSlow(input *corpus.Input) {
	cutSlow(a.ctx, a.trial, input, a.cuts) //nolint:errcheck // see above
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cut[input.Key()] = true
}

// hasCut reports whether an input was looked at.
func (a *ahead) hasCut(input *corpus.Input) bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cut[input.Key()]
}

// finish waits until all is confirmed.
func (a *ahead) finish() {
	if a == nil {
		return
	}
	a.mu.Lock()
	busy, n := a.busy, len(a.queue)+1
	a.mu.Unlock()
	if busy {
		a.trial.Phase("confirming failing inputs of %s in fresh processes", report.Plural(n, "bucket"))
	}
	a.wait()
}

// stop gives up what is not done.
func (a *ahead) stop() {
	if a == nil {
		return
	}
	a.cancel()
	a.wait()
}
