package evaluate

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/kills"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// share is one worker's part of an evaluation: all inputs, some of the mutants.
type share struct {
	e     *Evaluator
	procs *processes.Set
	alone alone.Runner
	q     *Query
	part  int
	parts int

	dead        []bool           // no longer to be run in this share
	known       map[int][]uint32 // by input, the mutants that it is known to kill first
	damaging    []*damaging      // to be run in separate processes
	skip        map[int][]uint32 // by input, mutants done with there
	left        map[int][]uint32 // by input of the request in progress, those that lived there before, ascending
	tried       []uint32         // not run in the request in progress since they have had their tries, ascending
	killedAt    []int            // by mutant, the last input that killed it
	unexplained int              // deaths at the input in progress that nobody is guilty of
	put         []putOff
	burned      int64 // by mutants
	results     []wire.Result
	done        int   // inputs
	failed      int   // of these
	cost        int64 // of these
	kills       []Kill
	inside      map[uint32]*inside
	counts      kills.Counts
	before      []int64 // by mutant, on how many inputs it lived before
}

// chunk is how many inputs go into one request.
const chunk = 64

// triesChunk is chunk where mutants have a number of tries: they end with a request.
const triesChunk = 8

// limitedChunk is chunk where inputs may end the evaluation: a request runs to its end.
const limitedChunk = 8

func newShare(e *Evaluator, q *Query, part, parts int) *share {
	n := e.mutants()
	s := &share{
		e: e, procs: e.procs, alone: e.alone, q: q, part: part, parts: parts,
		dead: make([]bool, n+1), skip: make(map[int][]uint32), killedAt: make([]int, n+1),
		results: make([]wire.Result, len(q.Inputs)), counts: kills.NewCounts(n), inside: make(map[uint32]*inside),
		left: make(map[int][]uint32), before: make([]int64, n+1),
	}
	for m := range s.dead {
		s.killedAt[m], s.before[m] = NoInput, q.Ledger.ran(uint32(m))
		s.dead[m] = m%parts != part || q.Exclude != nil && q.Exclude(uint32(m))
	}
	if len(q.Known) > 0 {
		s.known = make(map[int][]uint32)
	}
	for m := range s.dead {
		if input, ok := q.Known[uint32(m)]; ok && !s.dead[m] {
			s.known[input] = append(s.known[input], uint32(m))
		}
	}
	return s
}

func (s *share) run(ctx context.Context) error {
	if err := s.runAll(ctx); err != nil {
		return err
	}
	return s.takeUp(ctx)
}

// runAll runs all inputs but for what has to be put off.
func (s *share) runAll(ctx context.Context) error {
	for s.more() {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := s.procs.StartWithin(ctx, s.q.Limit, s.q.Check, func(m uint32) bool { return s.dead[m] && !s.q.Trace })
		if err != nil {
			return err
		}
		err = s.serve(ctx, p)
		s.procs.Retire(p)
		if err != nil {
			return err
		}
	}
	return s.tryDamaging(ctx)
}

// more says whether there are inputs left to run.
func (s *share) more() bool {
	return s.done < len(s.q.Inputs) && (s.q.Failures == 0 || s.failed < s.q.Failures) && (s.q.Cost == 0 || s.cost < s.q.Cost)
}

// serve runs the inputs that are left on one process, until it is used up.
func (s *share) serve(ctx context.Context, p *worker.Process) error {
	for s.more() {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := s.done
		req := &wire.Run{Fuel: s.q.Fuel - s.burned}
		if s.q.Fuel > 0 && req.Fuel <= 0 {
			req.Fuel = 1
		}
		size := chunk
		if s.q.Tries > 0 {
			size = min(chunk, max(triesChunk, int(s.q.Tries)/4))
		}
		if s.q.Failures > 0 || s.q.Cost > 0 {
			size = limitedChunk
		}
		s.tried = s.tired()
		req.Skip = s.tried
		if req.Trace = s.q.Trace; req.Trace {
			req.Skip = s.skipped()
		}
		clear(s.left)
		for i := first; i < min(first+size, len(s.q.Inputs)); i++ {
			s.left[i] = s.q.Ledger.done(s.q.Inputs[i], func(m uint32) bool { return !s.dead[m] })
			item := wire.Item{
				Input: s.q.Inputs[i].Wire(), Select: s.q.Select, Explain: s.q.Explain, Check: s.q.Check, Skip: slices.Concat(s.skip[i], s.left[i]),
			}
			if s.q.Select == wire.SelectListed {
				item.Mutants = s.listed(i)
			} else {
				item.Known = s.known[i]
			}
			req.Items = append(req.Items, item)
		}
		if s.unexplained > 0 {
			req.Items[0].Pause = alone.Linger
		}
		var damage *worker.Damaged
		ran, err := p.Run(ctx, req, worker.RunEvents{
			Kill:     func(k *wire.Kill) { s.kill(first+k.Item, *k) },
			Result:   func(r *wire.Result) { s.finish(first+r.Item, *r) },
			Unstable: func(u *wire.Unstable) { s.procs.Exclude(*u) },
			Damaged:  func(d *worker.Damaged) { damage = d },
		})
		if err == nil {
			s.burned += ran.Fuel
			if s.done < first+len(req.Items) {
				return ctx.Err() // stopped early
			}
			if err := s.tryDamaging(ctx); err != nil {
				return err
			}
			continue
		}
		var death *worker.Death
		if !errors.As(err, &death) || death.Internal {
			return err
		}
		if damage != nil {
			return s.isolate(ctx, s.done, damage)
		}
		return s.died(ctx, min(s.done, len(s.q.Inputs)-1), death)
	}
	return nil
}

