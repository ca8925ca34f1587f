package loop

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A static mutant is held against what another process has recorded, and stays
// active when an execution is over.
func TestStaticMutantsAreComparedWithARecording(t *testing.T) {
	p := &looptest.Program{}
	var l *Loop
	original := func() *wire.Recording {
		l, _ = loopOf(p.Worker(t))
		return l.record([]any{[]byte("abc")})
	}
	rec := original()
	if rec.Kind != wire.Pass || rec.Cost != 3 || len(rec.Events) != 1 || rec.Events[0].Brief != "3" {
		t.Fatalf("recorded %+v", rec)
	}
	if again := original(); again.Events[0].Hash != rec.Events[0].Hash {
		t.Errorf("another process records another hash")
	}
	defer func() { fuzzmutrt.Active, fuzzmutrt.StaticMutant = 0, 0 }()
	p.Slow[0] = true
	for m, want := range map[uint32]wire.Kill{
		looptest.Survivor:  {},
		looptest.Value:     {Kind: oracle.Difference, Detail: "3 vs 4"},
		looptest.Assertion: {Kind: oracle.Assertion},
		looptest.Panic:     {Kind: oracle.Panic, Detail: "boom"},
		looptest.Endless:   {Kind: oracle.Fuel, Detail: "used more than 10030 units of fuel; the original used 3"},
		looptest.Exit:      {Kind: oracle.Exit, Detail: "the process would have ended"},
		looptest.Skip:      {Kind: oracle.Difference, Detail: "the fuzz target's outcome is skip, the original's pass"},
		looptest.State:     {Detail: ""}, // nothing is run after it
	} {
		fuzzmutrt.Active, fuzzmutrt.StaticMutant = m, m
		p.State = 0
		var got wire.Kill
		if k := l.compare([]any{[]byte("abc")}, rec); k != nil {
			got = *k
		}
		if got.Kind != 0 {
			want.Mutant = m
		}
		if got != want {
			t.Errorf("mutant %d: %+v, want %+v", m, got, want)
		}
		if fuzzmutrt.Active != m {
			t.Errorf("mutant %d is off after its execution", m)
		}
	}
}

func TestSoftValuesDoNotKillAcrossProcesses(t *testing.T) {
	p := &looptest.Program{}
	l, _ := loopOf(p.Worker(t))
	rec := l.record([]any{[]byte("abc")})
	rec.Events[0].Soft = true
	rec.Events[0].Hash++
	if k := l.compare([]any{[]byte("abc")}, rec); k != nil {
		t.Errorf("%+v", k)
	}
}
