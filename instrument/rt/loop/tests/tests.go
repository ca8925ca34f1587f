// Package tests serves the coordinator with the package's own tests: it runs them, one at a
// time, without a mutant or with one.
package tests

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Suite is the package's own tests, as package testing runs them.
type Suite interface {
	Begin()
	Names() []string
	Run(i, lines int) (failed bool, output []byte)
}

// testStackBytes is more than what fuzz targets get: there are tests of deep
// recursion, and what recurses without end mostly runs out of fuel first.
const testStackBytes = 256 << 20

// testFuel is what a test may burn without a mutant: as much as it likes. The coordinator bounds it by
// the clock, as go test does.
const testFuel = 1 << 50

// Lines of T.Log and its kin that are kept of a test, and of each subtest, whose output is wanted.
const outputLines = 20

// suite serves the coordinator with the package's own tests. One test runs at a
// time, from a state that the tests and mutants before it have left.
type suite struct {
	tests Suite
	conn  *conn.Conn

	mutantFunc []int32
	slow       []*bool // by global function number
	inited     bool
	start      fuzzmutrt.Started
	stats      wire.Stats
	watch      exec.Watch
	references map[int]*observe.Log // by test: see observing.reference
	runs       map[int]uint64       // of the original, by test: each has maps in another order

	// Of the run in progress.
	ration     ration
	goroutines int // before it
	doom       fuzzmutrt.Doom
	dooms      exec.Dooms
	cut        atomic.Pointer[func() int] // it has failed and is being cut short; counts the goroutines of tests
	mu         sync.Mutex                 // tests may panic on several goroutines
	panicked   string                     // the first panic
}

// MainHook returns what takes over M.Run in a worker that serves the package's
// own tests: it answers requests until the coordinator hangs up, and returns the
// exit code. In any other process it changes nothing. The environment is cleared
// at once: processes that tests start are nobody's workers.
func MainHook(setTold func(panicked func(v any), onFail func(goroutines func() int))) func(tests Suite) (code int, taken bool) {
	if os.Getenv(wire.EnvTests) == "" {
		return func(Suite) (int, bool) { return 0, false }
	}
	conn.Inherit()
	return func(tests Suite) (int, bool) {
		s := &suite{tests: tests, start: fuzzmutrt.EndStart()}
		setTold(s.onPanic, s.onFail)
		return s.serve(), true
	}
}

func (s *suite) serve() int {
	debug.SetMaxStack(testStackBytes)
	if os.Getenv("GOMAXPROCS") == "" {
		// One test at a time, in as many processes as there are processors: more of
		// them here only wait for work, at a third of the cost of a run. Parallel
		// tests have been promised theirs, as goroutines.
		runtime.GOMAXPROCS(1)
	}
	var err error
	if s.conn, err = conn.Connect(); err != nil {
		return conn.ExitCode(err)
	}
	s.tests.Begin()
	return s.conn.Serve(s.serveOne)
}

func (s *suite) serveOne(req *wire.Request) error {
	switch {
	case req.Init != nil:
		return s.init(req.Init)
	case !s.inited:
		return errors.New("request before Init")
	case req.Tests != nil:
		return s.runTests(req.Tests)
	case req.Try != nil:
		return s.tryAll(req.Try)
	case req.Observe != nil:
		return s.observeAll(req.Observe)
	}
	return errors.New("request that tests do not serve")
}

func (s *suite) init(init *wire.Init) (err error) {
	if s.slow, err = exec.Switches(init); err != nil {
		return fmt.Errorf("the test binary was replaced after it was built: %w", err)
	}
	if err := s.watch.Begin(init.Views); err != nil {
		return err
	}
	s.references = make(map[int]*observe.Log)
	exec.LimitHeap(init.MemLimit)
	s.mutantFunc = init.MutantFunc
	exec.TendTestHeap(s.mutantFunc == nil) // a process without the list lives for one mutant
	words := len(init.MutantFunc)/64 + 1
	fuzzmutrt.Reached = make([]uint64, words)
	fuzzmutrt.Infected = make([]uint64, words)
	fuzzmutrt.DoomHook = s.onDoom
	s.runs = make(map[int]uint64)
	s.inited = true
	return s.conn.Reply(wire.Reply{Hello: &wire.Hello{
		Tests: s.tests.Names(), StartFuel: s.start.Burned,
		InitReached: exec.ListBits(s.start.Reached), InitInfected: exec.ListBits(s.start.Infected),
		InitFired: exec.ListBits(s.start.Fired),
	}})
}

