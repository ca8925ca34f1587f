package fuzzing

import (
	"bytes"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// limited is a rewritten package by hand: a limit on a number that is computed, with the
// mutant <= of <.
type limited struct {
	counters [1]uint8
	slow     [1]bool
	count    func(in []byte) int
	limit    int
	killed   string // the input by which
}

const mAtMost = 1 // < changed to <=

func (l *limited) run(t *testing.T, in []byte) {
	l.counters[0]++
	n := l.count(in)
	if l.slow[0] && fuzzmutrt.Tracing {
		if fuzzmutrt.Recording {
			fuzzmutrt.OperandsHook(&fuzzmutrt.Operands{
				Site: 1, Op: codes.Less, Held: n < l.limit, Kind: codes.Signed, Width: 8,
				X: uint64(n), Y: uint64(l.limit), YConst: true, Mutant: mAtMost, Alts: codes.LessEqual,
			})
		}
		fuzzmutrt.Reached[0] |= 1 << mAtMost
		if n == l.limit {
			fuzzmutrt.Infected[0] |= 1 << mAtMost
		}
	}
	if l.slow[0] && fuzzmutrt.Active == mAtMost && n == l.limit {
		l.killed = string(in)
		t.Error("too many")
	}
}

func TestSearchReachesComputedLimits(t *testing.T) {
	for name, l := range map[string]*limited{
		"a count":   {count: func(in []byte) int { return bytes.Count(in, []byte(",")) }, limit: 333},
		"a length":  {count: func(in []byte) int { return len(bytes.TrimLeft(in, " ")) }, limit: 150},
		"a sum":     {count: sumOf, limit: 123_456},
		"a nesting": {count: depthOf, limit: 70},
	} {
		search := func(study ...int) string {
			l.killed = ""
			loop, _ := newTestFuzzer(t, 1, l.run, l.counters[:], l.slow[:])
			loop.MaxLen = 1000
			for seed := range uint64(4) {
				req := &wire.Fuzz{Seed: seed, Execs: 2000, Filter: "adaptive", Slow: 1 << 40, Limit: 1 << 40, Parents: []wire.Parent{{Weight: 1}}}
				if seed == 0 {
					req.Study = study
					req.Add = []wire.Entry{{Input: wire.Encode([]any{[]byte("1,20,[[x]]")}), Run: true}}
				}
				if err := ask(loop, wire.Request{Fuzz: req}); err != nil {
					t.Fatal(err)
				}
			}
			return l.killed
		}
		if search(0) == "" {
			t.Errorf("%s: the mutant survives", name)
		}
		if in := search(); in != "" {
			t.Errorf("%s: killed without a search, by %q", name, in)
		}
	}
}

// sumOf adds the decimal digits, by their places.
func sumOf(in []byte) int {
	sum := 0
	for _, field := range strings.Split(string(in), ",") {
		n := 0
		for _, b := range []byte(field) {
			if '0' <= b && b <= '9' && n < 1<<30 {
				n = 10*n + int(b-'0')
			}
		}
		sum += n
	}
	return sum
}

// depthOf is how deep brackets are nested in a balanced text, 0 if it is not.
func depthOf(in []byte) int {
	depth, most := 0, 0
	for _, b := range in {
		switch b {
		case '[':
			depth++
			most = max(most, depth)
		case ']':
			depth--
		}
		if depth < 0 {
			return 0
		}
	}
	if depth > 0 {
		return 0
	}
	return most
}
