package campaign

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// fullMatrix bounds the work, in fuel, that may be spent on finding out which of
// the entries kill which of the killed mutants, to choose the entries well.
// Beyond that each mutant counts for the first that kills it.
const fullMatrix = 2_000_000_000

// runFuel is what a run costs besides the fuel it burns: observing, and the
// original once more if it kills.
const runFuel = 5_000

// choosePasses bounds the passes over entries that are too many for the matrix.
const choosePasses = 4

// candidate is an entry that is kept if it is needed.
type candidate struct {
	corpus.Entry
	cost int64 // fuel that the original burns
	at   int   // place in the list that it comes from
}

// settled is what the entries do that stay in any case.
type settled struct {
	killed map[uint32]bool
	hits   []matrix.Hit
	aim    *aim // code whose coverage is worth an entry more
}

// settled runs entries that stay. A seed that takes long takes longest here, with
// all the mutants, so that it is done once.
func (s *session) settled(ctx context.Context, stay []corpus.Entry) (*settled, error) {
	ev, err := s.eng.Evaluate(ctx, engine.Query{
		Inputs: inputsOf(stay), Select: s.selection(wire.SelectAlive),
		Exclude: func(m uint32) bool { return !s.eng.Dead(int(m)) },
	})
	if err != nil {
		return nil, err
	}
	g := &settled{killed: make(map[uint32]bool)}
	for _, k := range ev.Kills {
		g.killed[k.Mutant] = true
	}
	for i := range ev.Results {
		g.hits = append(g.hits, s.hits(&ev.Results[i])...)
	}
	return g, nil
}

// selection is sel where kills count and there are any.
func (s *session) selection(sel wire.Select) wire.Select {
	if s.keeps(matrix.Kills) && s.eng.Status().Killed > 0 {
		return sel
	}
	return wire.SelectNone
}

// keeps says whether the choice of entries must lose none of the features.
func (s *session) keeps(f matrix.Features) bool { return s.prefs.By == 0 || s.prefs.By&f != 0 }

// choose chooses the entries that keep every kill and all covered blocks, beside
// those that stay. When the whole matrix would cost too much, each mutant counts
// for the first entry that kills it, and what is left is gone through again in
// the opposite order: an entry that was needed only because it came first falls
// out.
func (s *session) choose(ctx context.Context, stay *settled, among []candidate) ([]candidate, error) {
	sel := s.selection(wire.SelectAlive)
	left := int64(s.eng.Status().Killed - len(stay.killed))
	for range choosePasses {
		if len(among) == 0 {
			break
		}
		work := int64(0)
		for _, c := range among {
			work += (c.cost + runFuel) * left
		}
		if sel != wire.SelectNone && work <= fullMatrix {
			sel = wire.SelectInfected
		}
		kept, err := s.choosePass(ctx, stay, among, sel)
		if err != nil {
			return nil, err
		}
		slices.Reverse(kept)
		done := sel != wire.SelectAlive || len(kept) == len(among)
		among = kept
		if done {
			break
		}
	}
	return among, nil
}

// choosePass evaluates entries and returns those that are needed.
func (s *session) choosePass(ctx context.Context, stay *settled, among []candidate, sel wire.Select) ([]candidate, error) {
	var inputs [][]byte
	for _, c := range among {
		inputs = append(inputs, wire.Encode(c.Values))
	}
	ev, err := s.eng.Evaluate(ctx, engine.Query{
		Inputs: inputs, Select: sel,
		Exclude: func(m uint32) bool { return !s.eng.Dead(int(m)) || stay.killed[m] },
	})
	if err != nil {
		return nil, err
	}
	kills := make([][]matrix.Kill, len(inputs))
	for _, k := range ev.Kills {
		kills[k.Input] = append(kills[k.Input], matrix.Kill{Mutant: int(k.Mutant), Kind: matrixKind(k.Kind)})
	}
	m := matrix.New(len(s.b.program.Mutants)+1, len(s.b.program.Blocks))
	m.Add(matrix.Entry{Fixed: true, Name: "stay"}, nil, stay.hits)
	for i, c := range among {
		m.Add(matrix.Entry{Name: c.Hash, Size: c.Size, Fuel: ev.Results[i].Cost}, kills[i], stay.worth(s.hits(&ev.Results[i])))
	}
	var kept []candidate
	for _, i := range matrix.Minimise(m, s.prefs) {
		if i > 0 {
			kept = append(kept, among[i-1])
		}
	}
	return kept, nil
}

// worth returns the hits for which an entry is kept.
func (g *settled) worth(hits []matrix.Hit) []matrix.Hit {
	return slices.DeleteFunc(hits, func(h matrix.Hit) bool { return !g.aim.block(h.Block) })
}

// hits lists the blocks an input covers. How often does not matter here: a
// committed corpus is to be small.
func (s *session) hits(r *wire.Result) []matrix.Hit {
	var hits []matrix.Hit
	last := -1
	for _, f := range r.Features {
		if b := int(f >> 3); b != last && b < len(s.b.program.Blocks) {
			hits = append(hits, matrix.Hit{Block: b, Bucket: 1})
			last = b
		}
	}
	return hits
}

func matrixKind(kind string) matrix.Kind {
	switch kind {
	case report.KillAssertion:
		return matrix.Assertion
	case report.KillPanic:
		return matrix.Panic
	case report.KillExit:
		return matrix.Exit
	case report.KillFuel:
		return matrix.Fuel
	}
	return matrix.Difference
}
