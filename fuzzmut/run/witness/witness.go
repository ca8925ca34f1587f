// Package witness finds few and small inputs that kill given mutants: one input for as many
// of them as possible.
package witness

import (
	"cmp"
	"context"
	"slices"
	"time"

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

// dear is about the fuel from which an input is no good test: it runs thousands of blocks, or allocates some megabytes.
const dear = 1 << 14

// A Choice says among what Find chooses.
type Choice struct {
	Trial *trial.Trial // of the search
	// Judge runs the inputs: Trial, or one of the same fuzz test that has seen no input with other values in each run.
	Judge *trial.Trial
	// Wanted holds for the mutants that are looked for.
	Wanted func(m uint32) bool
	// Fit leaves out the inputs that don't fit.
	Fit func(context.Context, []*corpus.Input) ([]*corpus.Input, error)
	// Within bounds running the inputs that fit with mutants, and all that is done for inputs that burn much; 0: no
	// bound. For what is not run then the kills count that the search has seen.
	Within time.Duration
	// Judged are the keys of inputs that choices before this one have found to kill nothing, or not to fit, by the same fuzz
	// test and when no fewer mutants were wanted. They are left out, and Find adds to them; nil: each input is looked at.
	Judged map[string]bool
}

// fresh are the inputs that may kill something.
func (c *Choice) fresh(inputs []*corpus.Input) []*corpus.Input {
	return slices.DeleteFunc(inputs, func(in *corpus.Input) bool { return c.Judged[in.Key()] })
}

// judged notes inputs that need not be looked at again: those that do not fit, and those that kill nothing, all mutants
// tried.
func (c *Choice) judged(inputs, fit []*corpus.Input, kills [][]uint32, undone []bool) {
	if c.Judged == nil {
		return
	}
	for _, in := range inputs {
		if at := slices.Index(fit, in); at < 0 || !undone[at] && len(kills[at]) == 0 {
			c.Judged[in.Key()] = true
		}
	}
}

// Find chooses witnesses among the inputs that a search has left and that fit. Kills that no caller can see do not
// count. Left is how many inputs were not run with all mutants, since the time was over.
func Find(ctx context.Context, c Choice) (found []Witness, left int, err error) {
	cheap, rest := candidates(c.Trial, c.Wanted)
	cheap, rest = c.fresh(cheap), c.fresh(rest)
	inputs, err := c.Fit(ctx, cheap)
	if err != nil {
		return nil, 0, err
	}
	within := ctx
	if c.Within > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, c.Within)
		defer cancel()
	}
	if len(rest) > 0 {
		fit, err := c.Fit(within, rest)
		switch {
		case err == nil:
			inputs, cheap = append(inputs, fit...), append(cheap, rest...)
		case within.Err() == nil || ctx.Err() != nil:
			return nil, 0, err
		default:
			left = len(rest)
		}
	}
	kills, undone, err := run(within, c.Judge, inputs, seenToKill(c.Trial, inputs), c.Wanted)
	if within.Err() != nil {
		for _, not := range undone {
			if not {
				left++
			}
		}
	}
	if err == nil {
		c.judged(cheap, inputs, kills, undone)
	}
	return Choose(inputs, kills, nil), left, err
}

// seenToKill lists, by the key of an input, the mutants that the search has seen it kill first, for a caller.
func seenToKill(t *trial.Trial, inputs []*corpus.Input) map[string][]uint32 {
	list, first := make(map[string][]uint32), t.FirstKills()
	for _, in := range inputs {
		for _, k := range first[in.Hash()] {
			if k.Kind != oracle.OnlyInside {
				list[in.Key()] = append(list[in.Key()], k.Mutant)
			}
		}
	}
	return list
}

// Kills lists, by input, the mutants for which wanted holds that it kills for a caller, as
// far as their fuel goes, and until ctx ends. Kills that are known, by the key of the input, count for an input
// that was not run with all mutants.
func Kills(ctx context.Context, t *trial.Trial, inputs []*corpus.Input, known map[string][]uint32, wanted func(m uint32) bool) ([][]uint32, error) {
	kills, _, err := run(ctx, t, inputs, known, wanted)
	return kills, err
}

// run is Kills. Undone says of each input whether it was not run with all mutants.
func run(ctx context.Context, t *trial.Trial, inputs []*corpus.Input, known map[string][]uint32, wanted func(m uint32) bool) (kills [][]uint32, undone []bool, err error) {
	undone = make([]bool, len(inputs))
	if len(inputs) == 0 {
		return nil, undone, nil
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectInfected, Explain: true, Check: true, Fuel: fuel,
		Exclude: func(m uint32) bool { return !wanted(m) },
	})
	if err != nil && (ev == nil || ctx.Err() == nil) {
		return make([][]uint32, len(inputs)), undone, t.EngineError(err)
	}
	kills = seen(ev)
	for i, in := range inputs {
		if i >= ev.AllDone() || withoutMutants(&ev.Results[i]) {
			undone[i] = true
			kills[i] = slices.Concat(kills[i], slices.DeleteFunc(slices.Clone(known[in.Key()]), func(m uint32) bool {
				return !wanted(m) || slices.Contains(kills[i], m)
			}))
		}
	}
	return kills, undone, nil
}

// withoutMutants says whether an input that passes was run without mutants.
func withoutMutants(r *wire.Result) bool {
	return r.Select == wire.SelectNone && !r.Outcome.Kind.Failed()
}

// candidates lists inputs that may be witnesses, the smallest first: those that were the first
// to kill a mutant, and small entries. Those that burn much are apart, the cheapest first.
func candidates(t *trial.Trial, wanted func(m uint32) bool) (cheap, rest []*corpus.Input) {
	var inputs []*corpus.Input
	costs := make(map[string]int64)
	for _, e := range t.Engine.Pool.Entries() {
		inputs = append(inputs, e.Input)
		costs[e.Input.Key()] = e.Cost
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
	for _, in := range slices.CompactFunc(inputs, (*corpus.Input).Equal) {
		if costs[in.Key()] < dear {
			cheap = append(cheap, in)
		} else {
			rest = append(rest, in)
		}
	}
	slices.SortStableFunc(rest, func(a, b *corpus.Input) int { return cmp.Compare(costs[a.Key()], costs[b.Key()]) })
	return cheap, rest
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
