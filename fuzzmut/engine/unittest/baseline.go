package unittest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds by the clock. Those for mutants are multiples of what the original took,
// on this machine and today, but never less than a machine may lose sight of a
// process for. A process in which nothing runs, nor wants to, is not slow, but
// blocked: that is seen sooner.
const (
	baselineLimit = 10 * time.Minute // what go test allows
	sharedFactor  = 20
	sharedLeast   = time.Second
	sharedIdle    = 200 * time.Millisecond
	aloneFactor   = 50
	aloneIdle     = 3 * time.Second
)

// longTrace is how long a test may take while it is traced and be traced again.
const longTrace = 2 * time.Second

// suite is the tests of a package, and what runs of them without a mutant have shown.
type suite struct {
	launch *launcher
	tests  []*test
	// Mutants that the code before the first test reaches and infects.
	startReached, startInfected bitset.Set
	shared                      bool   // tests can share a process
	reason                      string // why not all of them can
}

// test is one test of the package and what is known of it.
type test struct {
	Test
	index             int           // in the process's own order
	leaked            int           // goroutines
	allocs            int64         // allocations
	traced            time.Duration // taken by the first trace
	reached, infected bitset.Set
	once              bool // passes only once in a process
}

// outcomes are the results of one pass over the tests, by test.
type outcomes []wire.TestRan

// measure runs the tests without a mutant, until it is known which tests there
// are, that they pass, what they cost, which can be run again in the same
// process, and which mutants they reach and infect.
//
// The first pass is a fresh process, as in go test; the second and third go on
// in it. A difference between the mutants that the first two reach is a sign that
// tests leave something behind for the next, a cache at best. Tests that take long
// are traced only once. The suite is nil if the tests are not known.
func measure(l *launcher) (*suite, error) {
	l.ledger.phase("baseline")
	began := time.Now()
	p, err := l.startWith(0, true)
	if err != nil {
		return nil, startError(err)
	}
	defer func() { p.Close() }()
	l.startLimit = max(worker.DefaultTimeout, aloneFactor*time.Since(began))
	l.startFuel = p.hello.StartFuel
	s := &suite{
		launch: l, shared: true,
		startReached: bitset.Of(p.hello.InitReached...), startInfected: bitset.Of(p.hello.InitInfected...),
	}
	for i, name := range p.hello.Tests {
		s.tests = append(s.tests, &test{Test: Test{Name: name}, index: i})
	}
	var passes [3]outcomes
	for i := range passes {
		trace := func(j int) bool { return i == 0 || i == 1 && passes[0][j].Time < longTrace }
		if p, passes[i], err = s.pass(p, trace); err != nil {
			return s, err
		}
		if i == 0 && passes[0].anyFailed() {
			return s, s.explainFailure(passes[0])
		}
		if i == 1 {
			l.ledger.phase("trace")
		}
	}
	if err := s.findOnce(passes[1], passes[2]); err != nil {
		return s, err
	}
	if s.learn(passes[:]) {
		return s, nil
	}
	return s, s.traceCold()
}

// long says that a test is so long that starting a process for it is nothing.
func (t *test) long() bool { return t.Time > 100*time.Millisecond }

// startError says why the tests can't even begin.
func startError(err error) error {
	d, fatal := deathOf(err)
	if fatal != nil {
		return fatal
	}
	if d.Cause == "exit status 0" {
		d.Cause = "TestMain ends without having called m.Run"
	}
	return &BaselineError{Red: []string{"TestMain"}, Output: d.Cause + "\n" + d.Output}
}

// pass runs all tests once, with the ones that trace says traced. A test that ends
// the process has failed; the tests after it are run in another one, which is
// returned.
func (s *suite) pass(p *process, trace func(i int) bool) (*process, outcomes, error) {
	all := make(outcomes, 0, len(s.tests))
	for len(all) < len(s.tests) {
		// As many as are alike, in one request.
		req := wire.Tests{Trace: trace(len(all)), Bounds: wire.Bounds{Limit: baselineLimit}}
		for i := len(all); i < len(s.tests) && trace(i) == req.Trace; i++ {
			req.List = append(req.List, i)
		}
		err := p.original(&req, func(ran *wire.TestRan) { all = append(all, *ran) })
		if s.launch.ctx.Err() != nil {
			return p, nil, s.launch.ctx.Err()
		}
		if err == nil {
			continue
		}
		d, fatal := deathOf(err)
		if fatal != nil {
			return p, nil, fatal
		}
		all = append(all, wire.TestRan{
			Test: len(all), Outcome: wire.Outcome{Kind: wire.Death, Message: d.Cause},
		})
		p.Close()
		next, err := s.launch.start()
		if err != nil {
			return p, nil, startError(err)
		}
		p = next
	}
	return p, all, nil
}

func (o outcomes) anyFailed() bool {
	return slices.ContainsFunc(o, func(t wire.TestRan) bool { return t.Outcome.Kind.Failed() })
}

// freshPass runs all tests once in a process of their own.
func (s *suite) freshPass() (outcomes, error) {
	p, err := s.launch.start()
	if err != nil {
		return nil, startError(err)
	}
	p, all, err := s.pass(p, func(int) bool { return false })
	p.Close()
	return all, err
}

