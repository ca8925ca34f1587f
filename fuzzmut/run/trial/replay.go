package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Replay is a corpus that was run in its order against all mutants.
type Replay struct {
	Trial      *Trial
	Entries    []corpus.Entry
	Evaluation *evaluate.Evaluation
	Start      *evaluate.Starting // mutants that act before the first input
	Partial    bool               // the time was over before all was known
}

// NewReplay runs a corpus. When ctx ends meanwhile it says what is known.
func NewReplay(ctx context.Context, t *Trial, entries []corpus.Entry) (*Replay, error) {
	q := evaluate.Query{Inputs: Inputs(entries), Select: wire.SelectAlive, Explain: true, Check: true, Infected: true, Reached: true}
	if t.Project.Unmutated {
		q.Select = wire.SelectNone
	}
	stop := t.Watch()
	ev, err := t.Engine.Exact.Evaluate(ctx, q)
	stop()
	now, err := replayOf(t, entries, ev, err)
	if err != nil || t.Project.Unmutated {
		return now, err
	}
	now.Start, err = EvaluateStart(ctx, t, entries, ev)
	return now, err
}

// Knowledge is what entries are known to kill, by the hash of their input.
type Knowledge map[string][]wire.Kill

// Add adds kills.
func (k Knowledge) Add(input *corpus.Input, kills ...wire.Kill) {
	k[input.Hash()] = append(k[input.Hash()], kills...)
}

// of lists the kills of entries that are known.
func (k Knowledge) of(entries []corpus.Entry) []evaluate.Kill {
	var list []evaluate.Kill
	for i, e := range entries {
		for _, kill := range k[e.Input.Hash()] {
			list = append(list, evaluate.Kill{Kill: kill, Input: i})
		}
	}
	return list
}

// FirstKills returns the first kill of each mutant that was seen so far.
func (t *Trial) FirstKills() Knowledge {
	know := make(Knowledge)
	for i := range t.Package.Program.Mutants {
		if k, ok := t.Engine.Kills.First(uint32(i + 1)); ok && k.Input != nil {
			know.Add(k.Input, k.Kill)
		}
	}
	return know
}

// Confirm is NewReplay of entries whose kills are known, mostly. It has no mutants that act
// before the first input: see Replay.EvaluateStart. The ledger, which may be nil, has what was
// run already.
func Confirm(ctx context.Context, t *Trial, entries []corpus.Entry, know Knowledge, ledger *evaluate.Ledger) (*Replay, error) {
	if t.Project.Unmutated {
		return NewReplay(ctx, t, entries)
	}
	stop := t.Watch()
	reached := t.Engine.Totals().Reached
	ev, err := t.Engine.Exact.Confirm(ctx, Inputs(entries), evaluate.Knowing{
		Features: t.featuresOf(entries), Reached: func(m uint32) bool { return reached[m] > 0 },
		Kills: know.of(entries),
		Clean: func(i int) bool { return t.Engine.Kills.IsClean(entries[i].Input) },
		Dead:  func(m uint32) bool { return t.Engine.Kills.Dead(int(m)) },
		Dear:  t.dear, Sure: t.sure, Ledger: ledger,
	})
	stop()
	return replayOf(t, entries, ev, err)
}

// featuresOf says what is known of the features of entries.
func (t *Trial) featuresOf(entries []corpus.Entry) func(i int) wire.Features {
	known := make(map[string]wire.Features)
	for _, e := range t.Engine.Pool.Entries() {
		known[e.Input.Key()] = e.Features
	}
	return func(i int) wire.Features { return known[entries[i].Input.Key()] }
}

// dear reports whether a mutant is dead and its kill took long.
func (t *Trial) dear(m uint32) bool {
	k, ok := t.Engine.Kills.First(m)
	return ok && k.Kind.Dear()
}

// sure reports whether the kill of a mutant need not be confirmed.
func (t *Trial) sure(m uint32) bool {
	k, ok := t.Engine.Kills.First(m)
	return ok && k.Sure()
}

