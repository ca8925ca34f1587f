package shared

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// intakeMost bounds the inputs that are taken in at a time. The next time brings others.
const intakeMost = 2000

// Intake takes in what others have found since the last time: their inputs become entries, and
// mutants that they kill are dead once that is confirmed. It is for engine.Budget.
func (m *Member) Intake(ctx context.Context) error {
	if m.log != nil {
		m.notLeft(m.log.Repair())
		m.leaveInputs()
	}
	m.sync(m.dir.Sync)
	m.listen()
	inputs := m.take(share.Entries, intakeMost)
	known := m.known(m.dead())
	if len(inputs)+len(known) == 0 {
		return nil
	}
	e := m.trial.Engine
	ev, err := e.Exact.Evaluate(ctx, m.query(inputs, known))
	if panics.Is(err) {
		return err
	}
	if err != nil && ctx.Err() == nil {
		m.trial.Warn(fmt.Sprintf("-share: inputs of others can't be run: %v", err))
		return nil
	}
	if ev != nil {
		ev.Cut()
		e.Found(ev.Inputs, ev)
		m.trial.Note("took in %d inputs and %d kills of others", len(ev.Inputs), len(ev.Kills))
	}
	return nil
}

// dead are the mutants that were killed here.
func (m *Member) dead() map[uint32]bool {
	list, _ := m.trial.Engine.Kills.Since(0)
	set := make(map[uint32]bool, len(list))
	for _, mutant := range list {
		set[mutant] = true
	}
	return set
}

// query is for inputs of others, and for mutants that are said to be killed by some inputs.
func (m *Member) query(inputs []*corpus.Input, known map[uint32]*corpus.Input) evaluate.Query {
	t := m.trial
	q := evaluate.Query{Inputs: inputs, Select: wire.SelectListed, Check: true, Infected: true, Known: make(map[uint32]int)}
	if t.Mutants() == wire.SelectNone {
		q.Select = wire.SelectNone
		return q
	}
	place := make(map[string]int)
	for i, in := range inputs {
		place[in.Hash()] = i
	}
	for _, mutant := range slices.Sorted(maps.Keys(known)) {
		if !t.Focus.Mutant(mutant) {
			continue
		}
		in := known[mutant]
		at, ok := place[in.Hash()]
		if !ok {
			at = len(q.Inputs)
			place[in.Hash()] = at
			q.Inputs = append(q.Inputs, in)
		}
		q.Known[mutant] = at
	}
	q.Exclude = func(mutant uint32) bool { _, ok := q.Known[mutant]; return !ok }
	return q
}
