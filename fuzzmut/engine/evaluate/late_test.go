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
