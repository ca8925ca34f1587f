// Package witness finds few and small inputs that kill given mutants: one input for as many
// of them as possible.
package witness

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Witness is an input that was chosen, with mutants that it kills: those that no witness
// before it of the same choice has.
type Witness struct {
	Input   *corpus.Input
	Mutants []uint32
	At      int // of the input, in what was chosen from
}

// Bounds on the search for witnesses.
const (
	// inputsMost is how many entries are run with all mutants that are looked for, in
	// addition to those that were the first to kill one.
	inputsMost = 256
	// fuel is about what mutants may burn in each worker: some seconds.
	fuel = 3_000_000_000
)

// Find chooses witnesses for the mutants for which wanted holds, among the inputs that a
// search has left and that fit. Kills that no caller can see do not count. Judge runs them: the trial of
// the search, or one of the same fuzz test that has seen no input with other values in each run.
func Find(ctx context.Context, t, judge *trial.Trial, wanted func(m uint32) bool, fit func([]*corpus.Input) ([]*corpus.Input, error)) ([]Witness, error) {
	inputs, err := fit(candidates(t, wanted))
	if err != nil {
		return nil, err
	}
	kills, err := Kills(ctx, judge, inputs, nil, wanted)
	return Choose(inputs, kills, nil), err
}

// Kills lists, by input, the mutants for which wanted holds that it kills for a caller, as
// far as their fuel goes, and until ctx ends. Kills that are known, by the key of the input, count for an input
// that was not run with all mutants.
func Kills(ctx context.Context, t *trial.Trial, inputs []*corpus.Input, known map[string][]uint32, wanted func(m uint32) bool) ([][]uint32, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectInfected, Explain: true, Check: true, Fuel: fuel,
		Exclude: func(m uint32) bool { return !wanted(m) },
	})
	if err != nil && (ev == nil || ctx.Err() == nil) {
		return make([][]uint32, len(inputs)), t.EngineError(err)
	}
	kills := seen(ev)
	for i, in := range inputs {
		if i >= ev.AllDone() || withoutMutants(&ev.Results[i]) {
			kills[i] = slices.Concat(kills[i], slices.DeleteFunc(slices.Clone(known[in.Key()]), func(m uint32) bool {
				return !wanted(m) || slices.Contains(kills[i], m)
			}))
		}
	}
	return kills, nil
}

// withoutMutants says whether an input that passes was run without mutants.
func withoutMutants(r *wire.Result) bool {
	return r.Select == wire.SelectNone && !r.Outcome.Kind.Failed()
}

// candidates lists inputs that may be witnesses, the smallest first: those that were the first
// to kill a mutant, and small entries.
func candidates(t *trial.Trial, wanted func(m uint32) bool) []*corpus.Input {
	var inputs []*corpus.Input
	for _, e := range t.Engine.Pool.Entries() {
		inputs = append(inputs, e.Input)
	}
	slices.SortFunc(inputs, compare)
	inputs = inputs[:min(len(inputs), inputsMost)]
	for i := range t.Package.Program.Mutants {
		m := uint32(t.Package.Program.Mutants[i].Index)
		if k, ok := t.Engine.Kills.First(m); ok && k.Input != nil && wanted(m) {
			inputs = append(inputs, k.Input)
		}
	}
	slices.SortFunc(inputs, compare)
	return slices.CompactFunc(inputs, (*corpus.Input).Equal)
}

// compare puts small inputs first.
func compare(a, b *corpus.Input) int {
	if n := a.Len() - b.Len(); n != 0 {
		return n
	}
	return a.Compare(b)
}

// seen lists, by input, the mutants that it kills for a caller.
func seen(ev *evaluate.Evaluation) [][]uint32 {
	by := make([][]uint32, len(ev.Inputs))
	for _, k := range ev.Kills {
		if k.Kind != oracle.OnlyInside && k.Input >= 0 {
			by[k.Input] = append(by[k.Input], k.Mutant)
		}
	}
	return by
}

// Choose takes, again and again, the input that kills most of the mutants that are left, the
// first of several. In the end those go whose mutants others kill as well. The inputs for
// which last holds come after all others, for what these leave; nil holds for none.
func Choose(inputs []*corpus.Input, kills [][]uint32, last func(*corpus.Input) bool) []Witness {
	left := make(map[uint32]bool)
	for _, list := range kills {
		for _, m := range list {
			left[m] = true
		}
	}
	all := len(left)
	later := make([]bool, len(inputs))
	for i, in := range inputs {
		later[i] = last != nil && last(in)
	}
	chosen := greedy(kills, left, func(i int) bool { return !later[i] })
	chosen = append(chosen, greedy(kills, left, func(i int) bool { return later[i] })...)
	chosen = needed(chosen, kills, all)
	var list []Witness
	has := make(map[uint32]bool)
	for _, i := range chosen {
		w := Witness{Input: inputs[i], At: i}
		for _, m := range kills[i] {
			if !has[m] {
				has[m] = true
				w.Mutants = append(w.Mutants, m)
			}
		}
		list = append(list, w)
	}
	return list
}

// greedy chooses among the inputs for which among holds until they kill nothing of what is
// left, and takes what they kill from that.
func greedy(kills [][]uint32, left map[uint32]bool, among func(int) bool) (chosen []int) {
	for {
		best, most := -1, 0
		for i, list := range kills {
			n := 0
			for _, m := range list {
				if left[m] {
					n++
				}
			}
			if n > most && among(i) {
				best, most = i, n
			}
		}
		if best < 0 {
			return chosen
		}
		chosen = append(chosen, best)
		for _, m := range kills[best] {
			delete(left, m)
		}
	}
}

// needed leaves out inputs without which as many mutants are killed, the last ones first.
func needed(chosen []int, kills [][]uint32, all int) []int {
	for at := len(chosen) - 1; at >= 0; at-- {
		without := slices.Delete(slices.Clone(chosen), at, at+1)
		killed := make(map[uint32]bool)
		for _, i := range without {
			for _, m := range kills[i] {
				killed[m] = true
			}
		}
		if len(killed) == all {
			chosen = without
		}
	}
	return chosen
}
