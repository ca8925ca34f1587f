//go:build unix

package repair

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/instrument"
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

// An input that panics where no recover helps is run with the mutants of the functions on the
// stack, those of the innermost first, each in a process that it may end. Without a difference
// in how it ends, a mutant has done nothing.
func TestMutantsOnTheStackAreTried(t *testing.T) {
	for _, c := range []struct {
		name   string
		frames []string
		only   []uint32
		want   string
		tried  []uint32
	}{
		{
			"all",
			[]string{"fake.inner fake.go:12", "fake.Target fake.go:5", "fake.inner fake.go:19", "fake.far elsewhere.go:5", "no place", "fake.odd fake.go:x"},
			nil,
			"done: repaired [1], changed [3 4]",
			[]uint32{1, 2, 3, 4, 8},
		},
		{"of the outer function alone", []string{"fake.Target fake.go:5"}, nil, "done: repaired [], changed [3 4]", []uint32{3, 4, 8}},
		{"those that are asked for", []string{"fake.inner fake.go:12"}, []uint32{5, 1}, "done: repaired [1 5], changed []", []uint32{5, 1}},
		{"none", []string{"fake.far elsewhere.go:5"}, nil, "done: repaired [], changed []", nil},
	} {
		p := fake.Program()
		p.Test.ImportPath = "fake"
		p.Funcs = []instrument.Func{{File: "fake.go", Line: 1, EndLine: 9}, {File: "fake.go", Line: 11, EndLine: 19}, {File: "other.go", Line: 1, EndLine: 99}}
		for m, function := range map[int]int{1: 1, 2: 1, 3: 0, 4: 0, 5: 2, 6: 1, 7: 1, 8: 0} {
			p.Mutants[m-1].FuncIndex = function
		}
		p.Mutants[5].Status = instrument.StatusStatic
		r := New(processes.New(processes.Config{Program: p, Worker: fake.Binary()}), func(m uint32) bool { return m == 7 })
		res, err := r.Try(t.Context(), Failing{
			Input: fake.Input("end r1 p2 e3 o4 r5 r6 r7 i8"), Mutants: c.only,
			Outcome: wire.Outcome{Kind: wire.Death, Message: "panic: boom", Frames: c.frames},
		})
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := show(&res); got != c.want || !slices.Equal(res.Tried, c.tried) {
			t.Errorf("%s: %s of %v, want %s of %v", c.name, got, res.Tried, c.want, c.tried)
		}
	}
}

// A process that does not stop when the time is over is given up, which is no error.
func TestTimeEndsWhileAMutantBlocks(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := New(newProcesses(1), nil)
	defer r.Close()
	time.AfterFunc(300*time.Millisecond, cancel)
	if res, err := r.Try(ctx, failing("block")); err != nil || res.Over() {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := r.Try(t.Context(), failing("fail r1")); err != nil || !res.Done {
		t.Errorf("the next input: %+v, %v", res, err)
	}
}

// Hangs are looked at with little fuel, whatever has ended them.
func TestHangsAreNamed(t *testing.T) {
	inputs := []*corpus.Input{fake.Input("fail r1"), fake.Input("block"), fake.Input("r1"), fake.Input("end")}
	cfg := processes.Config{Program: fake.Program(), Worker: fake.Binary(), Parallel: 1}
	cfg.Worker.Timeout = 800 * time.Millisecond
	list, err := Name(t.Context(), processes.New(cfg), inputs)
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	if list[3].Kind != wire.Death || list[0].Kind != wire.Pass || list[1].Kind != wire.Fuel || list[1].Loop || list[2].Kind != wire.Pass {
		t.Errorf("%+v", list)
	}
}
