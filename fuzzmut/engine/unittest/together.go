package unittest

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A long test takes so much more than a process that it is not run with each mutant that has
// survived the others. It is run with many of them on at once. If it passes, each of these
// has survived, unless another has undone what it did. So each has to pass twice, and no two
// of them are in the same group both times; nor are two of one line in a group, where one
// might keep the other from being reached. Others of its function may do so as well: see calm.go. Those whose groups fail again and again have a
// separate process. So has one in groupSample of those that are believed: if it is killed
// there, all of them have.
//
// So it is with the short tests of mutants that have survived in a shared process and are not
// believed, since their tests do other work there than in a new process, or the process has
// changed: a few new processes are enough for all of them. There, a mutant has to take effect
// in each of its tests.

const (
	groupMost     = 32 // mutants at once, with a long test
	groupFew      = 8  // with several tests: where a process costs little, it is not worth many failures
	groupPasses   = 2
	groupFails    = 3 // of a mutant that has passed once; else one less
	groupFailsFar = 4 // of a mutant that passes once: its groups begin with up to groupMost and are halved
	groupSample   = 64
	groupsPay     = 64 // with several tests: fewer survivors than that take as long each alone
	manyFail      = 3  // where all groups fail but one in this number, or fewer, they do not pay
)

// A group with mutants that show before the first test is on from the start of its process:
// there each of these has to take effect before the first test as well. With a test that is far
// from it a mutant passes once, since it stands for others that are not run with it at all. So
// as many of those as there are make a group.
//
// The halves of a group that has failed are in different ones from then on.

// isLate says that a test is left until all others have passed.
func (it *item) isLate(t *test) bool {
	return it.joins && it.doubtful == nil && !it.outside && t.single() && it.isFar(t) == it.far
}

// postpone notes which tests of the mutant are late. They are no part of its stages.
func (it *item) postpone() {
	it.late = slices.DeleteFunc(judging(it.infected), func(t *test) bool { return !it.isLate(t) || it.passedBefore(t) })
}

// passedBefore says that the test has passed with the mutant in an earlier run.
func (it *item) passedBefore(t *test) bool { return it.left != nil && !slices.Contains(it.left, t) }

// goOn goes on with a mutant where an earlier run has left it.
func (c *confirmer) goOn(it *item) {
	it.late = slices.DeleteFunc(judging(it.left), it.isFar)
	c.settle(it, trial{})
}

// open says that nothing has been decided about the mutant.
func (it *item) open() bool { return it.verdict.Status == "" && !it.outside }

// confirmLate runs the late tests, the cheapest first.
func (c *confirmer) confirmLate() error {
	list := c.late.take()
	slices.SortFunc(list, func(a, b *item) int { return cmp.Compare(a.verdict.Mutant, b.verdict.Mutant) })
	var tests []*test
	for _, t := range c.suite.tests {
		if slices.ContainsFunc(list, func(it *item) bool { return slices.Contains(it.late, t) }) {
			tests = append(tests, t)
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(a.cost(), b.cost()) })
	for _, it := range list[c.affords(list, tests):] {
		it.unpaid = true
	}
	for _, t := range tests {
		of := slices.DeleteFunc(slices.Clone(list), func(it *item) bool {
			return !it.open() || it.unpaid || !slices.Contains(it.late, t)
		})
		if err := c.together(t, of); err != nil {
			return err
		}
		if c.suite.launch.ctx.Err() != nil {
			for _, it := range list {
				if it.open() {
					c.leave(it, LongInterrupted)
				}
			}
			return nil
		}
		for _, it := range of {
			if it.open() && !it.unpaid {
				it.late = slices.DeleteFunc(it.late, func(o *test) bool { return o == t })
			}
		}
	}
	for _, it := range list {
		switch {
		case !it.open():
		case it.unpaid:
			c.leave(it, LongOverBudget)
		default:
			it.late = nil
			c.settle(it, trial{})
		}
	}
	return nil
}

