package campaign

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// fullMatrix bounds the work, in fuel, that may be spent on finding out which of
// the entries kill which of the killed mutants, to choose the entries well.
// Beyond that each mutant counts for the first that kills it. Who asks for nothing
// but a small corpus can wait, for patientMatrix.
const (
	fullMatrix    = 2_000_000_000
	patientMatrix = 20 * fullMatrix
)

// runFuel is what a run costs besides the fuel it burns: observing, and the
// original once more if it kills.
const runFuel = 5_000

// choosePasses bounds the passes over entries that are too many for the matrix.
const choosePasses = 4

// selector chooses which entries of a corpus stay.
type selector struct {
	trial   *trial
	by      matrix.Features // what no entry may be lost for; 0: kills and coverage
	patient bool            // a small corpus is worth more time
}

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
	focus  *aim // code whose coverage is worth an entry more
}

// settled runs entries that stay. A seed that takes long takes longest here, with
// all the mutants, so that it is done once.
func (s *selector) settled(ctx context.Context, stay []corpus.Entry) (*settled, error) {
	ev, err := s.trial.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputsOf(stay), Select: s.selection(wire.SelectAlive),
		Exclude: func(m uint32) bool { return !s.trial.eng.Kills.Dead(int(m)) },
	})
	if err != nil {
		return nil, err
	}
	g := &settled{killed: make(map[uint32]bool)}
	for _, k := range ev.Kills {
		g.killed[k.Mutant] = true
	}
	for i := range ev.Results {
		g.hits = append(g.hits, hitsOf(s.trial.b.program, &ev.Results[i])...)
	}
	return g, nil
}

// selection is sel where kills count and there are any.
func (s *selector) selection(sel wire.Select) wire.Select {
	if s.keeps(matrix.Kills) && s.trial.eng.Status().Killed > 0 {
		return sel
	}
	return wire.SelectNone
}

// keeps says whether the choice of entries must lose none of the features.
func (s *selector) keeps(f matrix.Features) bool { return s.by == 0 || s.by&f != 0 }

// choose chooses the entries that keep every kill and all covered blocks, beside
// those that stay. When the whole matrix would cost too much, each mutant counts
// for the first entry that kills it; so it is in any case with kills that are dear.
// What is left is gone through again in the opposite order: an entry that was needed
// only because it came first falls out.
func (s *selector) choose(ctx context.Context, stay *settled, among []candidate) ([]candidate, error) {
	slices.SortStableFunc(among, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.Size, b.Size), strings.Compare(a.Hash, b.Hash))
	})
	for pass := range choosePasses {
		if len(among) == 0 {
			break
		}
		sel := s.selectionFor(among, len(stay.killed))
		rows, err := s.rows(ctx, stay, among, sel)
		if err != nil {
			return nil, err
		}
		if pass == 0 && sel == wire.SelectInfected {
			// Dear kills count for entries that are needed anyway, where these have them.
			among = s.dearLast(stay, rows)
			if rows, err = s.rows(ctx, stay, among, sel); err != nil {
				return nil, err
			}
		}
		kept := s.least(stay, rows, nil)
		slices.Reverse(kept)
		done := len(kept) == len(among) || sel == wire.SelectNone
		if among = kept; done {
			break
		}
	}
	return among, nil
}

// selectionFor says how candidates are run with mutants, of which some are killed
// by entries that stay.
func (s *selector) selectionFor(among []candidate, killed int) wire.Select {
	work, left := int64(0), int64(s.trial.eng.Status().Killed-killed)
	for _, c := range among {
		work += (c.cost + runFuel) * left
	}
	most := int64(fullMatrix)
	if s.patient {
		most = patientMatrix
	}
	if work <= most {
		return s.selection(wire.SelectInfected)
	}
	return s.selection(wire.SelectAlive)
}

// candidateRow is a candidate with what it does.
type candidateRow struct {
	candidate
	kills []evaluate.Kill
	hits  []matrix.Hit
}

// rows evaluates candidates.
func (s *selector) rows(ctx context.Context, stay *settled, among []candidate, sel wire.Select) ([]candidateRow, error) {
	var inputs [][]byte
	for _, c := range among {
		inputs = append(inputs, wire.Encode(c.Values))
	}
	ev, err := s.trial.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: sel,
		Exclude: func(m uint32) bool { return !s.trial.eng.Kills.Dead(int(m)) || stay.killed[m] },
	})
	if err != nil {
		return nil, err
	}
	rows := make([]candidateRow, len(among))
	for i, c := range among {
		c.cost = ev.Results[i].Cost
		rows[i] = candidateRow{candidate: c, hits: stay.worth(hitsOf(s.trial.b.program, &ev.Results[i]))}
	}
	for _, k := range ev.Kills {
		rows[k.Input].kills = append(rows[k.Input].kills, k)
	}
	return rows, nil
}

// dearLast lists the candidates that are needed if dear kills do not count, and
// behind them those that have dear kills.
func (s *selector) dearLast(stay *settled, rows []candidateRow) []candidate {
	cheap := func(k *evaluate.Kill) bool { return !k.Kind.Dear() }
	first := s.least(stay, rows, cheap)
	needed := make(map[string]bool)
	for _, c := range first {
		needed[c.Hash] = true
	}
	for _, r := range rows {
		if !needed[r.Hash] && slices.ContainsFunc(r.kills, func(k evaluate.Kill) bool { return k.Kind.Dear() }) {
			first = append(first, r.candidate)
		}
	}
	return first
}

// least returns the candidates that are needed for the kills that count, nil for
// all, and for the coverage.
func (s *selector) least(stay *settled, rows []candidateRow, counts func(*evaluate.Kill) bool) []candidate {
	m := matrix.New(len(s.trial.b.program.Mutants)+1, len(s.trial.b.program.Blocks))
	m.Add(matrix.Entry{Fixed: true, Name: "stay"}, nil, stay.hits)
	for _, r := range rows {
		var kills []matrix.Kill
		for i := range r.kills {
			if k := &r.kills[i]; counts == nil || counts(k) {
				kills = append(kills, matrix.Kill{Mutant: int(k.Mutant), Kind: k.Kind})
			}
		}
		m.Add(matrix.Entry{Name: r.Hash, Size: r.Size, Fuel: r.cost}, kills, r.hits)
	}
	var kept []candidate
	for _, i := range matrix.Minimise(m, matrix.Prefs{By: s.by}) {
		if i > 0 {
			kept = append(kept, rows[i-1].candidate)
		}
	}
	return kept
}

// worth returns the hits for which an entry is kept.
func (g *settled) worth(hits []matrix.Hit) []matrix.Hit {
	return slices.DeleteFunc(hits, func(h matrix.Hit) bool { return !g.focus.block(h.Block) })
}

// hitsOf lists the blocks an input covers. How often does not matter here: a
// committed corpus is to be small.
func hitsOf(p *instrument.Program, r *wire.Result) []matrix.Hit {
	var hits []matrix.Hit
	last := -1
	for _, f := range r.Features {
		if b := f.Block(); b != last && b < len(p.Blocks) {
			hits = append(hits, matrix.Hit{Block: b, Bucket: 1})
			last = b
		}
	}
	return hits
}
