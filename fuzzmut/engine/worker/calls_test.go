//go:build unix

package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func init() {
	for name, s := range talks() {
		acts["Says"+name] = func(a *actor, _ *wire.Reply) {
			for _, r := range s.replies {
				a.out.Write(message(r))
			}
			if name == "Damaged" {
				os.Exit(wire.ExitDamaged)
			}
			a.receive()
			os.Exit(0)
		}
	}
}

// heard is what a call has handed over, in order.
type heard []string

func (h *heard) note(format string, args ...any) { *h = append(*h, fmt.Sprintf(format, args...)) }

// words are those of an input: a nil one is none.
func words(in *corpus.Input) string {
	if in == nil {
		return "none"
	}
	return fmt.Sprint(in.Values()...)
}

// say calls what a request is for, and returns what was handed over.
func (h *heard) say(ctx context.Context, p *Process, req *wire.Request) (err error) {
	damaged := func(d *Damaged) { h.note("damaged at %s by %v", words(d.Input), d.Suspects) }
	switch {
	case req.Run != nil:
		var ran *wire.Ran
		ran, err = p.Run(ctx, req.Run, RunEvents{
			Result:   func(r *wire.Result) { h.note("result %d", r.Item) },
			Kill:     func(k *wire.Kill) { h.note("kill of %d", k.Mutant) },
			Unstable: func(u *wire.Unstable) { h.note("unstable %d", u.Value.Site) }, Damaged: damaged,
		})
		if err == nil {
			h.note("ran %d", ran.Fuel)
		}
	case req.Fuzz != nil:
		var fuzzed *Fuzzed
		fuzzed, err = p.Fuzz(ctx, req.Fuzz, FuzzEvents{
			Found:   func(f *Found) { h.note("found %s", words(f.Input)) },
			Failure: func(f *Failure) { h.note("failure %s, %d", words(f.Input), f.Count) },
			Flaky:   func(f *Flaky) { h.note("flaky %s, %d of %d", words(f.Input), f.Failed, f.Runs) }, Damaged: damaged,
		})
		if err == nil {
			h.note("fuzzed, %d bred, %s first", len(fuzzed.Bred), words(fuzzed.Bred[0]))
		}
	case req.Trim != nil:
		var trimmed *Trimmed
		if trimmed, err = p.Trim(ctx, req.Trim); err == nil {
			h.note("trimmed to %s", words(trimmed.Input))
		}
	case req.Replay != nil:
		var replayed *wire.Replayed
		replayed, err = p.Replay(ctx, req.Replay, ReplayEvents{
			Recording: func(r *wire.Recording) { h.note("recording %d", r.Item) },
			Kill:      func(k *wire.Kill) { h.note("kill of %d", k.Mutant) },
		})
		if err == nil {
			h.note("replayed %d", replayed.Execs)
		}
	case req.Repair != nil:
		_, err = p.Repair(ctx, req.Repair, RepairEvents{
			Effect:    func(e *wire.Effect) { h.note("effect of %d", e.Mutant) },
			Diagnosis: func(d *wire.Diagnosis) { h.note("diagnosis %d", d.Item) }, Damaged: damaged,
		})
	case req.Tests != nil:
		_, err = p.Tests(ctx, req.Tests, TestsEvents{TestRan: func(r *wire.TestRan) { h.note("test %d", r.Test) }})
	case req.Try != nil:
		_, err = p.Try(ctx, req.Try, TryEvents{Tried: func(r *wire.Tried) { h.note("tried %d", r.Mutant) }})
	case req.Observe != nil:
		_, err = p.Observe(ctx, req.Observe, ObserveEvents{Observed: func(r *wire.Observed) { h.note("observed %d", r.Mutant) }})
	}
	return err
}

// A call hands over each event once, in the order in which the worker sends them, with its
// input decoded, and returns what closes the request.
func TestCallsHandOverWhatAWorkerSays(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Run":     "result 0; kill of 3; unstable 1; result 1; ran 7",
		"Fuzz":    "found in; failure in, 1; failure none, 8; flaky in, 1 of 5; fuzzed, 2 bred, in first",
		"Damaged": "damaged at in by [2 3]",
		"Trim":    "trimmed to in",
		"Replay":  "recording 0; recording 1; kill of 3; replayed 2",
		"Repair":  "effect of 1; diagnosis 0; diagnosis 1",
		"Tests":   "test 1; test 0",
		"Try":     "tried 2; tried 1",
		"Observe": "observed 2; observed 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Start(Config{Binary: self, Fuzz: "Says" + name, Dir: ".", Sites: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if _, err := p.Init(t.Context(), &wire.Init{MutantFunc: make([]int32, 3), Counters: 5}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Run(t.Context(), &wire.Run{Items: make([]wire.Item, 1)}, RunEvents{}); err != nil {
				t.Fatal(err)
			}
			s := talks()[name]
			var h heard
			err = h.say(t.Context(), p, &s.req)
			var d *Death
			if dies := errors.As(err, &d); dies != (name == "Damaged") || dies && !d.Damaged || err != nil && !dies {
				t.Errorf("%v", err)
			}
			if got := strings.Join(h, "; "); got != want {
				t.Errorf("handed over: %s\nwant: %s", got, want)
			}
		})
	}
}