// leave leaves a mutant without a verdict. The next run goes on with
// its late tests, and those that would have come after them.
func (c *confirmer) leave(it *item, why string) {
	it.verdict.Status, it.verdict.Reason = StatusNotRun, why
	for _, t := range judging(it.infected) {
		if slices.Contains(it.late, t) || !it.far && it.isFar(t) && !it.passedBefore(t) {
			it.verdict.Left = append(it.verdict.Left, t.Name)
		}
	}
	c.suite.launch.ledger.decide(it.verdict)
}

// affords returns how many of the mutants the budget is likely to be enough for, with all of
// their late tests: what is spent on a mutant that finds too little left in the end decides
// nothing in this run. If it is not enough for one, it returns the number of all.
func (c *confirmer) affords(list []*item, tests []*test) int {
	limit := c.suite.longBudget()
	if limit < 0 {
		return len(list)
	}
	want := make([]int, len(tests)) // mutants that a test is run with
	for n, it := range list {
		var sum time.Duration
		for i, t := range tests {
			if slices.Contains(it.late, t) {
				want[i]++
			}
			if t.single() {
				sum += time.Duration(runsTogether(want[i], it.far)) * (t.price() + longProcess)
			}
		}
		if c.spent+sum > limit && n > 0 {
			return n
		}
		if c.spent+sum > limit {
			break
		}
	}
	return len(list)
}

// runsTogether is about how many runs of a long test mutants take.
func runsTogether(mutants int, far bool) int {
	size := groupSize(mutants, groupMost, far)
	switch {
	case mutants == 0:
		return 0
	case far && mutants > 2:
		return (mutants+size-1)/size + 1
	case mutants <= 2*groupPasses:
		return mutants
	}
	return groupPasses*((mutants+size-1)/size) + (mutants+groupSample-1)/groupSample
}

// groupSize is how many mutants there are in each group, by how many there are in all.
func groupSize(mutants, most int, far bool) int {
	size := 2
	for (size*size < mutants || far) && size < most {
		size++
	}
	return size
}

// A long test may have this budget, if that is more than longShare times what all tests take.
const (
	longLeast   = 2 * time.Minute
	longShare   = 5
	longProcess = 8 * time.Millisecond // of a process
)

// longBudget is Options.LongCPU, or what stands for it.
func (s *suite) longBudget() time.Duration {
	if s.launch.o.LongCPU != 0 {
		return s.launch.o.LongCPU
	}
	var all time.Duration
	for _, t := range judging(s.tests) {
		all += t.price()
	}
	return max(longLeast, longShare*all)
}

// price is the processor time that the test takes without a mutant, rounded up to a power of two or
// three quarters of one, so that it is the same in most runs. Where the system does not tell, the fuel does.
func (t *test) price() time.Duration {
	ns := int64(t.cpu)
	if ns == 0 {
		ns = min(t.cost(), int64(time.Minute))
	}
	up := time.Duration(1) << bits.Len64(uint64(ns))
	if less := up - up/4; time.Duration(ns) <= less {
		return less
	}
	return up
}

// pays takes up to n runs of a long test out of the budget. It returns how many it has
// budget for. It is called before the runs begin, so that which of them ends first decides nothing.
func (c *confirmer) pays(n int, t *test) int {
	limit := c.suite.longBudget()
	if limit < 0 {
		return n
	}
	price := t.price() + longProcess
	k := min(n, int(max(0, limit-c.spent)/price))
	c.spent += time.Duration(k) * price
	return k
}

// pay returns the first of the items, as many as the budget has one run for.
func (c *confirmer) pay(items []*item, t *test) []*item {
	k := c.pays(len(items), t)
	for _, it := range items[k:] {
		it.unpaid = true
	}
	return items[:k]
}

