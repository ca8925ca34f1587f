//go:build unix

package campaign

import (
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/costs"
)

// What costs too much is known before the search has ended, and is not measured again. What does not, and what can't be
// measured, is no finding then either. What grows by time alone is left for later.
func TestCostlyInputsAreMeasuredWhileTheSearchGoesOn(t *testing.T) {
	c := campaignOf(t, Options{Search: finding()})
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, g := newWeighed(t.Context(), c.Trial), c.Trial.Engine.Growth
	c.weighed, g.Opened = w, w.add
	for function, words := range map[string]string{"fake.Target": "square", "m.G": "linear", "m.H": "end"} {
		g.Add(costly(function, words))
	}
	timely := costly("m.T", "timely")
	timely.ByTime = true
	g.Add(timely)
	for waits := true; waits; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		waits = len(w.queue) > 0
		w.mu.Unlock()
	}
	w.finish()
	g.Add(costly("m.L", "linear i2")) // too late
	var known *costs.Finding
	left := 0
	for _, list := range g.Places() {
		f, rest := w.of(list)
		if left += len(rest); f != nil {
			known = f
		}
	}
	if known == nil || known.Place != "fake.Target" || left != 3 || len(w.known) != 2 {
		t.Fatalf("known: %+v; %d candidates are left, want those of m.H, m.L and m.T", known, left)
	}
	if err := c.weighWithin(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if len(c.costly) == 0 || c.costly[0] != known {
		t.Errorf("of %d costly inputs none is the one that was known", len(c.costly))
	}
}

// Once measuring has had its share, the next place waits until the search is over.
func TestMeasuringHasAShareOfTheSearch(t *testing.T) {
	c := campaignOf(t, Options{Search: finding()})
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := newWeighed(t.Context(), c.Trial)
	w.spent = time.Hour
	w.add(growth.Candidate{Costly: *costly("m.F", "square"), Place: "m.F"})
	w.finish()
	if len(w.known) > 0 || len(w.queue) != 1 {
		t.Errorf("%d are measured, %d wait", len(w.known), len(w.queue))
	}
	w.stop()
}
