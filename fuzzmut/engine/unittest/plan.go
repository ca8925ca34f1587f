package unittest

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// plan is what there is to run.
type plan struct {
	chunks []*chunk
	alone  queue
	left   queue // of items that an earlier run has left, but for their late tests
	trust  trust
}

// chunkMost is how many mutants of a function stand in one chunk at most.
const chunkMost = 64

// A chunk is some mutants of one function, which are run in order, by one process
// as long as it lives. What kills the first is tried on the next, so the outcome
// must not depend on who gets which chunk, nor on when.
type chunk struct {
	tests         []*test // that infect any of the mutants
	items         []*item
	tried, killed []int // by index into tests
}

// item is a mutant that has to be run.
type item struct {
	verdict  Verdict // as far as it is known
	infected []*test // in which it may show
	shared   []*test // of these, the ones to be run in a shared process
	isolated bool    // its own process runs all tests
	survived bool    // the tests pass in a shared process
	early    bool    // it shows before the first test
	static   bool    // it can't be switched on later
	far      bool    // it has survived its other tests: those far from it are next
	joins    bool    // it can be on together with others: see together
	grouped  []*test // that have passed while it was on together with others
	late     []*test // that are left until all others have passed
	left     []*test // that an earlier run has left; all others have passed there. nil if no run has
	trusted  bool    // what shared processes say of it is not asked again: see trust
	blocked  bool    // a test did not end there
	doubtful *test   // failed with it there, and then no more
	hidden   bool    // by what is in a shared process: in its own, a test kills it that did not there
	unpaid   bool    // there was no budget for a long test
	outside  bool    // its processes were killed from outside, and it is tried once more
}

// newPlan decides on the mutants that no run is needed for, and distributes the rest.
// again says that they have been judged before, by tests that are set aside now: verdicts
// of earlier runs are not asked for.
func newPlan(s *suite, ids []uint32, again bool) *plan {
	p := &plan{}
	o, ledger := s.launch.o, s.launch.ledger
	ledger.phase("mutants")
	c := classifier{suite: s, tests: judging(s.tests), names: make(map[string][]string)}
	if !again {
		c.known = o.Known
	}
	left := budget(o.Fuel)
	if o.Fuel == 0 || again {
		left = math.MaxInt64
	}
	byFunc := make(map[int]*chunk)
	for _, id := range ids {
		if ledger.stopped() {
			return &plan{}
		}
		it, final := c.classify(id)
		switch {
		case final:
			ledger.decide(it.verdict)
		case it.left != nil:
			p.left.put(it)
		case !left.affords(it):
			it.verdict.Status, it.verdict.Reason = StatusNotRun, OverBudget
			ledger.decide(it.verdict)
		case len(it.shared) == 0:
			p.alone.put(it)
		default:
			fn := o.Program.Mutants[id-1].FuncIndex
			c := byFunc[fn]
			if c == nil || len(c.items) == chunkMost {
				c = &chunk{}
				byFunc[fn] = c
				p.chunks = append(p.chunks, c)
			}
			c.items = append(c.items, it)
		}
	}
	for _, c := range p.chunks {
		c.listTests(s.tests)
	}
	return p
}

// budget is the fuel that is left for mutants.
type budget int64

// processFuel is what a process counts for in addition to its tests. Each mutant that
// survives has a separate process.
const processFuel = 50_000_000

// affords takes the fuel of a mutant that survives out of the budget, if it is there. It
// goes by what the original burns, so that it does not depend on what is tried first.
func (b *budget) affords(it *item) bool {
	cost := budget(processFuel)
	for _, t := range it.infected {
		cost += 2 * budget(t.Fuel)
	}
	if cost > *b {
		return false
	}
	*b -= cost
	return true
}

// mutants lists the mutants to judge.
func (o *Options) mutants() []uint32 {
	if o.Mutants != nil {
		return o.Mutants
	}
	var ids []uint32
	for i := range o.Program.Mutants {
		if m := &o.Program.Mutants[i]; m.Status != instrument.StatusSkipped {
			ids = append(ids, uint32(m.Index))
		}
	}
	return ids
}

