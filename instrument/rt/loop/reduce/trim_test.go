package reduce

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// trimmed asks a worker to make an input of a target smaller.
func trimmed(t *testing.T, target func(*testing.T, string), req wire.Trim) (string, int64) {
	t.Helper()
	var counters [1]uint8
	var slow [1]bool
	w := looptest.New(t, &wire.Init{}, target, counters[:], slow[:])
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

func fail(s string) { panic("a key in " + s) }
