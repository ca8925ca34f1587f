//go:build unix

package engine

import (
	"context"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
)

// What ends a process when the time of fuzzing is over is run again later, and not lost.
func TestDeathsAtTheEndAreExplainedLater(t *testing.T) {
	past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		input   string
		mutant  uint32
		putOff  int
		left    int // if there is no time later, either
		failing int
		killed  bool
	}{
		{"in time", t.Context(), "end", 0, 0, 0, 1, false},
		{"of the original", past, "end", 0, 1, 1, 1, false},
		{"of a mutant", past, "e3", 3, 1, 0, 0, true},
	} {
		for _, later := range []context.Context{t.Context(), past} {
			e := begun(t, Config{}, 1, "v1")
			search := e.NewSearch(Budget{Inputs: 1})
			s := &slot{e: e, rounds: search.rounds}
			death := worker.Death{Cause: "exit status 3"}
			death.State.Last, death.State.Before = c.mutant, c.mutant
			if err := s.died(c.ctx, deathOn(c.input, c.mutant, death)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if n := search.PutOff(); n != c.putOff {
				t.Errorf("%s: %d are put off, want %d", c.name, n, c.putOff)
			}
			left, err := search.Explain(later)
			if err != nil || search.PutOff() != 0 {
				t.Fatalf("%s: %v, %d are put off", c.name, err, search.PutOff())
			}
			want, known := 0, true
			if later == past && c.putOff > 0 {
				want, known = c.left, false
			}
			if len(left) != want {
				t.Errorf("%s: %d are left, want %d", c.name, len(left), want)
			}
			if got := e.Failures.Len() == c.failing && e.Kills.Dead(3) == c.killed; got != known {
				t.Errorf("%s: %d stacks, mutant dead: %v", c.name, e.Failures.Len(), e.Kills.Dead(3))
			}
		}
	}
}
