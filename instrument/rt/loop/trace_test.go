package loop

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What is skipped is not run. With Trace an input says of it all the same that it is infected,
// and of a mutant that fell on an input before.
func TestSkippedMutantsAreTraced(t *testing.T) {
	for _, traced := range []bool{false, true} {
		l, out := loopOf(new(looptest.Program).Worker(t))
		item := wire.Item{Input: wire.Encode([]any{[]byte("abc")}), Select: wire.SelectAlive}
		req := wire.Run{Items: []wire.Item{item, item}, Skip: wire.IDs{looptest.Panic, looptest.State}, Trace: traced}
		if err := ask(l, wire.Request{Run: &req}); err != nil {
			t.Fatal(err)
		}
		kills := make(map[uint32]int)
		var infected []wire.IDs
		for _, r := range out.Replies() {
			switch {
			case r.Kill != nil:
				kills[r.Kill.Mutant]++
			case r.Result != nil:
				infected = append(infected, r.Result.Infected)
				if r.Result.Outcome.Kind != wire.Pass || r.Result.Cost != 3 || traced == (len(r.Result.Features) > 0) {
					t.Errorf("traced %v: %+v", traced, r.Result)
				}
			}
		}
		if kills[looptest.Panic] != 0 || kills[looptest.Value] != 1 {
			t.Errorf("traced %v: kills %v", traced, kills)
		}
		if len(infected) != 2 || !slices.Contains(infected[0], looptest.Panic) {
			t.Fatalf("traced %v: infected are %v", traced, infected)
		}
		if traced && !slices.Equal(infected[0], infected[1]) {
			t.Errorf("the second time other mutants are infected: %v", infected)
		}
	}
}
