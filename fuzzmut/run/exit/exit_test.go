package exit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// What was cancelled is an interrupt in the user's words, whatever the error says.
func TestInterruptsSayWhatIsKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := fmt.Errorf("load: %w", context.Canceled)
	if got := AsInterrupted(ctx, err); got != err {
		t.Errorf("nothing is interrupted: %v", got)
	}
	cancel()
	if got := AsInterrupted(ctx, err); got.Error() != "interrupted before anything was run; no file was changed" || CodeOf(got) != Interrupted {
		t.Errorf("%v", got)
	}
	if got := AsCut(ctx, err); got.Error() != "interrupted; what was written so far is complete" || CodeOf(got) != Interrupted {
		t.Errorf("%v", got)
	}
	own := Errorf(Interrupted, "interrupted: nothing was staged")
	if got := AsCut(ctx, own); got != own {
		t.Errorf("%v", got)
	}
}

// What is still done after an interrupt has some time, and its context does not end with what
// was interrupted.
func TestTimeAfterAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	long, endLong := Graceful(ctx, time.Hour)
	defer endLong()
	none, endNone := Graceful(ctx, 0)
	defer endNone()
	given, endGiven := Graceful(ctx, time.Hour)
	if long.Err() != nil || none.Err() != nil {
		t.Errorf("before: %v, %v", long.Err(), none.Err())
	}
	cancel()
	<-none.Done()
	if long.Err() != nil {
		t.Errorf("with time left: %v", long.Err())
	}
	if endGiven(); given.Err() == nil {
		t.Error("given up, and the context goes on")
	}
	late, endLate := Graceful(ctx, 0) // it was interrupted before
	defer endLate()
	<-late.Done()
}

func TestErrorsOfABuildAreTheUsers(t *testing.T) {
	plain, own := errors.New("p.go:3: undefined: x"), Errorf(Internal, "a mistake")
	if err := AsUsage(plain); CodeOf(err) != Usage || !errors.Is(err, plain) || err.Error() != plain.Error() {
		t.Errorf("%v", err)
	}
	if err := AsUsage(fmt.Errorf("p: %w", own)); CodeOf(err) != Internal {
		t.Errorf("an error with a class: %v", err)
	}
	if err := AsUsage(nil); err != nil {
		t.Errorf("none: %v", err)
	}
}