// onFail is called when a test fails, with what counts the goroutines that tests have: those that wait
// for subtests, and parallel ones, too. With a mutant that is all there is to know: the rest of the test
// ends where rewritten code burns fuel next.
func (s *suite) onFail(goroutines func() int) {
	if fuzzmutrt.Active == 0 {
		return
	}
	if s.cut.Store(&goroutines); s.isCut() {
		fuzzmutrt.Fuel = -1
	}
}

// isCut says that the test is cut short, and may end here. While there are other goroutines than those
// of tests it goes on, since the panic on one of them would end the process.
func (s *suite) isCut() bool {
	goroutines := s.cut.Load()
	return goroutines != nil && runtime.NumGoroutine() == s.goroutines+(*goroutines)()
}

// onDoom is called by the runtime when the test in progress has to end from inside.
func (s *suite) onDoom(reason fuzzmutrt.Doom, _ int) (more bool) {
	if s.isCut() {
		return false
	}
	if s.watch.Calling() {
		return reason == fuzzmutrt.OutOfFuel && s.watch.Refuel() // else the panic that follows ends the method only
	}
	if reason == fuzzmutrt.OutOfFuel && (s.dooms.Spare() || s.ration.enter()) {
		return true
	}
	if s.doom == fuzzmutrt.NotDoomed {
		s.doom = reason
		s.conn.Shared.SetDoom(uint8(reason))
	}
	s.dooms.Panic()
	return false
}

// onPanic is called on the stack of a test that panicked.
func (s *suite) onPanic(v any) {
	if _, ours := v.(fuzzmutrt.Doomed); ours {
		return
	}
	text := "panic: " + exec.PanicText(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.panicked == "" && s.cut.Load() == nil {
		s.panicked = text
	}
}

// testRun is one run of a test.
type testRun struct {
	kind   wire.OutcomeKind
	burned int64
	time   time.Duration
	leaked int    // goroutines left behind
	works  bool   // they compute
	churns bool   // it allocated more than it may
	detail string // of failures
}

// do runs a test with a mutant, 0 for none, that may use so much. The
// mutable bodies have been switched on by the caller. In a process with a mutant
// that is active from the start, that is the one.
func (s *suite) do(test int, mutant uint32, a allowance, lines int, bounds wire.Bounds) testRun {
	return s.doActive(test, mutant, mutant, a, lines, bounds)
}

// doActive is do for what is active, on behalf of a mutant.
func (s *suite) doActive(test int, mutant, active uint32, a allowance, lines int, bounds wire.Bounds) testRun {
	s.doom, s.dooms, s.panicked = fuzzmutrt.NotDoomed, exec.Dooms{}, ""
	s.cut.Store(nil)
	exec.EmptyPools() // a used process is as a new one
	s.goroutines = runtime.NumGoroutine()
	s.conn.Shared.BeginTest(mutant, test, bounds)
	start := time.Now()
	fuzzmutrt.Active, fuzzmutrt.Fuel = active, s.ration.begin(a)
	fuzzmutrt.Run++
	failed, output := s.tests.Run(test, lines)
	left, churns := s.ration.end()
	left = min(left+s.dooms.Left(fuzzmutrt.Fuel, a.fuel), a.fuel)
	fuzzmutrt.Active, fuzzmutrt.Fuel = fuzzmutrt.StaticMutant, exec.NoFuelLimit
	r := testRun{burned: a.fuel - left, time: time.Since(start), churns: churns}
	s.conn.Shared.End()
	if mutant == 0 {
		s.stats.Execs++
	} else {
		s.stats.MutantExecs++
	}
	r.leaked, r.works = leaked(s.goroutines)
	switch {
	case s.doom == fuzzmutrt.OutOfFuel, churns:
		r.kind, r.detail = wire.Fuel, "does not end: out of fuel"
	case s.doom == fuzzmutrt.Exited:
		r.kind, r.detail = wire.Exit, "the process would have ended: os.Exit or log.Fatal was called"
	case s.panicked != "":
		r.kind, r.detail = wire.Panic, exec.Cut(s.panicked)
	case failed:
		r.kind, r.detail = wire.Fail, failureText(output)
	}
	return r
}

// workingTurn is how long other goroutines have the only processor, at least, if one of
// them computes: the scheduler lets it run for ten milliseconds.
const workingTurn = time.Millisecond

// leaked returns how many goroutines there are more than before, once those that
// are about to end have had the time to, and whether any of the others computes: most times
// that they are let run, they do so for long. The scheduler may end a turn early.
func leaked(before int) (n int, working bool) {
	const patience, turns = 10, 5
	long := 0
	for i := range patience {
		if runtime.NumGoroutine() <= before {
			return 0, false
		}
		if i < turns {
			start := time.Now()
			runtime.Gosched()
			if time.Since(start) > workingTurn {
				long++
			}
		} else {
			time.Sleep(100 * time.Microsecond)
		}
	}
	n = max(0, runtime.NumGoroutine()-before)
	return n, long > turns/2 && n > 0
}

// failureText returns the first lines of a test's output, without the headings: from one that says FAIL, if there is
// one, as scripts end in it. Of a test without output it names the subtest that failed.
func failureText(output []byte) string {
	const most = 4
	var lines []string
	inner, fail := "", -1
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			if name, _, _ := strings.Cut(heading, " "); strings.Contains(name, "/") {
				inner = name + " fails"
			}
			continue
		}
		if line == "" {
			continue
		}
		if fail < 0 && strings.HasPrefix(line, "FAIL: ") {
			fail = len(lines)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return inner
	}
	lines = lines[max(0, fail):]
	lines[0] = sides.Said(lines[0], exec.DetailMost)
	return exec.Cut(strings.Join(lines[:min(most, len(lines))], "\n"))
}

