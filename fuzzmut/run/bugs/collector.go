package bugs

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// collector makes bugs of buckets.
type collector struct {
	sort     *Sorting
	assigned bool // the buckets go by mutants; else each is one of the engine's stacks
	buckets  []*bucket
	stacks   []*failures.Stack
	number   map[string]int  // of the engine's buckets, by key
	counted  map[string]bool // keys whose executions are counted with some bug
	bugs     []Bug
	alike    map[string]int // by the identity of the failure, the first of the bugs
}

func newCollector(stacks []*failures.Stack) *collector {
	c := &collector{stacks: stacks, number: make(map[string]int), counted: make(map[string]bool), alike: make(map[string]int)}
	for i, b := range stacks {
		c.number[b.Key] = i
	}
	return c
}

// run sorts the inputs about which all is known, or can be found out, and makes bugs of
// the buckets. When ctx ends before it has sorted them, each bucket is a bug, or what fails
// alike if the buckets are the engine's stacks.
func (c *collector) run(ctx context.Context, final []corpus.Entry) error {
	err := ctx.Err()
	if err == nil {
		err = c.sortKnown(ctx, final)
	}
	c.collect(err == nil)
	if err != nil && !c.assigned {
		c.joinAlike()
	}
	c.addRest()
	c.joinSame()
	slices.SortStableFunc(c.bugs, func(a, b Bug) int { return a.first - b.first })
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// sortKnown sorts the inputs about which all is known, together with the resulting corpus.
func (c *collector) sortKnown(ctx context.Context, final []corpus.Entry) error {
	for _, e := range final {
		c.sort.Add(e, false)
	}
	for _, b := range c.buckets {
		for _, k := range b.known {
			k.number = len(c.sort.Inputs)
			c.sort.Inputs = append(c.sort.Inputs, *k)
		}
	}
	return c.sort.Analyse(ctx)
}

// group is what becomes a bug.
type group struct {
	outcome wire.Outcome // of the smallest input about which all is known
	repairs []report.Repair
	openers []wire.Outcome
	small   []*corpus.Input
	inputs  []assigned
}

// collect makes bugs of the sorted inputs, and of buckets that were not sorted: all of
// them, or those that do not fail in the same way each time.
func (c *collector) collect(sorted bool) {
	t := c.sort
	var groups []*group
	home := make(map[int]*group) // by number of an input
	if sorted {
		l := NewLocaliser(t)
		for _, items := range t.Sorted.Buckets {
			g := &group{outcome: t.Inputs[t.Cases[slices.Min(items)]].Result.Outcome, repairs: l.best(items)} // cases are sorted by size
			groups = append(groups, g)
			for _, item := range items {
				home[t.Cases[item]] = g
			}
		}
	}
	for _, b := range c.buckets {
		own := home[b.known[0].number]
		if own == nil {
			own = &group{outcome: b.known[0].Result.Outcome}
			groups = append(groups, own)
		}
		own.openers = append(own.openers, b.known[0].Result.Outcome)
		inputs := c.inputsOf(b)
		if b.small != nil {
			own.small = append(own.small, b.small)
		}
		for _, p := range inputs {
			g := own
			if p.known != nil && home[p.known.number] != nil {
				g = home[p.known.number]
			}
			g.inputs = append(g.inputs, p)
		}
	}
	for _, g := range groups {
		if len(g.inputs) > 0 { // else an entry of the corpus fails by chance
			c.add(g)
		}
	}
}

// add makes a bug of a group. The executions of one stack are counted with the first
// bug that has it.
func (c *collector) add(g *group) {
	b := Bug{Outcome: g.outcome, Repairs: g.repairs, first: len(c.stacks)}
	c.name(g.outcome)
	for _, o := range g.openers {
		c.name(o)
	}
	have := make(map[string]bool)
	add := func(input *corpus.Input) {
		if !have[input.Key()] {
			have[input.Key()] = true
			b.Inputs = append(b.Inputs, input)
		}
	}
	for _, input := range g.small {
		add(input)
	}
	keys := make(map[string]bool)
	for _, p := range g.inputs {
		add(p.input)
		n := c.number[p.stack]
		if !keys[p.stack] {
			keys[p.stack] = true
			b.Ways = append(b.Ways, c.stacks[n].Outcome)
		}
		if !c.counted[p.stack] {
			c.counted[p.stack] = true
			b.Count += c.stacks[n].Count
		}
		b.first = min(b.first, n)
	}
	b.smallestFirst()
	b.Count, b.Stacks = max(b.Count, int64(len(g.inputs))), len(keys)
	c.bugs = append(c.bugs, b)
}

// Inputs lists the inputs of a bucket. Of deaths the engine knows better: it may have
// found out that another input was to blame.
func (c *collector) inputsOf(b *bucket) []assigned {
	if b.known[0].Result.Outcome.Kind != wire.Death {
		return b.inputs
	}
	var list []assigned
	have := make(map[string]bool)
	for _, p := range b.inputs {
		if have[p.stack] {
			continue
		}
		have[p.stack] = true
		for _, input := range c.stacks[c.number[p.stack]].Inputs {
			list = append(list, assigned{input: input, stack: p.stack})
		}
	}
	if len(list) == 0 {
		return b.inputs
	}
	b.small = list[0].input
	return list
}

// joinAlike makes one bug of those that fail alike: nothing but the stack has told them apart.
func (c *collector) joinAlike() {
	c.bugs = joinAlike(c.bugs)
	clear(c.alike)
	for i := range c.bugs {
		c.alike[failure.Identity(c.bugs[i].Outcome)] = i
	}
}

// joinSame makes one bug of those with the same representative: an input fails in one way.
func (c *collector) joinSame() {
	first := make(map[string]int)
	var list []Bug
	for _, b := range c.bugs {
		at, ok := first[b.Inputs[0].Key()]
		if !ok {
			first[b.Inputs[0].Key()] = len(list)
			list = append(list, b)
			continue
		}
		list[at].join(&b)
	}
	c.bugs = list
}

// join adds another bug to this one.
func (b *Bug) join(other *Bug) {
	b.Inputs = corpus.Distinct(slices.Concat(b.Inputs, other.Inputs))
	for _, o := range other.Ways {
		if !slices.ContainsFunc(b.Ways, func(have wire.Outcome) bool { return failure.Key(have) == failure.Key(o) }) {
			b.Ways, b.Stacks = append(b.Ways, o), b.Stacks+1
		}
	}
	if len(b.Repairs) == 0 {
		b.Repairs = other.Repairs
	}
	b.Count, b.first = b.Count+other.Count, min(b.first, other.first)
}

// name notes what the bug that is to come fails like, unless one before does so.
func (c *collector) name(o wire.Outcome) {
	token := failure.Identity(o)
	if _, ok := c.alike[token]; !ok {
		c.alike[token] = len(c.bugs)
	}
}

// addRest takes in the stacks without an assigned input: they go with the first bug
// that fails alike.
func (c *collector) addRest() {
	for i, s := range c.stacks {
		if c.counted[s.Key] {
			continue
		}
		b := ofStack(c.stacks, i)
		at, ok := c.alike[failure.Identity(b.Outcome)]
		if !ok {
			c.name(b.Outcome)
			c.bugs = append(c.bugs, b)
			continue
		}
		with := &c.bugs[at]
		with.Inputs = append(with.Inputs, b.Inputs...)
		with.Count, with.Stacks, with.Ways = with.Count+b.Count, with.Stacks+1, append(with.Ways, b.Ways...)
	}
}
