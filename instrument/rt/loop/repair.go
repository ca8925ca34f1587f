package loop

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// repair serves a Repair: failing inputs, with the mutants that they infect.
func (l *Loop) repair(req *wire.Repair) error {
	for i := range req.Items {
		if l.shared.Stopping() {
			break
		}
		d, err := l.diagnose(&req.Items[i], i)
		if err != nil {
			return err
		}
		if d == nil {
			break
		}
		if err := l.reply(wire.Reply{Diagnosis: d}); err != nil {
			return err
		}
	}
	return l.reply(wire.Reply{Ran: &wire.Ran{Stats: l.muts.take()}})
}

// patient is a failing input while mutants are tried on it.
type patient struct {
	*Loop
	item     *wire.RepairItem
	index    int
	vals     []any
	identity string
	loop     int32             // function whose loop does not end; -1: none is known
	names    map[string]string // identities by what they are made of
	counters []uint32
	suspects []uint32 // run since the original was last seen to fail as it does
}

// nameOf returns the identity of a failure. To find out the lines of a stack takes
// longer than many a target runs, and most mutants fail as others do.
func (p *patient) nameOf(ex execution) string {
	key := fmt.Appendf(nil, "%d %s", ex.kind, ex.message)
	for _, pc := range ex.stack {
		key = binary.LittleEndian.AppendUint64(key, uint64(pc))
	}
	for _, f := range ex.turning {
		key = binary.LittleEndian.AppendUint32(key, uint32(f))
	}
	name, ok := p.names[string(key)]
	if !ok {
		name = failure.Identity(p.outcome(ex))
		p.names[string(key)] = name
	}
	return name
}

// diagnose runs one failing input with mutants. It returns nil when it was asked
// to stop on the way.
func (l *Loop) diagnose(item *wire.RepairItem, index int) (*wire.Diagnosis, error) {
	vals, err := l.decode(item.Input)
	if err != nil {
		return nil, err
	}
	p := &patient{Loop: l, item: item, index: index, vals: vals, names: make(map[string]string)}
	l.shared.SetInput(vals)
	if item.Bare {
		return p.tryBare()
	}
	ex := p.original()
	d := &wire.Diagnosis{Item: index, Outcome: l.outcome(ex), Counters: l.cov.counters()}
	p.identity, p.counters, p.loop = p.nameOf(ex), d.Counters, -1
	if d.Outcome.Loop {
		p.loop = p.x.window.function(d.Outcome.Frames[0], ex.turning)
	}
	if !d.Outcome.Kind.Failed() {
		return d, nil
	}
	ids, kind := p.infected()
	if again := p.original(); p.nameOf(again) != p.identity || kind != ex.kind {
		d.Unsteady = "it does not fail in the same way each time"
		return d, nil
	}
	d.Tried = ids
	if done, err := p.tryAll(ids); !done || err != nil {
		return nil, err
	}
	return d, nil
}

// tryBare tries mutants on an input on which the original ends the process.
func (p *patient) tryBare() (*wire.Diagnosis, error) {
	d := &wire.Diagnosis{Item: p.index, Tried: p.item.Mutants}
	for _, id := range p.item.Mutants {
		if p.shared.Stopping() {
			return nil, nil
		}
		m := &wire.Mended{Item: p.index, Mutant: id, Repaired: true}
		for range 2 { // what passes does so twice
			if m.Repaired {
				m.Repaired = p.mutated(id).kind == wire.Pass
				p.x.linger(p.item.Linger)
			}
		}
		if err := p.reply(wire.Reply{Mended: m}); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// original runs the original.
func (p *patient) original() execution {
	p.cov.clear()
	p.x.detail = true
	ex := p.x.original(clone(p.vals), p.item.Fuel)
	p.x.detail = false
	p.muts.count.execs++
	return ex
}

// infected lists the mutants to be tried: what the input does not infect fails as
// the original does. It tells how the original ended, too.
func (p *patient) infected() ([]uint32, wire.OutcomeKind) {
	ref := p.muts.reference(p.vals, p.item.Fuel, false)
	ids := p.muts.living(ref.infected)
	if p.item.Mutants != nil {
		ids = slices.DeleteFunc(ids, func(id uint32) bool { return !slices.Contains(p.item.Mutants, id) })
	}
	return ids, ref.ex.kind
}

// tryAll tries the mutants in turn. It returns false when it was asked to stop.
func (p *patient) tryAll(ids []uint32) (done bool, err error) {
	for _, id := range ids {
		if id <= p.item.After {
			continue
		}
		if p.shared.Stopping() {
			return false, nil
		}
		if err := p.try(id); err != nil {
			return false, err
		}
	}
	return true, p.check(nil)
}

// try tries one mutant, and tells if it makes a difference.
func (p *patient) try(id uint32) error {
	p.suspects = append(p.suspects, id)
	ex := p.mutated(id)
	if ex.kind.Failed() && p.nameOf(ex) == p.identity {
		return nil
	}
	m := &wire.Mended{Item: p.index, Mutant: id, Repaired: ex.kind == wire.Pass}
	if m.Repaired {
		moved := p.cov.counters()
		m.Repaired = p.mutated(id).kind == wire.Pass
		m.Moved = differing(p.counters, moved)
	}
	return p.check(m)
}

// check tells what was seen if the original fails as it did before. It may be that
// a mutant has damaged its state: nothing that was seen since counts then.
func (p *patient) check(m *wire.Mended) error {
	if len(p.suspects) == 0 {
		return nil
	}
	if ex := p.original(); p.nameOf(ex) != p.identity {
		return p.damaged(p.vals, &verdict{suspects: p.suspects, text: "a failing input no longer fails as it did"})
	}
	p.suspects = p.suspects[:0]
	if m == nil {
		return nil
	}
	return p.reply(wire.Reply{Mended: m})
}

// mutated runs the input with a mutant.
func (p *patient) mutated(id uint32) execution {
	slow := p.x.slow[p.x.mutantFunc[id-1]]
	*slow = true
	p.cov.clear()
	p.x.detail = true
	ex := p.x.do(clone(p.vals), id, p.item.Fuel)
	p.x.detail = false
	if f := p.x.mutantFunc[id-1]; f == p.loop && ex.turning != nil {
		ex.turning = append(ex.turning, f) // it counts nothing while the mutant is active
	}
	*slow = false
	p.muts.count.mutantExecs++
	p.muts.count.executed.add(id)
	return ex
}

// counters lists the counters that the last execution hit, ascending.
func (c *coverage) counters() []uint32 {
	var list []uint32
	for _, p := range c.packages {
		for j, n := range p.Counters {
			if n != 0 {
				list = append(list, p.FirstCounter+uint32(j))
			}
		}
	}
	return list
}

// differing lists what is in one of two ascending lists only.
func differing(a, b []uint32) []uint32 {
	var list []uint32
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			list, a = append(list, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			list, b = append(list, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return list
}
