//go:build unix

package evaluate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// startOf says of n mutants that they survive, but for those for which words says another thing.
func startOf(n int, words string) string {
	var list []string
	other := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		other[w[1:]] = true
	}
	for m := 1; m <= n; m++ {
		if !other[fmt.Sprint(m)] {
			list = append(list, fmt.Sprintf("i%d", m))
		}
	}
	return strings.Join(list, " ") + " " + words
}

// manyStarting evaluates n mutants of n lines.
func manyStarting(t *testing.T, n, parallel int, start string, q StartQuery) *Starting {
	t.Helper()
	return manyWithin(t, t.Context(), 0, n, parallel, start, q)
}

// manyWithin is manyStarting with a longest time for an execution.
func manyWithin(t *testing.T, ctx context.Context, timeout time.Duration, n, parallel int, start string, q StartQuery) *Starting {
	t.Helper()
	cfg := processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: parallel}
	cfg.Program.Mutants = nil
	for i := range n {
		cfg.Program.Mutants = append(cfg.Program.Mutants, instrument.Mutant{Index: i + 1, Line: i + 1, Status: instrument.StatusStatic})
	}
	cfg.Program.Sites = make([]instrument.Site, 2)
	cfg.Worker.Env = append(cfg.Worker.Env, fake.Start+"="+start)
	cfg.Worker.Timeout = timeout
	out, err := New(processes.New(cfg), failures.New(nil)).EvaluateStart(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func killsOf(s *Starting) string {
	var list []string
	for _, k := range s.Kills {
		list = append(list, fmt.Sprintf("%d:%d=%v", k.Input, k.Mutant, k.Kind))
	}
	return strings.Join(list, " ")
}

// A start that does not end, in code that burns no fuel, has the time of an execution with a mutant. It is
// no kill if the phase ends before.
func TestAStartThatBlocks(t *testing.T) {
	q := StartQuery{Inputs: fake.Inputs("i1")}
	if got := manyWithin(t, t.Context(), time.Second, 3, 1, startOf(3, "b2"), q); len(got.Judged) != 3 || killsOf(got) != "-1:2=fuel" {
		t.Errorf("with time: %d judged, kills %s, left %v", len(got.Judged), killsOf(got), got.Left)
	}
	// The time of the mutant is more than the phase has, and that more than the others need.
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if got := manyWithin(t, ctx, time.Hour, 3, 1, startOf(3, "b3"), q); len(got.Judged) != 2 || len(got.Kills) != 0 || got.Left[3] != NoTime {
		t.Errorf("without: %d judged, kills %s, left %v", len(got.Judged), killsOf(got), got.Left)
	}
}

// Where the budget ends depends on neither the number of processes nor the clock. Those that an
// earlier run has left come first.
func TestBudgetOfTheStart(t *testing.T) {
	const n = 300
	start := startOf(n, "e3 e299")
	q := StartQuery{Inputs: fake.Inputs("i1"), Seed: 7, Fuel: 30 * processFuel}
	one := manyStarting(t, n, 1, start, q)
	if len(one.Left) == 0 || len(one.Left) == n || len(one.Left)+len(one.Judged) != n {
		t.Fatalf("%d left, %d judged", len(one.Left), len(one.Judged))
	}
	for m, why := range one.Left {
		if why != NoBudget {
			t.Fatalf("mutant %d is left since %s", m, why)
		}
	}
	for _, parallel := range []int{2, 5} {
		if got := manyStarting(t, n, parallel, start, q); !maps.Equal(got.Left, one.Left) || killsOf(got) != killsOf(one) {
			t.Errorf("%d processes: %d left instead of %d, kills %s instead of %s", parallel, len(got.Left), len(one.Left), killsOf(got), killsOf(one))
		}
	}
	q.First = func(m uint32) bool { return one.Left[m] != "" }
	next := manyStarting(t, n, 2, start, q)
	again := slices.Collect(maps.Keys(next.Judged))
	if slices.ContainsFunc(again, func(m uint32) bool { return one.Left[m] == "" }) {
		t.Errorf("the next run judges %v, and not what was left alone", again)
	}
	q.Fuel = 0
	const few = 3 * laneLeast // each is a process
	if all := manyStarting(t, few, 2, startOf(few, "e3 e180"), q); len(all.Judged) != few || killsOf(all) != "-1:3=exit -1:180=exit" {
		t.Errorf("without a budget %d judged, kills %s", len(all.Judged), killsOf(all))
	}
}
