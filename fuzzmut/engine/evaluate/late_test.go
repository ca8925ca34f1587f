//go:build unix

package evaluate

import (
	"context"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Where the time is over before anything was run, known kills count all the same, and it is
// known what was left out.
func TestKnownKillsCountWithoutTime(t *testing.T) {
	e := newEvaluator(2)
	inputs := fake.Inputs("k1 i2", "i2 i3")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	ev, err := e.Confirm(ctx, inputs, Knowing{Kills: []Kill{{wire.Kill{Mutant: 1, Kind: oracle.Panic}, 0}}, Ledger: e.NewLedger()})
	if err != nil {
		t.Fatal(err)
	}
	if show(ev) != "0:1=panic" || !ev.Unconfirmed[1] || !ev.Late[2] || !ev.Late[3] || len(ev.Late) != 2 {
		t.Errorf("%s, unconfirmed %v, late %v", show(ev), ev.Unconfirmed, ev.Late)
	}
	if ev.AllDone() != 2 || len(ev.Results) != 2 || ev.Counts.Infected[2] != 2 || ev.Counts.Executed[2] != 0 {
		t.Errorf("%d of %d inputs are done, counts %+v", ev.AllDone(), len(ev.Results), ev.Counts)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if ev, err := e.Confirm(stopped, inputs, Knowing{}); err == nil || len(ev.Results) != 2 || ev.AllDone() != 0 {
		t.Errorf("after an interrupt: %v, %+v", err, ev)
	}
}

// A machine may have no time for a process at all: what is known of the inputs counts then.
func TestKnownKillsCountWithoutAProcess(t *testing.T) {
	e := newEvaluator(2)
	inputs := fake.Inputs("k1 i4", "block k2", "k2 i3")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	known := Knowing{Kills: []Kill{{wire.Kill{Mutant: 1, Kind: oracle.Panic}, 0}, {wire.Kill{Mutant: 2, Kind: oracle.Panic}, 2}}}
	if _, err := e.Confirm(ctx, inputs, known); err == nil {
		t.Error("without what is known of the inputs there is an answer")
	}
	known.Features = func(i int) wire.Features { return wire.Features{wire.Feature(100 + i)} }
	known.Reached = func(m uint32) bool { return m < 4 }
	known.Sure = func(m uint32) bool { return m == 1 }
	ev, err := e.Confirm(ctx, inputs, known)
	if err != nil {
		t.Fatal(err)
	}
	if show(ev) != "0:1=panic 2:2=panic" || ev.Unconfirmed[1] || !ev.Unconfirmed[2] {
		t.Errorf("%s, unconfirmed %v", show(ev), ev.Unconfirmed)
	}
	// Mutant 4 was reached by the one input that there was time to run, if there was.
	if ran := ev.Counts.Reached[4] > 0; !ev.Late[3] || ev.Late[4] != ran || ev.Late[5] || ev.Late[1] {
		t.Errorf("late %v", ev.Late)
	}
	if len(ev.Results) != 3 || len(ev.Results[2].Features) != 1 || ev.AllDone() != 3 {
		t.Errorf("%d of %d inputs are done: %+v", ev.AllDone(), len(ev.Results), ev.Results)
	}
}
