package fuzzing

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/filter"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// keyProgram covers blocks for a key in its input and for long ones, infects the mutant on every
// input and lets it differ where there is a lock, and fails without any.
type keyProgram struct {
	counters [3]uint8
	slow     [1]bool
}

func (p *keyProgram) run(t *testing.T, s string, n int) {
	p.counters[0]++
	fuzzmutrt.Fuel -= int64(len(s))
	if p.slow[0] && fuzzmutrt.Tracing {
		fuzzmutrt.Reached[0] |= 1 << 1
		fuzzmutrt.Infected[0] |= 1 << 1
	}
	if strings.Contains(s, "key") && n > 3 {
		p.counters[1]++
	}
	if len(s) > 2000 {
		p.counters[2]++
	}
	if s == "" {
		t.Error("empty")
	}
	lock := strings.Contains(s, "lock")
	if p.slow[0] && fuzzmutrt.Active == 1 && lock {
		lock = false
	}
	if fuzzmutrt.Observing {
		fuzzmutrt.ObserveHook(0, []any{lock})
	}
}

// shrink takes an input as one that was found, by a worker that has fuel for it.
func shrink(t *testing.T, thrift int64, vals []any, kills []wire.Kill) (l *Fuzzer, got []any, found wire.Found, sent []wire.Reply) {
	t.Helper()
	p := &keyProgram{}
	l, out := newTestFuzzer(t, 1, p.run, p.counters[:], p.slow[:])
	l.thrift = thrift
	l.Cov.Clear()
	l.Exec.Original([]any{"-", 0}, exec.SuspectFuel)
	l.Cov.Merge()
	l.Conn.Shared.SetInput(vals)
	l.Cov.Clear()
	ex := l.Exec.Original(exec.Clone(vals), exec.SuspectFuel)
	r := &round{Fuzzer: l, fresh: l.Cov.Fresh()}
	found = wire.Found{Features: l.Cov.Features(), Cost: ex.Burned, Kills: kills, Infects: []uint32{1}}
	l.Cov.Merge()
	got, err := r.shrink(vals, ex, &found)
	if err != nil {
		t.Fatal(err)
	}
	l.failures.flush()
	return l, got, found, out.Replies()
}

func TestFindsAreMadeSmaller(t *testing.T) {
	kill := []wire.Kill{{Mutant: 1, Kind: oracle.Difference}}
	long := strings.Repeat("abc", 10)
	tests := []struct {
		name   string
		thrift int64
		in     []any
		kills  []wire.Kill
		want   []any
	}{
		{"new features stay", 1e6, []any{long + "key" + long, 1000}, nil, []any{"key", 4}},
		{"kills stay", 1e6, []any{long + "lock" + long, 1000}, kill, []any{"lock", 0}},
		{"both stay", 1e6, []any{"a lock and a key", 4}, kill, []any{"lockey", 4}},
		{"a kill of another kind is none", 1e6, []any{"a lock", 4}, []wire.Kill{{Mutant: 1, Kind: oracle.Panic}}, []any{"a lock", 4}},
		{"no fuel", 0, []any{long + "key" + long, 1000}, nil, []any{long + "key" + long, 1000}},
		{"dear kills", 1e6, []any{"a lock", 4}, []wire.Kill{{Mutant: 1, Kind: oracle.Fuel}}, []any{"a lock", 4}},
	}
	for _, tt := range tests {
		l, got, found, _ := shrink(t, tt.thrift, tt.in, tt.kills)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if found.Cost != int64(len(got[0].(string))) {
			t.Errorf("%s: the cost of %q is %d", tt.name, got, found.Cost)
		}
		l.Cov.Clear()
		l.Exec.Original(exec.Clone(got), exec.SuspectFuel)
		if !slices.Equal(found.Features, l.Cov.Features()) || !slices.Equal(found.Infects, []uint32{1}) {
			t.Errorf("%s: features %v, infects %v", tt.name, found.Features, found.Infects)
		}
	}
}

// A find that is in progress is known, and what fails while it is minimized is reported.
func TestShrinkingReportsFirstAndFailuresToo(t *testing.T) {
	_, got, _, sent := shrink(t, 1e6, []any{"a lock", 0}, []wire.Kill{{Mutant: 1, Kind: oracle.Assertion}})
	if got[0] != "a lock" {
		t.Errorf("became %q, which is not killed alike", got)
	}
	if len(sent) != 2 || sent[0].Found == nil || !sent[0].Found.Early || string(sent[0].Found.Input) != string(wire.Encode(got)) {
		t.Fatalf("sent %+v", sent)
	}
	if f := sent[1].Failure; f == nil || string(f.Input) != string(wire.Encode([]any{"", 0})) {
		t.Errorf("sent %+v", sent[1])
	}
}

func TestShrinkingKeepsToItsFuel(t *testing.T) {
	in := []any{strings.Repeat("x", 2200), 7}
	const thrift = 40_000
	l, got, _, _ := shrink(t, thrift, in, nil)
	if l.thrift > 0 || l.thrift < -(2+exec.TraceFactor)*2260 {
		t.Errorf("of %d units of fuel %d are left", thrift, l.thrift)
	}
	if n := len(got[0].(string)); n >= 2200 || n <= 2001 {
		t.Errorf("%d bytes are left", n)
	}
}

// What an input before was the first to cover is not asked of the next.
func TestKillsAloneAreShrunkToo(t *testing.T) {
	p := &keyProgram{}
	l, out := newTestFuzzer(t, 1, p.run, p.counters[:], p.slow[:])
	l.thrift = 1e6
	r := &round{Fuzzer: l, slow: 1e6, filter: filter.All{}}
	r.parents.add(entry{id: noID, vals: []any{"", 0}}, 1)
	for _, s := range []string{"-", "a key", "here is a lock"} {
		if err := r.run([]any{s, 9}, true); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, reply := range out.Replies() {
		if f := reply.Found; f != nil && !f.Early {
			vals, err := wire.Decode(f.Input)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, vals[0].(string))
		}
	}
	if want := []string{"-", "key", "lock"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
