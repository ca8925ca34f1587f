package fuzzing

import (
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// locked is a rewritten package by hand: two comparisons that make one condition, so
// that coverage does not distinguish the first from none, and a third after them.
type locked struct {
	counters [3]uint8
	slow     [1]bool
}

func (l *locked) equal(site uint32, x, y uint64) bool {
	if l.slow[0] && fuzzmutrt.Tracing && fuzzmutrt.Recording {
		fuzzmutrt.OperandsHook(&fuzzmutrt.Operands{
			Site: site, Op: codes.Equal, Held: x == y, Kind: codes.Unsigned, Width: 2, X: x, Y: y, YConst: true,
		})
	}
	return x == y
}

func (l *locked) run(t *testing.T, in []byte) {
	l.counters[0]++
	if len(in) != 6 {
		return
	}
	at := func(i int) uint64 { return uint64(in[i])<<8 | uint64(in[i+1]) }
	if l.equal(0, at(0), 0xbeef) && l.equal(1, at(2), 0xcafe) {
		l.counters[1]++
		if l.equal(2, at(4), 0xf00d) {
			l.counters[2]++
			t.Error("open")
		}
	}
}

// fuzzed serves rounds on a target and returns the replies.
func fuzzed(t *testing.T, p *locked, rounds ...*wire.Fuzz) []wire.Reply {
	t.Helper()
	l, out := newTestFuzzer(t, 1, p.run, p.counters[:], p.slow[:])
	for _, r := range rounds {
		if err := ask(l, wire.Request{Fuzz: r}); err != nil {
			t.Fatal(err)
		}
	}
	return out.Replies()
}

func round1(study ...int) *wire.Fuzz {
	return &wire.Fuzz{
		Seed: 1, Execs: 500, Filter: "none", Slow: 1 << 40, Limit: 1 << 40, Study: study,
		Add: []wire.Entry{{ID: 0, Input: wire.Encode([]any{[]byte("123456")}), Run: true}}, Parents: []wire.Parent{{ID: 0, Weight: 1}},
	}
}

func TestStudyLeadsThroughComparisons(t *testing.T) {
	step := wire.Encode([]any{[]byte("\xbe\xef\xca\xfe56")})
	second := &wire.Fuzz{
		Seed: 2, Execs: 500, Filter: "none", Slow: 1 << 40, Limit: 1 << 40, Study: []int{1},
		Add: []wire.Entry{{ID: 1, Input: step, Run: true}}, Parents: []wire.Parent{{ID: 0, Weight: 1}},
	}
	var found, failed string
	var studied []int
	for _, r := range fuzzed(t, &locked{}, round1(0), second) {
		switch {
		case r.Found != nil && found == "":
			found = string(r.Found.Input)
		case r.Failure != nil && failed == "":
			failed = string(r.Failure.Input)
		case r.Fuzzed != nil:
			studied = append(studied, r.Fuzzed.Studied...)
		}
	}
	if found != string(step) {
		t.Errorf("found %q, not %q", found, step)
	}
	if want := wire.Encode([]any{[]byte("\xbe\xef\xca\xfe\xf0\x0d")}); failed != string(want) {
		t.Errorf("the failing input is %q", failed)
	}
	if len(studied) != 2 {
		t.Errorf("studied: %v", studied)
	}
}

// An input on which a process has ended is not run again, and the study goes on with the others.
func TestAStudySparesDeadlyInputs(t *testing.T) {
	first := round1(0)
	first.Deadly = []uint64{wire.HashOf(wire.Encode([]any{[]byte("\xbe\xef3456")}))}
	var found bool
	var studied []int
	for _, r := range fuzzed(t, &locked{}, first) {
		found = found || r.Found != nil
		if r.Fuzzed != nil {
			studied = append(studied, r.Fuzzed.Studied...)
		}
	}
	if found || len(studied) != 1 {
		t.Errorf("found %v, studied %v", found, studied)
	}
}

func TestWithoutStudyNothingIsRecorded(t *testing.T) {
	fuzzmutrt.OperandsHook = func(*fuzzmutrt.Operands) { t.Error("recorded") }
	for _, r := range fuzzed(t, &locked{}, round1()) {
		if r.Failure != nil {
			t.Error("two bytes, and two, and two again are found by chance")
		}
	}
}