// Narrow is the replay of those entries for which keep holds, as far as it follows from that
// of all. Mutants that another entry has killed are run again.
func (p *Replay) Narrow(ctx context.Context, keep []bool, know Knowledge, ledger *evaluate.Ledger) (*Replay, error) {
	var at []int
	var entries []corpus.Entry
	place := make(map[int]int)
	for i, stays := range keep {
		if stays {
			place[i] = len(at)
			at, entries = append(at, i), append(entries, p.Entries[i])
		}
	}
	stop := p.Trial.Watch()
	ev, err := p.Trial.Engine.Exact.Narrow(ctx, p.Evaluation, at, evaluate.Knowing{Kills: know.of(entries), Sure: p.Trial.sure, Ledger: ledger})
	stop()
	if err != nil {
		return nil, p.Trial.EngineError(err)
	}
	now := &Replay{Trial: p.Trial, Entries: entries, Evaluation: ev, Partial: p.Partial}
	start, lost := p.Start.Without(func(k *evaluate.Kill) bool {
		_, stays := place[k.Input]
		return k.Input != evaluate.NoInput && !stays
	})
	for i := range start.Kills {
		if k := &start.Kills[i]; k.Input != evaluate.NoInput {
			k.Input = place[k.Input]
		}
	}
	now.Start = start
	if len(lost) == 0 || p.Trial.Project.Unmutated {
		return now, nil
	}
	again, err := evaluateStart(ctx, p.Trial, entries, ev, func(m uint32) bool { return lost[m] })
	if err != nil {
		return now, err
	}
	start.Add(again)
	return now, nil
}

// replayOf is the replay with an evaluation, or the error that there was.
func replayOf(t *Trial, entries []corpus.Entry, ev *evaluate.Evaluation, err error) (*Replay, error) {
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return nil, t.EngineError(err)
	}
	return &Replay{Trial: t, Entries: entries, Evaluation: ev, Start: new(evaluate.Starting), Partial: err != nil}, nil
}

// EvaluateStart runs the mutants that act before the first input.
func (p *Replay) EvaluateStart(ctx context.Context) (err error) {
	if !p.Trial.Project.Unmutated {
		p.Start, err = EvaluateStart(ctx, p.Trial, p.Entries, p.Evaluation)
	}
	return err
}

// Kills lists the kills of inputs, then those of mutants that act before the
// first.
func (p *Replay) Kills() []evaluate.Kill { return slices.Concat(p.Evaluation.Kills, p.Start.Kills) }

// Without lists the entries that least lacks.
func (p *Replay) Without(least *Replay) []corpus.Entry {
	return Without(p.Entries, least.Entries)
}

// Without lists the entries that are not among others, by their files.
func Without(entries, others []corpus.Entry) []corpus.Entry {
	among := make(map[string]bool, len(others))
	for _, e := range others {
		among[e.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return among[e.Path] })
}

// EvaluateStart runs the mutants that act before the first input, over the
// resulting corpus. A mutant that an entry kills without that is not run again.
func EvaluateStart(ctx context.Context, t *Trial, entries []corpus.Entry, ev *evaluate.Evaluation) (*evaluate.Starting, error) {
	if slices.ContainsFunc(t.Package.Program.Mutants, func(m instrument.Mutant) bool {
		return m.Status == instrument.StatusStatic && t.judges(uint32(m.Index))
	}) {
		t.Phase("running the mutants that act only before the first input, each in a separate process")
	}
	return evaluateStart(ctx, t, entries, ev, nil)
}

// judges says whether a mutant is to be judged.
func (t *Trial) judges(m uint32) bool { return !t.Focused || t.Focus.Mutant(m) }

// evaluateStart is EvaluateStart of the mutants for which only holds; nil: all.
func evaluateStart(ctx context.Context, t *Trial, entries []corpus.Entry, ev *evaluate.Evaluation, only func(m uint32) bool) (*evaluate.Starting, error) {
	killed := make(map[uint32]bool)
	for _, k := range ev.Kills {
		killed[k.Mutant] = true
	}
	var judged, all atomic.Int64
	stop := t.WatchSteps("running the mutants that act before the first input", "mutant", func() (done, of int) { return int(judged.Load()), int(all.Load()) })
	start, err := t.Engine.Exact.EvaluateStart(ctx, evaluate.StartQuery{
		Inputs: Inputs(entries), Seed: t.Project.Options.Seed, Fuel: t.Early.Fuel, First: t.Early.First,
		Only:     func(m uint32) bool { return t.judges(m) && (only == nil || only(m)) },
		Done:     func(m uint32) bool { return killed[m] },
		Progress: func(n, of int) { judged.Store(int64(n)); all.Store(int64(of)) },
	})
	stop()
	if death, ok := asDeath(err); ok && !death.Internal {
		t.Warn("mutants that act before the first input could not be judged: " + death.Cause)
		return &evaluate.Starting{}, nil
	}
	if err != nil {
		return nil, t.EngineError(err)
	}
	start.Reuse(t.Early.Known, func(name string) int {
		return slices.IndexFunc(entries, func(e corpus.Entry) bool { return e.Name == name }) // NoInput is -1
	})
	n := 0
	for _, why := range start.Left {
		if why != evaluate.NoTime && why != evaluate.NoBudget { // those the result counts
			n++
		}
	}
	if n > 0 {
		t.Warn(fmt.Sprintf("%s that act before the first input could not be judged", report.Plural(n, "mutant")))
	}
	return start, nil
}
