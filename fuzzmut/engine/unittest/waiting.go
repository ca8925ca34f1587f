package unittest

import (
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A long test waits if its process and what that starts are at work for less than one
// part in waitsShare of its time: it sleeps, or waits for others. There may be waiters such
// processes for each that works. Where processes have to come one after the other, these
// do, too.
const (
	waitsShare = 5
	waiters    = 8
)

// work is how much a process has done.
type work struct {
	cpu    time.Duration // processor time, of children, too
	active time.Duration // of its threads, running and waiting for a processor
	known  bool
}

func (p *process) busy() work {
	w := work{cpu: p.CPU()}
	w.active, w.known = p.Active()
	return w
}

// since returns how much of it was done since before, -1 if that is unknown. On a busy
// machine a process that would work waits for a processor: that counts.
func (w work) since(before work) time.Duration {
	if !w.known || !before.known {
		return -1
	}
	return max(w.cpu-before.cpu, w.active-before.active)
}

// waiting are as many as may do little but wait at a time.
func (o *Options) waiting() crew {
	if o.Parallel == 1 {
		return crew{size: 1}
	}
	return crew{size: waiters * o.Parallel, waits: true}
}

// apart says that the test runs in separate processes.
func (t *test) apart() bool { return t.waits || t.works || t.slow }

// noteWorking notes the tests that leave goroutines that compute.
func (s *suite) noteWorking(first outcomes) {
	for _, t := range judging(s.tests) {
		t.works = first[t.index].Working
	}
}

// measureApart finds the tests that wait. It traces each of them, and each of those that
// leave goroutines at work, in a separate process. A test that fails there is run again;
// if it fails again, it depends on the tests before it.
func (s *suite) measureApart(first outcomes) error {
	var waiting, working, slow []*test
	for _, t := range judging(s.tests) {
		t.Time = first[t.index].Time
		t.waits = !t.works && t.long() && t.busy >= 0 && t.busy < t.Time/waitsShare
		switch {
		case t.slow:
			slow = append(slow, t)
		case t.waits:
			waiting = append(waiting, t)
		case t.works:
			working = append(working, t)
		default:
			t.Time = 0 // tracing takes its own: the last pass tells
		}
	}
	trace := func(t *test) error {
		ok, err := s.runAlone(t, true)
		if err != nil || ok {
			return err
		}
		if ok, err = s.runAlone(t, true); err != nil || !ok {
			t.audit.needy.Store(true)
			return err
		}
		return s.setAside(t)
	}
	if err := s.each(waiting, s.launch.o.waiting(), trace); err != nil {
		return err
	}
	if err := s.each(working, s.launch.o.working(), trace); err != nil {
		return err
	}
	return s.each(slow, s.launch.o.working(), func(t *test) error { return s.traceSlow(t, first) })
}

// waits says that the tests of a mutant are likely to do little but wait.
func (it *item) waits() bool {
	var took, waited time.Duration
	for _, t := range it.infected {
		took += t.Time
		if t.waits {
			waited += t.Time
		}
	}
	return it.blocked || waited > took-took/waitsShare
}

// runAlone runs a test without a mutant, alone in a process, and reports whether it
// passes.
func (s *suite) runAlone(t *test, trace bool) (passes bool, err error) {
	second, err := s.originalAlone(t, trace)
	if err != nil {
		return false, err
	}
	ran := second.ran
	if trace && ran.Reached != nil {
		t.steady = t.steady && t.didSame(ran)
		t.Fuel, t.leaked = max(t.Fuel, ran.Fuel), max(t.leaked, ran.Leaked)
		t.reached.AddAll(bitset.FromBytes(ran.Reached))
		t.infected.AddAll(bitset.FromBytes(ran.Infected))
		if t.times == nil {
			t.times = timesOf(ran)
		}
	}
	return !ran.Outcome.Kind.Failed(), nil
}

// secondRun is a run of the test that is not traced.
func (s *suite) secondRun(t *test) (secondRun, error) { return s.originalAlone(t, false) }

// originalAlone runs a test without a mutant, alone in a process. One that ends the process has failed.
func (s *suite) originalAlone(t *test, trace bool) (second secondRun, err error) {
	p, err := s.launch.start()
	if err != nil {
		return second, s.launch.startError(err)
	}
	defer p.Close()
	bounds := wire.Bounds{Limit: s.limit(trace, 0)}
	if t.Time > 0 {
		bounds = s.launch.aloneBounds(t)
		if trace {
			bounds.Limit = max(bounds.Limit, s.limit(true, t.Time))
		}
	}
	defer s.launch.ledger.waitFor(t.Name, bounds.Limit)()
	second.ran = &wire.TestRan{Test: t.index, Outcome: wire.Outcome{Kind: wire.Skip}}
	second.before = p.busy()
	req := wire.Tests{List: []int{t.index}, Trace: trace, Bounds: bounds}
	err = p.original(&req, func(ran *wire.TestRan) { second.ran = ran })
	second.after = p.busy()
	if err != nil {
		if s.launch.ctx.Err() != nil {
			return second, s.launch.ctx.Err()
		}
		d, fatal := deathOf(err)
		if fatal != nil {
			return second, fatal
		}
		second.ran = &wire.TestRan{Test: t.index, Outcome: s.sawDeath(t, d)}
		return second, nil
	}
	if t.saw(second.ran.Outcome); !second.ran.Outcome.Kind.Failed() {
		t.passedAlone()
	}
	return second, nil
}
