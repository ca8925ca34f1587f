package unittest

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What the calls in tests return with a mutant that survives tells whether a test only lacks
// an assertion: it computes the different value, and looks at something else. Each survivor is
// run once more with the cheapest of the tests that it infects, and the results of the calls in
// the test files are held against the original's.

const (
	// observedTests is with how many tests a survivor is run at most. Where the first few see
	// nothing, the others hardly do.
	observedTests = 6
	// observeFuel is what all these runs together may burn, by what the original burns.
	observeFuel = 20_000_000_000
	// observeFactor is about how much more a run costs while values are observed.
	observeFactor = 3
)

// Seen is a call in a test that returns something else with a mutant, and the test passes.
type Seen struct {
	Test  string // that makes the call
	Site  uint32 // of the call: index into Program.Sites
	Value int    // number among its values, or observe.WholeSite if other calls are made
	Text  string // one line: what the value was, and what it is with the mutant
	// Plain says that a caller sees it: no unexported field leads to it.
	Plain bool
	// Weak says why a caller hardly relies on it.
	Weak observe.Weakness
	// Field is the innermost field of a struct that holds it, as "example.com/p.T.Name"; "" if there is none.
	Field string
}

// observer runs survivors while results are observed.
type observer struct {
	suite  *suite
	groups [][]wire.TryItem // of one function each; tests by their index in the process
}

// observe finds the survivors with which a call in a test returns something else.
func (s *suite) observe() error {
	if !s.launch.o.Observe || s.launch.ctx.Err() != nil || s.launch.ledger.stopped() {
		return nil
	}
	o := observer{suite: s}
	left := o.plan(s.launch.ledger.unseen())
	s.launch.ledger.count(func(res *Result) { res.Unobserved = left })
	if len(o.groups) == 0 {
		return nil
	}
	n := 0
	for _, items := range o.groups {
		n += len(items)
	}
	s.launch.ledger.observing(n)
	defer s.launch.ledger.tell()
	next := dealer(len(o.groups))
	return s.launch.inParallel(s.launch.o.working(), func(stop func() bool) error {
		var p *process
		defer func() {
			if p != nil {
				p.Close()
			}
		}()
		for {
			i, ok := next()
			if !ok || stop() {
				return nil
			}
			var err error
			if p, err = o.group(p, o.groups[i]); err != nil {
				return err
			}
		}
	})
}

// plan chooses the tests of each survivor. It returns how many survivors the budget has no
// room for.
func (o *observer) plan(survivors []Verdict) (left int) {
	byName := make(map[string]*test)
	for _, t := range judging(o.suite.tests) {
		byName[t.Name] = t
	}
	budget := int64(observeFuel)
	byFunc := make(map[int]int)
	program := o.suite.launch.o.Program
	for i := range survivors {
		v := &survivors[i]
		m := &program.Mutants[v.Mutant-1]
		tests := observable(m, v, byName)
		if len(tests) == 0 {
			continue
		}
		item := wire.TryItem{Mutant: v.Mutant}
		for _, t := range tests {
			budget -= observeFactor * (t.Fuel + runCost)
			item.Tests = append(item.Tests, t.index)
		}
		if budget < 0 {
			left++
			continue
		}
		at, ok := byFunc[m.FuncIndex]
		if !ok || len(o.groups[at]) == chunkMost {
			at = len(o.groups)
			byFunc[m.FuncIndex] = at
			o.groups = append(o.groups, nil)
		}
		o.groups[at] = append(o.groups[at], item)
	}
	return left
}

// observable returns the tests that a survivor is run with: those that can be run again in one
// process, the cheapest first.
func observable(m *instrument.Mutant, v *Verdict, byName map[string]*test) (tests []*test) {
	if m.Status != instrument.StatusLive {
		return nil
	}
	for _, name := range v.Infected {
		if t := byName[name]; t != nil && !t.once && !t.long() && !t.works && t.infected.Has(int(v.Mutant)) {
			tests = append(tests, t)
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(a.Fuel, b.Fuel) })
	return tests[:min(len(tests), observedTests)]
}

// group runs the survivors of one function, in a process that it starts if there is none, and
// returns the process that is left. A survivor that ends the process is skipped.
func (o *observer) group(p *process, items []wire.TryItem) (*process, error) {
	for len(items) > 0 {
		if p == nil {
			started, err := o.suite.launch.start()
			if o.suite.launch.ctx.Err() != nil {
				return nil, nil
			}
			if err != nil {
				return nil, o.suite.launch.startError(err)
			}
			p = started
		}
		req, done, spent := o.request(items), 0, false
		err := p.observe(req, func(r *wire.Observed) {
			done++
			spent = r.Spent
			o.suite.launch.ledger.observed()
			if s := r.Shown; s != nil {
				o.suite.launch.ledger.saw(r.Mutant, Seen{
					Test: o.suite.tests[s.Test].Name, Site: s.Site, Value: s.Value, Text: s.Text, Plain: s.Plain, Weak: observe.Weakness(s.Weak), Field: s.Field,
				})
			}
		})
		items = items[done:]
		if o.suite.launch.ctx.Err() != nil {
			return p, nil
		}
		if err != nil {
			if _, fatal := deathOf(err); fatal != nil {
				return p, fatal
			}
			if len(items) > 0 {
				o.suite.launch.ledger.observed()
				items = items[1:]
			}
			spent = true
		}
		if spent {
			p.Close()
			p = nil
		}
	}
	return p, nil
}

// request asks for some survivors.
func (o *observer) request(items []wire.TryItem) *wire.Observe {
	var used []*test
	at := make(map[int]int)
	req := &wire.Observe{}
	for _, it := range items {
		list := make([]int, len(it.Tests))
		for i, index := range it.Tests {
			n, ok := at[index]
			if !ok {
				n = len(used)
				at[index] = n
				used = append(used, o.suite.tests[index])
			}
			list[i] = n
		}
		req.Items = append(req.Items, wire.TryItem{Mutant: it.Mutant, Tests: list})
	}
	req.Tests = o.suite.costs(used, func(t *test) wire.Bounds {
		b := o.suite.launch.aloneBounds(t)
		b.CPU = 0 // what is observed takes its own
		return b
	})
	return req
}