// explainFailure tells tests that fail from those that fail sometimes.
func (s *suite) explainFailure(first outcomes) error {
	second, err := s.freshPass()
	if err != nil {
		return err
	}
	e := &BaselineError{}
	var output strings.Builder
	for i, t := range s.tests {
		a, b := first[i].Outcome, second[i].Outcome
		switch {
		case a.Kind.Failed() && b.Kind.Failed():
			e.Red = append(e.Red, t.Name)
		case a.Kind.Failed() || b.Kind.Failed():
			e.Flaky = append(e.Flaky, t.Name)
		default:
			continue
		}
		if !a.Kind.Failed() {
			a = b
		}
		e.died(t.Name, a)
		fmt.Fprintf(&output, "%s: %s\n", t.Name, a.Message)
	}
	e.Output = output.String()
	return e
}

// died notes what the process died of, if it did.
func (e *BaselineError) died(test string, o wire.Outcome) {
	if o.Kind == wire.Death {
		e.Deaths = append(e.Deaths, test+": "+o.Message)
	}
}

// freshRepeats is how often tests that fail when repeated in one process are run
// in processes of their own before they count as anything but flaky.
const freshRepeats = 2

// findOnce finds the tests that pass in a fresh process, but not again in the
// same one.
func (s *suite) findOnce(passes ...outcomes) error {
	var names []string
	for i, t := range s.tests {
		for _, p := range passes {
			t.once = t.once || p[i].Outcome.Kind.Failed()
		}
		if t.once {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for range freshRepeats {
		again, err := s.freshPass()
		if err != nil {
			return err
		}
		if again.anyFailed() {
			return s.flaky(again)
		}
	}
	s.shared = len(names) < len(s.tests)
	s.reason = "pass only once in a process: " + strings.Join(names, ", ")
	return nil
}

func (s *suite) flaky(failed outcomes) error {
	e := &BaselineError{}
	for i, t := range s.tests {
		if o := failed[i].Outcome; o.Kind.Failed() {
			e.Flaky = append(e.Flaky, t.Name)
			e.died(t.Name, o)
			e.Output += t.Name + ": " + o.Message + "\n"
		}
	}
	return e
}

// learn takes over what the passes have shown. It reports whether the tests, run
// again, reach and infect the same mutants.
func (s *suite) learn(passes []outcomes) (stable bool) {
	stable = true
	for i, t := range s.tests {
		for _, p := range passes {
			ran := &p[i]
			t.Fuel = max(t.Fuel, ran.Fuel)
			if ran.Reached == nil {
				t.Time = max(t.Time, ran.Time) // tracing takes its own
			}
			t.leaked = max(t.leaked, ran.Leaked)
			t.allocs = max(t.allocs, ran.Allocs)
			t.reached.AddAll(bitset.FromBytes(ran.Reached))
			t.infected.AddAll(bitset.FromBytes(ran.Infected))
		}
		stable = stable && !t.once
		for _, p := range passes[:2] {
			if ran := &p[i]; ran.Reached != nil {
				stable = stable && bitset.FromBytes(ran.Reached).Equal(t.reached) && bitset.FromBytes(ran.Infected).Equal(t.infected)
			}
		}
		t.traced = passes[0][i].Time
	}
	return stable
}

// traceCold traces each test in a process of its own, where nothing that another
// test has left behind can hide what the test needs.
func (s *suite) traceCold() error {
	next := dealer(len(s.tests))
	return inParallel(s.launch.ctx, s.launch.o.Parallel, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() {
				return nil
			}
			if t := s.tests[i]; t.once || t.traced < longTrace {
				if err := s.traceAlone(t); err != nil {
					return err
				}
			}
		}
	})
}

func (s *suite) traceAlone(t *test) error {
	p, err := s.launch.start()
	if err != nil {
		return startError(err)
	}
	defer p.Close()
	req := wire.Tests{List: []int{t.index}, Trace: true, Bounds: wire.Bounds{Limit: baselineLimit}}
	err = p.original(&req, func(ran *wire.TestRan) {
		t.Fuel, t.leaked = max(t.Fuel, ran.Fuel), max(t.leaked, ran.Leaked)
		t.reached.AddAll(bitset.FromBytes(ran.Reached))
		t.infected.AddAll(bitset.FromBytes(ran.Infected))
	})
	var d *worker.Death
	if errors.As(err, &d) && !d.Internal {
		return nil // a test that can't do without the others; the passes have told what it reaches
	}
	return err
}

// sharedBounds bound a run of the test in a process that serves many mutants. What
// goes beyond is looked at alone.
func (t *test) sharedBounds() wire.Bounds {
	return wire.Bounds{Limit: max(sharedLeast, sharedFactor*t.Time), Idle: max(sharedIdle, sharedFactor*t.Time)}
}

// aloneBounds bound a run of the test where it counts.
func (l *launcher) aloneBounds(t *test) wire.Bounds {
	limit := max(worker.DefaultTimeout, aloneFactor*t.Time)
	if l.o.Timeout > 0 {
		limit = l.o.Timeout
	}
	return wire.Bounds{Limit: limit, Idle: max(aloneIdle, aloneFactor*t.Time)}
}

// allocCost is about what an allocation costs in fuel, with what is done about
// it: most work outside of rewritten code comes with some.
const allocCost = 30

// costs lists what the worker has to know of the tests.
func costs(tests []*test, bounds func(*test) wire.Bounds) []wire.TestCost {
	var list []wire.TestCost
	for _, t := range tests {
		list = append(list, wire.TestCost{
			Test: t.index, Fuel: t.Fuel, Cost: t.Fuel + allocCost*t.allocs, Leaked: t.leaked, Bounds: bounds(t),
		})
	}
	return list
}
