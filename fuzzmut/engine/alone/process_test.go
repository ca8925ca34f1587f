//go:build unix

package alone

import (
	"os"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestMain(m *testing.M) {
	fake.Play()
	os.Exit(m.Run())
}

func newRunner() Runner {
	return Runner{
		Processes: processes.New(processes.Config{Program: fake.Program(), Worker: fake.Binary()}),
		Failures:  failures.New(nil),
	}
}

func TestRunsOfOneInput(t *testing.T) {
	for _, c := range []struct {
		input        string
		killed       bool
		failed, runs int
		kind         wire.OutcomeKind
	}{
		{"passes", false, 0, 1, wire.Pass},
		{"passes", true, 0, 2, wire.Pass}, // a process was killed on it: once is too little
		{"fail", false, 1, 1, wire.Panic}, // in the same process it would fail again
		{"end", false, Tries, Tries, wire.Death},
	} {
		a, err := newRunner().Run(t.Context(), fake.Input(c.input), c.killed)
		if err != nil || a.Failed != c.failed || a.Runs != c.runs || a.Outcome.Kind != c.kind {
			t.Errorf("%s: %d of %d runs failed, %v (%v)", c.input, a.Failed, a.Runs, a.Outcome.Kind, err)
		}
	}
}

// Of inputs that end their process in the same frames, the first is run several times.
func TestRunsOfInputsThatEndAlike(t *testing.T) {
	r := newRunner()
	program := fake.Program()
	program.Test.ImportPath = "fake"
	r.Processes = processes.New(processes.Config{Program: program, Worker: fake.Binary()})
	for _, c := range []struct {
		input string
		runs  int
	}{
		{"bomb", Tries},
		{"bomb i1", 1},
		{"end", Tries},
		{"end i1", Tries}, // nobody knows where
	} {
		if a, err := r.Run(t.Context(), fake.Input(c.input), false); err != nil || !a.Always() || a.Runs != c.runs {
			t.Errorf("%s: %+v (%v)", c.input, a, err)
		}
	}
}

// An input that takes too much memory is shown with the place that asks for it: its process was ended for that.
func TestWhereMemoryIsAskedFor(t *testing.T) {
	r := newRunner()
	cfg := fake.Binary()
	cfg.MemLimit = 128 << 20
	program := fake.Program()
	program.Test.ImportPath = "fake"
	r.Processes = processes.New(processes.Config{Program: program, Worker: cfg})
	for _, c := range []struct {
		input  string
		memory bool
		frames []string
	}{
		{"eats", true, []string{"fake.eat fake.go:14"}},
		{"end", false, nil},
	} {
		a, err := r.Run(t.Context(), fake.Input(c.input), false)
		if err != nil || !a.Always() || a.Memory != c.memory || !slices.Equal(a.Outcome.Frames, c.frames) {
			t.Errorf("%s: %+v (%v)", c.input, a, err)
		}
	}
}

// Who kills a process once in a while is not the input, as long as it passes in between.
func TestAProcessThatIsKilledNowAndThen(t *testing.T) {
	for _, c := range []struct{ shots, failed, runs, outside int }{
		{0, 0, 2, 0},
		{1, 0, 1, 1},
		{Tries - 1, 0, 1, Tries - 1},
		{Tries, Tries, Tries, 0},
	} {
		fake.Load(t, c.shots)
		r := newRunner()
		a, err := r.Run(t.Context(), fake.Input("shot"), true)
		if err != nil || a.Failed != c.failed || a.Runs != c.runs || r.Processes.Outside().Deaths != c.outside {
			t.Errorf("%d shots: %d of %d runs failed, %d deaths from outside (%v)", c.shots, a.Failed, a.Runs, r.Processes.Outside().Deaths, err)
		}
	}
}

// Nor is it a failure that is flaky.
func TestSometimesIsNotKilled(t *testing.T) {
	fake.Load(t, 1)
	r := newRunner()
	if failed, err := r.LookAgain(t.Context(), fake.Input("shot")); failed || err != nil {
		t.Fatal(err)
	}
	if list := r.Failures.Flaky(); len(list) != 0 || r.Processes.Outside().Deaths != 1 {
		t.Errorf("%+v, %d deaths from outside", list, r.Processes.Outside().Deaths)
	}
}

func TestCulpritIsAnInput(t *testing.T) {
	for _, c := range []struct{ input, previous, want string }{
		{"end", "fail", "end"},
		{"passes", "end", "end"},
		{"passes", "passes", ""},
	} {
		d := &worker.Death{}
		d.State.Input, d.State.Previous = fake.Input(c.input), fake.Input(c.previous)
		input, a, err := newRunner().Culprit(t.Context(), d)
		if err != nil || (input != nil) != (c.want != "") || input != nil && (fake.Words(input) != c.want || !a.Always()) {
			t.Errorf("%q after %q: %q, %d of %d runs (%v)", c.input, c.previous, fake.Words(input), a.Failed, a.Runs, err)
		}
	}
}

// What fails sometimes is looked for where no mutant is run.
func TestSometimes(t *testing.T) {
	r := newRunner()
	o := wire.Outcome{Kind: wire.Panic, Message: "seen"}
	for _, input := range []string{"rare", "passes"} {
		if err := r.Sometimes(t.Context(), worker.Flaky{Input: fake.Input(input), Outcome: o, Key: input, Failed: 1, Runs: 2}, ""); err != nil {
			t.Fatal(err)
		}
	}
	var rare, seen int
	for _, f := range r.Failures.Flaky() {
		switch f.Outcome.Message {
		case "rare":
			rare++
			if f.Failed != 1 || f.Runs != flakyRuns {
				t.Errorf("%d of %d runs", f.Failed, f.Runs)
			}
		case "seen":
			seen++
			if f.Sure() {
				t.Errorf("%q was not seen without mutants, and is sure", f.Key)
			}
		}
	}
	if rare != 1 || seen != 2 {
		t.Errorf("%d found, %d seen", rare, seen)
	}
}

// An input that ends the process in each run is run a few times only.
func TestSometimesEndsAfterSomeDeaths(t *testing.T) {
	r := newRunner()
	f := worker.Flaky{Input: fake.Input("end"), Outcome: wire.Outcome{Kind: wire.Death, Message: "m"}, Key: "k", Failed: 1, Runs: 1}
	if err := r.Sometimes(t.Context(), f, "exit status 3"); err != nil {
		t.Fatal(err)
	}
	if list := r.Failures.Flaky(); list[0].Failed != flakyDeaths || list[0].Cause != "exit status 3" {
		t.Errorf("%+v", list)
	}
}

func TestLookAgain(t *testing.T) {
	r := newRunner()
	for _, input := range []string{"passes", "rare"} {
		if failed, err := r.LookAgain(t.Context(), fake.Input(input)); failed != (input == "rare") || err != nil {
			t.Fatalf("%s fails: %v, %v", input, failed, err)
		}
	}
	if list := r.Failures.Flaky(); len(list) != 1 || list[0].Failed != 1 || list[0].Seen != 1 || !list[0].Sure() {
		t.Errorf("%+v", list)
	}
}
