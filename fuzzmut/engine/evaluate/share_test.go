package evaluate

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestShare has mutants 1 to 3 and two inputs.
func newTestShare(q Query, part, parts int) *share {
	procs := processes.New(processes.Config{Program: &instrument.Program{
		Mutants: []instrument.Mutant{{Index: 1}, {Index: 2}, {Index: 3}}, Funcs: make([]instrument.Func, 1),
	}})
	q.Inputs = []*corpus.Input{nil, nil}
	return newShare(New(procs, failures.New(nil)), &q, part, parts)
}

func TestWhatWasPutOffIsNotRun(t *testing.T) {
	s := newTestShare(Query{}, 0, 1)
	list := make(map[uint32]bool)
	if s.notRun(list); len(list) != 0 {
		t.Errorf("nothing was put off, and not run are %v", list)
	}
	s.putOff(1, []uint32{1, 3})
	s.kill(0, wire.Kill{Mutant: 3})
	if s.notRun(list); len(list) != 1 || !list[1] {
		t.Errorf("not run are %v, want 1: another input has killed 3", list)
	}
	s.putOff(0, nil)
	if s.notRun(list); len(list) != 2 || !list[2] {
		t.Errorf("not run are %v, want all that live", list)
	}
}

// Each mutant is in one share.
func TestMutantsAreDealtOut(t *testing.T) {
	dealt := make(map[int]int)
	for part := range 2 {
		s := newTestShare(Query{Exclude: func(m uint32) bool { return m == 2 }}, part, 2)
		for m := 1; m <= 3; m++ {
			if !s.dead[m] {
				dealt[m]++
			}
		}
	}
	if dealt[1] != 1 || dealt[2] != 0 || dealt[3] != 1 {
		t.Errorf("dealt out: %v", dealt)
	}
}

func TestOneKillIsEnough(t *testing.T) {
	for _, c := range []struct {
		sel  wire.Select
		kind oracle.Kind
		want bool
	}{
		{wire.SelectAlive, oracle.Panic, true},
		{wire.SelectInfected, oracle.Panic, false},
		{wire.SelectInfected, oracle.Fuel, true},
		{wire.SelectInfected, oracle.Exit, true},
	} {
		s := newTestShare(Query{Select: c.sel}, 0, 1)
		if s.kill(0, wire.Kill{Mutant: 1, Kind: c.kind}); s.dead[1] != c.want || !s.killed(1) {
			t.Errorf("%v, %v: not run any more: %v", c.sel, c.kind, s.dead[1])
		}
	}
}

// A mutant that is killed only inside is run on: an input may show what a caller can see.
func TestAKillInsideGivesWayToOneThatIsSeen(t *testing.T) {
	inside := wire.Kill{Mutant: 1, Kind: oracle.OnlyInside}
	s := newTestShare(Query{Select: wire.SelectAlive}, 0, 1)
	s.kill(0, wire.Kill{Mutant: 2, Kind: oracle.Panic})
	s.kill(0, inside)
	s.kill(1, inside)
	if s.dead[1] || !s.killed(1) {
		t.Error("not run any more")
	}
	s.kill(1, wire.Kill{Mutant: 1, Kind: oracle.Difference})
	want := []Kill{{Kill: wire.Kill{Mutant: 2, Kind: oracle.Panic}}, {Kill: wire.Kill{Mutant: 1, Kind: oracle.Difference}, Input: 1}}
	if !slices.Equal(s.kills, want) || !s.dead[1] {
		t.Errorf("kills %v, want %v", s.kills, want)
	}

	s = newTestShare(Query{Select: wire.SelectAlive}, 0, 1)
	for try := range wire.InsideTries + 1 {
		if s.dead[1] != (try == wire.InsideTries) {
			t.Errorf("after %d inputs: not run any more: %v", try, s.dead[1])
		}
		s.kill(0, inside)
	}
	if len(s.kills) != 1 {
		t.Errorf("kills %v", s.kills)
	}
	s = newTestShare(Query{Select: wire.SelectInfected}, 0, 1)
	s.kill(0, inside)
	if s.kill(1, inside); len(s.kills) != 2 {
		t.Errorf("where each input counts, kills %v", s.kills)
	}
}

// A kill counts once, and what comes after it is not counted.
func TestCountsOfAShare(t *testing.T) {
	s := newTestShare(Query{Select: wire.SelectAlive, Infected: true}, 0, 1)
	s.kill(0, wire.Kill{Mutant: 1, Kind: oracle.Panic})
	s.finish(0, wire.Result{Select: wire.SelectAlive, Reached: wire.IDs{1, 2, 3}, Infected: wire.IDs{1, 2}})
	s.skip[1] = []uint32{2}
	s.finish(1, wire.Result{Item: 1, Select: wire.SelectAlive, Reached: wire.IDs{1, 2}, Infected: wire.IDs{1, 2}})
	if got := s.counts.Reached; !slices.Equal(got, []int64{0, 1, 2, 1}) {
		t.Errorf("reached %v", got)
	}
	if got := s.counts.Infected; !slices.Equal(got, []int64{0, 1, 2, 0}) {
		t.Errorf("infected %v", got)
	}
	if got := s.counts.Executed; !slices.Equal(got, []int64{0, 1, 1, 0}) {
		t.Errorf("executed %v: mutant 2 was done with on the second input", got)
	}
	if !slices.Equal(s.results[0].Infected, wire.IDs{2}) || s.results[0].Reached != nil || s.done != 2 {
		t.Errorf("results %+v", s.results)
	}
}