// A fuzz test is run alone and for as long as it takes, the package's own tests as the go
// command runs them.
func TestHowTestBinariesAreCalled(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		args string
		vars []string
	}{
		{Config{Fuzz: "FuzzX", Dir: "/p"}, "-test.run=^FuzzX$ -test.timeout=0 -test.count=1", []string{wire.EnvWorker + "=FuzzX"}},
		{Config{Dir: "/p"}, "-test.paniconexit0 -test.timeout=10m0s -test.count=1", []string{wire.EnvTests + "=1", "PWD=/p"}},
		{
			Config{Dir: "/p", Run: "A|B", Skip: "C", Short: true, Args: []string{"-x", "y"}},
			"-test.paniconexit0 -test.timeout=10m0s -test.count=1 -test.run=A|B -test.skip=C -test.short=true -x y",
			[]string{wire.EnvTests + "=1", "PWD=/p"},
		},
	} {
		args, vars := c.cfg.invocation()
		if got := strings.Join(args, " "); got != c.args {
			t.Errorf("%s, want %s", got, c.args)
		}
		if want := append([]string{"GOTRACEBACK=all", "FUZZMUT_STEADY=1"}, c.vars...); !slices.Equal(vars, want) {
			t.Errorf("%q, want %q", vars, want)
		}
	}
}

// What the shared memory says of bounds counts as far as a request may have set it.
func TestBoundsAreThoseOfTheRequest(t *testing.T) {
	bounds := func(limit, idle time.Duration) wire.Bounds {
		return wire.Bounds{Limit: limit, Idle: idle, CPU: 2 * limit}
	}
	tests := &wire.Request{Tests: &wire.Tests{Bounds: bounds(3, 2)}}
	try := &wire.Request{Try: &wire.Try{Tests: []wire.TestCost{{Bounds: bounds(1, 9)}, {Bounds: bounds(7, 4)}}}}
	for _, c := range []struct {
		req      *wire.Request
		in, want wire.Bounds
	}{
		{tests, bounds(3, 2), bounds(3, 2)},
		{tests, bounds(2, 1), bounds(2, 1)},
		{tests, bounds(4, 3), bounds(3, 2)},
		{tests, bounds(-1, -1), bounds(3, 2)},
		{try, bounds(7, 9), bounds(7, 9)},
		{try, bounds(8, 10), bounds(7, 9)},
		{&wire.Request{Observe: &wire.Observe{Tests: try.Try.Tests}}, bounds(8, 10), bounds(7, 9)},
		{&wire.Request{Run: &wire.Run{}}, bounds(1, 1), bounds(0, 0)},
	} {
		p := &Process{most: boundsOf(c.req)}
		if got := p.within(c.in); got != c.want {
			t.Errorf("%+v is %+v, want %+v", c.in, got, c.want)
		}
	}
	cfg := Config{Timeout: 8 * time.Second, StartTimeout: time.Minute}
	for _, c := range []struct {
		counts wire.Counts
		want   time.Duration
	}{
		{wire.Counts{}, time.Minute}, // it has not begun
		{wire.Counts{Heartbeat: 1}, 8 * time.Second},
		{wire.Counts{Heartbeat: 1, Mutant: 3}, 2 * time.Second},
		{wire.Counts{Heartbeat: 1, Mutant: 3, Bounds: bounds(5*time.Second, 0)}, 5 * time.Second},
	} {
		if got := (&Process{cfg: cfg}).limit(&c.counts); got != c.want {
			t.Errorf("%+v: %v, want %v", c.counts, got, c.want)
		}
	}
}

// What a process has taken before it is asked does not count, nor what is not known.
func TestLabor(t *testing.T) {
	l := labor{}
	for i, c := range []struct{ cpu, want time.Duration }{{0, 0}, {5, 0}, {7, 2}, {50, 45}} {
		if got := l.at(c.cpu); got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// The time of a process that is held is what it computes, and a small part of what passes.
func TestOwnTime(t *testing.T) {
	const ms = time.Millisecond
	begin := time.Now()
	o := ownTime{last: begin}
	for i, c := range []struct {
		at, cpu time.Duration
		held    bool
		want    time.Duration
	}{
		{50 * ms, 7 * ms, true, 50 * ms},               // what it took before is not known
		{100 * ms, 57 * ms, true, 100 * ms},            // it computes
		{150 * ms, 60 * ms, true, 103 * ms},            // and has a part of a processor
		{200 * ms, 60 * ms, false, 153 * ms},           // it sleeps
		{250 * ms, 160 * ms, true, 203 * ms},           // with two processors
		{1250 * ms, 160 * ms, true, 253 * ms},          // nobody runs it
		{61_250 * ms, 160 * ms, false, 453 * ms},       // the coordinator was not run
		{61_300 * ms, 150 * ms, true, 455*ms + ms/2},   // it has waited for no child now
		{121_300 * ms, 150 * ms, true, 3455*ms + ms/2}, // nobody runs it: in the end it is given up
	} {
		if o.note(begin.Add(c.at), c.cpu, func() bool { return c.held }); o.sum != c.want {
			t.Errorf("%d: %v, want %v", i, o.sum, c.want)
		}
	}
}
