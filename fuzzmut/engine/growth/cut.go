package growth

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on what is tried to find out what of an input grows.
const (
	// repeatedShare is the part of an argument, one in this number, that stands in rows if the
	// argument was made by repeating.
	repeatedShare = 2
	// RepeatedLeast is the length of an argument from which on it may be one.
	RepeatedLeast = 256
	// drawn is how many other cuts of an input are tried, and drawnMost how long an argument may be
	// for that, in bytes.
	drawn, drawnMost = 48, 4096
	// cutFuel bounds what one run may burn.
	cutFuel = 12 << 20
	// cutFirst is the first length that counts, and cutLeast the one where it begins: where longer ones
	// burn too much, shorter ones count.
	cutFirst, cutLeast = 512, 32
	// cutLater is the first length where the bytes that are allocated begin to grow too fast at the
	// last of the others: what is less than some kilobytes can't be measured.
	cutLater = 4096
	// cutSizes is how many lengths, each twice the one before, count.
	cutSizes = 4
	// smallerCalls bounds the cuts that are tried to make one smaller, and smallerFuel what they burn: about a second.
	smallerCalls, smallerFuel = 64, 300_000_000
	// smallerTimed is the same for cuts that grow by time, timedFirst the first of their two lengths where the search has
	// not said one, and timedStep how many times longer the other is: the clock needs longer ones, and each takes long.
	smallerTimed          = 24
	timedFirst, timedStep = 8192, 2
)

// A Cutter looks in given inputs for what makes them grow. It keeps a process, and is for one
// goroutine. Close it in the end.
type Cutter struct {
	processes *processes.Set
	p         *worker.Process
	run       func(context.Context, *wire.Grow) (*wire.Grown, error) // ask, but in tests
	burned    int64                                                  // fuel of the sizes so far
}

// NewCutter returns a cutter with processes of a set.
func NewCutter(set *processes.Set) *Cutter {
	c := &Cutter{processes: set}
	c.run = c.ask
	return c
}

// Close ends the process.
func (c *Cutter) Close() {
	if c.p != nil {
		c.processes.Retire(c.p)
		c.p = nil
	}
}

// Repeated reports whether most of an argument of the input stands in rows of equal parts: then
// it may have been made to cost much.
func Repeated(input *corpus.Input) bool {
	for _, v := range input.Values() {
		text, ok := textOf(v)
		if !ok || len(text) < RepeatedLeast {
			continue
		}
		if _, covered := pump.Repeated(text); covered > len(text)/repeatedShare {
			return true
		}
	}
	return false
}

// textOf returns an argument that can grow.
func textOf(v any) ([]byte, bool) {
	switch v := v.(type) {
	case string:
		return []byte(v), true
	case []byte:
		return v, true
	}
	return nil, false
}

// Cut looks for what of an input grows faster than its length: parts that stand in it in a row,
// and then some others. It returns nil if nothing does. What it does depends on the input alone,
// but for allocated bytes near the bound, and for the processor time of parts in a row, which is looked at last: such a
// candidate is Rough.
func (c *Cutter) Cut(ctx context.Context, input *corpus.Input) (*Candidate, error) {
	list, others := cuts(input)
	for _, g := range append(list, others...) {
		n, err := c.try(ctx, &g)
		if n != nil || err != nil {
			return n, err
		}
	}
	for _, g := range list {
		g.ByTime = true
		n, err := c.tryRough(ctx, &g)
		if n != nil || err != nil {
			return n, err
		}
	}
	return nil, nil
}

// cuts lists ways to cut an input: those of rows, and others.
func cuts(input *corpus.Input) (list, others []wire.Growing) {
	vals := input.Values()
	for arg, v := range vals {
		text, ok := textOf(v)
		if !ok {
			continue
		}
		rest := slices.Clone(vals)
		if rest[arg] = any(""); !isString(v) {
			rest[arg] = []byte{}
		}
		encoded := wire.Encode(rest)
		pumps, _ := pump.Repeated(text)
		for _, p := range pumps {
			list = append(list, wire.Growing{Input: encoded, Arg: arg, Pump: wire.Pump(p)})
		}
		d := pump.Drawer{Rand: havoc.NewRand(uint64(len(text)))}
		for i := 0; i < drawn && 0 < len(text) && len(text) <= drawnMost; i++ {
			if p, ok := d.Draw(text); ok {
				others = append(others, wire.Growing{Input: encoded, Arg: arg, Pump: wire.Pump(p)})
			}
		}
	}
	return slices.Clip(list), others
}

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

