package triage

import (
	"slices"
	"strings"
	"testing"
)

// TestVerdictsOfAReplay: what plain go test tells of several entries of a corpus, in
// whichever way the process ends.
func TestVerdictsOfAReplay(t *testing.T) {
	run := func(name string) string { return "=== RUN   FuzzX/" + name + "\n" }
	pass := func(name string) string { return "    --- PASS: FuzzX/" + name + " (0.00s)\n" }
	fail := func(name string) string {
		return "    --- FAIL: FuzzX/" + name + " (0.00s)\n        x_test.go:3: wrong\n"
	}
	const timeout = "panic: test timed out after 1s\n"
	for _, tt := range []struct {
		name, out      string
		failed         bool
		Input, passing string
		alone          bool
	}{
		{"all pass", run("a") + pass("a") + run("b") + pass("b"), false, "", "a b", false},
		{"one reports a failure", run("a") + fail("a") + run("b") + pass("b"), true, "a", "b", false},
		{"one panics", run("a") + pass("a") + run("b") + "--- FAIL: FuzzX (0.00s)\n" + fail("b") + "panic: bad\n", true, "b", "a", false},
		{"one exits", run("a") + pass("a") + run("b"), true, "b", "a", false},
		{"one alone hangs", run("a") + timeout, true, "a", "", false},
		{"the last may hang", run("a") + pass("a") + run("b") + timeout, true, "", "a", true},
		{"a verdict is lost in output", run("a") + "text" + strings.TrimSpace(pass("a")) + "\n" + run("b") + fail("b"), true, "b", "", true},
		{"side by side", run("a") + "=== PAUSE FuzzX/a\n" + run("b") + "=== PAUSE FuzzX/b\n" + pass("b"), true, "", "", true},
		{"side by side, all pass", run("a") + "=== PAUSE FuzzX/a\n" + pass("a") + run("b") + pass("b"), false, "", "a b", false},
		{"skipped", run("a") + "    --- SKIP: FuzzX/a (0.00s)\n", false, "", "a", false},
		{"another test", "=== RUN   FuzzXY/a\n", false, "", "", false},
	} {
		r := readReplay(tt.out, "FuzzX")
		r.failed = tt.failed
		failing, passing, alone := r.verdicts()
		if !slices.Equal(failing, strings.Fields(tt.Input)) || !slices.Equal(passing, strings.Fields(tt.passing)) || alone != tt.alone {
			t.Errorf("%s: failing %v, passing %v, alone %v", tt.name, failing, passing, alone)
		}
	}
}
