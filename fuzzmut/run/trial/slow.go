package trial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// hangsSure is after how many hangs that were confirmed the others are believed: each takes seconds.
const hangsSure = 2

// ByFuel reports whether an outcome is a hang that nothing but fuel says: with more it may end.
func ByFuel(o wire.Outcome) bool { return o.Kind == wire.Fuel && !repair.Blocks(o) }

// Slow finds out which of the inputs that hang by fuel end after all, and makes a wire.Slow of the outcome of these.
func (t *Trial) Slow(ctx context.Context, inputs []*corpus.Input, results []wire.Result) error {
	var doubts []*engine.Doubt
	var at []int
	for i := range results {
		if ByFuel(results[i].Outcome) {
			doubts, at = append(doubts, &engine.Doubt{Kind: wire.Fuel, Inputs: inputs[i : i+1]}), append(at, i)
		}
	}
	sure := 0
	for n := t.Engine.Processes.Parallel(); len(doubts) > 0 && sure < hangsSure; {
		n = min(n, len(doubts))
		if err := t.Engine.Confirm(ctx, doubts[:n]); err != nil {
			return t.EngineError(err)
		}
		for i, d := range doubts[:n] {
			if d.Shows() {
				sure++
				continue
			}
			results[at[i]].Outcome = wire.Outcome{Kind: wire.Slow, Message: TakesTime(d.CPU)}
		}
		doubts, at = doubts[n:], at[n:]
	}
	return nil
}

// TakesTime says what processor time something takes.
func TakesTime(d time.Duration) string {
	return fmt.Sprintf("takes %.2g s of processor time", d.Seconds())
}

// leaveSlow notes that a given entry is too slow for mutants, and warns of it. Golden values of it are kept by a run
// without mutants: no fuel is counted there.
func (t *Trial) leaveSlow(e corpus.Entry, o wire.Outcome) {
	t.slow = append(t.slow, e)
	where := e.Path
	if where == "" {
		where = t.Test.File
	}
	t.Warn(fmt.Sprintf("%s (%s) %s: it is left out, since mutants would take longer; fuzzmut corpus verify -update keeps its golden values", e.Name, where, o.Message))
}

// IsSlow reports whether leaveSlow has noted an entry.
func (t *Trial) IsSlow(e *corpus.Entry) bool {
	return slices.ContainsFunc(t.slow, func(s corpus.Entry) bool { return s.Input.Key() == e.Input.Key() })
}

// SlowEntries are the entries that leaveSlow has noted.
func (t *Trial) SlowEntries() []corpus.Entry { return t.slow }

// slowGiven is Slow for the inputs that a run begins with.
func (t *Trial) slowGiven(ctx context.Context, all []corpus.Entry, ev *evaluate.Evaluation) error {
	n := min(len(t.Given), len(all))
	return t.Slow(ctx, Inputs(all[:n]), ev.Results[:n])
}
