package fuzzing

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/filter"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// find is an input that is worth a closer look: it covers something new, or the filter
// wants mutants run on it.
type find struct {
	vals   []any // as the target was given them
	ex     exec.Execution
	novel  int              // features that no input before has
	path   uint64           // hash of its coverage
	told   wire.Found       // what is reported of it
	damage *mutants.Verdict // the process can't go on after it; nil: it can
}

// yieldMost bounds what one find counts for in new features, or new infections: what
// matters is how often something is found.
const yieldMost = 4

// find looks closer at the input in progress. What it covers counts as seen from here on.
func (r *round) find(ex exec.Execution, novel int) (*find, error) {
	f := &find{ex: ex, novel: novel, path: r.Cov.Path()}
	var err error
	if f.vals, err = current(r.Conn, r.Target); err != nil {
		return nil, err
	}
	f.told = wire.Found{Cost: ex.Burned, Discarded: r.Values != nil && ex.Kind == wire.Skip}
	if novel > 0 {
		f.told.Features = r.Cov.Features()
		r.fresh = r.Cov.Fresh()
		r.Cov.Merge()
	}
	return f, nil
}

// hunt runs mutants on a find and notes the kills.
func (r *round) hunt(f *find) error {
	ref := r.Muts.Reference(f.vals, r.suspect, false)
	if ref.Ex.Kind.Failed() && ref.Ex.Kind != wire.Fuel {
		return r.failures.sometimes(f.vals, r.Exec.LastFailure(ref.Ex), 1, 2)
	}
	if ref.Ex.Kind != f.ex.Kind {
		f.damage = &mutants.Verdict{Damaged: true, Text: mutants.OutcomeChanged(f.ex.Kind, ref.Ex.Kind)}
		return nil
	}
	living := r.Muts.Living(ref.Infected)
	r.brought += int64(min(r.Muts.Meet(living), yieldMost))
	picked := r.filter.Pick(living, f.path, ref.Ex.Burned)
	picked = r.search.also(picked, r.Muts.Living(ref.Infected))
	v, spent := r.Muts.RunPicked(f.vals, picked, ref)
	r.filter.Spent(f.ex.Burned, spent, len(v.Kills))
	f.told.Kills = v.Kills
	f.told.Infects = r.Muts.Living(ref.Infected) // Pick has changed the other list
	if v.Damaged {
		f.damage = &v
	}
	return nil
}

// worthKeeping reports whether a find goes into the corpus.
func (f *find) worthKeeping() bool { return f.novel > 0 || len(f.told.Kills) > 0 }

// keep makes a find smaller, reports it, and makes a parent of it. If its mutants are to
// be run later, it waits for that.
func (r *round) keep(f *find, studying, waits bool) (err error) {
	news := int64(min(f.novel, yieldMost) + len(f.told.Kills))
	r.brought, r.news = r.brought+news, r.news+news
	if f.damage == nil {
		if f.vals, err = r.shrink(f.vals, f.ex, &f.told); err != nil {
			return err
		}
	}
	if waits {
		r.adaptive.Wait(filter.Waiting{Vals: f.vals, Path: f.path})
	}
	f.told.Input = wire.Encode(f.vals)
	if f.told.Features == nil {
		r.Cov.Clear()
		r.Exec.Original(exec.Clone(f.vals), r.suspect)
		f.told.Features = r.Cov.Features()
	}
	if f.told.Cost <= r.slow && !f.told.Discarded {
		r.parents.add(entry{id: noID, vals: f.vals}, 2*r.parents.average())
	}
	if studying {
		r.studies.found++
	}
	return r.Conn.Reply(wire.Reply{Found: &f.told})
}

// teach tells the strategy of a find that is kept.
func (r *round) teach(f *find) error {
	if f.told.Input == nil || !r.Values.Learns() {
		return nil
	}
	r.strategy.known[string(f.told.Input)] = true
	r.strategy.seen.kills = len(f.told.Kills)
	return r.share(f.vals)
}

// runWaiting runs mutants on the input that has waited longest, if there is one and the
// filter has fuel for it.
func (r *round) runWaiting() (ran bool, err error) {
	f, ok := r.filter.(*filter.Adaptive)
	if !ok || r.rests() {
		return false, nil
	}
	w, ok := f.Next()
	if !ok {
		return false, nil
	}
	r.setInput(w.Vals)
	ref := r.Muts.Reference(w.Vals, r.suspect, false)
	if ref.Ex.Kind.Failed() {
		return true, r.failed(ref.Ex)
	}
	living := r.Muts.Living(ref.Infected)
	infected := len(living)
	picked := f.Pick(living, w.Path, ref.Ex.Burned)
	v, spent := r.Muts.RunPicked(w.Vals, picked, ref)
	// Those that were not picked count when the input is scored: it is kept.
	kills := float64(len(v.Kills)*infected) / float64(max(len(picked), 1))
	f.Ran(spent, kills)
	r.news += int64(len(v.Kills))
	found := wire.Found{Update: true, Input: wire.Encode(w.Vals), Kills: v.Kills, Infects: r.Muts.Living(ref.Infected)}
	if err := r.Conn.Reply(wire.Reply{Found: &found}); err != nil || !v.Damaged {
		return true, err
	}
	return true, r.damaged(w.Vals, &v)
}
