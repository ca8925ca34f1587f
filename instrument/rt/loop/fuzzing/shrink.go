package fuzzing

import (
	"bytes"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Finds are minimized before they are reported: their children run faster, and
// change what matters. It is paid for out of a share of the fuel, so that a time
// of many finds is not spent on them. They are not made plainer: as many
// executions again bring no more kills and no more coverage.
const (
	shrinkShare = 10      // one part in this number of the fuel may go there
	shrinkSaved = 1 << 22 // fuel saved up, at most
	shrinkExecs = 96      // candidates for one find
	shrinkLeast = 16      // executions that must be paid for before a find is begun with
)

// shrinking is a find while it is minimized.
type shrinking struct {
	*round
	found *wire.Found
	kind  wire.OutcomeKind
	execs int   // candidates left
	end   int64 // of spending, as Executor.Spent counts
	err   error // ends the process; the early report stands
}

// shrink makes a find smaller as long as it has all features that
// are new, kills what it killed, and is no slower. It returns the input, with what
// found says of it brought up to date.
func (r *round) shrink(vals []any, ex exec.Execution, found *wire.Found) ([]any, error) {
	if r.thrift < shrinkLeast*(ex.Burned+exec.ExecutionFuel) || hasDear(found.Kills) {
		return vals, nil
	}
	early := wire.Found{Early: true, Discarded: found.Discarded, Input: wire.Encode(vals), Features: r.fresh, Kills: found.Kills, Cost: ex.Burned}
	if err := r.Conn.Reply(wire.Reply{Found: &early}); err != nil {
		return nil, err
	}
	begin := r.Exec.Spent
	s := &shrinking{round: r, found: found, kind: ex.Kind, execs: shrinkExecs, end: begin + r.thrift}
	re := reduce.Reducer{Best: vals, Keep: s.keeps, Spent: s.over, Values: r.Values, Calls: shrinkExecs}
	re.Reduce()
	if s.err == nil && !bytes.Equal(wire.Encode(re.Best), early.Input) {
		s.update(re.Best)
	}
	r.thrift -= r.Exec.Spent - begin
	return re.Best, s.err
}

func hasDear(kills []wire.Kill) bool {
	for i := range kills {
		if kills[i].Kind.Dear() {
			return true
		}
	}
	return false
}

func (s *shrinking) over() bool {
	return s.execs <= 0 || s.Exec.Spent >= s.end || s.err != nil || s.Conn.Shared.Stopping()
}

// keeps reports whether a candidate is as good as the find.
func (s *shrinking) keeps(vals []any) bool {
	s.execs--
	ex := s.run(vals)
	if ex.Kind.Failed() {
		s.err = s.failed(ex)
		return false
	}
	if ex.Kind != s.kind || ex.Burned > s.found.Cost || !s.Cov.Has(s.fresh) || !s.kills(vals) {
		return false
	}
	s.found.Cost = ex.Burned
	return true
}

func (s *shrinking) run(vals []any) exec.Execution {
	s.setInput(vals)
	s.Cov.Clear()
	s.Muts.CountExec()
	return s.Exec.Original(exec.Clone(vals), s.suspect)
}

// kills judges the mutants that the find killed as they were judged then.
func (s *shrinking) kills(vals []any) bool {
	if len(s.found.Kills) == 0 {
		return true
	}
	ref := s.Muts.Reference(vals, s.suspect, false)
	if ref.Ex.Kind != s.kind {
		return false
	}
	var ran []uint32
	same := true
	for i := 0; same && i < len(s.found.Kills); i++ {
		k := &s.found.Kills[i]
		ran = append(ran, k.Mutant)
		kind, _ := s.Muts.Try(vals, k.Mutant, ref)
		same = kind == k.Kind
	}
	if ok, text, value := s.Muts.Healthy(vals, ran[len(ran)-1], ref); !ok {
		s.err = s.damaged(vals, &mutants.Verdict{Suspects: ran, Text: text, Value: value})
		return false
	}
	return same
}

// update brings what is said of the find up to date with what became of it.
func (s *shrinking) update(vals []any) {
	s.run(vals)
	s.found.Features = s.Cov.Features()
	s.Cov.Merge()
	if s.found.Infects != nil {
		s.found.Infects = s.Muts.Living(s.Muts.Reference(vals, s.suspect, false).Infected)
	}
}
