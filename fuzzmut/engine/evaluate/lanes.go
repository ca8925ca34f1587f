package evaluate

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// The mutants that act before the first input are divided into lanes. A lane is judged by one
// goroutine, and what it does depends on nothing but its mutants. Lanes count in their order:
// those after the one that burns the last of the budget do not, even if another goroutine has
// judged them meanwhile. So neither the clock nor the number of processes decides.

const (
	lanesWanted = 8
	laneLeast   = 64
	laneMost    = 256
)

// processFuel is what starting a process costs, about 10 ms, as fuel: about a nanosecond a unit.
const processFuel = 10_000_000

// lane is a part of the mutants, and what became of them.
type lane struct {
	*starter
	todo   []*instrument.Mutant
	out    *Starting
	burned int64  // at the prices of StartQuery.Fuel
	limit  int64  // for that; 0: none
	judged bool   // all of it
	tell   func() // that something has become of a mutant
}

// lanes is the lanes of one EvaluateStart.
type lanes struct {
	mu     sync.Mutex
	list   []*lane
	next   int // nobody has taken this one
	counts int // lanes before this one count
	burned int64
	limit  int64
	over   bool // the lanes from counts on do not count
}

// inLanes judges mutants.
func (s *starter) inLanes(ctx context.Context, q *StartQuery, todo []*instrument.Mutant) error {
	all := &lanes{limit: q.Fuel}
	var judged atomic.Int64
	tell := func() {
		if n := judged.Add(1); q.Progress != nil {
			q.Progress(int(n), len(todo))
		}
	}
	_, timed := ctx.Deadline()
	for _, part := range divided(todo, q, timed) {
		all.list = append(all.list, &lane{starter: s, todo: part, out: newStarting(), limit: q.Fuel, tell: tell})
	}
	g, ctx := panics.NewGroup(ctx)
	for range min(s.procs.Parallel(), len(all.list)) {
		g.Go(func() error {
			for l := all.take(); l != nil; l = all.take() {
				if err := l.run(ctx); err != nil {
					return err
				}
				all.finish(l)
			}
			return nil
		})
	}
	err := g.Wait()
	for i, l := range all.list {
		if i < all.counts {
			s.out.Add(l.out)
			continue
		}
		for _, m := range l.todo {
			s.out.Left[uint32(m.Index)] = NoBudget
		}
	}
	return err
}

// divided returns the mutants in lanes, in the order in which these count.
func divided(todo []*instrument.Mutant, q *StartQuery, timed bool) (parts [][]*instrument.Mutant) {
	bounded := q.Fuel > 0 || timed
	size := min(max(len(todo)/lanesWanted, laneLeast), laneMost)
	draw := func(list []*instrument.Mutant, salt uint64) {
		var some [][]*instrument.Mutant
		n := max(1, (len(list)+size-1)/size)
		for part := range slices.Chunk(list, max(1, (len(list)+n-1)/n)) {
			some = append(some, part)
		}
		if bounded {
			rand.New(rand.NewPCG(q.Seed, salt)).Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		}
		parts = append(parts, some...)
	}
	var first, others []*instrument.Mutant
	for _, m := range todo {
		if bounded && q.First != nil && q.First(uint32(m.Index)) {
			first = append(first, m)
		} else {
			others = append(others, m)
		}
	}
	draw(first, 0)
	draw(others, 1)
	return parts
}

// take returns a lane that nobody has taken, nil if there is none, or none that would count.
func (s *lanes) take() *lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.next == len(s.list) {
		return nil
	}
	s.next++
	return s.list[s.next-1]
}

// finish counts a lane that is judged, and those after it that have waited for it.
func (s *lanes) finish(l *lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.judged = true
	for s.counts < len(s.list) && s.list[s.counts].judged && !s.over {
		s.burned += s.list[s.counts].burned
		s.counts++
		s.over = s.limit > 0 && s.burned >= s.limit
	}
}

// Without is what is known without the kills for which gone holds, and the mutants of these.
func (s *Starting) Without(gone func(k *Kill) bool) (rest *Starting, lost map[uint32]bool) {
	rest, lost = newStarting(), make(map[uint32]bool)
	rest.Add(s)
	rest.Kills = nil
	for i := range s.Kills {
		if k := &s.Kills[i]; gone(k) {
			lost[k.Mutant] = true
			delete(rest.Judged, k.Mutant)
		} else {
			rest.Kills = append(rest.Kills, *k)
		}
	}
	maps.Copy(rest.Reached, s.Reached)
	maps.Copy(rest.Infected, s.Infected)
	return rest, lost
}

// Add adds what became of other mutants.
func (s *Starting) Add(o *Starting) {
	s.Kills = append(s.Kills, o.Kills...)
	maps.Copy(s.Judged, o.Judged)
	maps.Copy(s.Left, o.Left)
	maps.Copy(s.Reused, o.Reused)
	for m, n := range o.Executed {
		s.Executed[m] += n
	}
	for m, n := range o.Processes {
		s.Processes[m] += n
	}
}

// spent says that the budget is used up by this lane alone.
func (l *lane) spent() bool { return l.limit > 0 && l.burned >= l.limit }

// run judges the mutants of the lane.
func (l *lane) run(ctx context.Context) error {
	for _, m := range l.todo {
		if l.spent() {
			l.leave(uint32(m.Index), NoBudget)
			l.tell()
			continue
		}
		if err := l.judge(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// price is what one process costs that starts and runs all inputs, as fuel of the original.
func (l *lane) price() int64 {
	sum := processFuel + l.base
	for i := range l.items {
		sum += l.items[i].Ref.Cost
	}
	return sum
}

// charge charges for a start that does not end.
func (l *lane) charge(d *worker.Death) {
	if startDoesNotEnd(d) {
		l.burned += l.fuel
	}
}
