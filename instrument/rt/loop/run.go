package loop

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// runItems serves a Run: exact work on given inputs.
func (l *Loop) runItems(req *wire.Run) error {
	burned := l.muts.Burned
	l.skip, l.traces = nil, req.Trace
	if len(req.Skip) > 0 || req.Trace {
		l.skip = make([]bool, l.muts.Len())
	}
	for _, id := range req.Skip {
		l.skip[id] = true
	}
	for i := range req.Items {
		if l.conn.Shared.Stopping() {
			break
		}
		item := &req.Items[i]
		if req.Fuel > 0 && l.muts.Burned-burned >= req.Fuel {
			item.Select = wire.SelectNone
		}
		res, cut, err := l.runItem(item, i)
		if cut {
			break // the reply has what is known: an item without a Result was not finished
		}
		if err == nil {
			err = l.conn.Reply(wire.Reply{Result: &res})
		}
		if err != nil {
			return err
		}
	}
	l.x.Linger(req.Linger)
	return l.conn.Reply(wire.Reply{Ran: &wire.Ran{Stats: l.muts.Take(), Fuel: l.muts.Burned - burned}})
}

// runItem runs the original on an item, and then the mutants that it selects. cut says that
// the worker was asked to stop before all was done.
func (l *Loop) runItem(item *wire.Item, index int) (res wire.Result, cut bool, err error) {
	vals, err := l.target.Given(item.Input)
	if err != nil {
		return wire.Result{}, false, err
	}
	l.conn.Shared.SetInput(vals)
	for _, id := range item.Known {
		l.muts.Kill(id)
	}
	if item.Hoard > 0 {
		ex := l.x.Holds(exec.Clone(vals), l.x.HangFuel, item.Hoard)
		return wire.Result{Item: index, Outcome: l.x.Outcome(ex), Cost: ex.Burned}, false, nil
	}
	if item.Repeat > 0 {
		return l.repeat(item, index, vals), false, nil
	}
	if l.traces {
		ref := l.muts.Reference(vals, l.x.HangFuel, false)
		if !ref.Ex.Kind.Failed() {
			res = wire.Result{
				Item: index, Select: item.Select, Outcome: l.x.Outcome(ref.Ex), Cost: ref.Ex.Burned, Reached: ref.Reached, Infected: ref.Infected,
			}
			cut, err = l.runMutants(item, index, vals, ref)
			return res, cut, err
		}
	}
	l.cov.Clear()
	ex := l.x.Whole(exec.Clone(vals), l.x.HangFuel*max(item.Patience, 1))
	l.muts.CountExec()
	res = wire.Result{Item: index, Select: item.Select, Outcome: l.x.Outcome(ex), Cost: ex.Burned, Features: l.cov.Features()}
	if l.values != nil {
		_, res.Rest = l.values.Canonical(l.values.Bytes(vals))
	}
	if ex.Kind.Failed() {
		return res, false, nil
	}
	l.cov.Merge()
	if item.Select == wire.SelectNone && !item.Check {
		return res, false, nil
	}
	ref := l.muts.Reference(vals, l.x.HangFuel, item.Explain || item.Check)
	res.Reached, res.Infected = ref.Reached, ref.Infected
	if ref.Ex.Kind != ex.Kind {
		v := mutants.Verdict{Text: mutants.OutcomeChanged(ex.Kind, ref.Ex.Kind)}
		return res, false, l.muts.ReportDamage(l.conn, vals, &v)
	}
	if item.Check {
		takeBack, noisy, cut, err := l.checkStable(vals, ref)
		if takeBack != nil {
			defer takeBack()
		}
		if res.Noisy = noisy; cut || err != nil {
			return res, cut, err
		}
	}
	for _, ev := range ref.Log.Events {
		if !l.x.Rec.Excluded(ev.Site, ev.Value) {
			res.Observed++
		}
	}
	cut, err = l.runMutants(item, index, vals, ref)
	return res, cut, err
}

