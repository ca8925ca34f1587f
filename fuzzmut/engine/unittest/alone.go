package unittest

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// confirmer decides on mutants, each in its own process.
type confirmer struct {
	suite     *suite
	outside   queue // of items that are tried once more
	far       queue // of items that survive, but for tests that are far from them
	late      queue // of items that survive, but for late tests
	baselines baselines
	spent     time.Duration // on long tests: see pays
	tallies   map[int]tally // of the last long test, by function
	beside    []*item       // that the next groups of a long test have run beside them, each alone
}

// confirm decides on the mutants that a plan has left.
func confirm(s *suite, p *plan) error {
	s.launch.ledger.phase("confirmation")
	c := &confirmer{suite: s}
	for _, it := range p.left.take() {
		c.goOn(it)
	}
	list, err := c.confirmShared(p)
	if err != nil {
		return err
	}
	var working, waiting []*item
	for _, it := range list {
		if it.waits() {
			waiting = append(waiting, it)
		} else {
			working = append(working, it)
		}
	}
	all := s.launch.o.working()
	if err := c.each(working, all); err != nil {
		return err
	}
	if err := c.each(waiting, s.launch.o.waiting()); err != nil {
		return err
	}
	if err := c.confirmLong(); err != nil {
		return err
	}
	if err := c.each(c.outside.take(), all); err != nil {
		return err
	}
	return c.confirmLong()
}

// confirmLong decides on the mutants that have survived all but long tests.
func (c *confirmer) confirmLong() error {
	if err := c.confirmLate(); err != nil {
		return err
	}
	return c.confirmFar()
}

// confirmShared decides on mutants that need no separate process. All others are returned, in
// order.
func (c *confirmer) confirmShared(p *plan) ([]*item, error) {
	list, err := c.confirmTrusted(p.trust.take(), sampleShare, "in shared processes that have stayed as they were")
	if err != nil {
		return nil, err
	}
	alone := p.alone.take()
	byMutant(alone)
	believed, rest, err := c.believe(alone)
	if err != nil {
		return nil, err
	}
	doubted, err := c.confirmTrusted(believed, groupSample, "in new processes together with others")
	list = slices.Concat(list, rest, doubted)
	byMutant(list)
	return list, err
}

func byMutant(list []*item) {
	slices.SortFunc(list, func(a, b *item) int { return cmp.Compare(a.verdict.Mutant, b.verdict.Mutant) })
}

func (c *confirmer) each(items []*item, by crew) error {
	next := dealer(len(items))
	return c.suite.launch.inParallel(by, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() || c.suite.launch.ledger.stopped() {
				return nil
			}
			if err := c.decide(items[i]); err != nil {
				return err
			}
		}
	})
}

// trial is what its own process says of a mutant.
type trial struct {
	killed            bool
	test              *test // nil: before the first
	kind              oracle.Kind
	detail            string
	killedFromOutside bool
	running           bool // a test, when that happened
	interrupted       bool
}

// decide decides on a mutant. A test that is set aside meanwhile has no part in it.
func (c *confirmer) decide(it *item) error {
	for {
		before := len(c.suite.aside())
		t, err := c.judge(it)
		switch {
		case err != nil || t.interrupted:
			return err
		case len(c.suite.aside()) == before:
			c.settle(it, t)
			return nil
		}
	}
}

// settle enters what is known of a mutant, unless it has survived and there are tests whose
// turn comes later.
func (c *confirmer) settle(it *item, t trial) {
	survives := !t.killed && !t.killedFromOutside
	switch {
	case survives && len(it.late) > 0:
		c.late.put(it)
	case survives && it.early && !it.far && it.hasFar():
		c.far.put(it)
	default:
		c.enter(it, t)
	}
}

// judge runs a mutant with its tests, in one process or several.
func (c *confirmer) judge(it *item) (t trial, err error) {
	v := &it.verdict
	v.Fresh, v.Reason = true, ""
	it.postpone()
	if it.doubtful != nil {
		if err := c.suite.look(it.doubtful, true); err != nil {
			return trial{}, err
		}
	}
	for _, tests := range it.stages() {
		t, err = c.stage(it, tests)
		if err != nil || t.killed || t.killedFromOutside || t.interrupted {
			break
		}
	}
	if t.killed {
		v.Reason = ""
		it.hidden = it.contradicts(t)
	}
	return t, err
}

