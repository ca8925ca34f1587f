package selection

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A choice after a search begins with what the search has seen: for each mutant one input
// that kills it, and what each input covers. That is enough for a choice that loses
// nothing. Runs with mutants then find entries that can do without others. So the choice is
// good at any time, and gets smaller as long as there is some. A mutant whose kill is dear
// is not run at all: the input that was seen to kill it stays.

// Chosen is a choice among candidates.
type Chosen struct {
	Kept []Candidate
	// Late counts those of Kept that were not compared with the others, since the time was
	// over: some of them may not be needed.
	Late int
	// Tried are candidates that were run with mutants since they may be better, if more are
	// kept than can stay.
	Tried []Candidate
}

// Union lists the candidates of both lists, each once.
func Union(a, b []Candidate) []Candidate {
	have := make(map[string]bool)
	return slices.DeleteFunc(slices.Concat(a, b), func(c Candidate) bool {
		hash := c.Input.Hash()
		again := have[hash]
		have[hash] = true
		return again
	})
}

// FixKnown is Fix for entries whose kills and features are known, in part. It runs what is not
// known, as long as ctx allows, and adds what it finds to know.
func (s *Selector) FixKnown(ctx context.Context, stay []Candidate, know trial.Knowledge) (*Fixed, error) {
	g := s.fixed(stay, know)
	inputs := make([]*corpus.Input, len(stay))
	for i := range stay {
		inputs[i] = stay[i].Input
	}
	ev, err := s.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: s.selection(wire.SelectAlive), Ledger: s.Ledger(),
		Exclude: func(m uint32) bool { return g.Killed[m] || !s.undecided(m) },
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	for _, k := range ev.Kills {
		g.Killed[k.Mutant] = true
		know.Add(inputs[k.Input], k.Kill)
	}
	return g, nil
}

// fixed is what entries do that stay, as far as it is known.
func (s *Selector) fixed(stay []Candidate, know trial.Knowledge) *Fixed {
	g := &Fixed{Killed: make(map[uint32]bool)}
	for i := range stay {
		g.hits = append(g.hits, hitsOf(s.Trial.Package.Program, stay[i].Features)...)
		for _, k := range know[stay[i].Input.Hash()] {
			g.Killed[k.Mutant] = true
		}
	}
	return g
}

// undecided reports whether a mutant that is killed may be run once more: its kill is not
// dear.
func (s *Selector) undecided(m uint32) bool {
	if !s.Trial.Engine.Kills.Dead(int(m)) {
		return false
	}
	k, ok := s.Trial.Engine.Kills.First(m)
	return !ok || !k.Kind.Dear()
}

// Few reports whether all that candidates do can be found out after a search.
func (s *Selector) Few(among []Candidate) bool {
	return s.Most <= 0 || s.selectionFor(among, 0) != wire.SelectAlive
}

// ChooseKnown is Choose for known kills and features. It adds what it finds to know. When
// the time of ctx is over, it returns the choice it has made until then.
func (s *Selector) ChooseKnown(ctx context.Context, stay *Fixed, among []Candidate, know trial.Knowledge) (Chosen, error) {
	if err := s.cover(ctx, among); err != nil && !late(ctx, err) {
		return Chosen{}, err
	}
	cheapestFirst(among)
	if s.selectionFor(among, len(stay.Killed)) == wire.SelectInfected {
		// All that the candidates do can be found out.
		done, err := s.learn(ctx, stay, among, wire.SelectInfected, know)
		if err != nil && !late(ctx, err) {
			return Chosen{}, err
		}
		kept := s.least(stay, s.knownRows(stay, among, know), nil)
		return Chosen{Kept: kept, Late: min(len(among)-done, len(kept))}, nil
	}
	c := Chosen{Kept: s.least(stay, s.knownRows(stay, among, know), nil)}
	if s.selection(wire.SelectAlive) == wire.SelectNone {
		return c, nil
	}
	if s.Survey != nil && s.Most > 0 && len(c.Kept) > s.Most {
		tried, compared, err := s.settleLikely(ctx, stay, among, know)
		if err != nil && !late(ctx, err) {
			return c, err
		}
		if c.Kept, c.Tried = s.least(stay, s.knownRows(stay, among, know), nil), tried; !compared {
			c.Late = len(c.Kept)
		}
		return c, nil
	}
	for pass := range choosePasses {
		rows := s.knownRows(stay, c.Kept, know)
		mostFirst(rows)
		if pass%2 == 1 {
			slices.Reverse(rows) // what was needed only because it came first falls out
		}
		order := make([]Candidate, len(rows))
		for i, r := range rows {
			order[i] = r.Candidate
		}
		done, err := s.learn(ctx, stay, order, wire.SelectAlive, know)
		if err != nil && !late(ctx, err) {
			return c, err
		}
		if pass == 0 {
			c.Late = len(order) - done
		}
		kept := s.least(stay, s.knownRows(stay, order, know), nil)
		same := len(kept) == len(c.Kept)
		c.Kept = kept
		if err != nil || same && pass > 0 || s.Most > 0 && len(kept) > s.Most {
			break // or there are more than can stay, and that the fewest are more makes no difference
		}
	}
	c.Late = min(c.Late, len(c.Kept))
	return c, nil
}

