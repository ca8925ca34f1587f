package unittest

import (
	"bytes"
	"cmp"
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
// blocked: that is seen sooner. So is one that works in code that has no fuel: it may take as
// many times the processor time of the original as fuel lets it do in other code. Other
// processes do not count there.
const (
	sharedFactor = 20
	sharedLeast  = time.Second
	sharedIdle   = 200 * time.Millisecond
	sharedCPU    = 250 * time.Millisecond
	aloneFactor  = 50
	aloneIdle    = 3 * time.Second
	aloneCPU     = 3 * time.Second
	aloneWork    = 100
)

// longTrace is how long a test may take while it is traced and be traced again.
const longTrace = 2 * time.Second

// suite is the tests of a package, and what runs of them without a mutant have shown.
type suite struct {
	launch *launcher
	tests  []*test
	// Mutants that the code before the first test reaches and infects.
	startReached, startInfected bitset.Set
	telling                     bool // the log gets each test that runs
	shared                      bool // tests can share a process
	again                       *seconds
	room                        *room                         // for tests in the first pass; nil is no bound
	share                       func(tests int) time.Duration // that the next of some tests has, by the clock; 0: none begins. nil is no bound
	longest                     time.Duration                 // that a test has taken in the first pass
	makers                      *makers                       // of files
}

// test is one test of the package and what is known of it.
type test struct {
	Test
	index             int           // in the process's own order
	leaked            int           // goroutines
	allocs            int64         // allocations: see leastAllocs
	bytes             int64         // allocated
	starts            bool          // it starts other processes
	traced            time.Duration // taken by the first trace
	reached, infected bitset.Set
	times             map[int]uint64 // how often the site of each mutant in infected was evaluated, if a trace takes long: see calm
	busy              time.Duration  // of that, work by the process or its children; -1 if unknown
	cpu               time.Duration  // the least that its process took for a run; 0 if unknown
	waits             bool           // it does little else: see waiting
	works             bool           // it leaves goroutines that compute: what runs after it in a process is slow
	resumed           bool           // it ran first in a process in which those before it had not run
	once              bool           // passes only once in a process
	steady            bool           // it does the same work each time, the first time in a process, too
	slow              bool           // it ends, but takes long where it is traced: see endless.go
	record            record
	audit             audit
}

// outcomes are the results of one skip the tests, by test; nil for tests that were
// set aside before.
type outcomes []*wire.TestRan

// measure runs the tests without a mutant, until it is known which tests exist, which of
// them pass, what they cost, which can be run again in the same process, and which
// mutants they reach and infect.
//
// The first pass is a fresh process, as in go test. The second and third continue in it,
// with the tests that passed and neither wait most of the time nor leave goroutines at
// work. A difference between the mutants that the first two reach is a sign that tests
// keep state for the next, a cache for example. Where the tests have to continue in a new
// process, it has one more pass first. Tests that take long are traced only once, and run
// twice: see second.go. Those that wait, or leave goroutines at work, run in separate
// processes. The suite is nil if the tests are not known.
func measure(l *launcher) (*suite, error) {
	l.ledger.phase("baseline")
	began := time.Now()
	begun := l.ledger.waitFor("what is before the first test", l.startLimit)
	p, err := l.startWith(true)
	begun()
	if err != nil {
		return nil, l.startError(err)
	}
	defer func() {
		if p != nil {
			p.Close()
		}
	}()
	l.startLimit = max(worker.DefaultTimeout, aloneFactor*time.Since(began))
	l.startFuel = p.hello.StartFuel
	s := &suite{
		launch: l, shared: true, room: newRoom(l.o.Baseline, began), makers: newMakers(l.o),
		startReached: bitset.Of(p.hello.InitReached...), startInfected: bitset.Of(p.hello.InitInfected...),
	}
	defer func() { s.makers.settle(l.o) }()
	for i, name := range p.hello.Tests {
		s.tests = append(s.tests, &test{Test: Test{Name: name}, index: i})
	}
	var passes []outcomes
	s.again = s.newSeconds(s.secondRun)
	for i, last := 0, 2; i <= last; i++ {
		long := func(t *test) bool { return passes[0][t.index].Time >= longTrace }
		trace := func(t *test) bool { return i == 0 || i < last && !long(t) }
		s.telling = i == 0
		tests := slices.DeleteFunc(judging(s.tests), func(t *test) bool { return t.apart() || i > 0 && s.again.has(t) || i > 1 && long(t) })
		var ran outcomes
		if i == 0 && s.room != nil {
			p, ran, err = s.fit(p, tests)
		} else {
			p, ran, err = s.pass(p, tests, trace)
		}
		if i == 0 {
			err = cmp.Or(err, s.again.end())
		}
		if err != nil {
			return s, err
		}
		if i == 1 {
			s.again.enter(ran)
		}
		passes = append(passes, ran)
		s.telling = false
		if i == 0 {
			failed, err := s.weed(passes[0])
			if err != nil {
				return s, err
			}
			if len(judging(s.tests)) == 0 {
				return s, nil // all are left out
			}
			s.noteWorking(passes[0])
			// Tests that fail may have left state that the other tests need.
			if failed || slices.ContainsFunc(s.tests, func(t *test) bool { return t.works }) {
				p.Close()
				if p, err = l.start(); err != nil {
					return s, l.startError(err)
				}
				last++
			}
			l.ledger.phase("trace")
			if err := s.measureApart(passes[0]); err != nil {
				return s, err
			}
		}
	}
	if err := s.findOnce(passes[1:]...); err != nil {
		return s, err
	}
	if s.learn(passes) {
		return s, nil
	}
	return s, s.traceCold()
}

// long says that a test is so long that starting a process for it is nothing.
func (t *test) long() bool { return t.Time > wire.LongTest }

// startError says why the tests can't even begin.
func (l *launcher) startError(err error) error {
	d, fatal := deathOf(err)
	if fatal != nil {
		return fatal
	}
	if d.Silent() {
		d.Cause = "TestMain ends without calling m.Run"
	}
	return &BaselineError{Start: strings.TrimSpace(d.Cause + l.where(d) + "\n" + d.Output)}
}

// pass runs tests once, with the ones that trace says traced.
// A test that ends the process has failed; the tests after it are run in another one,
// which is returned. So are those after a test that leaves goroutines that compute: what these do
// would count for others. A test that is not over in its share, and one that has none, has no outcome.
func (s *suite) pass(p *process, rest []*test, trace func(t *test) bool) (*process, outcomes, error) {
	all := make(outcomes, len(s.tests))
	total := len(rest)
	for len(rest) > 0 {
		// As many as are alike, in one request.
		req := wire.Tests{Trace: trace(rest[0])}
		req.Bounds.Limit = s.limit(req.Trace, s.known())
		most, cut := s.shareOf(len(rest)), false
		if most == 0 {
			break
		}
		limit := req.Bounds.Limit // as it is shown
		if most > 0 {
			limit = min(limit, most).Round(time.Second / 10)
		}
		for _, t := range rest {
			if trace(t) != req.Trace || s.share != nil && len(req.List) == 1 {
				break
			}
			req.List = append(req.List, t.index)
		}
		last, working := s.tests[req.List[len(req.List)-1]], false
		s.tellRun(rest, total, limit)
		used := p.busy()
		over := p.abortAfter(most, &cut)
		err := p.original(&req, func(ran *wire.TestRan) {
			all[ran.Test], working = ran, ran.Working
			now := p.busy()
			s.tests[ran.Test].took(used, now)
			used = now
			s.tests[ran.Test].saw(ran.Outcome)
			s.tellRan(s.tests[ran.Test], ran)
			if s.telling {
				s.longest = max(s.longest, ran.Time)
				if s.room != nil {
					s.room.took(ran.Time)
				}
			}
			if s.makers.ran(s.tests[ran.Test], s.telling) {
				s.launch.o.Parallel = 1
			} else if s.telling {
				s.again.offer(s.tests[ran.Test], ran)
			}
			if rest = rest[1:]; ran.Test != last.index {
				s.tellRun(rest, total, limit)
			}
		})
		over()
		if s.launch.ctx.Err() != nil {
			return p, nil, s.launch.ctx.Err()
		}
		if err == nil {
			switch {
			case cut: // right after the end of the test
				p, err = s.another(p)
			case working:
				p, err = s.resume(p, rest)
			}
			if err != nil {
				return p, nil, err
			}
			continue
		}
		d, fatal := deathOf(err)
		if fatal != nil {
			return p, nil, fatal
		}
		dead := last // if all have ended
		if all[last.index] == nil {
			dead, rest = rest[0], rest[1:]
		}
		if !cut {
			if all[dead.index], err = s.died(dead, d, req.Trace); err != nil {
				return p, nil, err
			}
			s.tellRan(dead, all[dead.index])
		}
		if p, err = s.another(p); err != nil {
			return p, nil, err
		}
	}
	return p, all, nil
}

// resume starts another process for the rest of the tests, if there are any.
func (s *suite) resume(p *process, rest []*test) (*process, error) {
	if len(rest) == 0 {
		return p, nil
	}
	for _, t := range rest {
		t.resumed = true
	}
	return s.another(p)
}

// another starts a process in place of p.
func (s *suite) another(p *process) (*process, error) {
	p.Close()
	next, err := s.launch.start()
	if err != nil {
		return p, s.launch.startError(err)
	}
	return next, nil
}

// took notes what a run of the test was in work.
func (t *test) took(before, after work) {
	t.busy = after.since(before)
	if cpu := after.cpu - before.cpu; cpu > 0 && (t.cpu == 0 || cpu < t.cpu) {
		t.cpu = cpu
	}
}

// tellRun tells that the first of the tests runs, and the log of it as go test -v does.
func (s *suite) tellRun(rest []*test, total int, limit time.Duration) {
	s.launch.ledger.running(rest[0].Name, total-len(rest), total, limit)
	if s.telling {
		fmt.Fprintf(s.launch.o.Log, "=== RUN   %s\n", rest[0].Name)
	}
}

// tellRan tells how a test has ended.
func (s *suite) tellRan(t *test, ran *wire.TestRan) {
	if !s.telling {
		return
	}
	how := "PASS"
	if ran.Outcome.Kind.Failed() {
		how = "FAIL"
	}
	fmt.Fprintf(s.launch.o.Log, "--- %s: %s (%.2fs)\n", how, t.Name, ran.Time.Seconds())
	if how == "FAIL" {
		fmt.Fprintf(s.launch.o.Log, "    %s\n", strings.ReplaceAll(ran.Outcome.Message, "\n", "\n    "))
	}
}

func (o outcomes) failed(t *test) bool {
	return o[t.index] != nil && o[t.index].Outcome.Kind.Failed()
}

// freshPass runs all tests once in their own process.
func (s *suite) freshPass() (outcomes, error) {
	p, err := s.launch.start()
	if err != nil {
		return nil, s.launch.startError(err)
	}
	p, all, err := s.pass(p, workingLast(judging(s.tests)), func(*test) bool { return false })
	p.Close()
	return all, err
}

// freshRepeats is how often tests that fail when repeated in one process are run
// in separate processes before they count as anything but flaky.
const freshRepeats = 2

// findOnce finds the tests that pass in a fresh process, but not again in the
// same one. Those that fail in a fresh process, too, are set aside.
func (s *suite) findOnce(passes ...outcomes) error {
	var suspects []*test
	for _, t := range judging(s.tests) {
		if slices.ContainsFunc(passes, func(p outcomes) bool { return p.failed(t) }) {
			suspects = append(suspects, t)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	var together bool
	for _, t := range suspects {
		passed, err := s.repeatAlone(t)
		if err != nil {
			return err
		}
		together = together || passed == 0
		if passed > 0 && passed < freshRepeats {
			if err := s.setAside(t); err != nil {
				return err
			}
		}
	}
	if together { // some need the tests before them
		if err := s.repeatTogether(); err != nil {
			return err
		}
	}
	s.noteOnce(judging(suspects))
	return nil
}

// repeatAlone runs a test in separate processes and counts how often it passes.
func (s *suite) repeatAlone(t *test) (passed int, err error) {
	for range freshRepeats {
		ok, err := s.runAlone(t, false)
		if err != nil {
			return passed, err
		}
		if ok {
			passed++
		}
	}
	return passed, nil
}

// repeatTogether runs the tests in fresh processes and sets aside those that fail.
func (s *suite) repeatTogether() error {
	for range freshRepeats {
		all, err := s.freshPass()
		if err != nil {
			return err
		}
		failed := slices.DeleteFunc(judging(s.tests), func(t *test) bool { return !all.failed(t) })
		if err := s.setAside(failed...); err != nil {
			return err
		}
	}
	return nil
}

// noteOnce notes the tests that pass only once in a process.
func (s *suite) noteOnce(list []*test) {
	for _, t := range list {
		t.once = true
	}
	if len(list) > 0 {
		s.shared = len(list) < len(judging(s.tests))
	}
}

// notShared says why not all tests that judge can share a process; "" if they can.
func (s *suite) notShared() string {
	var names []string
	for _, t := range judging(s.tests) {
		if t.once {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "do not pass again in a process in which the tests have run: " + strings.Join(names, ", ")
}

// learn takes over what the passes have shown. It reports whether the tests, run
// again, reach and infect the same mutants.
func (s *suite) learn(passes []outcomes) (stable bool) {
	stable = true
	for i, t := range s.tests {
		for _, p := range passes {
			ran := p[i]
			if ran == nil || t.misses(ran) {
				continue
			}
			t.Fuel = max(t.Fuel, ran.Fuel)
			if ran.Reached == nil {
				t.Time = max(t.Time, ran.Time) // tracing takes its own
			}
			t.leaked = max(t.leaked, ran.Leaked)
			t.bytes, t.starts = max(t.bytes, ran.Bytes), t.starts || ran.Starts
			t.reached.AddAll(bitset.FromBytes(ran.Reached))
			t.infected.AddAll(bitset.FromBytes(ran.Infected))
		}
		runs := traced(passes, i)
		if took := least(runs, func(ran *wire.TestRan) time.Duration { return ran.Time }); took > 0 {
			t.Time = min(t.Time, took) // a run that is not traced is faster: where it took longer, it waited for a processor
		}
		// The first run allocates more, and how much more differs from run to run. The order of tests must not go by that.
		runs = slices.DeleteFunc(runs, func(ran *wire.TestRan) bool { return ran.Outcome.Kind.Failed() })
		t.allocs = least(runs, func(ran *wire.TestRan) int64 { return ran.Allocs })
		t.traced, t.times = passes[0][i].Time, timesOf(passes[0][i])
		t.steady = t.judges() && !t.once && !t.apart() && sameWork(passes, i)
		if !t.judges() || t.apart() {
			continue
		}
		stable = stable && !t.once
		for _, p := range passes {
			if ran := p[i]; ran != nil && ran.Reached != nil && !t.misses(ran) {
				stable = stable && bitset.FromBytes(ran.Reached).Equal(t.reached) && bitset.FromBytes(ran.Infected).Equal(t.infected)
			}
		}
	}
	return stable
}

// misses says that the test may have failed since those before it had run in another process.
func (t *test) misses(ran *wire.TestRan) bool { return t.resumed && ran.Outcome.Kind.Failed() }

// traced are the runs of a test that were traced.
func traced(passes []outcomes, i int) (runs []*wire.TestRan) {
	for _, p := range passes {
		if ran := p[i]; ran != nil && ran.Reached != nil {
			runs = append(runs, ran)
		}
	}
	return runs
}

// least is the least that one of some runs took; 0: there is none.
func least[T cmp.Ordered](runs []*wire.TestRan, of func(*wire.TestRan) T) (took T) {
	for i, ran := range runs {
		if t := of(ran); i == 0 || t < took {
			took = t
		}
	}
	return took
}

// sameWork reports whether a test does the same in each pass: it burns the same fuel, and
// reaches and infects the same mutants in the passes that are traced, two or more. So nothing
// that it finds in a process saves it work, or makes some.
func sameWork(passes []outcomes, i int) bool {
	first, traced := passes[0][i], 0
	for _, p := range passes {
		ran := p[i]
		if ran == nil || ran.Fuel != first.Fuel {
			return false
		}
		if ran.Reached != nil {
			traced++
			if !bytes.Equal(ran.Reached, first.Reached) || !bytes.Equal(ran.Infected, first.Infected) {
				return false
			}
		}
	}
	return traced > 1
}

// didSame reports whether a run in a separate process does what is known of the test. What
// does more there finds less to do after other tests.
func (t *test) didSame(ran *wire.TestRan) bool {
	return ran.Fuel == t.Fuel && bitset.FromBytes(ran.Reached).Equal(t.reached) && bitset.FromBytes(ran.Infected).Equal(t.infected)
}

// traceCold traces each test in its own process, where nothing that another
// test has left behind can hide what the test needs.
func (s *suite) traceCold() error {
	tests := slices.DeleteFunc(judging(s.tests), func(t *test) bool { return t.apart() || !t.once && t.traced >= longTrace })
	return s.each(tests, s.launch.o.working(), func(t *test) error {
		// One that fails can't do without the others: the passes have told what it reaches.
		_, err := s.runAlone(t, true)
		return err
	})
}

// each calls f for each of the tests, for some at a time.
func (s *suite) each(tests []*test, c crew, f func(t *test) error) error {
	next := dealer(len(tests))
	return s.launch.inParallel(c, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() {
				return nil
			}
			if err := f(tests[i]); err != nil {
				return err
			}
		}
	})
}

// sharedBounds bound a run of the test in a process that serves many mutants. What
// goes beyond is looked at alone.
func (t *test) sharedBounds() wire.Bounds {
	return wire.Bounds{
		Limit: max(sharedLeast, sharedFactor*t.Time), Idle: max(sharedIdle, sharedFactor*t.Time),
		CPU: max(sharedCPU, sharedFactor*t.work()),
	}
}

// aloneBounds bound a run of the test where it counts.
func (l *launcher) aloneBounds(t *test) wire.Bounds {
	b := wire.Bounds{
		Limit: max(worker.DefaultTimeout, aloneFactor*t.Time), Idle: max(aloneIdle, aloneFactor*t.Time),
		CPU: max(aloneCPU, aloneWork*t.work()),
	}
	if l.o.Timeout > 0 {
		b.Limit, b.CPU = l.o.Timeout, 0
	}
	return b
}

// groupBounds bound a run of the test with several mutants at once. By the clock it has as long as one
// alone: a group that a busy machine makes slow would be looked at one by one.
func (l *launcher) groupBounds(t *test) wire.Bounds {
	b, alone := t.sharedBounds(), l.aloneBounds(t)
	b.Limit, b.Idle = alone.Limit, alone.Idle
	return b
}

// work is the processor time that the original takes, or somewhat more.
func (t *test) work() time.Duration { return max(t.Time, t.busy) }

// allocCost is about what an allocation costs in fuel, with what is done about
// it: most work outside of rewritten code comes with some.
const allocCost = 30

// startCost is about what it costs to start another process, in fuel. What that does is not
// known, but it takes longer than most tests.
const startCost = 5_000_000

// costs lists what the worker has to know of the tests.
func (s *suite) costs(tests []*test, bounds func(*test) wire.Bounds) []wire.TestCost {
	var list []wire.TestCost
	least := s.launch.o.Least
	for _, t := range tests {
		list = append(list, wire.TestCost{
			Test: t.index, Fuel: t.Fuel, Cost: t.cost(), Bytes: t.bytes, Leaked: t.leaked,
			LeastFuel: least.Fuel, LeastBytes: least.Bytes, Bounds: bounds(t),
		})
	}
	return list
}

func (t *test) cost() int64 {
	cost := t.Fuel + allocCost*t.allocs
	if t.starts {
		cost += startCost
	}
	return cost
}
