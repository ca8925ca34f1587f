package loop

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// runItems serves a Run: exact work on given inputs.
func (l *Loop) runItems(req *wire.Run) error {
	burned := l.muts.burned
	for i := range req.Items {
		if l.shared.Stopping() {
			break
		}
		item := &req.Items[i]
		if req.Fuel > 0 && l.muts.burned-burned >= req.Fuel {
			item.Select = wire.SelectNone
		}
		res, err := l.runItem(item, i)
		if err == nil {
			err = l.reply(wire.Reply{Result: &res})
		}
		if err != nil {
			return err
		}
	}
	l.x.linger(req.Linger)
	return l.reply(wire.Reply{Ran: &wire.Ran{Stats: l.muts.take(), Fuel: l.muts.burned - burned}})
}

func (l *Loop) runItem(item *wire.Item, index int) (wire.Result, error) {
	vals, err := l.decode(item.Input)
	if err != nil {
		return wire.Result{}, err
	}
	l.shared.SetInput(vals)
	if item.Repeat > 0 {
		return l.repeat(item, index, vals), nil
	}
	l.cov.clear()
	l.x.detail = true
	ex := l.x.original(clone(vals), hangFuel)
	l.x.detail = false
	l.muts.count.execs++
	res := wire.Result{Item: index, Select: item.Select, Outcome: l.outcome(ex), Cost: ex.burned, Features: l.cov.features()}
	if l.values != nil {
		_, res.Rest = l.values.Canonical(l.values.bytes(vals))
	}
	if ex.kind.Failed() {
		return res, nil
	}
	l.cov.merge()
	if item.Select == wire.SelectNone && !item.Check {
		return res, nil
	}
	ref := l.muts.reference(vals, hangFuel, item.Explain || item.Check)
	res.Reached, res.Infected = ref.reached, ref.infected
	if ref.ex.kind != ex.kind {
		v := verdict{text: outcomeChanged(ex.kind, ref.ex.kind)}
		return res, l.damaged(vals, &v)
	}
	if item.Check {
		if err := l.checkStable(vals, ref); err != nil {
			return res, err
		}
	}
	for _, ev := range ref.log.Events {
		if !l.x.rec.Excluded(ev.Site, ev.Value) {
			res.Observed++
		}
	}
	ids := l.selected(item, ref)
	l.muts.pause = item.Pause
	v := l.muts.runAll(vals, ids, ref, item.Explain, func(k wire.Kill) {
		if item.Select == wire.SelectAlive || k.Kind.Dear() {
			l.muts.kill(k.Mutant)
		}
		k.Item = index
		l.reply(wire.Reply{Kill: &k}) //nolint:errcheck // the request's own reply will meet the same error
	})
	if v.damaged {
		return res, l.damaged(vals, &v)
	}
	return res, nil
}

// selected lists the mutants that an item is to be run with.
func (l *Loop) selected(item *wire.Item, ref *reference) []uint32 {
	var ids []uint32
	switch item.Select {
	case wire.SelectAlive, wire.SelectInfected:
		ids = l.muts.living(ref.infected)
	case wire.SelectListed:
		// What the input does not infect can't differ.
		ids = slices.DeleteFunc(slices.Clone(item.Mutants), func(id uint32) bool { return !slices.Contains(ref.infected, id) })
	case wire.SelectReached:
		ids = l.muts.living(ref.reached)
	case wire.SelectEvery:
		for id := range l.muts.alive {
			ids = append(ids, uint32(id))
		}
		ids = l.muts.living(ids)
	}
	if len(item.Skip) == 0 {
		return ids
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool { return slices.Contains(item.Skip, id) })
}

// stabilityRuns is how often the original is run again to see whether it always
// does the same, each time with maps in another order.
const stabilityRuns = orders

// checkStable re-runs the original and reports the observed values that differ
// from run to run. They are left out from here on.
func (l *Loop) checkStable(vals []any, ref *reference) error {
	for runs := stabilityRuns; runs > 0; runs-- {
		l.muts.count.execs++
		ex := l.x.ordered(uint64(runs), func() execution { return l.x.again(clone(vals), ref.log, hangFuel) })
		if ex.kind != ref.ex.kind {
			u := wire.Unstable{
				Input: wire.Encode(vals), Outcome: true,
				Text: outcomeChanged(ref.ex.kind, ex.kind),
			}
			return l.reply(wire.Reply{Unstable: &u})
		}
		diff, same := l.x.rec.Compare(ref.log)
		if same {
			continue
		}
		u := wire.Unstable{Value: wire.Value{Site: diff.Site, Value: diff.Value}, Input: wire.Encode(vals), Text: diff.Text}
		l.x.rec.Exclude(diff.Site, diff.Value)
		if err := l.reply(wire.Reply{Unstable: &u}); err != nil {
			return err
		}
		// One difference hides others behind it: begin again.
		*ref = *l.muts.reference(vals, hangFuel, true)
		runs = stabilityRuns
	}
	return nil
}
