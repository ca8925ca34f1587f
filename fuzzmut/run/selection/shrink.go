package selection

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Shrink leaves out entries that are not needed, of those that it may. What
// stands in the end was replayed: nothing that the choice must keep is lost, also
// where entries mean something else without those before them.
func (s *Selector) Shrink(ctx context.Context, was *trial.Replay, may func(i int) bool) (*trial.Replay, error) {
	s.Trial.Engine.Credit(was.Evaluation)
	var stay []corpus.Entry
	var among []Candidate
	keep := make([]bool, len(was.Entries))
	for i, e := range was.Entries {
		if keep[i] = !may(i); keep[i] {
			stay = append(stay, e)
		} else {
			among = append(among, Candidate{Entry: e, Cost: was.Evaluation.Results[i].Cost, At: i})
		}
	}
	if len(among) == 0 {
		return was, nil
	}
	given, err := s.Fix(ctx, stay)
	if err != nil {
		return nil, err
	}
	kept, err := s.Choose(ctx, given, among)
	if err != nil {
		return nil, err
	}
	for _, c := range kept {
		keep[c.At] = true
	}
	return s.confirm(ctx, was, keep)
}

// confirm replays the entries to keep. While something is missing that all
// entries had, those that had it first are kept as well.
func (s *Selector) confirm(ctx context.Context, was *trial.Replay, keep []bool) (*trial.Replay, error) {
	for slices.Contains(keep, false) {
		var entries []corpus.Entry
		for i, e := range was.Entries {
			if keep[i] {
				entries = append(entries, e)
			}
		}
		now, err := trial.NewReplay(ctx, s.Trial, entries)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		missing := s.missing(was, now)
		if len(missing) == 0 {
			return now, nil
		}
		added := false
		for _, i := range missing {
			added = added || !keep[i]
			keep[i] = true
		}
		if !added {
			break // what is missing does not hang on the entries
		}
	}
	return was, nil
}

// missing lists entries of was with what now lacks.
func (s *Selector) missing(was, now *trial.Replay) []int {
	var list []int
	if s.keeps(matrix.Kills) {
		killed := make(map[uint32]bool)
		for _, k := range now.Kills() {
			killed[k.Mutant] = true
		}
		for _, k := range was.Kills() {
			if !killed[k.Mutant] && k.Input != evaluate.NoInput {
				killed[k.Mutant] = true
				list = append(list, k.Input)
			}
		}
	}
	if s.keeps(matrix.Coverage) {
		covered := make(map[int]bool)
		for i := range now.Evaluation.Results {
			for _, h := range hitsOf(s.Trial.Package.Program, now.Evaluation.Results[i].Features) {
				covered[h.Block] = true
			}
		}
		for i := range was.Evaluation.Results {
			for _, h := range hitsOf(s.Trial.Package.Program, was.Evaluation.Results[i].Features) {
				if !covered[h.Block] {
					covered[h.Block] = true
					list = append(list, i)
				}
			}
		}
	}
	return list
}