// runMutants runs the mutants that an item selects, and reports the kills.
func (l *Loop) runMutants(item *wire.Item, index int, vals []any, ref *mutants.Reference) (cut bool, err error) {
	ids := l.selected(item, ref)
	l.muts.Pause = item.Pause
	v := l.muts.RunAll(vals, ids, ref, item.Explain, func(k wire.Kill) {
		again := k.Kind == oracle.OnlyInside && l.muts.Inside(k.Mutant)
		if item.Select == wire.SelectAlive && !again || k.Kind.Dear() {
			l.done(k.Mutant)
		}
		k.Item = index
		l.conn.Reply(wire.Reply{Kill: &k}) //nolint:errcheck // the request's own reply will meet the same error
	})
	if v.Damaged {
		return false, l.muts.ReportDamage(l.conn, vals, &v)
	}
	return v.Cut, nil
}

// done takes in that a mutant is not to be run again.
func (l *Loop) done(m uint32) {
	if l.traces {
		l.skip[m] = true
	} else {
		l.muts.Kill(m)
	}
}

// selected lists the mutants that an item is to be run with.
func (l *Loop) selected(item *wire.Item, ref *mutants.Reference) []uint32 {
	var ids []uint32
	switch item.Select {
	case wire.SelectAlive, wire.SelectInfected:
		ids = l.muts.Living(ref.Infected)
	case wire.SelectListed:
		// What the input does not infect can't differ.
		ids = slices.DeleteFunc(slices.Clone(item.Mutants), func(id uint32) bool { return !slices.Contains(ref.Infected, id) })
	case wire.SelectReached:
		ids = l.muts.Living(ref.Reached)
	case wire.SelectEvery:
		for id := range l.muts.Len() {
			ids = append(ids, uint32(id))
		}
		ids = l.muts.Living(ids)
	}
	if len(item.Skip) == 0 && len(l.skip) == 0 {
		return ids
	}
	slices.Sort(item.Skip)
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		_, skipped := slices.BinarySearch(item.Skip, id)
		return skipped || l.skip != nil && l.skip[id]
	})
}

// stabilityRuns is how often the original is run again to see whether it always
// does the same, each time with maps in another order.
const stabilityRuns = exec.Orders

// checkStable re-runs the original and reports the observed values that differ
// from run to run. They are left out from here on, or until takeBack is called, if it is not nil.
func (l *Loop) checkStable(vals []any, ref *mutants.Reference) (takeBack func(), noisy, cut bool, err error) {
	l.noise.Checked++
	for runs := stabilityRuns; runs > 0; runs-- {
		if l.conn.Shared.Stopping() {
			return takeBack, noisy, true, nil
		}
		l.muts.CountExec()
		ex := l.x.Ordered(uint64(runs), func() exec.Execution { return l.x.Again(exec.Clone(vals), ref.Log, l.x.HangFuel) })
		if ex.Kind != ref.Ex.Kind {
			u := wire.Unstable{Outcome: true, Text: mutants.OutcomeChanged(ref.Ex.Kind, ex.Kind)}
			return takeBack, noisy, false, l.conn.Reply(wire.Reply{Unstable: &u})
		}
		diff, same := l.x.Rec.Compare(ref.Log)
		if same {
			continue
		}
		if !noisy {
			noisy = true
			if l.noise.Noisy++; l.noiseOfInputs && 2*l.noise.Noisy <= l.noise.Checked {
				takeBack = l.x.Rec.Lasting()
			}
		}
		field := l.x.Rec.Hide(diff.Site, diff.Value, diff.Field)
		u := wire.Unstable{Value: wire.Value{Site: diff.Site, Value: diff.Value, Field: field}, Text: diff.Text}
		if takeBack == nil {
			if err := l.conn.Reply(wire.Reply{Unstable: &u}); err != nil {
				return nil, noisy, false, err
			}
		}
		// One difference hides later ones: begin again.
		*ref = *l.muts.Reference(vals, l.x.HangFuel, true)
		runs = stabilityRuns
	}
	return takeBack, noisy, false, nil
}

// repeat runs the original on one input again and again.
func (l *Loop) repeat(item *wire.Item, index int, vals []any) wire.Result {
	res := wire.Result{Item: index}
	for res.Runs < item.Repeat && res.Cost < item.Burn && !l.conn.Shared.Stopping() {
		ex := l.x.Ordered(uint64(res.Runs), func() exec.Execution { return l.x.Detailed(exec.Clone(vals), l.x.HangFuel) })
		l.muts.CountExec()
		res.Runs++
		res.Cost += ex.Burned + exec.ExecutionFuel
		if !ex.Kind.Failed() {
			continue
		}
		if res.Failed++; res.Failed == 1 {
			res.Outcome = l.x.Outcome(ex)
		}
	}
	return res
}
