package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Budget bounds a run. Exactly one field is set.
type Budget struct {
	Time   time.Duration
	Inputs int64
}

// Fuzz grows the corpus until the budget is used up or ctx is cancelled; that is
// not an error. Worker deaths are survived: the input at fault becomes a failing
// input, or a kill.
func (e *Engine) Fuzz(ctx context.Context, b Budget) error {
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	c := &campaign{e: e, budget: b, start: time.Now(), sched: newScheduler(e)}
	g, ctx := panics.NewGroup(ctx)
	for range e.cfg.Parallel {
		g.Go(func() error {
			s := &slot{c: c}
			return s.run(ctx)
		})
	}
	return g.Wait()
}

// campaign is one call of Fuzz: what its slots share.
type campaign struct {
	e      *Engine
	budget Budget
	start  time.Time

	mu     sync.Mutex // guards what follows, and the scheduler
	sched  *scheduler
	issued int64 // inputs given out
	rounds uint64

	pooled int // entries [0, pooled) are studied by some worker; guarded by the engine's lock
}

// slot is the place of one worker: when the process dies, the next one takes
// over its knowledge.
type slot struct {
	c *campaign

	p       *worker.Process
	known   int // entries [0, known) were sent to p
	seen    int // of engine.seen, sent to p
	deaths  int // of engine.deaths, sent to p
	barren  int // processes in a row that died without having done anything
	counted uint64
	early   *wire.Found // that the worker is making smaller
	careful bool        // the worker tells what it runs

	finds   []int // entries to study that s.p has found
	studies []int // entries that s.p was told to study and has not yet come to the end of
}

// barrenMost is how many processes in a row may die before they have run an
// input of their own: then something is wrong that a new process does not mend.
const barrenMost = 20

func (s *slot) run(ctx context.Context) error {
	defer s.drop()
	for ctx.Err() == nil {
		req, ok := s.next()
		if !ok {
			return nil
		}
		if s.p == nil {
			e := s.c.e
			p, err := e.start(ctx, false, func(m uint32) bool { return e.dead[m] || e.isDamaging(m) || !e.aims(m) })
			if err != nil {
				return err
			}
			s.p, s.known, s.seen, s.counted = p, 0, 0, 0
		}
		if err := s.round(ctx, req); err != nil {
			return err
		}
		if onRound := s.c.e.cfg.OnRound; onRound != nil {
			onRound()
		}
	}
	return nil
}

func (s *slot) drop() {
	if s.p != nil {
		s.c.e.retire(s.p)
		s.p = nil
	}
}

// next plans a round. It returns false when the budget is used up.
func (s *slot) next() (*wire.Fuzz, bool) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	req := c.sched.round()
	if c.budget.Inputs > 0 {
		left := c.budget.Inputs - c.issued
		if left <= 0 {
			return nil, false
		}
		req.Execs = min(req.Execs, left)
	}
	if req.Careful = s.careful; s.careful {
		req.Execs = 1
	}
	c.issued += req.Execs
	c.rounds++
	req.Seed = splitmix(c.e.cfg.Seed, c.rounds)
	req.Filter, req.K = c.filter()
	return req, true
}

// filter resolves split: coverage only for the first half of the budget.
func (c *campaign) filter() (string, int) {
	name := c.e.cfg.Filter
	if name != "split" {
		return name, c.e.cfg.K
	}
	first := c.issued*2 <= c.budget.Inputs
	if c.budget.Time > 0 {
		first = time.Since(c.start)*2 < c.budget.Time
	}
	if first {
		return "none", 0
	}
	return "all", 0
}

// splitmix derives independent seeds from one.
func splitmix(seed, n uint64) uint64 { return havoc.Mix(seed + n*0x9e3779b97f4a7c15) }

// tell adds to a request what the process does not know yet.
func (s *slot) tell(req *wire.Fuzz) {
	e := s.c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, en := range e.entries[s.known:] {
		if en.dropped {
			continue
		}
		req.Add = append(req.Add, wire.Entry{ID: en.ID, Input: en.Input, Run: en.Features == nil})
	}
	s.known = len(e.entries)
	req.Seen = append(req.Seen, e.seen[s.seen:]...)
	s.seen = len(e.seen)
	req.Dead = append(req.Dead, e.deaths[s.deaths:]...)
	s.deaths = len(e.deaths)
	req.Study = s.toStudy()
}