// skipped lists the mutants that are traced and not run, ascending: those that are done with,
// and those that have had their tries.
func (s *share) skipped() (list []uint32) {
	for m := range s.dead {
		if _, tried := slices.BinarySearch(s.tried, uint32(m)); m > 0 && (s.dead[m] || tried) {
			list = append(list, uint32(m))
		}
	}
	return list
}

// tired lists the mutants that have had their tries, ascending. They are no longer run,
// but counted where inputs infect them.
func (s *share) tired() (list []uint32) {
	if s.q.Tries == 0 {
		return nil
	}
	for m := range s.dead {
		if !s.dead[m] && s.counts.Executed[m]+s.before[m] >= s.q.Tries {
			list = append(list, uint32(m))
		}
	}
	return list
}

// listed lists the mutants of the share whose kill by an input is known, but for those that
// are done with.
func (s *share) listed(input int) []uint32 {
	return slices.DeleteFunc(slices.Clone(s.known[input]), func(m uint32) bool { return s.dead[m] })
}

// inside is a mutant whose kills so far are only inside.
type inside struct {
	at    int // the first of them, in share.kills
	tries int // inputs with one
}

// enter enters a kill, and reports whether the mutant is done with. Where one kill of a
// mutant is wanted, one that a caller can see takes the place of one that is only inside.
func (s *share) enter(k Kill) (done bool) {
	in := s.inside[k.Mutant]
	switch {
	case s.q.Select != wire.SelectAlive:
		s.kills = append(s.kills, k)
		return k.Kind.Dear()
	case in == nil:
		if k.Kind == oracle.OnlyInside {
			in = &inside{at: len(s.kills)}
			s.inside[k.Mutant] = in
		}
		s.kills = append(s.kills, k)
	case k.Kind != oracle.OnlyInside:
		s.kills[in.at] = k
	}
	if k.Kind != oracle.OnlyInside {
		return true
	}
	in.tries++
	return in.tries >= wire.InsideTries
}

func (s *share) kill(input int, k wire.Kill) {
	if s.dead[k.Mutant] && s.inside[k.Mutant] != nil {
		return // done with, which the process did not know
	}
	if s.enter(Kill{Kill: k, Input: input}) {
		s.dead[k.Mutant] = true
	}
	s.killedAt[k.Mutant] = input
	s.counts.Run(k.Mutant)
	s.skip[input] = append(s.skip[input], k.Mutant)
}

func (s *share) finish(input int, r wire.Result) {
	s.done, s.unexplained = input+1, 0
	if s.cost += r.Cost; r.Outcome.Kind.Failed() {
		s.failed++
	}
	s.e.done.Add(1)
	if s.q.Check && !r.Outcome.Kind.Failed() {
		s.procs.Note(r.Noisy)
	}
	// Kills are counted already, and of the others those that were run alone.
	counts := func(m uint32) bool { return !s.dead[m] && s.killedAt[m] != input }
	for _, m := range r.Reached {
		if counts(m) {
			s.counts.Reached[m]++
		}
	}
	var lived []uint32
	for _, m := range r.Infected {
		if !counts(m) {
			continue
		}
		s.counts.Infected[m]++
		ran := r.Select != wire.SelectNone && !slices.Contains(s.skip[input], m)
		for _, not := range [][]uint32{s.left[input], s.tried} {
			if _, left := slices.BinarySearch(not, m); left {
				ran = false
			}
		}
		if ran && (r.Select != wire.SelectListed || slices.Contains(s.known[input], m)) {
			s.counts.Executed[m]++
			lived = append(lived, m)
		}
	}
	if s.q.Ledger != nil {
		infected := slices.DeleteFunc(slices.Clone(r.Infected), func(m uint32) bool { return !s.q.Trace && !counts(m) })
		s.q.Ledger.enter(s.q.Inputs[input], infected, lived)
	}
	if s.q.Select == wire.SelectAlive {
		for _, m := range s.known[input] {
			s.dead[m] = true
		}
	}
	if !s.q.Reached {
		r.Reached = nil
	}
	r.Reached = slices.DeleteFunc(r.Reached, func(m uint32) bool { return !counts(m) })
	if !s.q.Infected {
		r.Infected = nil
	}
	r.Infected = slices.DeleteFunc(r.Infected, func(m uint32) bool { return !counts(m) })
	s.results[input] = r
}