// together finds those of the mutants that a test kills.
func (c *confirmer) together(t *test, items []*item) error {
	if !t.judges() {
		return nil
	}
	work := c.suite.launch.o.working()
	if t.waits {
		work = c.suite.launch.o.waiting()
	}
	suspects, others := c.suspects(items)
	early := c.ahead(t, others)
	believed, rest, err := c.inGroups([]*test{t}, others, work)
	if err != nil {
		return err
	}
	defer c.count(items)
	rest = slices.DeleteFunc(slices.Concat(suspects, rest), func(it *item) bool { return slices.Contains(early, it) })
	sample, left := early, c.beside // none, unless there was no group for it to run beside
	c.beside = nil
	if len(early) == 0 {
		sample = c.sample(t, believed)
		left = sample
	}
	if err := c.solo(t, slices.Concat(left, c.pay(rest, t)), work); err != nil {
		return err
	}
	killed := slices.ContainsFunc(sample, func(it *item) bool { return !it.open() })
	if len(believed) > 0 {
		c.suite.tell(fmt.Sprintf("pass %s together with others", t.Name), len(sample), len(believed), killed)
	}
	if !killed {
		for _, it := range believed {
			it.verdict.Fresh = it.verdict.Fresh && slices.Contains(sample, it)
		}
		return nil
	}
	doubted := slices.DeleteFunc(believed, func(it *item) bool { return slices.Contains(sample, it) })
	return c.solo(t, c.pay(doubted, t), work)
}

// solo runs a test with each mutant in its own process.
func (c *confirmer) solo(t *test, items []*item, by crew) error {
	next := dealer(len(items))
	return c.suite.launch.inParallel(by, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() || !t.judges() {
				return nil
			}
			if err := c.soloOne(t, items[i]); err != nil {
				return err
			}
		}
	})
}

// soloOne runs a test with a mutant in its own process.
func (c *confirmer) soloOne(t *test, it *item) error {
	tried, err := c.stage(it, []*test{t})
	if err != nil {
		return err
	}
	if !tried.interrupted && (tried.killed || tried.killedFromOutside) {
		it.verdict.Fresh = true
		c.enter(it, tried)
	}
	return nil
}

// group is mutants that are on at the same time.
type group struct {
	members []*member
	passes  bool
	started bitset.Set           // those that took effect before the first test
	fired   map[*test]bitset.Set // by test: those that took effect
	times   map[*test][]uint32   // by test and member: how often
}

// member is a mutant that comes into groups.
type member struct {
	*item
	passed, failed int
	calm           bool             // when it passed last: see calm.go
	met            map[*member]bool // in groups, and is in none with again
}

func (m *member) believed() bool { return m.passed >= groupPasses || m.far && m.passed > 0 }

// hopeless says that groups have failed so often that the mutant is a likely reason.
func (m *member) hopeless() bool {
	if m.far {
		return m.failed >= groupFailsFar
	}
	return m.failed >= groupFails || m.failed >= groupFails-1 && m.passed == 0
}

// believe runs the short tests of mutants that have survived in a shared process with groups of
// these. It returns those that survive, and all others.
func (c *confirmer) believe(list []*item) (believed, rest []*item, err error) {
	var fit []*item
	for _, it := range list {
		live := it.survived || it.early && !it.static && len(it.shared) == 0 // nothing has been said against it
		if live && it.joins && it.doubtful == nil && !it.blocked {
			fit = append(fit, it)
		} else {
			rest = append(rest, it)
		}
	}
	if len(fit) < groupsPay {
		return nil, append(rest, fit...), nil
	}
	believed, alone, err := c.inGroups(judging(c.suite.tests), fit, c.suite.launch.o.working())
	return believed, append(rest, alone...), err
}

