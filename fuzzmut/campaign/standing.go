package campaign

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// standing is what a corpus comes to when it is replayed in its order against all
// mutants.
type standing struct {
	entries []corpus.Entry
	ev      *evaluate.Evaluation
	start   *evaluate.Starting
	partial bool // the time was over before all was known
}

// stand replays a corpus. When ctx ends meanwhile it says what is known.
func (s *session) stand(ctx context.Context, entries []corpus.Entry) (*standing, error) {
	q := evaluate.Query{Inputs: inputsOf(entries), Select: wire.SelectAlive, Explain: true, Check: true}
	if s.unmutated {
		q.Select = wire.SelectNone
	}
	stop := s.watch()
	ev, err := s.eng.Exact.Evaluate(ctx, q)
	stop()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return nil, s.engineError(err)
	}
	now := &standing{entries: entries, ev: ev, start: new(evaluate.Starting), partial: err != nil}
	if !s.unmutated {
		now.start, err = s.evaluateStart(ctx, entries, ev)
	}
	return now, err
}

// shrink leaves out entries that are not needed, of those that it may. What
// stands in the end was replayed: nothing that the choice must keep is lost, also
// where entries mean something else without those before them.
func (s *session) shrink(ctx context.Context, was *standing, may func(i int) bool) (*standing, error) {
	s.eng.Credit(was.ev)
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
func (s *session) confirm(ctx context.Context, was *standing, keep []bool) (*standing, error) {
	for slices.Contains(keep, false) {
		var entries []corpus.Entry
		for i, e := range was.entries {
			if keep[i] {
				entries = append(entries, e)
			}
		}
		now, err := s.stand(ctx, entries)
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
func (s *session) missing(was, now *standing) []int {
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
			for _, h := range s.hits(&now.ev.Results[i]) {
				covered[h.Block] = true
			}
		}
		for i := range was.ev.Results {
			for _, h := range s.hits(&was.ev.Results[i]) {
				if !covered[h.Block] {
					covered[h.Block] = true
					list = append(list, i)
				}
			}
		}
	}
	return list
}

// kills lists the kills of inputs, then those of mutants that act before the
// first.
func (st *standing) kills() []evaluate.Kill { return slices.Concat(st.ev.Kills, st.start.Kills) }

// without lists the entries that least lacks.
func (st *standing) without(least *standing) []corpus.Entry {
	return without(st.entries, least.entries)
}

// without lists the entries that are not among others, by their files.
func without(entries, others []corpus.Entry) []corpus.Entry {
	among := make(map[string]bool, len(others))
	for _, e := range others {
		among[e.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e corpus.Entry) bool { return among[e.Path] })
}
