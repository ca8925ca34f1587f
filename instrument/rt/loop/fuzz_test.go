package loop

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// newTestLoop returns a worker of a fuzz target that covers what it is told to,
// and the buffer that its replies go to.
func newTestLoop(t *testing.T, mutants int, target any, counters []uint8, slow []bool) (*Loop, *bytes.Buffer) {
	t.Helper()
	return newLoop(t, &wire.Init{MutantFunc: make([]int32, mutants)}, target, counters, slow)
}

func newLoop(t testing.TB, init *wire.Init, target any, counters []uint8, slow []bool) (*Loop, *bytes.Buffer) {
	t.Helper()
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Counters: counters, Slow: slow}}
	init.Counters, init.Funcs = len(counters), len(slow)
	tg := newTarget(target, plainT())
	x, err := newExecutor(tg, wire.NewShared(make([]byte, wire.SharedSize)), init)
	if err != nil {
		t.Fatal(err)
	}
	muts := newMutants(x, init)
	var out bytes.Buffer
	rng := havoc.NewRand(0)
	round, err := wire.Begin(&wire.Request{Fuzz: &wire.Fuzz{}}) // for tests of its parts
	if err != nil {
		t.Fatal(err)
	}
	return &Loop{
		target: tg, conn: &conn{out: &out, shared: x.shared, dialogue: round}, x: x, muts: muts, cov: newCoverage(fuzzmutrt.Packages),
		adaptive: newAdaptiveState(), entries: make(map[int][]any), failures: make(map[string]*bucketState),
		merelySlow: make(map[string]bool), rng: rng, mutator: havoc.New(rng, havoc.Options{MaxLen: 200}), mostLen: 200, suspect: suspectFuel,
		student: newStudent(len(slow)), search: newSearch(muts),
	}, &out
}

// ask has a loop answer a request.
func ask(l *Loop, req wire.Request) error { return l.answer(&req, l.serveOne) }

// replies takes the messages that a worker has sent.
func replies(t *testing.T, out *bytes.Buffer) []wire.Reply {
	t.Helper()
	var list []wire.Reply
	for in := bufio.NewReader(out); ; {
		var r wire.Reply
		if err := wire.Receive(in, &r, wire.MaxReply); err != nil {
			return list
		}
		list = append(list, r)
	}
}

// A parent answers for its children, each of them once.
func TestYieldsAreBookedByParent(t *testing.T) {
	var counters [8]uint8
	l, out := newTestLoop(t, 0, func(_ *testing.T, s string) {
		counters[0]++
		fuzzmutrt.Fuel -= int64(len(s))
		for i := range 6 {
			if strings.Count(s, "a") > 10*(i+1) {
				counters[1+i]++
			}
		}
	}, counters[:], nil)
	req := &wire.Fuzz{Seed: 1, Execs: 20_000, Filter: "none", Slow: 1000, Limit: 10_000}
	for id, s := range []string{strings.Repeat("a", 9), "", "b"} {
		req.Add = append(req.Add, wire.Entry{ID: id, Input: wire.Encode([]any{s})})
	}
	req.Parents = []wire.Parent{{ID: 0, Weight: 3}, {ID: 2, Weight: 1}}
	if err := ask(l, wire.Request{Fuzz: req}); err != nil {
		t.Fatal(err)
	}
	all := replies(t, out)
	end := all[len(all)-1].Fuzzed
	if end == nil || len(end.Yields) != 2 || end.Yields[0].ID != 0 || end.Yields[1].ID != 2 {
		t.Fatalf("the round ends with %+v", all[len(all)-1])
	}
	features := 0
	for _, r := range all {
		if r.Found != nil {
			features++
		}
	}
	rich, poor := end.Yields[0], end.Yields[1]
	if rich.Brought == 0 || rich.Brought+poor.Brought > int64(features*yieldMost) {
		t.Errorf("%d finds, brought %d and %d", features, rich.Brought, poor.Brought)
	}
	if rich.Fuel+poor.Fuel > l.x.spent {
		t.Errorf("the parents burned %d and %d of %d", rich.Fuel, poor.Fuel, l.x.spent)
	}
	if rich.Fuel < 2*poor.Fuel {
		t.Errorf("three times the weight, fuel %d against %d", rich.Fuel, poor.Fuel)
	}
}
