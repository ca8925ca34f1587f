//go:build unix

package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

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
	cfg := processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: parallel}
	cfg.Program.Mutants = nil
	for i := range n {
		cfg.Program.Mutants = append(cfg.Program.Mutants, instrument.Mutant{Index: i + 1, Line: i + 1, Status: instrument.StatusStatic})
	}
	cfg.Program.Sites = make([]instrument.Site, 2)
	cfg.Worker.Env = append(cfg.Worker.Env, fake.Start+"="+start)
	out, err := New(processes.New(cfg), failures.New(nil)).EvaluateStart(t.Context(), q)
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
