// Package selection is the choice of the entries of a corpus that stay: the fewest that
// keep every kill and all covered code. What a choice leaves out is removed here, too, as
// far as fuzzmut wrote it.
package selection

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// fullMatrix bounds the work, in fuel, that may be spent on finding out which of
// the entries kill which of the killed mutants, to choose the entries well.
// Beyond that each mutant counts for the first that kills it. Who asks for nothing
// but a small corpus can wait, for thoroughMatrix.
const (
	fullMatrix     = 2_000_000_000
	thoroughMatrix = 20 * fullMatrix
)

// runFuel is what a run costs in addition to the fuel it burns: observing, and
// the original once more if it kills.
const runFuel = 5_000

// choosePasses bounds how often entries are tried that are too many for the matrix.
const choosePasses = 4

// Selector chooses which entries of a corpus stay.
type Selector struct {
	Trial    *trial.Trial
	By       matrix.Features // what no entry may be lost for; 0: kills and coverage
	Thorough bool            // a small corpus is worth more time: nothing is taken for known
	// Most is how many entries stay in the end, if it is more than 0: which of more are needed
	// is then not looked at for long.
	Most int
	// Survey, if it is not nil, has run mutants on the candidates, and its ledger has the pairs
	// of mutant and input that are not run again.
	Survey *evaluate.Survey
}

// Ledger has the pairs of mutant and input that are not run again; nil: there are none.
func (s *Selector) Ledger() *evaluate.Ledger {
	if s.Survey == nil {
		return nil
	}
	return s.Survey.Ledger
}

// Candidate is an entry that is kept if it is needed.
type Candidate struct {
	corpus.Entry
	Cost     int64 // fuel that the original burns
	At       int   // place in the list that it comes from
	Features wire.Features
}

// Fixed is what the entries do that stay in any case.
type Fixed struct {
	Killed map[uint32]bool
	hits   []matrix.Hit
	Focus  *change.Focus // code whose coverage is worth an entry more
}

// Fix runs entries that stay. A seed that takes long takes longest here, with
// all the mutants, so that it is done once.
func (s *Selector) Fix(ctx context.Context, stay []corpus.Entry) (*Fixed, error) {
	ev, err := s.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: trial.Inputs(stay), Select: s.selection(wire.SelectAlive),
		Exclude: func(m uint32) bool { return !s.Trial.Engine.Kills.Dead(int(m)) },
	})
	if err != nil {
		return nil, err
	}
	g := &Fixed{Killed: make(map[uint32]bool)}
	for _, k := range ev.Kills {
		g.Killed[k.Mutant] = true
	}
	for i := range ev.Results {
		g.hits = append(g.hits, hitsOf(s.Trial.Package.Program, ev.Results[i].Features)...)
	}
	return g, nil
}

// selection is sel where kills count and there are any.
func (s *Selector) selection(sel wire.Select) wire.Select {
	if s.keeps(matrix.Kills) && s.Trial.Engine.Status().Killed > 0 {
		return sel
	}
	return wire.SelectNone
}

// keeps says whether the choice of entries must lose none of the features.
func (s *Selector) keeps(f matrix.Features) bool { return s.By == 0 || s.By&f != 0 }

// Choose chooses the entries that keep every kill and all covered blocks, beside
// those that stay. When the whole matrix would cost too much, each mutant counts
// for the first entry that kills it; so it is in any case with kills that are dear.
// What is left is gone through again in the opposite order: an entry that was needed
// only because it came first falls out.
func (s *Selector) Choose(ctx context.Context, stay *Fixed, among []Candidate) ([]Candidate, error) {
	cheapestFirst(among)
	for pass := range choosePasses {
		if len(among) == 0 {
			break
		}
		sel := s.selectionFor(among, len(stay.Killed))
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

func cheapestFirst(among []Candidate) {
	slices.SortStableFunc(among, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Input.Size(), b.Input.Size()), strings.Compare(a.Input.Hash(), b.Input.Hash()))
	})
}

