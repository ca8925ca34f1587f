package loop

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An input may fail in one run and pass in the next: for the order of maps, for the
// time, for goroutines, or for what the target draws at random. Nobody who is shown
// the input sees it fail, so it is told apart from those that always do.

const (
	// certainRuns is how often an input that has failed twice must fail again to count
	// as one that always fails.
	certainRuns = 3
	// flakyRuns is how often one that has passed since is run, to say how often it fails.
	flakyRuns = 8
)

// lastFailure describes the execution that has just ended, which failed. Of one in
// which messages were not wanted it knows only what was panicked with.
func (l *Loop) lastFailure(ex execution) wire.Outcome {
	if ex.message == "" && ex.kind != wire.Fail {
		ex.message = l.x.message(ex.kind, nil)
	}
	ex.stack = slices.Clone(l.x.run.stack)
	return l.outcome(ex)
}

// failsAgain runs the original n times, with maps in another order each time, and
// returns how often it fails.
func (l *Loop) failsAgain(vals []any, n int) (failed int) {
	for i := range n {
		l.x.order = uint64(i)
		if l.detailed(vals, hangFuel).Kind.Failed() {
			failed++
		}
	}
	l.x.order = 0
	return failed
}

// sometimes reports an input that has failed in some of its runs.
func (l *Loop) sometimes(vals []any, o wire.Outcome, failed, runs int) error {
	failed += l.failsAgain(vals, flakyRuns)
	return l.reply(wire.Reply{Flaky: &wire.Flaky{
		Input: wire.Encode(vals), Outcome: o, Key: failure.Key(o), Failed: failed, Runs: runs + flakyRuns,
	}})
}

// repeat runs the original on one input again and again.
func (l *Loop) repeat(item *wire.Item, index int, vals []any) wire.Result {
	res := wire.Result{Item: index}
	for res.Runs < item.Repeat && res.Cost < item.Burn && !l.shared.Stopping() {
		l.x.order = uint64(res.Runs)
		l.x.detail = true
		ex := l.x.original(clone(vals), hangFuel)
		l.x.detail = false
		l.muts.count.execs++
		res.Runs++
		res.Cost += ex.burned + executionFuel
		if !ex.kind.Failed() {
			continue
		}
		if res.Failed++; res.Failed == 1 {
			res.Outcome = l.outcome(ex)
		}
	}
	l.x.order = 0
	return res
}