// inGroups runs tests with mutants in groups. It returns those that survive, and those that
// need a separate process.
func (c *confirmer) inGroups(tests []*test, items []*item, by crew) (believed, rest []*item, err error) {
	var open []*member
	most := groupMost
	if len(tests) > 1 {
		most = groupFew
	}
	for _, it := range items {
		open = append(open, &member{item: it, met: make(map[*member]bool)})
	}
	for len(open) >= groupsLeast(open, tests) && !slices.ContainsFunc(tests, func(t *test) bool { return t.audit.needy.Load() }) {
		groups, lonely := c.grouped(open, most)
		for _, m := range lonely {
			m.failed++
			if m.passed > 0 && !m.far {
				m.failed = groupFails // nobody is left that it may be with
			}
		}
		groups = c.payGroups(groups, tests)
		if err := c.runGroups(tests, groups, by); err != nil || c.suite.launch.ctx.Err() != nil {
			return nil, nil, err
		}
		for _, g := range groups {
			g.count(c.sameFunction)
		}
		var left []*member
		for _, m := range open {
			switch {
			case m.unpaid, !m.open(): // or killed beside the groups
			case m.believed():
				m.grouped = append(m.grouped, m.common(tests)...)
				believed = append(believed, m.item)
			case m.hopeless():
				rest = append(rest, m.item)
			default:
				left = append(left, m)
			}
		}
		open = left
		if !allFar(open) && mostFail(groups) {
			break // most mutants are killed, which takes little time
		}
	}
	for _, m := range open {
		rest = append(rest, m.item)
	}
	return believed, rest, nil
}

// payGroups returns the first of the groups, as many as the budget is enough for. Short tests need none.
func (c *confirmer) payGroups(groups []*group, tests []*test) []*group {
	if len(tests) > 1 || !tests[0].single() {
		return groups
	}
	k := c.pays(len(groups), tests[0])
	for _, g := range groups[k:] {
		for _, m := range g.members {
			m.unpaid = true
		}
	}
	return groups[:k]
}

// groupsLeast is with how many mutants groups take less time than each of them alone. A
// sample of one is run in any case.
func groupsLeast(open []*member, tests []*test) int {
	if len(tests) == 1 && allFar(open) {
		return 3
	}
	return 2*groupPasses + 1
}

func mostFail(groups []*group) bool {
	failed := 0
	for _, g := range groups {
		if !g.passes {
			failed++
		}
	}
	return failed*manyFail >= len(groups)*(manyFail-1)
}

func allFar(list []*member) bool {
	return !slices.ContainsFunc(list, func(m *member) bool { return !m.far })
}

// count counts what the test has said of the group. A mutant that has not taken effect was
// kept from that by another.
func (g *group) count(sameFunction func(a, b *member) bool) {
	half := (len(g.members) + 1) / 2
	for i, m := range g.members {
		if g.passes && g.tookEffect(m) {
			g.countPass(i, sameFunction)
		} else {
			m.failed++
		}
		for j, other := range g.members {
			if g.passes || (i < half) != (j < half) {
				m.met[other] = true
			}
		}
	}
}

// tookEffect reports whether the mutant took effect wherever it infects something: in tests of
// the group, and before the first.
func (g *group) tookEffect(m *member) bool {
	id := int(m.verdict.Mutant)
	for t, fired := range g.fired {
		if t.infected.Has(id) && !fired.Has(id) {
			return false
		}
	}
	return len(g.fired) > 0 && (!m.early || g.started.Has(id))
}

// common returns those of the tests that a group with the mutant runs for it: a single one, or
// the short ones that it may show in.
func (it *item) common(tests []*test) []*test {
	if len(tests) == 1 {
		return tests
	}
	return slices.DeleteFunc(slices.Clone(tests), func(t *test) bool {
		return t.single() || t.once || !slices.Contains(it.infected, t)
	})
}