// stages are the tests that a mutant is run with in its own process: the short ones
// together, and then each of the long ones in a separate process, the cheapest
// first. So most kills take little time, and goroutines that a test leaves at
// work do not slow down another. If a mutant may show in an unrelated test, through what
// another test leaves behind, all tests run together. Tests that are far from the mutant
// have their own turn. What was in doubt since another mutant had damaged the process is likely to
// be killed by the same test again.
func (it *item) stages() (list [][]*test) {
	tests := judging(it.infected)
	if it.trusted {
		tests = slices.DeleteFunc(tests, it.hasPassed)
	}
	if it.doubtful != nil || it.isolated {
		return append(it.first(), workingLast(tests))
	}
	var short, long []*test
	for _, t := range tests {
		switch {
		case it.isFar(t) != it.far, slices.Contains(it.late, t), it.passedBefore(t):
		case t.single():
			long = append(long, t)
		default:
			short = append(short, t)
		}
	}
	if len(short) > 0 {
		slices.SortStableFunc(short, func(a, b *test) int { return cmp.Compare(a.rounded(), b.rounded()) })
		list = append(list, short)
	}
	slices.SortStableFunc(long, func(a, b *test) int { return cmp.Compare(a.Time, b.Time) })
	for _, t := range long {
		list = append(list, []*test{t})
	}
	return list
}

// rounded is the cost of the test, so that one that costs a little more in one run than in another
// does not change its place.
func (t *test) rounded() int { return bits.Len64(uint64(t.cost())) }

// first is the test that comes before all others in a separate process, as a stage.
func (it *item) first() [][]*test {
	if it.doubtful == nil || !it.doubtful.judges() || it.doubtful.works || it.isolated {
		return nil
	}
	return [][]*test{{it.doubtful}}
}

// hasPassed says that the test has passed with the mutant, in a shared process or together with
// others.
func (it *item) hasPassed(t *test) bool {
	return slices.Contains(it.shared, t) || slices.Contains(it.grouped, t)
}

// single says that the test runs in a separate process if the mutant does.
func (t *test) single() bool { return (t.long() || t.works) && !t.audit.needy.Load() }

// workingLast moves the tests that leave others at work to the end, where these slow down
// none.
func workingLast(tests []*test) []*test {
	list := slices.Clone(tests)
	slices.SortStableFunc(list, func(a, b *test) int {
		switch {
		case a.works == b.works:
			return 0
		case a.works:
			return 1
		}
		return -1
	})
	return list
}

// contradicts says that a mutant is killed in its own process by what did not in a shared
// one, or what computes no different value as far as is known.
func (it *item) contradicts(t trial) bool {
	if it.isolated && t.test != nil {
		return !slices.Contains(it.verdict.Infected, t.name())
	}
	return (it.survived || len(it.grouped) > 0) && (t.test == nil || it.hasPassed(t.test))
}

// stage runs a mutant with tests in one process.
func (c *confirmer) stage(it *item, tests []*test) (trial, error) {
	v := &it.verdict
	if len(tests) == 1 && tests[0].single() {
		defer c.suite.launch.ledger.waitFor(tests[0].Name, 0)()
	}
	t, err := c.try(v.Mutant, tests)
	if err == nil && t.killed && t.test != nil {
		t, tests, err = c.check(v.Mutant, t, tests)
	}
	if err != nil || t.interrupted {
		return t, err
	}
	if t.killed && (it.doubtful != nil || it.contradicts(t)) {
		first := t
		if t, err = c.try(v.Mutant, tests); err != nil || t.interrupted {
			return t, err
		}
		if !t.killed {
			v.Reason = fmt.Sprintf("%s failed once, then passed", first.name())
			if first.test != nil {
				err = c.suite.look(first.test, true)
			}
			return t, err
		}
	}
	if t.killed && t.test != nil {
		err = c.suite.look(t.test, false)
	}
	return t, err
}

// check makes sure that the tests pass without the mutant, up to the one that has killed
// it. It returns the tests that do, and what they say of the mutant.
func (c *confirmer) check(mutant uint32, t trial, tests []*test) (trial, []*test, error) {
	ok, failed, err := c.passes(upTo(tests, t.test))
	if err != nil || ok {
		return t, tests, err
	}
	for _, f := range failed {
		if err := c.suite.look(f, true); err != nil {
			return t, tests, err
		}
	}
	// A test that can't do without the ones before it: all of them, in order.
	tests = workingLast(judging(c.suite.tests))
	ok, failed, err = c.passes(tests)
	switch {
	case err != nil:
		return t, tests, err
	case !ok:
		t.killedFromOutside = len(failed) == 0
		return t, tests, c.suite.setAside(failed...)
	}
	t, err = c.try(mutant, tests)
	return t, tests, err
}

