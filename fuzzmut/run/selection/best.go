package selection

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Best leaves out entries, of those that it may, until n of these are left: those whose
// kills, and then whose coverage, the others have least of. What stands in the end was
// replayed.
func (s *Selector) Best(ctx context.Context, was *trial.Replay, may func(i int) bool, n int) (*trial.Replay, error) {
	s.Trial.Engine.Credit(was.Evaluation)
	var stay []corpus.Entry
	var among []Candidate
	for i, e := range was.Entries {
		if may(i) {
			among = append(among, Candidate{Entry: e, Cost: was.Evaluation.Results[i].Cost, At: i})
		} else {
			stay = append(stay, e)
		}
	}
	if len(among) <= n {
		return was, nil
	}
	keep, err := s.best(ctx, stay, among, max(n, 0))
	if err != nil {
		return nil, err
	}
	var entries []corpus.Entry
	for i, e := range was.Entries {
		if !may(i) || keep[i] {
			entries = append(entries, e)
		}
	}
	return trial.NewReplay(ctx, s.Trial, entries)
}

// best returns the places of the n best candidates.
func (s *Selector) best(ctx context.Context, stay []corpus.Entry, among []Candidate, n int) (map[int]bool, error) {
	given, err := s.Fix(ctx, stay)
	if err != nil {
		return nil, err
	}
	rows, err := s.rows(ctx, given, among, s.selectionFor(among, len(given.Killed)))
	if err != nil {
		return nil, err
	}
	keep := make(map[int]bool)
	for _, i := range matrix.Best(s.matrix(given, rows, nil), n) {
		keep[rows[i-1].At] = true
	}
	return keep, nil
}
