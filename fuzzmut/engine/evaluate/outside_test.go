//go:build unix

package evaluate

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Whoever kills workers from outside changes no verdict: an input is run again. One whose
// process is killed in each of several runs alone does it itself, as far as anyone knows.
func TestAnEvaluationWhileWorkersAreKilled(t *testing.T) {
	for _, c := range []struct {
		shots int
		want  string
	}{
		{0, "0:1=panic 1:2=panic 2:3=panic"},
		{1, "0:1=panic 1:2=panic 2:3=panic"},
		{2, "0:1=panic 1:2=panic 2:3=panic"},
		{alone.Tries, "0:1=panic 1:2=panic 2:3=panic"},
		{alone.Tries + 1, "0:1=panic 2:3=panic 1:death"},
	} {
		fake.Load(t, c.shots)
		e := newEvaluator(1)
		ev, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("k1 f8", "shot k2 f16", "k3 f24"), Select: wire.SelectAlive})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(ev); got != c.want || len(ev.NotRun) > 0 {
			t.Errorf("%d shots: %s, want %s; not run are %v", c.shots, got, c.want, ev.NotRun)
		}
		if list := e.alone.Failures.Flaky(); len(list) > 0 {
			t.Errorf("%d shots: an input is said to be flaky: %+v", c.shots, list)
		}
	}
}
