//go:build unix

package evaluate

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// starting evaluates mutants that do, while the program starts, what start says. Mutants 1
// and 2 are static.
func starting(t *testing.T, ctx context.Context, start string, settled func(m uint32) bool, inputs ...string) *Starting {
	t.Helper()
	cfg := processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: 2}
	cfg.Program.Mutants[0].Status, cfg.Program.Mutants[1].Status = instrument.StatusStatic, instrument.StatusStatic
	cfg.Program.Sites = make([]instrument.Site, 2)
	cfg.Worker.Env = append(cfg.Worker.Env, fake.Start+"="+start)
	out, err := New(processes.New(cfg), failures.New(nil)).EvaluateStart(ctx, StartQuery{Inputs: fake.Inputs(inputs...), Seed: 1, Done: settled})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Only mutants that the start infects are run, each in its own process, up to the first
// kill.
func TestMutantsOfTheStart(t *testing.T) {
	none := func(uint32) bool { return false }
	for _, c := range []struct {
		name, start string
		inputs      []string
		settled     func(m uint32) bool
		kills       string
		processes   string
	}{
		{"the start infects none", "", []string{"k1 k3"}, none, "", "map[]"},
		{"one survives, one is killed", "i1 i3", []string{"i1", "k3", "e3"}, none, "1:3=panic", "map[1:1 3:1]"},
		{"one ends the process on an input", "i3", []string{"i1", "e3"}, none, "1:3=exit", "map[3:1]"},
		{"one ends it before the first", "e4", []string{"i1"}, none, "-1:4=exit", "map[4:1]"},
		{"one is killed already", "i3 i4", []string{"k3 k4"}, func(m uint32) bool { return m == 3 }, "0:4=panic", "map[4:1]"},
		{"another result that a caller sees", "i3", []string{"v5", "v5 d3"}, none, "1:3=difference", "map[3:1]"},
		{"another that none sees", "i3", []string{"v5", "v5 n3"}, none, "1:3=only-inside", "map[3:1]"},
		{"inputs that fail say nothing", "i3", []string{"fail k3", "i1", "k3"}, none, "2:3=panic", "map[3:1]"},
	} {
		out := starting(t, t.Context(), c.start, c.settled, c.inputs...)
		kills := ""
		for _, k := range out.Kills {
			kills += fmt.Sprintf("%d:%d=%v", k.Input, k.Mutant, k.Kind)
		}
		if kills != c.kills || fmt.Sprint(out.Processes) != c.processes {
			t.Errorf("%s: kills %s, want %s; processes %v, want %s", c.name, kills, c.kills, out.Processes, c.processes)
		}
		// What does not infect the start can't differ.
		if !out.Judged[1] || !out.Judged[2] || len(out.Left) > 0 {
			t.Errorf("%s: judged %v, left %v", c.name, out.Judged, out.Left)
		}
	}
}

func TestWithoutTimeStaticMutantsAreLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := starting(t, ctx, "i1", func(uint32) bool { return false }, "k1")
	if len(out.Left) != 2 || out.Left[1] != Interrupted || len(out.Kills) > 0 {
		t.Errorf("left %v, kills %v", out.Left, out.Kills)
	}
}

// When the time is over, each mutant that would have been run is left, whether it can be
// switched or not; of the others it is known that they do not differ.
func TestWhenTheTimeIsOverMutantsOfTheStartAreLeft(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	out := starting(t, ctx, "i1 i3 i4", func(m uint32) bool { return m == 4 }, "k1")
	want := map[uint32]string{1: NoTime, 3: NoTime}
	if !maps.Equal(out.Left, want) || !out.Judged[2] || len(out.Judged) != 1 || len(out.Processes) > 0 {
		t.Errorf("left %v, judged %v, processes %v", out.Left, out.Judged, out.Processes)
	}
}

// An input that ends the process has the others observed in another.
func TestObserve(t *testing.T) {
	seen, err := newEvaluator(1).Observe(t.Context(), fake.Inputs("i1", "end", "fail", "end"), nil)
	if err != nil || len(seen) != 4 {
		t.Fatalf("%d inputs observed (%v)", len(seen), err)
	}
	for i, want := range []wire.OutcomeKind{wire.Pass, wire.Death, wire.Panic, wire.Death} {
		if seen[i].Kind != want || (seen[i].Cause != "") != (want == wire.Death) {
			t.Errorf("input %d: %v, %q", i, seen[i].Kind, seen[i].Cause)
		}
	}
}

// Who kills workers changes nothing of what is observed, also when it is after the last
// input.
func TestObserveWhileWorkersAreKilled(t *testing.T) {
	for _, c := range []struct {
		input string
		shots int
		want  wire.OutcomeKind
	}{
		{"shot", 1, wire.Pass},
		{"late", 1, wire.Pass},
		{"late", processes.LaunchTries, wire.Pass},
		{"shot", processes.LaunchTries, wire.Death},
	} {
		fake.Load(t, c.shots)
		e := newEvaluator(1)
		seen, err := e.Observe(t.Context(), fake.Inputs("i1", c.input), nil)
		if err != nil || len(seen) != 2 || seen[1].Kind != c.want {
			t.Errorf("%s, %d shots: %+v (%v)", c.input, c.shots, seen, err)
		}
	}
}