// grouped puts mutants into groups of those that have not met. There are about as many groups
// as mutants in each, so that a second time there are as many of them, unless once is enough.
// The first time those of one function stand together: if tests kill one, they kill others, and
// fewer groups fail. Those without company are lonely.
func (c *confirmer) grouped(open []*member, most int) (groups []*group, lonely []*member) {
	size := groupSize(len(open), most, allFar(open))
	for _, m := range open {
		fits := func(g *group) bool {
			return len(g.members) < size && !slices.ContainsFunc(g.members, func(o *member) bool { return m.met[o] || c.sameLine(m, o) || c.inTheWay(m, o) })
		}
		if i := slices.IndexFunc(groups, fits); i >= 0 {
			groups[i].members = append(groups[i].members, m)
		} else {
			groups = append(groups, &group{members: []*member{m}})
		}
	}
	return slices.DeleteFunc(groups, func(g *group) bool {
		if len(g.members) > 1 {
			return false
		}
		lonely = append(lonely, g.members...)
		return true
	}), lonely
}

func (c *confirmer) sameLine(a, b *member) bool {
	list := c.suite.launch.o.Program.Mutants
	x, y := &list[a.verdict.Mutant-1], &list[b.verdict.Mutant-1]
	return x.Line == y.Line && x.File == y.File
}

func (c *confirmer) runGroups(tests []*test, groups []*group, by crew) error {
	beside := c.beside
	c.beside = nil
	next := dealer(len(groups) + len(beside))
	return c.suite.launch.inParallel(by, func(stop func() bool) error {
		for {
			i, ok := next()
			if !ok || stop() {
				return nil
			}
			if i >= len(groups) {
				if err := c.soloOne(tests[0], beside[i-len(groups)]); err != nil {
					return err
				}
				continue
			}
			g := groups[i]
			if err := c.runGroup(g, g.of(tests)); err != nil {
				return err
			}
		}
	})
}

// of returns those of the tests that are run for any of its members.
func (g *group) of(tests []*test) []*test {
	wanted := make(map[*test]bool)
	for _, m := range g.members {
		for _, t := range m.common(tests) {
			wanted[t] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(tests), func(t *test) bool { return !wanted[t] })
}

// startGroup starts the process of a group.
func (c *confirmer) startGroup(g *group) (*process, error) {
	if !slices.ContainsFunc(g.members, func(m *member) bool { return m.early || m.static }) {
		return c.suite.launch.start()
	}
	var ids []uint32
	for _, m := range g.members {
		ids = append(ids, m.verdict.Mutant)
	}
	p, err := c.suite.launch.startWith(false, ids...)
	if err == nil {
		g.started = bitset.Of(p.hello.InitFired...)
	}
	return p, err
}

// runGroup runs tests with a group in its own process. Whatever is unusual counts as a
// failure: it is looked at in other groups.
func (c *confirmer) runGroup(g *group, tests []*test) error {
	if len(tests) == 1 && tests[0].single() {
		defer c.suite.launch.ledger.waitFor(tests[0].Name, 0)()
	}
	g.passes, g.fired, g.times = true, make(map[*test]bitset.Set), make(map[*test][]uint32)
	p, err := c.startGroup(g)
	if err == nil {
		defer p.Close()
		for _, t := range tests {
			if err = c.runTogether(p, g, t); err != nil || !g.passes {
				break
			}
		}
	}
	if err == nil || c.suite.launch.ctx.Err() != nil {
		return nil
	}
	g.passes = false
	_, fatal := deathOf(err)
	return fatal
}

// runTogether runs a test with a group in a process.
func (c *confirmer) runTogether(p *process, g *group, t *test) error {
	item := wire.TryItem{Mutant: g.members[0].verdict.Mutant, Tests: []int{0}}
	for _, m := range g.members[1:] {
		item.With = append(item.With, m.verdict.Mutant)
	}
	req := &wire.Try{Alone: true, Tests: c.suite.costs([]*test{t}, c.suite.launch.groupBounds), Items: []wire.TryItem{item}}
	ran := false
	err := p.mutants(req, func(tried *wire.Tried) {
		ran = tried.Kill == nil && len(tried.Ran) == 1
		g.fired[t], g.times[t] = bitset.FromBytes(tried.Fired), tried.Times
	})
	g.passes = g.passes && ran
	return err
}
