package selection

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Of many candidates few can stay, and there is no time to run all mutants on all of them. But
// it is known which mutants each candidate infects, and how often each mutant was run and
// killed. So the candidates that are run with mutants are those that are likely to kill most
// of what no other kills: the adaptive greedy algorithm, which takes the candidate next that
// adds most by what is known so far, and then looks what it really adds (Golovin and Krause,
// Adaptive Submodularity, JAIR 2011).

// likely is what candidates do, known and guessed.
type likely struct {
	s     *Selector
	among []Candidate
	know  trial.Knowledge
	rows  []likelyRow
	kills []int64 // by mutant: candidates that are known to kill it
	runs  []int64 // by mutant: inputs that it lived on
	fixed []bool  // by mutant: an entry that stays kills it, or it is not run
	ran   bool    // the last settle has run something
	taken []bool  // by candidate: a settle has taken it
}

// likelyRow is one candidate. Mutants that are fixed, or that live on it, are left out.
type likelyRow struct {
	killed []uint32 // mutants that it kills
	open   []uint32 // mutants that it infects, which were not run on it
}

// A plan says how candidates are settled.
type plan struct {
	n int // candidates
	// hope is the exponent of the chance that a candidate kills a mutant which another has
	// killed: below 1, what was not tried counts for more than it is likely to bring.
	hope float64
	// least is the chance below which a mutant is not run.
	least float64
}

// Plans for n entries: the first tells what the best candidates are, those after it make sure
// of it, and look for better ones.
var (
	wide   = plan{n: 4, hope: 1, least: 0.02} // times n
	sure   = plan{n: 1, hope: 1}
	daring = plan{n: 1, hope: 0.3, least: 0.02}
)

// settleLikely runs mutants on the candidates that are likely to be worth most, as long as ctx
// allows and something is left to be found out, and adds what they kill to know. The survey
// goes on in between. It returns the candidates that were taken at some time. compared says that
// the best by what was known at first were run.
func (s *Selector) settleLikely(ctx context.Context, stay *Fixed, among []Candidate, know trial.Knowledge) (taken []Candidate, compared bool, err error) {
	l := s.newLikely(stay, among, know)
	for round := 0; ; round++ {
		plans := []plan{daring, sure}
		if round == 0 {
			plans = []plan{wide, sure}
		}
		again := false
		for _, p := range plans {
			err := l.settle(ctx, p)
			if err != nil {
				return l.takenOf(), round > 0, err
			}
			again = again || l.ran
		}
		if !again && s.Survey.Done() {
			return l.takenOf(), true, nil
		}
		if err := s.Survey.Round(ctx); err != nil {
			return l.takenOf(), true, err
		}
		l.look()
	}
}

func (s *Selector) newLikely(stay *Fixed, among []Candidate, know trial.Knowledge) *likely {
	l := &likely{s: s, among: among, know: know, rows: make([]likelyRow, len(among)), taken: make([]bool, len(among)), fixed: make([]bool, len(s.Trial.Package.Program.Mutants)+1)}
	for m := range l.fixed {
		dead := s.Trial.Engine.Kills.Dead(m)
		l.fixed[m] = stay.Killed[uint32(m)] || dead && !s.undecided(uint32(m)) || !s.Trial.Focus.Mutant(uint32(m))
	}
	l.look()
	return l
}

// takenOf lists the candidates that were taken.
func (l *likely) takenOf() (list []Candidate) {
	for i, taken := range l.taken {
		if taken {
			list = append(list, l.among[i])
		}
	}
	return list
}

// look takes in what is known by now.
func (l *likely) look() {
	l.runs, l.kills = l.s.Survey.Ledger.Runs(), make([]int64, len(l.fixed))
	for i := range l.among {
		l.lookAt(i)
	}
	for m := range l.kills {
		if k, ok := l.s.Trial.Engine.Kills.First(uint32(m)); ok && l.kills[m] == 0 && k.Input != nil {
			l.kills[m] = 1 // by an entry that stays, or by an input that is none
		}
	}
}

// lookAt takes in what is known of one candidate.
func (l *likely) lookAt(i int) {
	r := &l.rows[i]
	r.killed, r.open = r.killed[:0], r.open[:0]
	var killed bitset.Set
	for _, k := range l.know[l.among[i].Input.Hash()] {
		if m := k.Mutant; !killed.Has(int(m)) && !l.fixed[m] {
			killed.Add(int(m))
			r.killed = append(r.killed, m)
			l.kills[m]++
		}
	}
	infected, lived := l.s.Survey.Ledger.Row(l.among[i].Input)
	for m := range infected.All() {
		if !l.fixed[m] && !lived.Has(m) && !killed.Has(m) {
			r.open = append(r.open, uint32(m))
		}
	}
}

// chance is how likely it is that a mutant falls on an input that infects it, and that it was
// not run on. It is fitted to what mutants do on the inputs of a search: most of those that one
// of their first runs has killed fall nearly everywhere, and of those that have lived for long
// few fall at all.
func (l *likely) chance(m uint32, hope float64) float64 {
	n := float64(l.runs[m])
	if k := float64(l.kills[m]); k > 0 {
		return math.Pow(min((k+1)/(n+k+1.1), 0.98), hope)
	}
	return 0.5 / math.Pow(1+n, 1.45)
}

// little is a chance that a mutant lives which does not count.
const little = 0.001

