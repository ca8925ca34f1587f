package loop

import (
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// fuzz serves one round: children of the given parents, until the executions are
// used up or the coordinator wants to stop.
func (l *Loop) fuzz(req *wire.Fuzz) error {
	for _, id := range req.Dead {
		l.muts.kill(id)
	}
	var mistake *userError
	err := l.values.begin(req.Seed, l.dict, l.constants)
	for _, e := range req.Add {
		vals, bad := l.decode(e.Input)
		if bad != nil {
			return bad
		}
		l.entries[e.ID] = vals
		if e.Run {
			l.learn(vals)
		}
		if err == nil {
			err = l.meet(e.Input, vals)
		}
	}
	l.cov.see(req.Seen)
	l.suspect = req.Limit
	begin, inside := time.Now(), l.x.inside
	r := &round{Loop: l, rng: l.rng, slow: req.Slow, order: req.Seed}
	r.rng.SetState(havoc.NewRand(req.Seed).State())
	r.filter = newFilter(req.Filter, req.K, l.muts, r.rng, l.adaptive)
	for _, p := range req.Parents {
		vals, ok := l.entries[p.ID]
		if !ok {
			continue
		}
		r.add(entry{id: p.ID, vals: vals}, uint64(p.Weight))
	}
	if len(r.parents) == 0 {
		r.add(entry{id: noID, vals: l.target.zero()}, 1)
	}
	l.search.idle = req.Filter == "none"
	l.student.assign(req.Study)
	l.student.found = 0
	for n := int64(0); err == nil && n < req.Execs && !l.shared.Stopping() && (l.student.found == 0 || n < hotRound); n++ {
		err = r.turn()
	}
	if err != nil && !errors.As(err, &mistake) {
		return err
	}
	l.flushFailures()
	stats := l.muts.take()
	stats.Time, stats.Inside = time.Since(begin), l.x.inside-inside
	done := wire.Fuzzed{Stats: stats, Yields: r.yields(), Studied: l.student.report()}
	if l.values != nil {
		l.values.take(&done.Stats)
	}
	if mistake != nil {
		done.Error = mistake.Error()
	}
	return l.reply(wire.Reply{Fuzzed: &done})
}

// hotRound is how long a round goes on when studying has found an entry, which is to
// be studied in turn.
const hotRound = 64

// learn runs an entry for its coverage.
func (l *Loop) learn(vals []any) {
	l.setInput(vals)
	l.cov.clear()
	ex := l.x.original(clone(vals), hangFuel)
	l.muts.count.execs++
	if !ex.kind.Failed() {
		l.cov.merge()
	}
}

// round is one request's worth of fuzzing.
type round struct {
	*Loop
	rng     *havoc.Rand
	filter  filter
	slow    int64  // fuel above which an input has to cover a new block
	order   uint64 // of maps, in the next input's first run
	child   []any  // reused; the byte slices in it are not
	parents []entry
	total   uint64
	brought int64         // by the input under way
	fresh   wire.Features // features that the input under way is the first to have
	wanted  bool          // the input under way is the choice of the strategy of values
}

func (r *round) other() []any { return r.parents[r.rng.Intn(len(r.parents))].vals }

// step breeds one input and runs it.
func (r *round) step(parent []any) error {
	if r.values.breeds() {
		return r.breed(parent)
	}
	r.child = r.mutator.Mutate(r.child, parent, r.other)
	return r.run(r.child, false)
}

// run runs an input that nobody has run before. The target may keep and change its
// bytes.
func (r *round) run(vals []any, studying bool) error {
	r.search.wanted = r.search.wanted[:0]
	r.shared.NextInput()
	if studying && r.values.breeds() {
		vals = []any{r.values.canonical(r.values.bytes(vals), r.mostLen)}
	}
	r.setInput(vals)
	return r.try(vals, studying)
}

// try runs the input that the mapping holds.
func (r *round) try(vals []any, studying bool) error {
	r.fresh = nil
	r.cov.clear()
	r.order++ // what fails with maps in one order may pass in others
	ex := r.x.ordered(r.order, func() execution { return r.x.original(vals, r.suspect) })
	r.muts.count.execs++
	if r.values != nil {
		r.values.count(ex)
		r.values.observe(ex, r.cov)
	}
	if ex.kind.Failed() {
		return r.failed(ex)
	}
	novel := r.cov.novel()
	if novel > 0 && ex.burned > r.slow && !r.cov.novelBlock() {
		novel = 0 // a loop that turns more often: there is no end to that
	}
	hunting, later := r.filter.trace(novel)
	hunting = hunting || len(r.search.wanted) > 0
	if novel == 0 && !hunting {
		r.filter.spent(ex.burned, 0, 0)
		return nil
	}
	path := r.cov.path()
	vals, err := r.current() // as they were
	if err != nil {
		return err
	}
	found := wire.Found{Cost: ex.burned, Discarded: r.values != nil && ex.kind == wire.Skip}
	if novel > 0 {
		found.Features = r.cov.features()
		r.fresh = r.cov.fresh()
		r.cov.merge()
	}
	var damage *verdict
	if hunting {
		if damage, err = r.hunt(vals, path, ex, &found); err != nil {
			return err
		}
	} else {
		r.filter.spent(ex.burned, 0, 0)
	}
	if novel > 0 || len(found.Kills) > 0 {
		r.brought += int64(min(novel, yieldMost) + len(found.Kills))
		if damage == nil {
			if vals, err = r.shrink(vals, ex, &found); err != nil {
				return err
			}
		}
		if later && !hunting {
			r.adaptive.wait(waiting{vals: vals, path: path})
		}
		found.Input = wire.Encode(vals)
		if found.Features == nil {
			r.cov.clear()
			r.x.original(clone(vals), r.suspect)
			found.Features = r.cov.features()
		}
		if found.Cost <= r.slow && !found.Discarded {
			r.add(entry{id: noID, vals: vals}, max(r.total/uint64(len(r.parents)), 1)*2)
		}
		if studying {
			r.student.found++
		}
		if err := r.reply(wire.Reply{Found: &found}); err != nil {
			return err
		}
	}
	if damage != nil {
		return r.damaged(vals, damage)
	}
	if found.Input != nil && r.values.learns() {
		r.values.known[string(found.Input)] = true
		r.values.seen.kills = len(found.Kills)
		return r.share(vals)
	}
	return nil
}

// judge runs mutants on the input that has waited longest, if there is one and the
// filter has fuel for it.
func (r *round) judge() (ran bool, err error) {
	f, ok := r.filter.(*filterAdaptive)
	if !ok {
		return false, nil
	}
	w, ok := f.next()
	if !ok {
		return false, nil
	}
	r.setInput(w.vals)
	ref := r.muts.reference(w.vals, r.suspect, false)
	if ref.ex.kind.Failed() {
		return true, r.failed(ref.ex)
	}
	living := r.muts.living(ref.infected)
	infected := len(living)
	picked := f.pick(living, w.path, ref.ex.burned)
	v, spent := r.muts.runPicked(w.vals, picked, ref)
	// Those that were not picked count when the input is scored: it is kept.
	kills := float64(len(v.kills)*infected) / float64(max(len(picked), 1))
	f.judged(spent, kills)
	found := wire.Found{Judged: true, Input: wire.Encode(w.vals), Kills: v.kills, Infects: r.muts.living(ref.infected)}
	if err := r.reply(wire.Reply{Found: &found}); err != nil || !v.damaged {
		return true, err
	}
	return true, r.damaged(w.vals, &v)
}

// hunt runs mutants on an input and notes the kills in found.
func (r *round) hunt(vals []any, path uint64, ex execution, found *wire.Found) (*verdict, error) {
	ref := r.muts.reference(vals, r.suspect, false)
	if ref.ex.kind.Failed() && ref.ex.kind != wire.Fuel {
		return nil, r.sometimes(vals, r.lastFailure(ref.ex), 1, 2)
	}
	if ref.ex.kind != ex.kind {
		v := verdict{damaged: true, text: outcomeChanged(ex.kind, ref.ex.kind)}
		return &v, nil
	}
	living := r.muts.living(ref.infected)
	r.brought += int64(min(r.muts.meet(living), yieldMost))
	picked := r.filter.pick(living, path, ref.ex.burned)
	picked = r.search.also(picked, r.muts.living(ref.infected))
	v, spent := r.muts.runPicked(vals, picked, ref)
	r.filter.spent(ex.burned, spent, len(v.kills))
	found.Kills = v.kills
	found.Infects = r.muts.living(ref.infected) // pick has changed the other list
	if v.damaged {
		return &v, nil
	}
	return nil, nil
}

// damaged reports that the process can't go on, and why.
func (l *Loop) damaged(vals []any, v *verdict) error {
	l.flushFailures()
	d := wire.Damaged{Input: wire.Encode(vals), Suspects: v.suspects, Text: v.text, Value: v.value, Kill: v.lastKill, Stats: l.muts.take()}
	if err := l.reply(wire.Reply{Damaged: &d}); err != nil {
		return err
	}
	return errDamaged
}

// failures of one bucket seen by this worker.
type bucketState struct {
	reported int   // inputs sent
	smallest int   // encoded length of the smallest sent
	unsent   int64 // executions not yet reported
	last     wire.Failure
}

// inputsPerBucket bounds what a worker sends of one bucket, besides inputs that
// are smaller than any before.
const inputsPerBucket = 4

// failed handles an input on which the original fails: once more with details,
// in doubt with all the fuel there is, and into its bucket.
func (r *round) failed(ex execution) error {
	var o wire.Outcome
	if ex.kind == wire.Fuel {
		// Most that run out of fuel do it where others did before.
		o = r.outcome(ex)
		key := failure.Key(o)
		if r.merelySlow[key] {
			return nil
		}
		if _, known := r.failures[key]; known && r.failures[key].reported >= inputsPerBucket {
			r.failures[key].unsent++
			return nil
		}
	}
	vals, err := r.current()
	if err != nil {
		return err
	}
	if ex.kind == wire.Fuel {
		key := failure.Key(o)
		if _, known := r.failures[key]; known {
			return r.fail(vals, o, ex.burned)
		}
		if o = r.Loop.detailed(vals, hangFuel); !o.Kind.Failed() {
			r.merelySlow[key] = true
			return nil
		}
		return r.fail(vals, o, ex.burned)
	}
	first := r.lastFailure(ex)
	r.x.order = r.order
	o = r.Loop.detailed(vals, r.suspect)
	if r.x.order = 0; !o.Kind.Failed() {
		return r.sometimes(vals, first, 1, 2)
	}
	if failed := r.failures[failure.Key(o)]; failed == nil || failed.reported < inputsPerBucket {
		if n := r.failsAgain(vals, certainRuns); n < certainRuns {
			return r.sometimes(vals, o, 2+n, 2+certainRuns)
		}
	}
	return r.fail(vals, o, ex.burned)
}

// detailed runs the original and tells all about how it ended.
func (l *Loop) detailed(vals []any, fuel int64) wire.Outcome {
	l.x.detail = true
	ex := l.x.original(clone(vals), fuel)
	l.x.detail = false
	l.muts.count.execs++
	return l.outcome(ex)
}

func (l *Loop) outcome(ex execution) wire.Outcome {
	o := wire.Outcome{Kind: ex.kind, Message: ex.message}
	if ex.stack != nil {
		o.Frames = frames(ex.stack, l.prefixes)
	}
	if ex.kind == wire.Fuel {
		if at := l.x.window.loopOf(o.Frames, ex.turning); at >= 0 {
			o.Frames, o.Loop = o.Frames[at:], true
		}
	}
	return o
}

func (l *Loop) fail(vals []any, o wire.Outcome, burned int64) error {
	key := failure.Key(o)
	b := l.failures[key]
	if b == nil {
		b = &bucketState{}
		l.failures[key] = b
		l.failureKeys = append(l.failureKeys, key)
	}
	b.unsent++
	input := wire.Encode(vals)
	b.last = wire.Failure{Outcome: o, Key: key, Cost: burned}
	if b.reported >= inputsPerBucket && len(input) >= b.smallest {
		return nil
	}
	if b.reported == 0 || len(input) < b.smallest {
		b.smallest = len(input)
	}
	b.reported++
	f := b.last
	f.Input, f.Count, b.unsent = input, b.unsent, 0
	return l.reply(wire.Reply{Failure: &f})
}

// flushFailures reports the executions of known buckets that were only counted.
func (l *Loop) flushFailures() {
	for _, key := range l.failureKeys {
		b := l.failures[key]
		if b.unsent == 0 {
			continue
		}
		f := b.last
		f.Count, b.unsent = b.unsent, 0
		l.reply(wire.Reply{Failure: &f}) //nolint:errcheck // the round's own reply will meet the same error
	}
}