// selectionFor says how candidates are run with mutants. killed is the number of
// mutants that entries that stay kill.
func (s *Selector) selectionFor(among []Candidate, killed int) wire.Select {
	work, left := int64(0), int64(s.Trial.Engine.Status().Killed-killed)
	for _, c := range among {
		work += (c.Cost + runFuel) * left
	}
	most := int64(fullMatrix)
	if s.Thorough {
		most = thoroughMatrix
	}
	if work <= most {
		return s.selection(wire.SelectInfected)
	}
	return s.selection(wire.SelectAlive)
}

// candidateRow is a candidate with what it does.
type candidateRow struct {
	Candidate
	kills []evaluate.Kill
	hits  []matrix.Hit
}

// rows evaluates candidates.
func (s *Selector) rows(ctx context.Context, stay *Fixed, among []Candidate, sel wire.Select) ([]candidateRow, error) {
	var inputs []*corpus.Input
	for _, c := range among {
		inputs = append(inputs, c.Input)
	}
	ev, err := s.Trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: sel,
		Exclude: func(m uint32) bool { return !s.Trial.Engine.Kills.Dead(int(m)) || stay.Killed[m] },
	})
	if err != nil {
		return nil, err
	}
	rows := make([]candidateRow, len(among))
	for i, c := range among {
		c.Cost = ev.Results[i].Cost
		rows[i] = candidateRow{Candidate: c, hits: stay.worth(hitsOf(s.Trial.Package.Program, ev.Results[i].Features))}
	}
	for _, k := range ev.Kills {
		rows[k.Input].kills = append(rows[k.Input].kills, k)
	}
	return rows, nil
}

// dearLast lists the candidates that are needed if dear kills do not count, and
// after them those that have dear kills.
func (s *Selector) dearLast(stay *Fixed, rows []candidateRow) []Candidate {
	cheap := func(k *evaluate.Kill) bool { return !k.Kind.Dear() }
	first := s.least(stay, rows, cheap)
	needed := make(map[string]bool)
	for _, c := range first {
		needed[c.Input.Hash()] = true
	}
	for _, r := range rows {
		if !needed[r.Input.Hash()] && slices.ContainsFunc(r.kills, func(k evaluate.Kill) bool { return k.Kind.Dear() }) {
			first = append(first, r.Candidate)
		}
	}
	return first
}

// least returns the candidates that are needed for the kills that count, nil for
// all, and for the coverage.
func (s *Selector) least(stay *Fixed, rows []candidateRow, counts func(*evaluate.Kill) bool) []Candidate {
	var kept []Candidate
	for _, i := range matrix.Minimise(s.matrix(stay, rows, counts), matrix.Prefs{By: s.By}) {
		if i > 0 {
			kept = append(kept, rows[i-1].Candidate)
		}
	}
	return kept
}

// matrix holds what stays, as its first row, and then the candidates with the kills that
// count.
func (s *Selector) matrix(stay *Fixed, rows []candidateRow, counts func(*evaluate.Kill) bool) *matrix.Matrix {
	m := matrix.New(len(s.Trial.Package.Program.Mutants)+1, len(s.Trial.Package.Program.Blocks))
	m.Add(matrix.Entry{Fixed: true, Name: "stay"}, nil, stay.hits)
	for _, r := range rows {
		var kills []matrix.Kill
		for i := range r.kills {
			if k := &r.kills[i]; counts == nil || counts(k) {
				kills = append(kills, matrix.Kill{Mutant: int(k.Mutant), Kind: k.Kind})
			}
		}
		m.Add(matrix.Entry{Name: r.Input.Hash(), Size: r.Input.Size(), Fuel: r.Cost}, kills, r.hits)
	}
	return m
}

// worth returns the hits for which an entry is kept.
func (g *Fixed) worth(hits []matrix.Hit) []matrix.Hit {
	return slices.DeleteFunc(hits, func(h matrix.Hit) bool { return !g.Focus.Block(h.Block) })
}

// hitsOf lists the blocks an input covers. How often does not matter here: a
// committed corpus is to be small.
func hitsOf(p *instrument.Program, features wire.Features) []matrix.Hit {
	var hits []matrix.Hit
	last := -1
	for _, f := range features {
		if b := f.Block(); b != last && b < len(p.Blocks) {
			hits = append(hits, matrix.Hit{Block: b, Bucket: 1})
			last = b
		}
	}
	return hits
}