// attempt is one settling of candidates.
type attempt struct {
	*likely
	plan
	chances []float64 // by mutant
	lives   []float64 // by mutant: the chance that no candidate that was taken kills it
	sure    []bool    // by mutant: one that was taken is known to kill it
	waiting []int     // candidates that were taken, and not run
}

// settle takes candidates one after the other, as many as the plan says, and runs them with the
// mutants that they may kill and that no other one taken does.
func (l *likely) settle(ctx context.Context, p plan) error {
	a := &attempt{likely: l, plan: p, chances: make([]float64, len(l.fixed)), lives: make([]float64, len(l.fixed)), sure: slices.Clone(l.fixed)}
	l.ran = false
	for m := range a.chances {
		a.chances[m] = l.chance(uint32(m), p.hope)
	}
	a.reset()
	queue := a.queue(nil)
	for taken := 0; taken < p.n*l.s.Most && len(queue) > 0; {
		best := heap.Pop(&queue).(offer)
		if best.gain = a.gain(best.at); best.gain <= 0 {
			continue
		}
		if len(queue) > 0 && queue.better(queue[0], best) {
			heap.Push(&queue, best)
			continue
		}
		a.take(best.at)
		if taken++; len(a.waiting) < batch(taken, l.s.Most) && taken < p.n*l.s.Most {
			continue
		}
		if ran, err := a.run(ctx); err != nil {
			return err
		} else if ran {
			queue = a.queue(queue) // what was taken may have brought less than it seemed to
		}
	}
	_, err := a.run(ctx)
	return err
}

// batch is how many candidates are run at once: one process runs them. Those beyond the n that
// can stay matter less.
func batch(taken, n int) int {
	if taken <= n {
		return 8
	}
	return 32
}

// reset takes for granted what is sure, and nothing else.
func (a *attempt) reset() {
	for m := range a.lives {
		if a.lives[m] = 1; a.sure[m] {
			a.lives[m] = 0
		}
	}
}

// gain is how many more mutants fall, as far as can be told, if a candidate is taken.
func (a *attempt) gain(i int) (sum float64) {
	for _, m := range a.rows[i].killed {
		sum += a.lives[m]
	}
	for _, m := range a.rows[i].open {
		sum += a.lives[m] * a.chances[m]
	}
	return sum
}

// take takes a candidate. It waits if there is something to be found out.
func (a *attempt) take(i int) {
	a.likely.taken[i] = true
	for _, m := range a.rows[i].killed {
		a.sure[m], a.lives[m] = true, 0
	}
	waits := false
	for _, m := range a.rows[i].open {
		if a.lives[m] >= little {
			a.lives[m] *= 1 - a.chances[m]
			waits = waits || a.chances[m] >= a.least
		}
	}
	if waits {
		a.waiting = append(a.waiting, i)
	}
}

// run runs the candidates that wait.
func (a *attempt) run(ctx context.Context) (ran bool, err error) {
	if len(a.waiting) == 0 {
		return false, nil
	}
	ledger := a.s.Survey.Ledger
	damages := ledger.Damages()
	q := evaluate.Query{Select: wire.SelectAlive, Ledger: ledger, Exclude: func(m uint32) bool {
		return a.sure[m] || a.chances[m] < a.least || damages(m)
	}}
	for _, i := range a.waiting {
		q.Inputs = append(q.Inputs, a.among[i].Input)
	}
	ev, err := a.s.Trial.Engine.Exact.Evaluate(ctx, q)
	if ev != nil {
		a.s.Trial.Engine.Credit(ev)
		for _, k := range ev.Kills {
			a.know.Add(q.Inputs[k.Input], k.Kill)
			a.sure[k.Mutant] = true
		}
		a.runs = ledger.Runs()
		for _, i := range a.waiting {
			a.again(i)
		}
		a.ran = a.ran || slices.ContainsFunc(ev.Counts.Executed, func(n int64) bool { return n > 0 })
	}
	a.waiting = a.waiting[:0]
	a.reset()
	return true, err
}

// again takes in what was found out of a candidate.
func (a *attempt) again(i int) {
	r := &a.rows[i]
	run := slices.Concat(r.killed, r.open)
	for _, m := range r.killed {
		a.kills[m]--
	}
	a.lookAt(i)
	for _, m := range run {
		a.chances[m] = a.chance(m, a.hope)
	}
}

// queue has an offer for each candidate that was not taken: all of them, if there is no queue
// before.
func (a *attempt) queue(before offers) offers {
	if before == nil {
		for i := range a.among {
			before = append(before, offer{at: i})
		}
	}
	for n := range before {
		before[n].gain = a.gain(before[n].at)
	}
	heap.Init(&before)
	return before
}

// offer is a candidate with what it added when that was last reckoned: it adds no more now.
type offer struct {
	at   int
	gain float64
}

// offers is a heap. The best is the first: the one with the highest gain, then the
// first of the candidates.
type offers []offer

func (o offers) better(a, b offer) bool { return a.gain > b.gain || a.gain == b.gain && a.at < b.at }
func (o offers) Len() int               { return len(o) }
func (o offers) Less(i, j int) bool     { return o.better(o[i], o[j]) }
func (o offers) Swap(i, j int)          { o[i], o[j] = o[j], o[i] }
func (o *offers) Push(x any)            { *o = append(*o, x.(offer)) }

func (o *offers) Pop() any {
	last := len(*o) - 1
	x := (*o)[last]
	*o = (*o)[:last]
	return x
}
