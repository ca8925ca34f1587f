package fuzzing

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// faulty is a target that fails as its input says.
type faulty struct {
	counters [1]uint8
	runs     int
}

func (p *faulty) run(t *testing.T, s string) {
	p.runs++
	p.counters[0]++
	switch word, rest, _ := strings.Cut(s, " "); word {
	case "panic":
		panic("boom " + rest)
	case "error":
		t.Error("wrong")
	case "once":
		if p.runs == 1 {
			panic("once")
		}
	case "seldom": // after it has failed twice
		if p.runs <= 2 {
			panic("seldom")
		}
	case "slow":
		burn(1000)
	case "turns":
		n, _ := strconv.Atoi(rest)
		burn(n)
	}
}

func burn(n int) {
	for range n {
		fuzzmutrt.Burn()
	}
}

// failing runs an input as a round does, with so much fuel, and hands it over if it fails.
func failing(t *testing.T, f *Fuzzer, input string, fuel int64) {
	t.Helper()
	f.Conn.Shared.SetInput([]any{input})
	ex := f.Exec.Original([]any{input}, fuel)
	if !ex.Kind.Failed() {
		t.Fatalf("%q passes", input)
	}
	if err := f.failures.take(ex, 0, fuel); err != nil {
		t.Fatal(err)
	}
}

func newFaulty(t *testing.T) (*faulty, *Fuzzer, *looptest.Worker) {
	t.Helper()
	p := &faulty{}
	f, w := newTestFuzzer(t, 0, p.run, p.counters[:], nil)
	f.Exec.HangFuel = 100_000
	return p, f, w
}

