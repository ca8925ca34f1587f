package reduce

import (
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// hangFuel is what an input burns here that is a hang.
const hangFuel = 100_000

// trimmed asks a worker to make an input of a target smaller.
func trimmed(t *testing.T, target func(*testing.T, string), req wire.Trim) (string, int64) {
	t.Helper()
	var counters [1]uint8
	var slow [1]bool
	w := looptest.New(t, &wire.Init{}, target, counters[:], slow[:])
	w.Exec.HangFuel = hangFuel
	s := Trimmer{Conn: w.Conn, Target: w.Target, Exec: w.Exec, Muts: w.Muts}
	err := w.Conn.Answer(&wire.Request{Trim: &req}, func(r *wire.Request) error { return s.Serve(r.Trim, 1000) })
	if err != nil {
		t.Fatal(err)
	}
	replies := w.Replies()
	if len(replies) != 1 || replies[0].Trimmed == nil {
		t.Fatalf("replies: %+v", replies)
	}
	vals, err := w.Target.Given(replies[0].Trimmed.Input)
	if err != nil {
		t.Fatal(err)
	}
	return vals[0].(string), replies[0].Trimmed.Stats.Execs
}

// A smaller input must show the same failure: one that fails elsewhere, or not at all,
// is not taken.
func TestTrimmer(t *testing.T) {
	target := func(t *testing.T, s string) {
		switch {
		case len(s) < 3:
			panic("too short")
		case strings.Contains(s, "key"):
			fail(s)
		}
	}
	const rest = " in a text of some length"
	for _, test := range []struct {
		name string
		in   string
		req  wire.Trim
		want string
	}{
		{"the failure stays", "a key" + rest, wire.Trim{Execs: 1000, Fuel: 1 << 40}, "key"},
		{"another failure", "ab", wire.Trim{Execs: 1000, Fuel: 1 << 40}, ""},
		{"no failure", "nothing" + rest, wire.Trim{Execs: 1000, Fuel: 1 << 40}, "nothing" + rest},
		{"one execution, which is that of the input itself", "a key" + rest, wire.Trim{Execs: 1, Fuel: 1 << 40}, "a key" + rest},
		{"no fuel", "a key" + rest, wire.Trim{Execs: 1000}, "a key" + rest},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.req.Input = wire.Encode([]any{test.in})
			got, execs := trimmed(t, target, test.req)
			if got != test.want {
				t.Errorf("%q becomes %q, want %q", test.in, got, test.want)
			}
			if execs < 1 || execs > int64(test.req.Execs) {
				t.Errorf("%d executions, of at most %d", execs, test.req.Execs)
			}
		})
	}
}

// Of an input that hangs no smaller one is taken that is merely slow: it burns more than an execution of a round may, and
// ends.
func TestTrimmerOfHangs(t *testing.T) {
	doubles := func(_ *testing.T, s string) { // each a doubles the work
		for range 1 << strings.Count(s, "a") {
			fuzzmutrt.Burn()
		}
	}
	endless := func(_ *testing.T, s string) {
		for strings.Contains(s, "a") {
			fuzzmutrt.Burn()
		}
	}
	for name, test := range map[string]struct {
		target func(*testing.T, string)
		want   int // a's
	}{"endless": {endless, 1}, "ever longer": {doubles, 17}} {
		t.Run(name, func(t *testing.T) {
			in := strings.Repeat("xxa", 24)
			got, _ := trimmed(t, test.target, wire.Trim{Input: wire.Encode([]any{in}), Execs: 4000, Fuel: 1 << 40})
			if n := strings.Count(got, "a"); n != test.want || len(got) > 2*n {
				t.Errorf("%q becomes %q, want %d times a and little else", in, got, test.want)
			}
		})
	}
}

// What fails after more work than a round gives to an execution is minimized, and goes on to fail so.
func TestTrimmerOfLateFailures(t *testing.T) {
	target := func(_ *testing.T, s string) {
		for range 5000 {
			fuzzmutrt.Burn()
		}
		if strings.Contains(s, "key") {
			fail(s)
		}
	}
	if got, _ := trimmed(t, target, wire.Trim{Input: wire.Encode([]any{"a key in a text"}), Execs: 1000, Fuel: 1 << 40}); got != "key" {
		t.Errorf("%q", got)
	}
}

func fail(s string) { panic("a key in " + s) }