// round sends a request and takes in what comes back.
func (s *slot) round(ctx context.Context, req *wire.Fuzz) error {
	e := s.c.e
	s.tell(req)
	var damage *wire.Damaged
	var flaky []wire.Flaky
	fuzzed, err := s.p.Fuzz(ctx, req, worker.FuzzEvents{
		Found: s.found,
		Failure: func(f *wire.Failure) {
			e.failed(Failure{Input: f.Input, Key: f.Key, Outcome: f.Outcome, Cost: f.Cost}, f.Count)
		},
		Damaged: func(d *wire.Damaged) { damage = d },
		Flaky:   func(f *wire.Flaky) { flaky = append(flaky, *f) },
	})
	s.last()
	var death *worker.Death
	died := errors.As(err, &death)
	done := s.p.Counts().Inputs - s.counted
	if died && death.Garbled && death.State.Input != nil {
		done = max(done, 1) // the counter is lost, but this one was run
	}
	s.counted += done
	s.c.mu.Lock()
	s.c.issued -= req.Execs - int64(done) // what was not run can be given out again
	s.c.mu.Unlock()
	e.mu.Lock()
	e.stats.Inputs += int64(done)
	e.mu.Unlock()
	for _, f := range flaky {
		if err := e.sometimes(ctx, f, ""); err != nil {
			return err
		}
	}
	if err == nil {
		s.barren = 0
		s.studied(fuzzed.Studied)
		e.locked(func() {
			e.addStats(fuzzed.Stats)
			s.c.sched.yields(fuzzed.Yields)
		})
		if what := fuzzed.Error; what != "" {
			return &MistakeError{what}
		}
		return nil
	}
	if !died || death.Internal {
		return err
	}
	s.drop()
	s.abandon()
	if done > 0 {
		s.barren = 0
	} else if s.barren++; s.barren > barrenMost {
		return fmt.Errorf("%d test binaries in a row died before they ran an input; the last: %w", s.barren, err)
	}
	if damage != nil {
		e.locked(func() { e.addStats(damage.Stats) })
		return s.c.e.damage(context.WithoutCancel(ctx), damage)
	}
	return s.died(context.WithoutCancel(ctx), death)
}

// last takes in a find that the worker was making smaller when it died.
func (s *slot) last() {
	if f := s.early; f != nil {
		f.Early = false
		s.found(f)
	}
}

// found takes a new input into the corpus, and its kills into the kill set.
func (s *slot) found(f *wire.Found) {
	if f.Early {
		s.early = f
		return
	}
	s.early = nil
	e := s.c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	kills := 0
	for _, k := range f.Kills {
		if e.kill(k.Mutant) {
			kills++
		}
	}
	if f.Judged {
		e.judged(f, kills)
		return
	}
	if kills == 0 && !e.anyNew(f.Features) {
		return // another worker was sooner
	}
	if en := e.add(f.Input, f.Features, f.Cost, false); en != nil {
		en.Kills = kills
		en.discard = f.Discarded
		e.infects(en, f.Infects)
		en.pupil = true
		s.finds = append(s.finds, en.ID)
	}
}

// judged takes in what mutants do on an input that was found before. Its entry
// may be another worker's, or there may be none, since another was sooner. The
// caller holds the lock.
func (e *Engine) judged(f *wire.Found, kills int) {
	en := e.inputs[string(f.Input)]
	if en == nil && kills > 0 {
		en = e.add(f.Input, nil, 0, false) // its features are not told again: a worker learns them
	}
	if en != nil {
		en.Kills += kills
		e.infects(en, f.Infects)
	}
}

// anyNew reports whether one of the features is in no entry yet. The caller
// holds the lock.
func (e *Engine) anyNew(features wire.Features) bool {
	for _, f := range features {
		if !e.has(f) {
			return true
		}
	}
	return false
}