// runTests runs the original. A test that leaves goroutines that compute is the last.
func (s *suite) runTests(req *wire.Tests) error {
	if req.Trace {
		// Recording is not atomic, and tests may run goroutines side by side.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	for _, test := range req.List {
		if s.conn.Shared.Stopping() {
			break
		}
		ran := s.runTest(test, req)
		if err := s.conn.Reply(wire.Reply{TestRan: &ran}); err != nil {
			return err
		}
		if ran.Working {
			break // it would count for the tests after it
		}
	}
	return s.ran()
}

func (s *suite) runTest(test int, req *wire.Tests) wire.TestRan {
	if req.Trace {
		clear(fuzzmutrt.Reached)
		clear(fuzzmutrt.Infected)
		resetTimes(len(s.mutantFunc) + 1)
		s.setSlow(true)
		fuzzmutrt.Tracing = true
	}
	var before, after runtime.MemStats
	if req.Trace {
		runtime.ReadMemStats(&before)
	}
	faults := childFaults()
	exec.SetOrder(s.runs[test])
	s.runs[test]++
	r := s.do(test, 0, allowance{fuel: testFuel}, outputLines, req.Bounds)
	exec.SetOrder(0)
	ran := wire.TestRan{
		Test: test, Outcome: wire.Outcome{Kind: r.kind, Message: r.detail},
		Fuel: r.burned, Time: r.time, Leaked: r.leaked, Working: r.works,
	}
	if req.Trace {
		fuzzmutrt.Tracing = false
		s.setSlow(false)
		runtime.ReadMemStats(&after)
		ran.Allocs, ran.Bytes = int64(after.Mallocs-before.Mallocs), int64(after.TotalAlloc-before.TotalAlloc)
		ran.Starts = childFaults() > faults
		ran.Reached, ran.Infected = bitBytes(fuzzmutrt.Reached), bitBytes(fuzzmutrt.Infected)
		if r.time >= wire.LongTest {
			ran.Times = reachedTimes()
		}
	}
	return ran
}

func (s *suite) setSlow(on bool) {
	for _, flag := range s.slow {
		if flag != nil {
			*flag = on
		}
	}
}

// resetTimes begins to count mutants below n.
func resetTimes(n int) {
	if clear(fuzzmutrt.Times); len(fuzzmutrt.Times) < n {
		fuzzmutrt.Times = make([]uint32, n)
	}
}

// reachedTimes are the counts of the mutants in Reached.
func reachedTimes() (counts []byte) {
	for _, n := range fuzzmutrt.Counted(exec.ListBits(fuzzmutrt.Reached)) {
		counts = binary.AppendUvarint(counts, uint64(n))
	}
	return counts
}

func bitBytes(set []uint64) []byte {
	b := make([]byte, 0, 8*len(set))
	for _, w := range set {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// ran closes a request.
func (s *suite) ran() error {
	stats := s.stats
	s.stats = wire.Stats{}
	return s.conn.Reply(wire.Reply{Ran: &wire.Ran{Stats: stats}})
}