// try grows a cut, and makes it smaller if it grows too fast; nil if it does not.
func (c *Cutter) try(ctx context.Context, g *wire.Growing) (*Candidate, error) {
	return c.tryFrom(ctx, g, timedFirst)
}

// tryRough is try for a cut that grows by time, and leaves it to Refined to make it smaller: by the clock what is smaller
// may have looked as if it grew, and then this one counts.
func (c *Cutter) tryRough(ctx context.Context, g *wire.Growing) (*Candidate, error) {
	_, grows, err := c.grow(ctx, g, false, timedFirst)
	if err != nil || grows == "" {
		return nil, err
	}
	n, err := c.candidate(ctx, g, timedFirst)
	if n != nil {
		n.Rough = true
	}
	return n, err
}

// tryFrom is try with the first length of cuts that grow by time.
func (c *Cutter) tryFrom(ctx context.Context, g *wire.Growing, first int) (*Candidate, error) {
	_, grows, err := c.grow(ctx, g, false, first)
	if err != nil || grows == "" {
		return nil, err
	}
	calls := smallerCalls
	if g.ByTime {
		calls = smallerTimed
	}
	c.burned = 0
	small := pump.Pump(g.Pump).Smaller(calls, func(p *pump.Pump) bool {
		if err != nil || c.burned > smallerFuel {
			return false
		}
		q := *g
		q.Pump = wire.Pump(*p)
		var again string
		_, again, err = c.grow(ctx, &q, false, first)
		return err == nil && again == grows
	})
	if err != nil {
		return nil, err
	}
	q := *g
	q.Pump = wire.Pump(small)
	n, err := c.candidate(ctx, &q, first)
	if n != nil || err != nil || !g.ByTime {
		return n, err
	}
	return c.candidate(ctx, g, first) // by the clock, a cut may have looked as if it grew
}

// candidate grows a cut once more, for where that happens; nil if it does not grow too fast.
func (c *Cutter) candidate(ctx context.Context, g *wire.Growing, first int) (*Candidate, error) {
	grown, grows, err := c.grow(ctx, g, true, first)
	if err != nil || grows == "" {
		return nil, err
	}
	frames := grown.Frames
	if grows == Bytes && len(grown.Allocates) > 0 {
		frames = grown.Allocates
	}
	rest, err := corpus.FromWorker(g.Input)
	if err != nil {
		return nil, err
	}
	n := Candidate{Costly: worker.Costly{Costly: wire.Costly{Growing: *g, Sizes: grown.Sizes, Frames: frames, Count: 1}, Input: rest}}
	if len(frames) > 0 {
		n.Place = frames[0]
	}
	return &n, nil
}

// Refined makes the pump of a candidate smaller. Where it can't, it returns the candidate.
func (c *Collector) Refined(ctx context.Context, n *Candidate) (*Candidate, error) {
	cut := NewCutter(c.processes)
	defer cut.Close()
	first := timedFirst
	if len(n.Sizes) > 1 {
		first = n.Sizes[len(n.Sizes)-2].Len
	}
	small, err := cut.tryFrom(ctx, &n.Growing, first)
	if err != nil || small == nil {
		return n, err
	}
	small.Place = n.Place
	return small, nil
}

// grow runs a cut at lengths that double, from short ones on, and says what grows too fast at the last of them; ""
// if nothing does, or if that can't be seen. where asks for the frames as well. first is the first length by the clock.
func (c *Cutter) grow(ctx context.Context, g *wire.Growing, where bool, first int) (grown *wire.Grown, grows string, err error) {
	p := pump.Pump(g.Pump)
	if g.ByTime {
		return c.growByTime(ctx, g, p.Times(first), where)
	}
	last := p.Times(max(cutFirst, 2*p.Fixed())) << (cutSizes - 1)
	grown, grows, err = c.growTo(ctx, g, p.Times(max(cutLeast, p.Fixed())), last, where)
	if err == nil && grown != nil && grows == "" && !grown.Failed && last>>(cutSizes-1) < p.Times(cutLater) && later(grown.Sizes) {
		return c.growTo(ctx, g, p.Times(cutLater/2), p.Times(cutLater)<<(cutSizes-1), where)
	}
	return grown, grows, err
}