// died takes in what a worker did when it died: a kill of the mutant that was
// active, or a failing input.
func (s *slot) died(ctx context.Context, d *worker.Death) error {
	e := s.c.e
	e.logDeath(d)
	if s.careful = d.State.Input == nil && d.Garbled; s.careful {
		return nil // the next time it is known
	}
	if d.State.Input == nil {
		e.warn("a worker died on an input too large to be recorded: %s", d.Cause)
		return nil
	}
	if d.TimedOut {
		s.blocked(d)
		return nil
	}
	if d.State.Mutant == 0 {
		o := e.deathOutcome(d)
		key := failure.Key(o)
		if !d.Killed && e.comesAndGoes(key) {
			return e.sometimes(ctx, wire.Flaky{Input: d.State.Input, Outcome: o, Key: key, Failed: 1, Runs: 1}, d.Cause)
		}
		if !d.Killed && e.knows(key, d.State.Input) {
			e.drop(d.State.Input)
			e.failure(nil, key, wire.Outcome{}, "", 1)
			return nil
		}
		input, a, err := e.guiltyInput(ctx, d)
		if err != nil {
			return err
		}
		if input != nil && !a.always() {
			return e.sometimes(ctx, a.flaky(input), a.cause)
		}
		if o := a.outcome; input != nil {
			e.drop(input)
			e.failure(input, failure.Key(o), o, a.cause, 1)
			return nil
		}
	}
	input, kills, err := e.guiltyMutants(ctx, d)
	if err != nil {
		return err
	}
	if input != nil {
		s.killed(input, kills)
		return nil
	}
	return s.riddle(ctx, d)
}

// blocked takes in that a worker was ended for want of progress: what was under
// way is to blame.
func (s *slot) blocked(d *worker.Death) {
	e := s.c.e
	if m := d.State.Mutant; m != 0 {
		s.killed(d.State.Input, []Kill{{Kill: wire.Kill{Mutant: m}}})
		return
	}
	o := e.deathOutcome(d)
	key := failure.Key(o)
	e.drop(d.State.Input)
	if s.blocks(key) {
		e.failure(d.State.Input, key, o, d.Cause, 1)
	}
}

// killed takes in mutants that ended their process. The input's features are not
// known; the next worker learns them.
func (s *slot) killed(input []byte, kills []Kill) {
	e := s.c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	fresh := 0
	for _, k := range kills {
		if e.kill(k.Mutant) {
			fresh++
		}
	}
	if fresh == 0 {
		return
	}
	if en := e.add(input, nil, 0, false); en != nil {
		en.Kills = fresh
	}
}

// knows reports whether a bucket has its inputs, none of which is larger than
// this one: then it need not be run again.
func (e *Engine) knows(key string, input []byte) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.byKey[key]
	return b != nil && len(b.Inputs) > 0 && (len(b.Inputs) >= inputsPerBucket || len(b.Inputs[0]) <= len(input))
}

// riddle takes in a death that nothing which was under way explains. The mutants
// are not run any more: each time could cost a process.
func (s *slot) riddle(ctx context.Context, d *worker.Death) error {
	e := s.c.e
	switch {
	case d.Killed:
		e.fromOutside(d)
		return nil
	case d.Memory:
		e.warn("a worker %s and was replaced: the fuzz target keeps memory from one input to the next", d.Cause)
		return nil
	case d.State.Doom == doomFuel:
		return nil // of a round; with all the fuel there is it ends
	}
	e.mu.Lock()
	e.damaging = append(e.damaging, suspects(d)...)
	e.mu.Unlock()
	if d.State.Mutant != 0 {
		return nil
	}
	o := e.deathOutcome(d)
	return e.sometimes(ctx, wire.Flaky{Input: d.State.Input, Outcome: o, Key: failure.Key(o), Failed: 1, Runs: 2}, d.Cause)
}

