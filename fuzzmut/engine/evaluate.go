package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Query is a list of inputs to be run exactly as given.
type Query struct {
	Inputs [][]byte
	// Select says which mutants are run: SelectAlive gives every mutant to the
	// first input that kills it, SelectInfected to every input that does, but
	// for kills that are dear (wire.Kill.Dear): they count for the first.
	Select wire.Select
	// Exclude holds for mutants that are not to be run; nil: none.
	Exclude func(m uint32) bool
	// Explain has kills say what was seen. It takes several times as long.
	Explain bool
	// Check runs the original several times and leaves unstable values out.
	Check bool
	// Infected wants the results to say which mutants an input infects.
	Infected bool
	// Fuel is about what the mutants of each worker may burn; what inputs are left
	// then are run without mutants. 0: no limit.
	Fuel int64
}

// Evaluation is the answer to a Query.
type Evaluation struct {
	// Results are by input. They list no mutants but, if wanted, those infected
	// without a kill. Of inputs that failed only Outcome is set.
	Results []wire.Result
	Kills   []Kill // by input, then in the order of mutants
	Stats   Totals
	// NotRun holds the mutants that have no verdict: no input has killed them, and
	// there is one that they were not run on, since workers were killed from outside.
	NotRun map[uint32]bool
}

// Kill says which input told a mutant from the original.
type Kill struct {
	wire.Kill
	Input int // index into Query.Inputs
}

// Evaluate runs a Query on fresh workers. The mutants are dealt out to the
// workers, each of which sees all inputs in order: so the answer does not depend
// on how many there are. Nor do the counts: a mutant counts in its own share, and
// until it is killed, since then its function may be traced no more. When ctx is
// cancelled it returns what it has and ctx's error.
func (e *Engine) Evaluate(ctx context.Context, q Query) (*Evaluation, error) {
	n := e.cfg.Parallel
	if q.Select == wire.SelectNone {
		n = 1
	}
	shares := make([]*share, n)
	e.evalDone.Store(0)
	e.evalInputs.Store(int64(len(q.Inputs)))
	e.evalWorkers.Store(int64(n))
	defer e.evalWorkers.Store(0)
	g, ctx := panics.NewGroup(ctx)
	for i := range shares {
		shares[i] = newShare(e, &q, i, n)
		g.Go(func() error { return shares[i].run(ctx) })
	}
	err := g.Wait()
	if panics.Is(err) {
		return nil, err // the shares may still be at work
	}
	ev := &Evaluation{Results: shares[0].results, Stats: newTotals(len(e.dead)), NotRun: make(map[uint32]bool)}
	for _, s := range shares {
		ev.Kills = append(ev.Kills, s.kills...)
		ev.Stats.add(&s.stats)
		s.notRun(ev.NotRun)
		if s == shares[0] {
			continue
		}
		for i, r := range s.results {
			have := &ev.Results[i]
			have.Infected = append(have.Infected, r.Infected...)
			if r.Outcome.Kind.Failed() && !have.Outcome.Kind.Failed() {
				have.Outcome = r.Outcome
			}
		}
	}
	slices.SortFunc(ev.Kills, func(a, b Kill) int {
		if a.Input != b.Input {
			return a.Input - b.Input
		}
		return int(a.Mutant) - int(b.Mutant)
	})
	return ev, err
}

func newTotals(n int) Totals {
	return Totals{Reached: make([]int64, n), Infected: make([]int64, n), Executed: make([]int64, n)}
}

func (t *Totals) add(o *Totals) {
	t.Inputs += o.Inputs
	t.Execs += o.Execs
	t.MutantExecs += o.MutantExecs
	for i := range t.Reached {
		t.Reached[i] += o.Reached[i]
		t.Infected[i] += o.Infected[i]
		t.Executed[i] += o.Executed[i]
	}
}

// share is one worker's part of an evaluation: all inputs, some of the mutants.
type share struct {
	e     *Engine
	q     *Query
	part  int
	parts int

	dead     []bool           // not to be run any more in this share
	damaging []*damaging      // to be run in processes of their own
	skip     map[int][]uint32 // by input, mutants done with there
	killedAt []int            // by mutant, the last input that killed it
	riddles  int              // deaths at the input under way that nobody is guilty of
	put      []putOff
	burned   int64 // by mutants
	results  []wire.Result
	done     int // inputs
	kills    []Kill
	stats    Totals
}

// chunk is how many inputs go into one request.
const chunk = 64

// damaging is a mutant that damages the process it is run in.
type damaging struct {
	mutant uint32
	next   int // input to be run with it
	tries  int // processes started for it
}

