package campaign

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// bugs compares the buckets that failing inputs were placed in, now that all of them
// are known, and so is what repairs break of the resulting corpus: what opened them is
// sorted, and takes the other inputs with it. Call it when finish has said that they
// are placed.
func (in *intake) bugs(ctx context.Context, final []corpus.Entry) ([]bug, error) {
	stacks := in.s.eng.Buckets()
	in.placeRest()
	c := &collector{in: in, stacks: stacks, number: make(map[string]int), counted: make(map[string]bool), alike: make(map[string]int)}
	for i, b := range stacks {
		c.number[b.Key] = i
	}
	err := ctx.Err()
	if err == nil {
		err = in.sortOpeners(ctx, final)
	}
	if err != nil {
		for _, b := range in.buckets {
			c.add([]*intakeBucket{b}, nil)
		}
	} else {
		in.collect(c)
	}
	c.addRest()
	slices.SortStableFunc(c.bugs, func(a, b bug) int { return a.first - b.first })
	if ctx.Err() != nil {
		return c.bugs, nil
	}
	return c.bugs, err
}

// placeRest puts inputs that nobody had the time to look at with others of their stack.
func (in *intake) placeRest() {
	for _, f := range in.queue {
		if s := in.stacks[f.Key]; s != nil && len(s.buckets) > 0 {
			s.buckets[0].inputs = append(s.buckets[0].inputs, f.Input)
		}
	}
	in.queue = nil
}

// sortOpeners sorts what opened the buckets.
func (in *intake) sortOpeners(ctx context.Context, final []corpus.Entry) error {
	t := in.t
	t.phase(t.b.program.Test.ImportPath, "%s: sorting failing inputs of %s", t.test.Name, report.Plural(len(in.buckets), "bucket"))
	t.opts.Time = in.s.sortTime()
	for _, e := range final {
		t.add(e, false)
	}
	for _, b := range in.buckets {
		b.opener.number = len(t.inputs)
		t.inputs = append(t.inputs, b.opener)
	}
	return t.analyse(ctx)
}

// collect makes bugs of the sorted buckets, and of those that were not sorted since
// they do not fail in the same way each time.
func (in *intake) collect(c *collector) {
	at := make(map[int]*intakeBucket)
	for _, b := range in.buckets {
		at[b.opener.number] = b
	}
	l := in.t.newLocaliser()
	for _, items := range in.t.sorted.Buckets {
		var list []*intakeBucket
		for _, item := range slices.Sorted(slices.Values(items)) { // by size
			n := in.t.cases[item]
			list = append(list, at[n])
			delete(at, n)
		}
		c.add(list, l.best(items))
	}
	for _, b := range in.buckets {
		if at[b.opener.number] != nil {
			c.add([]*intakeBucket{b}, nil)
		}
	}
}

// collector makes bugs of buckets.
type collector struct {
	in      *intake
	stacks  []*engine.Bucket
	number  map[string]int  // of the engine's buckets, by key
	counted map[string]bool // keys whose executions are counted with some bug
	bugs    []bug
	alike   map[string]int // by the identity of the failure, the first of the bugs
}

// add makes a bug of buckets. The executions of one stack are counted with the first
// bug that has it.
func (c *collector) add(buckets []*intakeBucket, repairs []report.Repair) {
	b := bug{outcome: buckets[0].opener.result.Outcome, repairs: repairs, first: len(c.stacks)}
	have := make(map[string]bool)
	add := func(input []byte) {
		if !have[string(input)] {
			have[string(input)] = true
			b.inputs = append(b.inputs, input)
		}
	}
	keys := make(map[string]bool)
	inputs := 0
	for _, of := range buckets {
		c.name(of.opener.result.Outcome)
		add(of.small)
		inputs += len(of.inputs)
		for _, input := range c.inputsOf(of) {
			add(input)
		}
		for _, key := range of.stacks {
			keys[key] = true
			if n := c.number[key]; !c.counted[key] {
				c.counted[key] = true
				b.count += c.stacks[n].Count
			}
			b.first = min(b.first, c.number[key])
		}
	}
	smallest := slices.MinFunc(b.inputs, func(x, y []byte) int { return triage.BySize(string(x), string(y)) })
	at := slices.IndexFunc(b.inputs, func(x []byte) bool { return string(x) == string(smallest) })
	b.inputs[0], b.inputs[at] = b.inputs[at], b.inputs[0]
	b.count, b.stacks = max(b.count, int64(inputs)), len(keys)
	c.bugs = append(c.bugs, b)
}

// inputsOf lists the inputs of a bucket. Of deaths the engine knows better: it may have
// found out that another input was to blame.
func (c *collector) inputsOf(b *intakeBucket) [][]byte {
	if b.opener.result.Outcome.Kind != wire.Death {
		return b.inputs
	}
	var list [][]byte
	for _, key := range b.stacks {
		list = append(list, c.stacks[c.number[key]].Inputs...)
	}
	if len(list) == 0 {
		return b.inputs
	}
	b.small = list[0]
	return list
}

// name notes what the bug that is to come fails like, unless one before does so.
func (c *collector) name(o wire.Outcome) {
	token := wire.FailureIdentity(o)
	if _, ok := c.alike[token]; !ok {
		c.alike[token] = len(c.bugs)
	}
}

// addRest takes in the stacks of which no input was placed: they go with the first bug
// that fails alike.
func (c *collector) addRest() {
	for _, b := range bugsOf(c.stacks) {
		if c.counted[c.stacks[b.first].Key] {
			continue
		}
		at, ok := c.alike[wire.FailureIdentity(b.outcome)]
		if !ok {
			c.name(b.outcome)
			c.bugs = append(c.bugs, b)
			continue
		}
		with := &c.bugs[at]
		with.inputs = append(with.inputs, b.inputs...)
		with.count, with.stacks = with.count+b.count, with.stacks+1
	}
}