// late reports whether an error says that the time of a context is over, which nobody has
// ended before.
func late(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && errors.Is(ctx.Err(), context.DeadlineExceeded)
}

// mostFirst puts the rows first that have dear kills, since nothing takes their place, and
// then those that do most for the work with them.
func mostFirst(rows []candidateRow) {
	dear := func(r *candidateRow) int {
		if slices.ContainsFunc(r.kills, func(k evaluate.Kill) bool { return k.Kind.Dear() }) {
			return 1
		}
		return 0
	}
	worth := func(r *candidateRow) float64 {
		return float64(len(r.kills)+len(r.hits)) / float64(r.Cost+runFuel)
	}
	slices.SortStableFunc(rows, func(a, b candidateRow) int {
		return cmp.Or(cmp.Compare(dear(&b), dear(&a)), cmp.Compare(worth(&b), worth(&a)))
	})
}

// knownRows says what candidates do, as far as that is known.
func (s *Selector) knownRows(stay *Fixed, among []Candidate, know trial.Knowledge) []candidateRow {
	rows := make([]candidateRow, len(among))
	for i, c := range among {
		rows[i] = candidateRow{Candidate: c, hits: stay.worth(hitsOf(s.Trial.Package.Program, c.Features))}
		for _, k := range know[c.Input.Hash()] {
			if !stay.Killed[k.Mutant] {
				rows[i].kills = append(rows[i].kills, evaluate.Kill{Kill: k, Input: i})
			}
		}
	}
	return rows
}

// cover finds out what the candidates cover that have ended a process: it is not known.
func (s *Selector) cover(ctx context.Context, among []Candidate) error {
	var at []int
	q := evaluate.Query{Select: wire.SelectNone}
	for i := range among {
		if len(among[i].Features) == 0 {
			at, q.Inputs = append(at, i), append(q.Inputs, among[i].Input)
		}
	}
	if len(at) == 0 {
		return nil
	}
	ev, err := s.Trial.Engine.Exact.Evaluate(ctx, q)
	if ev == nil {
		return err
	}
	for n, i := range at {
		among[i].Features, among[i].Cost = ev.Results[n].Features, ev.Results[n].Cost
	}
	return err
}

// learn runs mutants whose kills are not dear on candidates, and adds what they kill to
// know. With SelectAlive a mutant is not run on the first candidate that is known to kill
// it, nor on those after it. It returns on how many candidates all were run.
func (s *Selector) learn(ctx context.Context, stay *Fixed, among []Candidate, sel wire.Select, know trial.Knowledge) (done int, err error) {
	q := evaluate.Query{Select: sel, Ledger: s.Ledger(), Exclude: func(m uint32) bool { return stay.Killed[m] || !s.undecided(m) }}
	if sel == wire.SelectAlive {
		q.Known = make(map[uint32]int)
	}
	have := make([]map[uint32]bool, len(among))
	for i, c := range among {
		q.Inputs = append(q.Inputs, c.Input)
		have[i] = make(map[uint32]bool)
		for _, k := range know[c.Input.Hash()] {
			have[i][k.Mutant] = true
			if _, ok := q.Known[k.Mutant]; !ok && q.Known != nil {
				q.Known[k.Mutant] = i
			}
		}
	}
	ev, err := s.Trial.Engine.Exact.Evaluate(ctx, q)
	if ev == nil {
		return 0, err
	}
	if sel == wire.SelectInfected {
		for i := range ev.AllDone() {
			forget(know, among[i].Input, ev.Kills, i, q.Exclude)
		}
	}
	for _, k := range ev.Kills {
		if !have[k.Input][k.Mutant] {
			know.Add(among[k.Input].Input, k.Kill)
		}
	}
	return ev.AllDone(), err
}

// forget removes kills of an input that did not happen again when its mutants were run on it,
// unless a mutant was left out: such a kill came by chance, from the time or random numbers,
// and no entry is to be kept for it.
func forget(know trial.Knowledge, input *corpus.Input, kills []evaluate.Kill, at int, leftOut func(m uint32) bool) {
	again := make(map[uint32]bool)
	for _, k := range kills {
		if k.Input == at {
			again[k.Mutant] = true
		}
	}
	hash := input.Hash()
	know[hash] = slices.DeleteFunc(know[hash], func(k wire.Kill) bool { return !again[k.Mutant] && !leftOut(k.Mutant) })
}