// An input that always fails is run again before it is reported, one that does not is
// reported as flaky, with how often it has failed.
func TestFailuresAndFlakyInputs(t *testing.T) {
	for input, want := range map[string]string{
		"panic x": "failure panic: boom x, 1 executions, 5 runs",
		"error":   "failure fail: , 1 executions, 5 runs",
		"once":    "flaky panic: once, 1 of 10 failed, 10 runs",
		"seldom":  "flaky panic: seldom, 2 of 13 failed, 13 runs",
	} {
		p, f, w := newFaulty(t)
		failing(t, f, input, 1000)
		list := w.Replies()
		if len(list) != 1 {
			t.Fatalf("%s: %+v", input, list)
		}
		var got string
		switch r := list[0]; {
		case r.Failure != nil:
			got = fmt.Sprintf("failure %s: %s, %d executions, %d runs", r.Failure.Outcome.Kind, r.Failure.Outcome.Message, r.Failure.Count, p.runs)
		case r.Flaky != nil:
			got = fmt.Sprintf("flaky %s: %s, %d of %d failed, %d runs", r.Flaky.Outcome.Kind, r.Flaky.Outcome.Message, r.Flaky.Failed, r.Flaky.Runs, p.runs)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}

// What runs out of a round's fuel and ends with more is no failure. Of the inputs that do so at one place ever fewer
// are run again.
func TestSlowInputsAreNoHangs(t *testing.T) {
	p, f, w := newFaulty(t)
	for i, runs := range []int{2, 4, 6, 7, 9, 10} {
		failing(t, f, fmt.Sprint("slow ", i), 500)
		if list := w.Replies(); len(list) != 0 || p.runs != runs {
			t.Errorf("input %d: %d runs, want %d: %+v", i, p.runs, runs, list)
		}
	}
}

// An input that hangs is found although others that run out of a round's fuel at the same place do end.
func TestHangsAfterSlowInputs(t *testing.T) {
	_, f, w := newFaulty(t)
	for _, input := range []string{"turns 600", "turns 700"} {
		failing(t, f, input, 500)
	}
	failing(t, f, "turns 1000000", 500)
	if list := w.Replies(); len(list) != 1 || list[0].Failure == nil || list[0].Failure.Outcome.Kind != wire.Fuel {
		t.Errorf("%+v", list)
	}
}

// Where others are known to hang, an input that runs out of a round's fuel may end nevertheless, and be the
// smallest of all: it is none of them.
func TestSlowInputsWhereOthersHang(t *testing.T) {
	_, f, w := newFaulty(t)
	failing(t, f, "turns 1000000", 500)
	if list := w.Replies(); len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	failing(t, f, "turns 600", 500)
	if list := w.Replies(); len(list) != 0 {
		t.Errorf("an input that ends is said to hang: %+v", list)
	}
}

// Where there are enough that hang, an input that runs out of a round's fuel is counted, and not run again.
func TestHangsOfAKnownBucket(t *testing.T) {
	p, f, w := newFaulty(t)
	for range inputsPerStack {
		failing(t, f, "turns 1000000", 500)
	}
	before := p.runs
	failing(t, f, "turns 1000000", 500)
	if list := w.Replies(); len(list) != inputsPerStack || p.runs != before+1 {
		t.Errorf("%d runs: %+v", p.runs-before, list)
	}
	f.failures.flush()
	if list := w.Replies(); len(list) != 1 || list[0].Failure.Input != nil || list[0].Failure.Count != 1 {
		t.Errorf("at the end %+v", list)
	}
}

// Of one bucket a few inputs are sent, then only smaller ones. The rest are counted, and
// told when the round ends.
func TestBucketsAreBounded(t *testing.T) {
	_, f, w := newFaulty(t)
	sent := func() (inputs []string) {
		for _, r := range w.Replies() {
			vals, err := wire.Decode(r.Failure.Input)
			if err != nil || r.Failure.Count != 1 {
				t.Fatalf("%+v", r.Failure)
			}
			inputs = append(inputs, vals[0].(string))
		}
		return inputs
	}
	for i := range inputsPerStack {
		failing(t, f, fmt.Sprintf("panic %d", i), 1000)
	}
	if got := sent(); len(got) != inputsPerStack {
		t.Errorf("sent %q", got)
	}
	failing(t, f, "panic 9", 1000)
	failing(t, f, "panic long", 1000)
	if got := sent(); len(got) != 0 {
		t.Errorf("sent %q", got)
	}
	f.failures.flush()
	if list := w.Replies(); len(list) != 1 || list[0].Failure.Input != nil || list[0].Failure.Count != 2 {
		t.Errorf("at the end %+v", list)
	}
	failing(t, f, "panic", 1000)
	if got := sent(); len(got) != 1 || got[0] != "panic" {
		t.Errorf("sent %q", got)
	}
	if f.failures.flush(); len(w.Replies()) != 0 {
		t.Error("executions are told twice")
	}
}

// The target may overwrite the memory in which the input is looked up.
func TestInputsThatAreOverwritten(t *testing.T) {
	_, f, _ := newFaulty(t)
	f.Conn.Shared.SetInput([]any{1}) // not one of the target's
	ex := f.Exec.Original([]any{"panic x"}, exec.SuspectFuel)
	if err := f.failures.take(ex, 0, exec.SuspectFuel); err == nil || !strings.Contains(err.Error(), "the current input in the shared memory") {
		t.Errorf("%v", err)
	}
}

// What runs out of fuel where others did that end is looked at ever more rarely, and only if looks have burned a part of
// all fuel at most.
func TestLooksAtLongInputsAreBounded(t *testing.T) {
	for _, c := range []struct {
		ended         ended
		looked, spent int64
		want          bool
	}{
		{ended{}, 999, 1000, true}, // a hang is found as soon as it is met
		{ended{inputs: 1, next: 2}, 0, 1000, false},
		{ended{inputs: 2, next: 2}, 250, 1000, true},
		{ended{inputs: 2, next: 2}, 251, 1000, false},
		{ended{inputs: 9, next: 4}, 251, 1004, true}, // put off before
		{ended{inputs: 9, next: 18}, 0, 1004, false},
	} {
		if got := c.ended.due(c.looked, c.spent); got != c.want {
			t.Errorf("%+v, %d of %d: %v", c.ended, c.looked, c.spent, got)
		}
	}
}
