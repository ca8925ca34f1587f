package failures

import (
	"fmt"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestAFailureIsSureOnceItWasSeenTwice(t *testing.T) {
	for _, test := range []struct {
		seen, failed int64
		want         bool
	}{{1, 0, false}, {7, 0, false}, {0, 1, false}, {1, 1, true}, {0, 2, true}} {
		f := Flaky{Seen: test.seen, Failed: test.failed}
		if f.Sure() != test.want {
			t.Errorf("seen %d times, and %d times without mutants: sure %v", test.seen, test.failed, f.Sure())
		}
	}
}

// flake is a panic that 1 of 10 runs ends with.
func flake(input, key, message string) worker.Flaky {
	return worker.Flaky{Input: corpus.Of(input), Key: key, Outcome: wire.Outcome{Kind: wire.Panic, Message: message}, Failed: 1, Runs: 10}
}

func TestFailuresOfOneStackAreOne(t *testing.T) {
	c := New(nil)
	c.Saw(flake("a", "here", ""), "")
	c.Saw(flake("b", "there", "second"), "")
	c.Saw(flake("b", "here", "first"), "")
	c.Saw(flake("a", "here", "first again"), "")
	list := c.Flaky()
	if len(list) != 2 || list[0].Seen != 3 || list[0].Outcome.Message != "first" || !list[0].Input.Equal(corpus.Of("a")) {
		t.Fatalf("%+v", list)
	}
	// Only runs of the input that is shown count as its own.
	if list[0].Again != 20 || list[0].Passed != 18 {
		t.Errorf("passed %d of %d times", list[0].Passed, list[0].Again)
	}
	if !c.IsFlaky("there") || c.IsFlaky("elsewhere") {
		t.Error("IsFlaky")
	}
}

// Each look costs processes.
func TestAFailureIsLookedForAFewTimes(t *testing.T) {
	c := New(nil)
	looks := 0
	for range 10 {
		if f := c.Saw(flake("a", "k", "m"), ""); f != nil {
			looks++
			c.Looked(f, &wire.Result{Runs: 100}, "")
		}
	}
	if looks != flakyAsked {
		t.Errorf("looked %d times, want %d", looks, flakyAsked)
	}
	if f := c.Flaky()[0]; f.Seen != 10 || f.Runs != 100*flakyAsked || f.Failed != 0 {
		t.Errorf("%+v", f)
	}
	c = New(nil)
	for i := range flakyMost + 2 {
		f := c.Saw(flake("x", fmt.Sprint(i), "m"), "")
		if want := i < flakyMost; (f != nil) != want {
			t.Errorf("failure %d is looked for: %v", i+1, f != nil)
		}
	}
}

// What fails without mutants may have a text that the first failure had not, or be another
// failure.
func TestWhatIsFoundWithoutMutants(t *testing.T) {
	c := New(nil)
	told := wire.Outcome{Kind: wire.Fail, Message: "x_test.go:3: boom"}
	f := c.Saw(worker.Flaky{Input: corpus.Of("a"), Key: "fail\n", Outcome: wire.Outcome{Kind: wire.Fail}, Failed: 1, Runs: 2}, "")
	c.Looked(f, &wire.Result{Runs: 5, Failed: 1, Outcome: told}, "")
	list := c.Flaky()
	if len(list) != 1 || list[0].Key != failure.Key(told) || list[0].Failed != 1 || list[0].Runs != 5 {
		t.Errorf("the text is not taken over: %+v", list)
	}
	c.Looked(f, &wire.Result{Runs: 3, Failed: 2, Outcome: wire.Outcome{Kind: wire.Death, Message: "exit status 3"}}, "exit status 3")
	list = c.Flaky()
	if len(list) != 2 || list[0].Failed != 2 || list[0].Cause != "exit status 3" || list[1].Failed != 1 {
		t.Errorf("another failure is not apart: %+v", list)
	}
	c.SawAgain(flake("b", "k", "m"), "", &wire.Result{Runs: 4, Failed: 1})
	if i := len(c.Flaky()); i != 3 || !c.IsFlaky("k") {
		t.Errorf("%d failures", i)
	}
}
