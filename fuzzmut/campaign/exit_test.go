package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestCodeOf(t *testing.T) {
	baseline := Errorf(ExitBaseline, "seed fails")
	for _, test := range []struct {
		name string
		err  error
		want ExitCode
	}{
		{"nil", nil, ExitOK},
		{"own", baseline, ExitBaseline},
		{"wrapped", fmt.Errorf("FuzzX: %w", baseline), ExitBaseline},
		{"cancelled", fmt.Errorf("load: %w", context.Canceled), ExitInterrupted},
		{"cancelled within a class", Errorf(ExitUsage, "load: %w", context.Canceled), ExitUsage},
		{"unforeseen", io.ErrUnexpectedEOF, ExitInternal},
		{"no test binary", fmt.Errorf("FuzzX: %w", new(worker.StartError)), ExitUsage},
		{"joined", errors.Join(Errorf(ExitScore, "low"), Errorf(ExitFailing, "crash")), ExitFailing},
		{"joined with the unforeseen", errors.Join(baseline, io.EOF), ExitInternal},
		{"joined and wrapped", fmt.Errorf("all: %w", errors.Join(Errorf(ExitScore, "low"), baseline)), ExitBaseline},
		{"two verbs", fmt.Errorf("%w, then %w", Errorf(ExitInterrupted, "stop"), baseline), ExitInterrupted},
	} {
		if got := CodeOf(test.err); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestPrecedenceIsTotal(t *testing.T) {
	order := []ExitCode{ExitInternal, ExitUsage, ExitInterrupted, ExitBaseline, ExitFailing, ExitScore, ExitOK}
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
		want  ExitCode
	}{
		{"nothing", nil, 1, ExitOK},
		{"clean", []report.FuzzTest{test(report.Killed, 0, false)}, 0, ExitOK},
		{"score just reached", []report.FuzzTest{test(report.Killed, 0, false)}, 0.5, ExitOK},
		{"score too low", []report.FuzzTest{test(report.Killed, 0, false)}, 0.51, ExitScore},
		{"one of two kills", []report.FuzzTest{test(report.Survived, 0, false), test(report.Killed, 0, false)}, 0.5, ExitOK},
		{"crash before score", []report.FuzzTest{test(report.Survived, 1, false)}, 1, ExitFailing},
		{"interrupt before crash", []report.FuzzTest{test(report.Survived, 1, false), test(report.Survived, 0, true)}, 1, ExitInterrupted},
		{"no mutants", []report.FuzzTest{{Name: "FuzzX"}}, 1, ExitOK},
	} {
		if got := CodeOf(Verdict(&report.Report{Tests: c.tests}, c.min)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
