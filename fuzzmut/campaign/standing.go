package campaign

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
)

// shrink leaves out entries that are not needed, of those that it may. What
// stands in the end was replayed: nothing that the choice must keep is lost, also
// where entries mean something else without those before them.
func (s *selector) shrink(ctx context.Context, was *replay, may func(i int) bool) (*replay, error) {
	s.trial.eng.Credit(was.ev)
	var stay []corpus.Entry
	var among []candidate
	keep := make([]bool, len(was.entries))
	for i, e := range was.entries {
		if keep[i] = !may(i); keep[i] {
			stay = append(stay, e)
		} else {
			among = append(among, candidate{e, was.ev.Results[i].Cost, i})
		}
	}
	if len(among) == 0 {
		return was, nil
	}
	given, err := s.settled(ctx, stay)
	if err != nil {
		return nil, err
	}
	kept, err := s.choose(ctx, given, among)
	if err != nil {
		return nil, err
	}
	for _, c := range kept {
		keep[c.at] = true
	}
	return s.confirm(ctx, was, keep)
}

// confirm replays the entries to keep. While something is missing that all
// entries had, those that had it first are kept as well.
func (s *selector) confirm(ctx context.Context, was *replay, keep []bool) (*replay, error) {
	for slices.Contains(keep, false) {
		var entries []corpus.Entry
		for i, e := range was.entries {
			if keep[i] {
				entries = append(entries, e)
			}
		}
		now, err := s.trial.replayCorpus(ctx, entries)
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
func (s *selector) missing(was, now *replay) []int {
	var list []int
	if s.keeps(matrix.Kills) {
		killed := make(map[uint32]bool)
		for _, k := range now.kills() {
			killed[k.Mutant] = true
		}
		for _, k := range was.kills() {
			if !killed[k.Mutant] && k.Input != evaluate.NoInput {
				killed[k.Mutant] = true
				list = append(list, k.Input)
			}
		}
	}
	if s.keeps(matrix.Coverage) {
		covered := make(map[int]bool)
		for i := range now.ev.Results {
			for _, h := range hitsOf(s.trial.b.program, &now.ev.Results[i]) {
				covered[h.Block] = true
			}
		}
		for i := range was.ev.Results {
			for _, h := range hitsOf(s.trial.b.program, &was.ev.Results[i]) {
				if !covered[h.Block] {
					covered[h.Block] = true
					list = append(list, i)
				}
			}
		}
	}
	return list
}
