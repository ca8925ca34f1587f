package fuzz

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
)

// TestTheOutputOfTheStockEngineIsFollowed: progress is shown, files of failing inputs are
// noted, and the rest is kept for an error.
func TestTheOutputOfTheStockEngineIsFollowed(t *testing.T) {
	dir := trialtest.Module(t, trialtest.Sign, trialtest.FuzzSign)
	x := trialtest.Open(t, dir, trial.Hooks{})
	var shown []project.Status
	x.Project.Options.Events = func(e project.Event) { shown = append(shown, *e.Status) }
	n := &nativeRun{trial: x}
	out := "fuzz: elapsed: 0s, gathering baseline coverage: 0/1 completed\n" +
		"fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 7 (total: 9)\n" +
		"fuzz: elapsed: 6s, execs: 2400 (410/sec)\n" +
		"--- FAIL: FuzzX (6.00s)\n    Failing input written to testdata/fuzz/FuzzX/abc\n" + strings.Repeat("x", 1<<21) + "\nafter a line that is too long\n"
	text := n.follow(strings.NewReader(out))
	if n.execs != 2400 || len(n.crashers) != 1 || n.crashers[0] != dir+"/testdata/fuzz/FuzzX/abc" {
		t.Errorf("%d executions, failing inputs %q", n.execs, n.crashers)
	}
	if len(shown) != 2 || shown[0].Corpus != 9 || shown[0].Added != 7 || shown[0].ExecsPerSec != 400 || shown[1].Execs != 2400 {
		t.Errorf("shown: %+v", shown)
	}
	if !strings.Contains(text, "--- FAIL: FuzzX") || strings.Contains(text, "execs:") {
		t.Errorf("kept: %q", text)
	}
}
