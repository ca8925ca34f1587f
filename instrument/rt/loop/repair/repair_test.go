package repair

import (
	"errors"
	"maps"
	"slices"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The mutants of a target that fails.
const (
	rNothing  = iota + 1 // changes nothing
	rRepair              // it passes
	rOther               // it fails at another place
	rSkips               // it skips
	rEndless             // it does not end
	rSpoils              // it fails as before, and from now on the original passes
	rUnreach             // is not reached
	rMutants  = rUnreach
	rOddOnes  = 3 // counters
	rTraceAll = 1<<rNothing | 1<<rRepair | 1<<rOther | 1<<rSkips | 1<<rEndless | 1<<rSpoils
)

// failingTarget is a rewritten fuzz target, by hand, that fails on every input.
type failingTarget struct {
	counters [rOddOnes]uint8
	slow     [1]bool
	spoiled  bool
	moody    bool // fails in another way each time
	runs     int
}

func (p *failingTarget) run(t *testing.T, _ string) {
	p.runs++
	p.counters[0]++
	if p.slow[0] && fuzzmutrt.Tracing {
		fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = rTraceAll, rTraceAll
	}
	active := uint32(0)
	if p.slow[0] {
		active = fuzzmutrt.Active
	}
	switch {
	case active == rRepair || p.spoiled:
		p.counters[1]++
		return
	case active == rOther:
		panic("other")
	case active == rSkips:
		t.SkipNow()
	case active == rEndless:
		for {
			if fuzzmutrt.Fuel--; fuzzmutrt.Fuel < 0 {
				fuzzmutrt.Out()
			}
		}
	case active == rSpoils:
		p.spoiled = true
	case p.moody && p.runs%3 == 0:
		panic("in a mood")
	}
	p.counters[2]++
	panic("boom 17")
}

func diagnosed(t *testing.T, p *failingTarget, item wire.RepairItem) ([]wire.Reply, error) {
	t.Helper()
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, rMutants)}, p.run, p.counters[:], p.slow[:])
	item.Input = wire.Encode([]any{""})
	if item.Fuel == 0 {
		item.Fuel = 1000
	}
	s := Server{Conn: w.Conn, Target: w.Target, Exec: w.Exec, Muts: w.Muts, Cov: w.Cov}
	req := wire.Request{Repair: &wire.Repair{Items: []wire.RepairItem{item}}}
	err := w.Conn.Answer(&req, func(req *wire.Request) error { return s.Serve(req.Repair) })
	return w.Replies(), err
}

// Where the original would end the process, the listed mutants are all that is run.
func TestMutantsOfAnInputThatEndsTheProcess(t *testing.T) {
	p := &failingTarget{}
	list, err := diagnosed(t, p, wire.RepairItem{Bare: true, Mutants: []uint32{rRepair, rOther, rSkips}})
	if err != nil {
		t.Fatal(err)
	}
	repaired := make(map[uint32]bool)
	for _, r := range list {
		if r.Effect != nil {
			repaired[r.Effect.Mutant] = r.Effect.Repaired
		}
	}
	if want := map[uint32]bool{rRepair: true, rOther: false, rSkips: false}; !maps.Equal(repaired, want) {
		t.Errorf("repaired %v, want %v", repaired, want)
	}
	if p.runs != 4 {
		t.Errorf("%d runs, want two of what repairs, and one of each other", p.runs)
	}
}

func TestRepairsOfAFailingInput(t *testing.T) {
	all := []uint32{rNothing, rRepair, rOther, rSkips, rEndless}
	for _, c := range []struct {
		name              string
		item              wire.RepairItem
		tried             []uint32
		repaired, changed []uint32
	}{
		{"all but one", wire.RepairItem{Mutants: all}, all, []uint32{rRepair}, []uint32{rOther, rSkips, rEndless}},
		{"after a death", wire.RepairItem{Mutants: all, After: rOther}, all, nil, []uint32{rSkips, rEndless}},
		{"one that is not reached", wire.RepairItem{Mutants: []uint32{rUnreach}}, nil, nil, nil},
	} {
		got, err := diagnosed(t, new(failingTarget), c.item)
		if err != nil {
			t.Fatal(err)
		}
		var repaired, changed []uint32
		var d *wire.Diagnosis
		for _, r := range got {
			switch {
			case r.Effect != nil && r.Effect.Repaired:
				repaired = append(repaired, r.Effect.Mutant)
				if !slices.Equal(r.Effect.Moved, wire.IDs{1, 2}) {
					t.Errorf("%s: counters %v have moved", c.name, r.Effect.Moved)
				}
			case r.Effect != nil:
				changed = append(changed, r.Effect.Mutant)
			case r.Diagnosis != nil:
				d = r.Diagnosis
			}
		}
		if d == nil || got[len(got)-1].Ran == nil {
			t.Fatalf("%s: replies %+v", c.name, got)
		}
		if !slices.Equal(d.Tried, c.tried) || !slices.Equal(repaired, c.repaired) || !slices.Equal(changed, c.changed) {
			t.Errorf("%s: tried %v, repaired by %v, changed by %v; want %v, %v, %v", c.name, d.Tried, repaired, changed, c.tried, c.repaired, c.changed)
		}
		if d.Outcome.Kind != wire.Panic || d.Outcome.Message != "boom 17" || !slices.Equal(d.Counters, wire.IDs{0, 2}) {
			t.Errorf("%s: diagnosis %+v", c.name, d)
		}
	}
}

// What a mutant leaves behind is not taken for a repair by the next.
func TestDamageIsNoRepair(t *testing.T) {
	got, err := diagnosed(t, new(failingTarget), wire.RepairItem{Mutants: []uint32{rNothing, rSpoils}})
	if !errors.Is(err, conn.ErrDamaged) || len(got) != 1 || got[0].Damaged == nil {
		t.Fatalf("replies %+v, error %v", got, err)
	}
	if suspects := got[0].Damaged.Suspects; !slices.Equal(suspects, wire.IDs{rNothing, rSpoils}) {
		t.Errorf("suspects %v", suspects)
	}
}

func TestUnsteadyInputsAreNotTried(t *testing.T) {
	for name, p := range map[string]*failingTarget{"fails otherwise": {moody: true}, "passes": {spoiled: true}} {
		got, err := diagnosed(t, p, wire.RepairItem{})
		if err != nil || len(got) != 2 || got[0].Diagnosis == nil {
			t.Fatalf("%s: replies %+v, error %v", name, got, err)
		}
		d := got[0].Diagnosis
		if d.Tried != nil || (d.Unsteady == "") == d.Outcome.Kind.Failed() {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