// Describe prints an input, shortened.
func Describe(input []byte) string {
	const most = 120
	vals, err := wire.Decode(input)
	if err != nil {
		return err.Error()
	}
	var parts []string
	for _, v := range vals {
		s := fmt.Sprintf("%#v", v)
		if b, ok := v.([]byte); ok {
			s = fmt.Sprintf("[]byte(%q)", b)
		}
		if len(s) > most {
			s = s[:most] + "…"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// logDeath tells who reads the log why a worker ended.
func (e *Engine) logDeath(d *worker.Death) {
	if e.cfg.Log == nil {
		return
	}
	who := "the original"
	if m := d.State.Mutant; m > 0 && int(m) <= len(e.cfg.Program.Mutants) {
		mut := &e.cfg.Program.Mutants[m-1]
		who = fmt.Sprintf("mutant %s (%s:%d)", mut.ID, filepath.Base(mut.File), mut.Line)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.cfg.Log, "worker of %s ended with %s: %s\n", e.cfg.Fuzz.Name, who, d.Cause)
}

// impatience divides the time of an execution once an input is known to block:
// its like will be bred again and again, and each costs a process. It ends with
// the verdicts, which are those of a run that knows of no such input.
const impatience = 8

// blocks reports whether an input that ran out of time is a finding. After the
// first, time is short, and what runs out of it elsewhere may only be slow.
func (s *slot) blocks(key string) bool {
	e := s.c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.impatient {
		return e.byKey[key] != nil
	}
	e.impatient = true
	return true
}

// drop takes an entry out of the corpus that now ends the process: the next
// worker would not survive learning it.
func (e *Engine) drop(input []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if en := e.inputs[string(input)]; en != nil {
		en.dropped = true
		e.disown(en)
	}
}

// inputsPerBucket bounds the inputs kept of one bucket.
const inputsPerBucket = 16

// failure puts a failing input into its bucket. A nil input only counts.
func (e *Engine) failure(input []byte, key string, o wire.Outcome, cause string, count int64) {
	e.failed(Failure{Input: input, Key: key, Outcome: o, Cause: cause}, count)
}

func (e *Engine) failed(f Failure, count int64) {
	e.mu.Lock()
	b := e.byKey[f.Key]
	if f.First = b == nil; f.First {
		b = &Bucket{Key: f.Key, Outcome: f.Outcome}
		e.byKey[f.Key] = b
		e.buckets = append(e.buckets, b)
	}
	b.Count += count
	kept := f.Input != nil && b.keep(f.Input)
	f.Known = len(e.entries)
	e.mu.Unlock()
	if kept && e.cfg.OnFailure != nil {
		e.cfg.OnFailure(f)
	}
}

// keep inserts an input, the smallest first, and reports whether it was kept.
func (b *Bucket) keep(input []byte) bool {
	at := len(b.Inputs)
	for i, have := range b.Inputs {
		if string(have) == string(input) {
			return false
		}
		if at == len(b.Inputs) && (len(input) < len(have) || len(input) == len(have) && string(input) < string(have)) {
			at = i
		}
	}
	if at >= inputsPerBucket {
		return false
	}
	b.Inputs = append(b.Inputs, nil)
	copy(b.Inputs[at+1:], b.Inputs[at:])
	b.Inputs[at] = input
	if len(b.Inputs) > inputsPerBucket {
		b.Inputs = b.Inputs[:inputsPerBucket]
	}
	return true
}

func (e *Engine) isDamaging(m uint32) bool {
	for _, d := range e.damaging {
		if d == m {
			return true
		}
	}
	return false
}

// damage finds out who made a worker's original differ from itself: a mutant
// that changed global state, or the target's own mood. The worker is gone.
func (e *Engine) damage(ctx context.Context, d *wire.Damaged) error {
	s := newShare(e, &Query{Inputs: [][]byte{d.Input}, Select: wire.SelectAlive}, 0, 1)
	if err := s.isolate(ctx, 0, d); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range s.damaging {
		e.damaging = append(e.damaging, d.mutant)
	}
	fresh := 0
	for _, k := range s.kills {
		if e.kill(k.Mutant) {
			fresh++
		}
	}
	if fresh > 0 {
		if en := e.add(d.Input, nil, 0, false); en != nil {
			en.Kills = fresh
		}
	}
	return nil
}
