//go:build unix

package repair

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func newProcesses(parallel int) *processes.Set {
	return processes.New(processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: parallel})
}

func failing(words string) Failing {
	return Failing{Input: fake.Input(words), Outcome: wire.Outcome{Kind: wire.Panic, Message: "boom"}, Cost: 1}
}

// What mutants make of an input does not depend on the worker, nor on mutants that end it.
func TestAllTriesEachMutant(t *testing.T) {
	inputs := []Failing{
		failing("fail i1 r2 o3 r4"),
		failing("fail r1 e2 r3"),
		failing("fail g1 r2"),
		failing("r1"),
		{Input: fake.Input("end"), Outcome: wire.Outcome{Kind: wire.Death, Message: "exit status 3"}},
	}
	want := []string{
		"done: repaired [2 4], changed [3]",
		"done: repaired [1 3], changed [2]",
		"done: repaired [2], changed [1]",
		"passes when run again: repaired [1], changed []",
		"it ends the process, and would with each mutant: exit status 3: repaired [], changed []",
	}
	for _, parallel := range []int{1, 3} {
		results, err := All(t.Context(), newProcesses(parallel), inputs, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range results {
			if got := show(&results[i]); got != want[i] {
				t.Errorf("%d workers, %q: %s, want %s", parallel, fake.Words(inputs[i].Input), got, want[i])
			}
		}
	}
}

func show(r *Result) string {
	what := r.Reason
	if r.Done {
		what = "done"
	}
	return fmt.Sprintf("%s: repaired %v, changed %v", what, r.Repaired, r.Changed)
}

// Who kills processes from outside repairs nothing and changes nothing.
func TestKilledFromOutside(t *testing.T) {
	for shots, want := range []string{
		"done: repaired [2], changed [3]",
		"done: repaired [2], changed [3]",
		processes.LaunchTries: "it ends the process: signal: killed: repaired [], changed []",
	} {
		if want == "" {
			continue
		}
		fake.Load(t, shots)
		r := New(newProcesses(1), func(uint32) bool { return false })
		res, err := r.Try(t.Context(), failing("fail shot i1 r2 o3"))
		if r.Close(); err != nil || show(&res) != want {
			t.Errorf("%d shots: %s (%v), want %s", shots, show(&res), err, want)
		}
	}
}

func TestRepairsOfChosenMutants(t *testing.T) {
	r := New(newProcesses(1), func(m uint32) bool { return m == 4 })
	defer r.Close()
	f := failing("fail r1 r2 r4")
	for _, c := range []struct {
		mutants []uint32
		want    string
	}{{nil, "done: repaired [1 2], changed []"}, {[]uint32{2, 4}, "done: repaired [2], changed []"}} {
		f.Mutants = c.mutants
		if res, err := r.Try(t.Context(), f); err != nil || show(&res) != c.want {
			t.Errorf("%v: %s (%v), want %s", c.mutants, show(&res), err, c.want)
		}
	}
}

// A repairer goes on with another process after one that ended.
func TestARepairerOutlivesItsProcess(t *testing.T) {
	r := New(newProcesses(1), nil)
	defer r.Close()
	res, err := r.Try(t.Context(), failing("fail crowd r1"))
	if err != nil || !res.Done {
		t.Fatalf("%s (%v)", show(&res), err)
	}
	// It ends the process that has run something before.
	if res, err = r.Try(t.Context(), failing("fail crowd r1")); err != nil || res.Done || res.Reason == "" {
		t.Errorf("%s (%v)", show(&res), err)
	}
	if res, err = r.Try(t.Context(), failing("fail r1")); err != nil || !res.Done {
		t.Errorf("%s (%v)", show(&res), err)
	}
}

func TestNoTimeIsNoError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	results, err := All(ctx, newProcesses(2), []Failing{failing("fail r1")}, nil)
	if err != nil || len(results) != 1 || results[0].Done || results[0].Reason != "" {
		t.Errorf("%+v (%v)", results, err)
	}
}