// enter makes the verdict on a mutant final.
func (c *confirmer) enter(it *item, t trial) {
	v := &it.verdict
	switch {
	case t.killedFromOutside && !it.outside:
		it.outside, v.Reason = true, ""
		c.outside.put(it) // whoever does it may have stopped when all else is done
		return
	case t.killedFromOutside:
		v.Status, v.Reason = StatusNotRun, "processes were killed from outside"
	case t.killed:
		v.Status, v.Kind, v.Test, v.Detail = StatusKilled, t.kind, t.name(), t.detail
	case len(v.Tests) == 0:
		v.Status = StatusNotCovered
	default:
		v.Status = StatusSurvived
		if len(v.Infected) == 0 && v.Reason == "" {
			v.Reason = noOther
		}
	}
	c.suite.launch.ledger.decide(*v)
}

// name names the test that killed.
func (t *trial) name() string {
	if t.test == nil {
		return ""
	}
	return t.test.Name
}

// upTo returns the tests up to last.
func upTo(tests []*test, last *test) []*test {
	return tests[:slices.Index(tests, last)+1]
}

// try runs a mutant, 0 for the original, with tests in its own process.
//
// If the process is killed from outside it is done again. One that is killed each time
// while the same test runs kills itself, or takes more memory than the system has.
func (c *confirmer) try(mutant uint32, tests []*test) (t trial, err error) {
	own := 0
	for range outsideTries {
		if t, err = c.tryOnce(mutant, tests); err != nil || !t.killedFromOutside {
			return t, err
		}
		if t.running {
			own++
		}
	}
	if own == outsideTries {
		return trial{killed: true, test: t.test, kind: oracle.Exit, detail: "killed by a signal each time"}, nil
	}
	return t, nil
}

// outsideTries is how often a process is started that is killed from outside.
const outsideTries = 5

func (c *confirmer) tryOnce(mutant uint32, tests []*test) (trial, error) {
	start := c.suite.launch.start
	if mutant != 0 {
		start = func() (*process, error) { return c.suite.launch.startWith(false, mutant) }
	}
	p, err := start()
	if err != nil {
		return c.died(err)
	}
	defer p.Close()
	req := &wire.Try{Alone: true, Tests: c.suite.costs(tests, c.suite.launch.aloneBounds), Items: []wire.TryItem{{Mutant: mutant}}}
	for i := range tests {
		req.Items[0].Tests = append(req.Items[0].Tests, i)
	}
	t := trial{interrupted: true}
	err = p.mutants(req, func(tried *wire.Tried) {
		t.interrupted = c.suite.launch.ctx.Err() != nil
		if k := tried.Kill; k != nil {
			t.killed, t.test, t.kind, t.detail = true, c.suite.tests[k.Test], k.Kind, k.Detail
		}
	})
	if err != nil {
		return c.died(err)
	}
	return t, nil
}

// died says what the death of a process that tries a mutant means.
func (c *confirmer) died(err error) (trial, error) {
	if c.suite.launch.ctx.Err() != nil {
		return trial{interrupted: true}, nil
	}
	d, fatal := deathOf(err)
	if fatal != nil {
		return trial{}, fatal
	}
	t := trial{killed: true}
	if d.State.Heartbeat > 0 && d.State.Test < len(c.suite.tests) {
		t.test = c.suite.tests[d.State.Test]
	}
	if d.Killed {
		return trial{killedFromOutside: true, running: d.State.Running, test: t.test}, nil
	}
	t.kind, t.detail = killOf(d)
	return t, nil
}

// baselines remembers which lists of tests pass by themselves without a mutant.
type baselines struct {
	mu   sync.Mutex
	seen map[string]*baselineOnce
}

type baselineOnce struct {
	sync.Once
	passes bool
	failed []*test // the first that does not pass, if one of them does not
	err    error
}

// passes reports whether the tests, run in their own process without a
// mutant, pass.
func (c *confirmer) passes(tests []*test) (ok bool, failed []*test, err error) {
	key := make([]byte, 0, 4*len(tests))
	for _, t := range tests {
		key = fmt.Appendf(key, "%d ", t.index)
	}
	c.baselines.mu.Lock()
	if c.baselines.seen == nil {
		c.baselines.seen = make(map[string]*baselineOnce)
	}
	b := c.baselines.seen[string(key)]
	if b == nil {
		b = &baselineOnce{}
		c.baselines.seen[string(key)] = b
	}
	c.baselines.mu.Unlock()
	b.Do(func() {
		t, err := c.try(0, tests)
		b.passes, b.err = !t.killed && !t.killedFromOutside, err
		if t.killed && t.test != nil {
			b.failed = append(b.failed, t.test)
			t.test.saw(wire.Outcome{Kind: wire.Fail, Message: t.detail})
		}
		if b.passes && len(tests) == 1 {
			tests[0].passedAlone()
		}
	})
	return b.passes, b.failed, b.err
}