// growByTime is grow by the clock, from a number of repetitions on.
func (c *Cutter) growByTime(ctx context.Context, g *wire.Growing, times int, where bool) (grown *wire.Grown, grows string, err error) {
	return byTime(times, func(times ...int) (*wire.Grown, error) {
		return c.run(ctx, &wire.Grow{Growing: *g, Fuel: cutFuel, Where: where, Times: times})
	})
}

// byTime says by two lengths whether the processor time grows too fast. If they leave that open, two longer ones decide:
// beside other work, all runs of a length that takes less than a millisecond may fall into a slow moment. If the time of the
// longer one says nothing of its length, the shorter one may have: both are timed again, and the least counts.
func byTime(times int, ask func(times ...int) (*wire.Grown, error)) (grown *wire.Grown, grows string, err error) {
	var seen []wire.Size
	for range timedLooks {
		if grown, err = ask(times, times*timedStep); err != nil || grown == nil {
			return nil, "", err
		}
		seen = Least(grown.Sizes, seen)
		list := points(seen, costOf(Time))
		if len(list) < 2 || list[1].Cost < timedLeast.Seconds() {
			break
		}
		switch e := pump.Between(list[0], list[1]); {
		case e > timedTooFast:
			return grown, Time, nil
		case e > timedOpen:
			times *= timedStep
		}
	}
	return grown, "", nil
}

// timedTooFast is the exponent of the processor time between the two lengths from which on a cut is looked at further: it
// may begin slowly. Between timedOpen and that it is open. timedLooks bounds how often lengths are looked at.
const (
	timedTooFast, timedOpen = 1.4, 0.8
	timedLooks              = 3
)

// later reports whether the allocated bytes have begun to grow too fast at the last of some lengths.
func later(sizes []wire.Size) bool {
	list := points(sizes, allocated)
	return len(list) > 1 && pump.Between(list[len(list)-2], list[len(list)-1]) > tooFast
}

// growTo is grow with numbers of repetitions, each half of the next: the last, and those down to the first.
func (c *Cutter) growTo(ctx context.Context, g *wire.Growing, first, last int, where bool) (grown *wire.Grown, grows string, err error) {
	req := wire.Grow{Growing: *g, Fuel: cutFuel, Where: where}
	for times := last; times >= max(first, 1); times /= 2 {
		req.Times = append(req.Times, times)
	}
	slices.Reverse(req.Times)
	if grown, err = c.run(ctx, &req); err != nil || grown == nil {
		return nil, "", err
	}
	grown.Sizes = grown.Sizes[max(len(grown.Sizes)-cutSizes, 0):]
	if len(grown.Sizes) < leastStopping {
		return grown, "", nil
	}
	for _, what := range [...]string{Work, Bytes} {
		if _, above := pump.Above(points(grown.Sizes, costOf(what)), tooFast); above {
			return grown, what, nil
		}
	}
	return grown, "", nil
}

// tooFast is the exponent above which growth is looked at further.
const tooFast = 1.5

// ask asks the process; nil if it dies of the input.
func (c *Cutter) ask(ctx context.Context, req *wire.Grow) (grown *wire.Grown, err error) {
	if c.p == nil {
		if c.p, err = c.processes.Start(ctx, false, processes.Everything); err != nil {
			return nil, err
		}
	}
	grown, err = c.p.Grow(ctx, req)
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		c.Close()
		return nil, nil
	}
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	for _, s := range grown.Sizes {
		c.burned += s.Fuel
	}
	if len(grown.Sizes) < len(req.Times) {
		c.burned += req.Fuel // the one that is missing may have burned all of it
	}
	return grown, nil
}
