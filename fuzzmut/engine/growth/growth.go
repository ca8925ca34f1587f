// Package growth keeps the inputs that workers have found to cost too much for their length,
// and has fresh processes measure them with the clock.
//
// Fuel and allocated bytes decide which inputs are candidates: they are the same in each run.
// For these the processor time only takes candidates away: what burns fuel and takes no time, or
// stops growing at lengths that the search does not try. Runs that the clock ends have candidates
// by their time alone as well, which are held to more.
package growth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Candidate is a growing input, as the search has seen it.
type Candidate struct {
	worker.Costly
	Place string // the function that does most of the work
}

// size is the length of what a candidate is made of.
func (c *Candidate) size() int {
	p := pump.Pump(c.Pump)
	return p.Fixed() + p.Unit()
}

// perPlace is how many candidates of one place are kept: the smallest.
const perPlace = 3

// A Collector keeps candidates by place. It may be used by several goroutines at a time.
type Collector struct {
	// Opened is given the first candidate of a place; nil: nobody asks. It is set before the first one is added, and must
	// not wait.
	Opened func(Candidate)

	processes *processes.Set

	mu     sync.Mutex // guards what follows
	places map[spot][]Candidate
	count  map[spot]int64     // inputs by place
	first  map[spot]time.Time // when the first was seen, by place
}

// A spot is a place where something grows. What grows by time alone is kept apart: the clock takes no candidate's room.
type spot struct {
	rank  int // 1 of what grows by time alone, which comes last
	place string
}

func (c *Candidate) spot() spot {
	at := spot{place: c.Place}
	if c.ByTime {
		at.rank = 1
	}
	return at
}

func (s spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(s.rank, o.rank), cmp.Compare(s.place, o.place))
}

// New returns a collector of candidates, to be measured in processes of a set.
func New(set *processes.Set) *Collector {
	return &Collector{processes: set, places: make(map[spot][]Candidate), count: make(map[spot]int64), first: make(map[spot]time.Time)}
}

// Add takes in what a worker has found.
func (c *Collector) Add(w *worker.Costly) {
	n := Candidate{Costly: *w}
	if len(w.Frames) > 0 {
		n.Place, _, _ = strings.Cut(w.Frames[0], " ")
	}
	if c.keep(n) && c.Opened != nil {
		c.Opened(n)
	}
}

// keep keeps a candidate, and reports whether it is the first of its place.
func (c *Collector) keep(n Candidate) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := n.spot()
	if first = c.first[at].IsZero(); first {
		c.first[at] = time.Now()
	}
	list := append(c.places[at], n)
	slices.SortStableFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.size(), b.size()), cmp.Compare(string(a.Pump.First), string(b.Pump.First)))
	})
	c.places[at] = list[:min(len(list), perPlace)]
	c.count[at] += n.Costly.Count
	return first
}

// Places returns the candidates by place, in the order of their names, those by time alone last.
func (c *Collector) Places() (list [][]Candidate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, candidates := range c.places {
		list = append(list, slices.Clone(candidates))
	}
	slices.SortFunc(list, func(a, b []Candidate) int { return a[0].spot().compare(b[0].spot()) })
	return list
}

// Count returns how many inputs were seen that do their work at the place of a candidate.
func (c *Collector) Count(n *Candidate) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count[n.spot()]
}

// First returns when the first of these inputs was seen.
func (c *Collector) First(n *Candidate) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first[n.spot()]
}

// runCPU is the processor time of one run at which an input is long enough.
const runCPU = 50 * time.Millisecond

// mosts are the lengths that an argument may have, tried one after another if the process
// dies: what recurses needs a stack that grows as the input does.
var mosts = [...]int{0, 1 << 16, 1 << 13}

// Measure measures a candidate in a fresh process. It returns nil if the process dies at all
// lengths.
func (c *Collector) Measure(ctx context.Context, n *Candidate) (*wire.Grown, error) {
	for _, most := range mosts {
		grown, err := c.measure(ctx, &wire.Grow{Growing: n.Growing, Most: most, CPU: runCPU})
		var death *worker.Death
		if errors.As(err, &death) && !death.Internal {
			continue
		}
		return grown, err
	}
	return nil, nil
}

// Again measures a candidate once more, in another fresh process, at lengths that were measured. It returns no sizes if the
// process dies.
func (c *Collector) Again(ctx context.Context, n *Candidate, measured []wire.Size) ([]wire.Size, error) {
	req := wire.Grow{Growing: n.Growing, Fuel: againFuel}
	for _, s := range measured {
		req.Times = append(req.Times, s.Times)
	}
	grown, err := c.measure(ctx, &req)
	var death *worker.Death
	switch {
	case errors.As(err, &death) && !death.Internal:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return grown.Sizes, nil
}

// againFuel is more than any length burns that was measured.
const againFuel = 1 << 40

// Stopping returns those of some mutants with which the cost of a candidate no longer grows too
// fast, and is much less at the longest of some lengths. was is what the original costs at these:
// those that the search ran, or the lengths of Longer, or those of Timed if it grows by time. A mutant that ends
// the process, or with which the input fails, is none of them. With an error, as that of ctx, the
// list has those up to there. Where same holds for two mutants, one is enough; nil: never. Of what grows
// by time, longer are lengths at which a mutant is run that was's leave in doubt; nil: these again.
func (c *Collector) Stopping(ctx context.Context, n *Candidate, was, longer []wire.Size, v *Verdict, bound float64, mutants []uint32, same func(a, b uint32) bool) (stopping []uint32, err error) {
	if len(was) < leastStopping {
		return nil, nil
	}
	var p *worker.Process
	defer func() {
		if p != nil {
			c.processes.Retire(p)
		}
	}()
	req := wire.Grow{Growing: n.Growing}
	run := func(at []wire.Size) (*wire.Grown, error) {
		req.Fuel, req.Times = v.mostStopping(at), nil
		for _, s := range at {
			req.Times = append(req.Times, s.Times)
		}
		return p.Grow(ctx, &req)
	}
	for _, m := range mutants {
		if same != nil && slices.ContainsFunc(stopping, func(have uint32) bool { return same(have, m) }) {
			continue
		}
		if p == nil {
			if p, err = c.processes.Start(ctx, false, processes.Everything); err != nil {
				return stopping, err
			}
		}
		req.Mutant = m
		stops, err := v.stopsWith(was, longer, bound, run)
		var death *worker.Death
		switch {
		case errors.As(err, &death) && !death.Internal:
			c.processes.Retire(p)
			p = nil
		case err != nil:
			return stopping, err
		case stops:
			stopping = append(stopping, m)
		}
	}
	return stopping, nil
}

func (c *Collector) measure(ctx context.Context, req *wire.Grow) (*wire.Grown, error) {
	p, err := c.processes.Start(ctx, false, processes.Everything)
	if err != nil {
		return nil, err
	}
	defer c.processes.Retire(p)
	return p.Grow(ctx, req)
}