func TestCodeOf(t *testing.T) {
	baseline := Errorf(Baseline, "seed fails")
	for _, test := range []struct {
		name string
		err  error
		want Code
	}{
		{"nil", nil, OK},
		{"own", baseline, Baseline},
		{"wrapped", fmt.Errorf("FuzzX: %w", baseline), Baseline},
		{"cancelled", fmt.Errorf("load: %w", context.Canceled), Interrupted},
		{"cancelled within a class", Errorf(Usage, "load: %w", context.Canceled), Usage},
		{"unforeseen", io.ErrUnexpectedEOF, Internal},
		{"no test binary", fmt.Errorf("FuzzX: %w", new(worker.StartError)), Usage},
		{"joined", errors.Join(Errorf(Score, "low"), Errorf(Failing, "crash")), Failing},
		{"joined with the unforeseen", errors.Join(baseline, io.EOF), Internal},
		{"joined and wrapped", fmt.Errorf("all: %w", errors.Join(Errorf(Score, "low"), baseline)), Baseline},
		{"two verbs", fmt.Errorf("%w, then %w", Errorf(Interrupted, "stop"), baseline), Interrupted},
	} {
		if got := CodeOf(test.err); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestPrecedenceIsTotal(t *testing.T) {
	order := []Code{Internal, Usage, Interrupted, Baseline, Failing, Score, OK}
	for i := 1; i < len(order); i++ {
		if order[i].rank() >= order[i-1].rank() {
			t.Errorf("%d does not give way to %d", order[i], order[i-1])
		}
	}
}

func TestVerdict(t *testing.T) {
	test := func(status string, crashes int, interrupted bool) report.FuzzTest {
		f := report.FuzzTest{Name: "FuzzX", Interrupted: interrupted, Crashes: make([]report.Crash, crashes)}
		f.Mutants = []report.Mutant{{ID: "a", Status: status}, {ID: "b", Status: report.Survived}}
		return f
	}
	for _, c := range []struct {
		name  string
		tests []report.FuzzTest
		min   float64
		want  Code
	}{
		{"nothing", nil, 1, OK},
		{"clean", []report.FuzzTest{test(report.Killed, 0, false)}, 0, OK},
		{"score just reached", []report.FuzzTest{test(report.Killed, 0, false)}, 0.5, OK},
		{"score too low", []report.FuzzTest{test(report.Killed, 0, false)}, 0.51, Score},
		{"one of two kills", []report.FuzzTest{test(report.Survived, 0, false), test(report.Killed, 0, false)}, 0.5, OK},
		{"crash before score", []report.FuzzTest{test(report.Survived, 1, false)}, 1, Failing},
		{"interrupt before crash", []report.FuzzTest{test(report.Survived, 1, false), test(report.Survived, 0, true)}, 1, Interrupted},
		{"known crash", []report.FuzzTest{{Name: "FuzzX", Crashes: []report.Crash{{Known: true}}}}, 0, OK},
		{"known and new", []report.FuzzTest{{Name: "FuzzX", Crashes: []report.Crash{{Known: true}, {}}}}, 0, Failing},
		{"no mutants", []report.FuzzTest{{Name: "FuzzX"}}, 1, OK},
	} {
		if got := CodeOf(Verdict(&report.Report{Tests: c.tests}, c.min)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
		for i := range c.tests {
			c.tests[i].Costs = make([]report.Cost, 1)
		}
		if got := CodeOf(Verdict(&report.Report{Tests: c.tests}, c.min)); got != c.want {
			t.Errorf("%s, with costly inputs: got %d, want %d", c.name, got, c.want)
		}
	}
}

// Who can't change the code is not told to.
func TestFailingInputsOfCodeOfOthers(t *testing.T) {
	own, foreign := report.FuzzTest{Crashes: make([]report.Crash, 1)}, report.FuzzTest{Foreign: true, Crashes: make([]report.Crash, 2)}
	for _, c := range []struct {
		tests []report.FuzzTest
		want  string
	}{
		{[]report.FuzzTest{own}, "in 1 bucket: fix them"},
		{[]report.FuzzTest{own, foreign}, "in 3 buckets: fix them"},
		{[]report.FuzzTest{foreign}, "in 2 buckets, of code that is not in your module: report them where it is maintained"},
	} {
		if err := Verdict(&report.Report{Tests: c.tests}, 0); CodeOf(err) != Failing || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestAScoreOfAPartIsNoVerdict(t *testing.T) {
	whole := report.Score{Mutants: 2, Killed: 2, Score: 1}
	pending := whole
	pending.Pending = 3
	for name, c := range map[string]struct {
		r    report.TestReport
		min  float64
		want string
	}{
		"whole":         {report.TestReport{Score: whole}, 0.5, ""},
		"not asked for": {report.TestReport{Score: pending, Missing: []string{"1/2"}}, 0, ""},
		"missing":       {report.TestReport{Score: whole, Missing: []string{"2/4", "3/4"}}, 0.5, "no result of shard 2/4, 3/4"},
		"pending":       {report.TestReport{Score: pending}, 0.5, "3 mutants were not judged"},
	} {
		err := MergeVerdict(&c.r, c.min, false)
		if (err == nil) != (c.want == "") || err != nil && (CodeOf(err) != Score || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// Mutants that were not judged may survive.
func TestAScoreThatMayBeTooLowIsNoPass(t *testing.T) {
	score := report.Score{Mutants: 10, Killed: 9, Score: 0.9, Pending: 2}
	for min, want := range map[float64]string{
		0:    "",
		0.7:  "",
		0.8:  "2 mutants were not judged, and the mutation score may be 0.7500 without them",
		0.95: "the mutation score 0.9000 is below",
	} {
		err := ScoreVerdict(&report.TestReport{Score: score}, min)
		if (err == nil) != (want == "") || err != nil && (CodeOf(err) != Score || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: got %v, want %q", min, err, want)
		}
	}
	if err := MergeVerdict(&report.TestReport{Score: score}, 0.8, true); err != nil {
		t.Errorf("mutants that were not judged count in spite of allowMissing: %v", err)
	}
}

// Inputs that cost too much are failing ones only where that is asked for.
func TestCostsMayFail(t *testing.T) {
	r := &report.Report{Tests: []report.FuzzTest{{Name: "FuzzX", Costs: make([]report.Cost, 2)}}}
	if err := Verdict(r, 0); err != nil {
		t.Error(err)
	}
	r.CostFails = true
	if err := Verdict(r, 0); CodeOf(err) != Failing || !strings.Contains(err.Error(), "2 places") {
		t.Error(err)
	}
}