// isolatedTries bounds the processes started for one mutant that damages state.
const isolatedTries = 8

func newShare(e *Engine, q *Query, part, parts int) *share {
	s := &share{
		e: e, q: q, part: part, parts: parts,
		dead: make([]bool, len(e.dead)), skip: make(map[int][]uint32), killedAt: make([]int, len(e.dead)),
		results: make([]wire.Result, len(q.Inputs)), stats: newTotals(len(e.dead)),
	}
	for m := range s.dead {
		s.killedAt[m] = NoInput
		s.dead[m] = m%parts != part || q.Exclude != nil && q.Exclude(uint32(m))
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
	for s.done < len(s.q.Inputs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := s.e.start(ctx, s.q.Check, func(m uint32) bool { return s.dead[m] })
		if err != nil {
			return err
		}
		err = s.serve(ctx, p)
		s.e.retire(p)
		if err != nil {
			return err
		}
	}
	return s.tryDamaging(ctx)
}

// serve runs the inputs that are left on one process, until it is used up.
func (s *share) serve(ctx context.Context, p *worker.Process) error {
	for s.done < len(s.q.Inputs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := s.done
		req := &wire.Run{Fuel: s.q.Fuel - s.burned}
		if s.q.Fuel > 0 && req.Fuel <= 0 {
			req.Fuel = 1
		}
		for i := first; i < min(first+chunk, len(s.q.Inputs)); i++ {
			req.Items = append(req.Items, wire.Item{
				Input: s.q.Inputs[i], Select: s.q.Select, Explain: s.q.Explain, Check: s.q.Check, Skip: s.skip[i],
			})
		}
		if s.riddles > 0 {
			req.Items[0].Pause = linger
		}
		var damage *wire.Damaged
		ran, err := p.Run(ctx, req, worker.RunEvents{
			Kill:     func(k *wire.Kill) { s.kill(first+k.Item, *k) },
			Result:   func(r *wire.Result) { s.finish(first+r.Item, *r) },
			Unstable: func(u *wire.Unstable) { s.e.exclude(*u) },
			Damaged:  func(d *wire.Damaged) { damage = d },
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

func (s *share) kill(input int, k wire.Kill) {
	s.kills = append(s.kills, Kill{Kill: k, Input: input})
	s.killedAt[k.Mutant] = input
	s.count(k.Mutant)
	s.skip[input] = append(s.skip[input], k.Mutant)
	if s.q.Select == wire.SelectAlive || k.Dear() {
		s.dead[k.Mutant] = true
	}
}

func (s *share) finish(input int, r wire.Result) {
	s.done, s.riddles = input+1, 0
	s.e.evalDone.Add(1)
	// Kills are counted already, and of the others those that were run alone.
	counts := func(m uint32) bool { return !s.dead[m] && s.killedAt[m] != input }
	for _, m := range r.Reached {
		if counts(m) {
			s.stats.Reached[m]++
		}
	}
	for _, m := range r.Infected {
		if !counts(m) {
			continue
		}
		s.stats.Infected[m]++
		if r.Select != wire.SelectNone && !slices.Contains(s.skip[input], m) {
			s.stats.Executed[m]++
		}
	}
	r.Reached = nil
	if !s.q.Infected {
		r.Infected = nil
	}
	r.Infected = slices.DeleteFunc(r.Infected, func(m uint32) bool { return !counts(m) })
	s.results[input] = r
}

// count counts an input that was run with a mutant.
func (s *share) count(m uint32) {
	s.stats.Reached[m]++
	s.stats.Infected[m]++
	s.stats.Executed[m]++
}

// riddlesMost bounds the processes that may end at one input, nobody knows why.
const riddlesMost = 3

// died attributes a death to the original, or to the mutant it is a kill of. What
// blocks is what was under way; of the rest those are guilty that do it alone.
func (s *share) died(ctx context.Context, input int, d *worker.Death) error {
	s.e.logDeath(d)
	m := d.State.Mutant
	switch {
	case d.TimedOut && m == 0:
		s.finish(input, wire.Result{Outcome: s.e.deathOutcome(d)})
		return nil
	case d.TimedOut:
		s.kill(input, wire.Kill{Mutant: m, Kind: deathKind(d), Detail: deathDetail(d)})
		return nil
	case m == 0:
		a, err := s.e.runAlone(ctx, s.q.Inputs[input], d.Killed && d.State.Running)
		if err != nil {
			return err
		}
		if a.always() {
			s.finish(input, wire.Result{Outcome: a.outcome})
			return nil
		}
		if err := s.comesAndGoes(ctx, input, &a, d); err != nil {
			return err
		}
	}
	guilty := false
	for _, m := range suspects(d) {
		if s.dead[m] {
			continue
		}
		_, infected, err := s.apart(ctx, input, m)
		if err != nil {
			return err
		}
		if s.killed(m) {
			guilty = true
			continue
		}
		if len(infected) > 0 && !slices.Contains(s.skip[input], m) {
			s.stats.Executed[m]++
		}
		s.skip[input] = append(s.skip[input], m)
	}
	most := riddlesMost
	if d.Killed {
		most *= launchTries // whoever does it may be at it for a while
	}
	if s.riddles++; !guilty && s.riddles > most {
		s.putOff(input, nil)
		if d.Killed {
			s.e.fromOutside(d)
			s.finish(input, wire.Result{Outcome: wire.Outcome{Kind: wire.Skip, Message: d.Cause}})
			return nil
		}
		s.e.warn("workers die on %s (%s), which passes when it is run by itself", Describe(s.q.Inputs[input]), d.Cause)
		s.finish(input, wire.Result{Outcome: wire.Outcome{Kind: wire.Skip, Message: d.Cause}})
	}
	return nil
}

// deathKind is the kind of kill that a mutant's death is.
func deathKind(d *worker.Death) string {
	if d.TimedOut || d.State.Doom == doomFuel {
		return "fuel"
	}
	return "exit"
}

// deathDetail says how a mutant ended its process, the same in every run.
func deathDetail(d *worker.Death) string {
	switch d.State.Doom {
	case doomFuel:
		return "does not end: out of fuel, in a goroutine of its own"
	case doomExit:
		return "the process would have ended, in a goroutine of its own"
	}
	return d.Cause
}

// Why an execution was ended from inside, as the mapping shows it:
// fuzzmutrt.OutOfFuel and fuzzmutrt.Exited.
const (
	doomFuel = 1
	doomExit = 2
)

// deathOutcome describes an input that kills the process of the original.
func (e *Engine) deathOutcome(d *worker.Death) wire.Outcome {
	o := wire.Outcome{Kind: wire.Death, Message: d.Cause, Frames: worker.Frames(d.Output, e.init.UserPackages)}
	switch {
	case d.TimedOut:
		o.Kind = wire.Fuel // it blocks: fuel can't see that, but it is a hang all the same
	case d.State.Doom == doomFuel:
		o.Kind, o.Message = wire.Fuel, "does not end: out of fuel, in a goroutine of its own"
	case d.State.Doom == doomExit:
		o.Kind, o.Message = wire.Exit, "the process would have ended: os.Exit or log.Fatal was called, in a goroutine of its own"
	}
	return o
}

// isolate finds out which of the suspects damaged the process, and what they do to
// the input in processes of their own.
func (s *share) isolate(ctx context.Context, input int, d *wire.Damaged) error {
	guilty, err := s.search(ctx, input, d.Suspects)
	if err != nil || guilty {
		return err
	}
	// Nobody did it: the target itself does not always do the same.
	s.e.exclude(wire.Unstable{Value: valueOf(d), Outcome: d.Value == nil, Input: d.Input, Text: d.Text})
	if d.Value == nil {
		if err := s.lookAgain(ctx, d); err != nil {
			return err
		}
		// Nothing can be said of such an input.
		s.finish(input, wire.Result{Outcome: wire.Outcome{Kind: wire.Skip, Message: d.Text}})
	}
	return nil
}

// search runs mutants in a fresh process and, if that is damaged, one half after the
// other, until each of the guilty has been alone. It reports whether there are any.
func (s *share) search(ctx context.Context, input int, ids []uint32) (guilty bool, err error) {
	if len(ids) == 0 {
		return false, nil // the original has changed with no mutant run
	}
	damaged, infected, err := s.apart(ctx, input, ids...)
	if err != nil {
		return false, err
	}
	if damaged && len(ids) > 1 {
		half := len(ids) / 2
		left, err := s.search(ctx, input, ids[:half])
		if err != nil {
			return left, err
		}
		right, err := s.search(ctx, input, ids[half:])
		return left || right, err
	}
	for _, m := range ids {
		switch {
		case damaged:
			s.dead[m] = true
			if !s.killed(m) {
				s.count(m)
				s.damaging = append(s.damaging, &damaging{mutant: m, next: input + 1})
			}
		case slices.Contains(infected, m):
			s.stats.Executed[m]++
		}
	}
	s.skip[input] = append(s.skip[input], ids...)
	return damaged, nil
}

func valueOf(d *wire.Damaged) wire.Value {
	if d.Value == nil {
		return wire.Value{}
	}
	return *d.Value
}

func (s *share) killed(m uint32) bool { return s.killedAt[m] != NoInput }

// apart runs mutants on one input in a fresh process, and reports whether they
// damage it, and which of them the input infects and does not kill. If it is one,
// there is no doubt who did it. If the process is killed from outside, it is done
// again, and put off in the end; one mutant that is killed each time does it itself.
func (s *share) apart(ctx context.Context, input int, ids ...uint32) (damaged bool, infected []uint32, err error) {
	own := 0
	for range aloneRuns {
		var killed *worker.Death
		damaged, infected, killed, err = s.apartOnce(ctx, input, ids)
		if err != nil || killed == nil {
			return damaged, infected, err
		}
		if len(ids) == 1 && killed.State.Running && killed.State.Mutant == ids[0] {
			own++
		} else {
			s.e.fromOutside(killed)
		}
	}
	if own == aloneRuns {
		s.kill(input, wire.Kill{Mutant: ids[0], Kind: "exit", Detail: "killed by a signal each time"})
		return true, nil, nil
	}
	if len(ids) > 1 {
		return true, nil, nil
	}
	s.putOff(input, ids)
	return damaged, infected, nil
}

// apartOnce is apart in one process. It returns how that was killed from outside, if it
// was.
func (s *share) apartOnce(ctx context.Context, input int, ids []uint32) (damaged bool, infected []uint32, outside *worker.Death, err error) {
	p, err := s.e.start(ctx, s.q.Check, func(m uint32) bool { return !slices.Contains(ids, m) })
	if err != nil {
		return false, nil, nil, err
	}
	defer s.e.retire(p)
	item := wire.Item{Input: s.q.Inputs[input], Select: wire.SelectListed, Mutants: ids, Explain: s.q.Explain}
	req := &wire.Run{Items: []wire.Item{item}, Linger: linger}
	killed := func(m uint32) bool { return s.killedAt[m] == input }
	_, err = p.Run(ctx, req, worker.RunEvents{
		Kill: func(k *wire.Kill) {
			if !killed(k.Mutant) {
				s.kill(input, *k)
			}
		},
		Damaged: func(d *wire.Damaged) {
			damaged = true
			if d.Kill != nil && len(ids) == 1 {
				s.kill(input, *d.Kill)
			}
		},
		Result: func(r *wire.Result) {
			for _, m := range ids {
				if !killed(m) && slices.Contains(r.Infected, m) {
					infected = append(infected, m)
				}
			}
		},
	})
	var death *worker.Death
	if errors.As(err, &death) && !death.Internal {
		if death.Killed && !damaged {
			return false, nil, death, nil
		}
		if len(ids) > 1 {
			return true, nil, nil, nil
		}
		// It need not be under way any more. What the original does now and then is not
		// its doing either.
		if m := ids[0]; !damaged && !killed(m) && death.State.Last == m && !s.e.comesAndGoes(failure.Key(s.e.deathOutcome(death))) {
			s.kill(input, wire.Kill{Mutant: m, Kind: deathKind(death), Detail: deathDetail(death)})
			damaged = true
		}
		return damaged, infected, nil, nil
	}
	return damaged, infected, nil, err
}

// tryDamaging runs the mutants that damage state on the inputs up to where the
// others are, each in a process of its own, as far as patience goes.
func (s *share) tryDamaging(ctx context.Context) error {
	for _, d := range s.damaging {
		for ; d.next < s.done && d.tries < isolatedTries && !s.killed(d.mutant); d.next++ {
			if s.results[d.next].Outcome.Kind.Failed() {
				continue
			}
			d.tries++
			damaged, infected, err := s.apart(ctx, d.next, d.mutant)
			if err != nil {
				return err
			}
			if (damaged || len(infected) > 0) && !s.killed(d.mutant) {
				s.count(d.mutant)
			}
		}
	}
	return nil
}

// exclude notes that a value does not count from here on.
func (e *Engine) exclude(u wire.Unstable) {
	e.mu.Lock()
	for _, have := range e.unstable {
		if have.Outcome == u.Outcome && (u.Outcome || have.Value == u.Value) {
			e.mu.Unlock()
			return
		}
	}
	e.unstable = append(e.unstable, Unstable{Value: u.Value, Outcome: u.Outcome, Text: u.Text})
	e.mu.Unlock()
}
