package selection

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// candidates lists the entries of a replay, those that may go and those that stay, with what
// is known of them.
func candidates(was *trial.Replay, may func(i int) bool, know trial.Knowledge) (stay, among []Candidate) {
	for i, e := range was.Entries {
		r := &was.Evaluation.Results[i]
		c := Candidate{Entry: e, Cost: r.Cost, At: i, Features: r.Features}
		if may(i) {
			among = append(among, c)
		} else {
			stay = append(stay, c)
		}
	}
	for _, k := range was.Evaluation.Kills {
		know.Add(was.Entries[k.Input].Input, k.Kill)
	}
	return stay, among
}

// ShrinkKnown is Shrink of what was replayed just now, where kills are known. An entry that a
// mutant in package initialization was killed with stays.
func (s *Selector) ShrinkKnown(ctx context.Context, was *trial.Replay, may func(i int) bool, know trial.Knowledge) (*trial.Replay, error) {
	s.Trial.Engine.Credit(was.Evaluation)
	starts := make(map[int]bool)
	for _, k := range was.Start.Kills {
		starts[k.Input] = true
	}
	stay, among := candidates(was, func(i int) bool { return may(i) && !starts[i] }, know)
	if len(among) == 0 {
		return was, nil
	}
	given, err := s.FixKnown(ctx, stay, know)
	if err != nil {
		return nil, err
	}
	chosen, err := s.ChooseKnown(ctx, given, among, know)
	if err != nil || len(chosen.Kept) == len(among) {
		return was, err
	}
	keep := make([]bool, len(was.Entries))
	for _, c := range slices.Concat(stay, chosen.Kept) {
		keep[c.At] = true
	}
	now, err := was.Narrow(ctx, keep, know, s.Ledger())
	if err != nil || len(now.Evaluation.Late) > 0 {
		return was, err
	}
	for _, i := range s.missing(was, now) {
		keep[i] = true
	}
	return was.Narrow(ctx, keep, know, s.Ledger())
}

// BestKnown is Best of what was replayed just now, where kills are known.
func (s *Selector) BestKnown(ctx context.Context, was *trial.Replay, may func(i int) bool, n int, know trial.Knowledge) (*trial.Replay, error) {
	s.Trial.Engine.Credit(was.Evaluation)
	stay, among := candidates(was, may, know)
	if len(among) <= n {
		return was, nil
	}
	given := s.fixed(stay, know)
	keep := make([]bool, len(was.Entries))
	for i := range stay {
		keep[stay[i].At] = true
	}
	if _, err := s.learn(ctx, given, among, s.selectionFor(among, len(given.Killed)), know); err != nil && !late(ctx, err) {
		return nil, err
	}
	rows := s.knownRows(given, among, know)
	for _, i := range matrix.Best(s.matrix(given, rows, nil), max(n, 0)) {
		keep[rows[i-1].At] = true
	}
	return was.Narrow(ctx, keep, know, s.Ledger())
}

// BestOf returns the n best of candidates, the best first, as far as it is known what they
// do. Nothing is run.
func (s *Selector) BestOf(stay *Fixed, among []Candidate, n int, know trial.Knowledge) (best []Candidate) {
	rows := s.knownRows(stay, among, know)
	for _, i := range matrix.Best(s.matrix(stay, rows, nil), max(n, 0)) {
		best = append(best, rows[i-1].Candidate)
	}
	return best
}
