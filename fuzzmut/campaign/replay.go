package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// replay is a corpus that was run in its order against all mutants.
type replay struct {
	trial   *trial
	entries []corpus.Entry
	ev      *evaluate.Evaluation
	start   *evaluate.Starting // mutants that act before the first input
	partial bool               // the time was over before all was known
}

// replayCorpus runs a corpus. When ctx ends meanwhile it says what is known.
func (t *trial) replayCorpus(ctx context.Context, entries []corpus.Entry) (*replay, error) {
	q := evaluate.Query{Inputs: inputsOf(entries), Select: wire.SelectAlive, Explain: true, Check: true}
	if t.runner.unmutated {
		q.Select = wire.SelectNone
	}
	stop := t.watch()
	ev, err := t.eng.Exact.Evaluate(ctx, q)
	stop()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return nil, t.engineError(err)
	}
	now := &replay{trial: t, entries: entries, ev: ev, start: new(evaluate.Starting), partial: err != nil}
	if !t.runner.unmutated {
		now.start, err = t.evaluateStart(ctx, entries, ev)
	}
	return now, err
}

// kills lists the kills of inputs, then those of mutants that act before the
// first.
func (p *replay) kills() []evaluate.Kill { return slices.Concat(p.ev.Kills, p.start.Kills) }

// without lists the entries that least lacks.
func (p *replay) without(least *replay) []corpus.Entry {
	return without(p.entries, least.entries)
}

// without lists the entries that are not among others, by their files.
func without(entries, others []corpus.Entry) []corpus.Entry {
	among := make(map[string]bool, len(others))
	for _, e := range others {
		among[e.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return among[e.Path] })
}

// evaluateStart runs the mutants that act before the first input, over the
// resulting corpus. A mutant that an entry kills without that is settled.
func (t *trial) evaluateStart(ctx context.Context, entries []corpus.Entry, ev *evaluate.Evaluation) (*evaluate.Starting, error) {
	if slices.ContainsFunc(t.b.program.Mutants, func(m instrument.Mutant) bool { return m.Status == instrument.StatusStatic }) {
		t.phase("running the mutants that act before the first input, each in a process of its own")
	}
	killed := make(map[uint32]bool)
	for _, k := range ev.Kills {
		killed[k.Mutant] = true
	}
	start, err := t.eng.Exact.EvaluateStart(ctx, inputsOf(entries), func(m uint32) bool { return killed[m] })
	if death, ok := asDeath(err); ok && !death.Internal {
		t.warning("mutants that act while packages are initialised could not be judged: " + death.Cause)
		return &evaluate.Starting{}, nil
	}
	if err != nil {
		return nil, t.engineError(err)
	}
	if n := len(start.Left); n > 0 {
		t.warning(fmt.Sprintf("%s that act while packages are initialised could not be judged", report.Plural(n, "mutant")))
	}
	return start, nil
}