// classifier finds what is known of mutants before they are run.
type classifier struct {
	*suite
	tests []*test // that judge
	known func(m *instrument.Mutant, reach []string) (Verdict, bool)
	names map[string][]string // one list for all mutants that the same tests reach
	key   []byte
}

// classify says what is known of a mutant, and whether that is all there is to
// know.
func (c *classifier) classify(id uint32) (it *item, final bool) {
	m := &c.launch.o.Program.Mutants[id-1]
	it = &item{verdict: Verdict{Mutant: id}}
	v := &it.verdict
	if m.Status == instrument.StatusSkipped {
		v.Status, v.Reason = StatusSkipped, m.Reason
		return it, true
	}
	// What is there before the first test is there for all of them.
	reached, infected := c.startReached.Has(int(id)), c.startInfected.Has(int(id))
	v.Tests = c.namesOf(func(t *test) bool { return reached || t.reached.Has(int(id)) })
	v.Infected = c.namesOf(func(t *test) bool { return infected || t.infected.Has(int(id)) })
	var left []string
	if c.known != nil {
		known, ok := c.known(m, v.Tests)
		if ok && known.Status != StatusNotRun {
			known.Mutant, known.Reused = id, true
			it.verdict = known
			return it, true
		}
		left = known.Left
	}
	if c.launch.o.Isolated {
		it.isolated, it.infected = true, c.tests
		return it, false
	}
	it.early, it.static = infected, m.Status == instrument.StatusStatic
	it.joins = !c.launch.o.FailFast
	for _, t := range c.tests {
		if infected || t.infected.Has(int(id)) {
			it.infected = append(it.infected, t)
		}
		if t.infected.Has(int(id)) && !t.once && !t.long() && !t.works && m.Status == instrument.StatusLive {
			it.shared = append(it.shared, t)
		}
		if it.joins && slices.Contains(left, t.Name) {
			it.left = append(it.left, t)
		}
	}
	switch {
	case len(v.Tests) == 0 && len(c.leftOut()) > 0:
		v.Status, v.Reason = StatusNotRun, TestsLeftOut
		return it, true
	case len(v.Tests) == 0:
		v.Status = StatusNotCovered
		return it, true
	case len(it.infected) == 0:
		v.Status, v.Reason = StatusSurvived, noOther
		return it, true
	}
	return it, false
}

// noOther is why a mutant survives without a run.
const noOther = "no test computes a different value"

// listTests lists the tests of the items, in source order.
func (c *chunk) listTests(all []*test) {
	wanted := make(map[*test]bool)
	for _, it := range c.items {
		for _, t := range it.shared {
			wanted[t] = true
		}
	}
	for _, t := range all {
		if wanted[t] {
			c.tests = append(c.tests, t)
		}
	}
	c.tried, c.killed = make([]int, len(c.tests)), make([]int, len(c.tests))
}

// namesOf names the tests that judge and are among those of has.
func (c *classifier) namesOf(has func(t *test) bool) []string {
	c.key = c.key[:0]
	var names []string
	for i, t := range c.tests {
		if i%8 == 0 {
			c.key = append(c.key, 0)
		}
		if has(t) {
			c.key[i/8] |= 1 << (i % 8)
		}
	}
	if list, ok := c.names[string(c.key)]; ok {
		return list
	}
	for i, t := range c.tests {
		if c.key[i/8]>>(i%8)&1 != 0 {
			names = append(names, t.Name)
		}
	}
	c.names[string(c.key)] = names
	return names
}

// dealer returns a function that deals out 0 to n-1, each once, to whoever asks.
func dealer(n int) func() (int, bool) {
	var next atomic.Int64
	return func() (int, bool) {
		i := int(next.Add(1)) - 1
		return i, i < n
	}
}

// queue holds the items that their own process has to decide on.
type queue struct {
	mu    sync.Mutex
	items []*item
}

func (q *queue) put(it *item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, it)
}

// take returns the items and forgets them.
func (q *queue) take() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items = nil
	return items
}
