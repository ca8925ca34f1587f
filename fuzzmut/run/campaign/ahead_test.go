//go:build unix

package campaign

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A search that goes on does not wait for a hang to be confirmed, and what follows it does not begin with that again.
func TestHangsAreConfirmedWhileTheSearchGoesOn(t *testing.T) {
	c := campaignOf(t, Options{Search: func(_ context.Context, c *Campaign) error {
		confirmAhead(t, c)
		return nil
	}}, "i1")
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func confirmAhead(t *testing.T, c *Campaign) {
	t.Helper()
	hang := wire.Outcome{Kind: wire.Fuel, Message: "does not end: out of fuel"}
	c.ahead.add(fake.Input("hang"), hang)
	c.ahead.add(fake.Input("slow"), hang)
	c.ahead.add(fake.Input("hang i1"), wire.Outcome{Kind: wire.Panic})
	c.ahead.finish()
	e := c.Trial.Engine
	if !e.Hangs(fake.Input("hang")) || e.Hangs(fake.Input("slow")) || e.Hangs(fake.Input("hang i1")) {
		t.Error("what hangs is not known, or what does not is")
	}
	// The input that is known to hang stands for the bug.
	small, known, last := fake.Input("hang i2"), fake.Input("hang"), fake.Input("hang i3")
	got := c.confirmedFirst([]*corpus.Input{small, known, last})
	if len(got) != 3 || got[0] != known || got[1] != small || got[2] != last {
		t.Errorf("got %v", got)
	}
	for i := range 2 * hangsMost {
		c.ahead.add(fake.Input(fmt.Sprintf("hang i%d", 10+i)), hang)
	}
	c.ahead.finish()
	n := 0
	for i := range 2 * hangsMost {
		if e.Hangs(fake.Input(fmt.Sprintf("hang i%d", 10+i))) {
			n++
		}
	}
	if n != hangsMost-2 {
		t.Errorf("%d more hangs are confirmed, want %d in all", n, hangsMost)
	}
}

// An interrupt does not wait for a hang.
func TestAHangIsGivenUp(t *testing.T) {
	block := fake.Input("block")
	c := campaignOf(t, Options{Search: func(_ context.Context, c *Campaign) error {
		c.ahead.add(block, wire.Outcome{Kind: wire.Fuel})
		return nil
	}}, "i1")
	done := make(chan error)
	go func() { done <- c.Run(t.Context()) }()
	select {
	case err := <-done:
		if err != nil || c.Trial.Engine.Hangs(block) {
			t.Errorf("error %v, hangs %v", err, c.Trial.Engine.Hangs(block))
		}
	case <-time.After(time.Minute):
		t.Fatal("the end waits")
	}
}

// Where the clock ends the run, an input that was taken for a hang is looked at while the search goes on, and not again
// after it.
func TestWhatGrowsInSlowInputsIsLookedForWhileTheSearchGoesOn(t *testing.T) {
	for _, cuts := range []time.Duration{0, time.Minute} {
		slow := fake.Input("slow")
		c := campaignOf(t, Options{Search: func(_ context.Context, c *Campaign) error {
			c.ahead.cuts = cuts
			c.ahead.add(slow, wire.Outcome{Kind: wire.Fuel, Message: "does not end: out of fuel"})
			c.ahead.finish()
			return nil
		}}, "i1")
		if err := c.Run(t.Context()); err != nil || c.ahead.hasCut(slow) != (cuts > 0) {
			t.Errorf("for %v: error %v, looked for: %v", cuts, err, c.ahead.hasCut(slow))
		}
	}
}
