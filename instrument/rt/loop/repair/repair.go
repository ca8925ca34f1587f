// Package repair finds out which mutants make failing inputs pass.
package repair

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/coverage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Server serves Repair.
type Server struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	Muts   *mutants.Mutants
	Cov    *coverage.Coverage
}

// Serve serves one request: failing inputs, with the mutants that they infect.
func (s *Server) Serve(req *wire.Repair) error {
	for i := range req.Items {
		if s.Conn.Shared.Stopping() {
			break
		}
		d, err := s.diagnose(&req.Items[i], i)
		if err != nil {
			return err
		}
		if d == nil {
			break
		}
		if err := s.Conn.Reply(wire.Reply{Diagnosis: d}); err != nil {
			return err
		}
	}
	return s.Conn.Reply(wire.Reply{Ran: &wire.Ran{Stats: s.Muts.Take()}})
}

// failing is a failing input while mutants are tried on it.
type failing struct {
	*Server
	item     *wire.RepairItem
	index    int
	vals     []any
	identity string
	loop     exec.Loop // that does not end, if inLoop
	inLoop   bool
	names    map[string]string // identities by what they are made of
	counters []uint32
	suspects []uint32 // run since the original was last seen to fail as it does
}

// nameOf returns the identity of a failure. To find out the lines of a stack takes
// longer than many a target runs, and most mutants fail as others do.
func (p *failing) nameOf(ex exec.Execution) string {
	key := fmt.Appendf(nil, "%d %s", ex.Kind, ex.Message)
	for _, pc := range ex.Stack {
		key = binary.LittleEndian.AppendUint64(key, uint64(pc))
	}
	if t := ex.Turning; t != nil {
		for _, list := range [][]int32{t.Funcs, t.Loops, {int32(t.Steady)}} {
			for _, n := range list {
				key = binary.LittleEndian.AppendUint32(key, uint32(n))
			}
			key = append(key, ';')
		}
		for _, pc := range t.Inner {
			key = binary.LittleEndian.AppendUint64(key, uint64(pc))
		}
	}
	name, ok := p.names[string(key)]
	if !ok {
		name = failure.Identity(p.Exec.Outcome(ex))
		p.names[string(key)] = name
	}
	return name
}

// diagnose runs one failing input with mutants. It returns nil when it was asked
// to stop before the end.
func (s *Server) diagnose(item *wire.RepairItem, index int) (*wire.Diagnosis, error) {
	vals, err := s.Target.Given(item.Input)
	if err != nil {
		return nil, err
	}
	p := &failing{Server: s, item: item, index: index, vals: vals, names: make(map[string]string)}
	s.Conn.Shared.SetInput(vals)
	if item.Bare {
		return p.tryBare()
	}
	ex := p.original()
	d := &wire.Diagnosis{Item: index, Outcome: s.Exec.Outcome(ex), Counters: s.Cov.Counters()}
	p.identity, p.counters = p.nameOf(ex), d.Counters
	p.loop, p.inLoop = p.Exec.LoopOf(ex)
	if ex.Turning != nil {
		ex.Stack = slices.Clone(ex.Stack) // the next run takes its place
		d.Outcome.Ends = p.Exec.EndsOf(p.vals, ex, item.Fuel)
	}
	if !d.Outcome.Kind.Failed() {
		return d, nil
	}
	ids, kind := p.infected()
	if again := p.original(); p.nameOf(again) != p.identity || kind != ex.Kind {
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
func (p *failing) tryBare() (*wire.Diagnosis, error) {
	d := &wire.Diagnosis{Item: p.index, Tried: p.item.Mutants}
	for _, id := range p.item.Mutants {
		if p.Conn.Shared.Stopping() {
			return nil, nil
		}
		m := &wire.Effect{Item: p.index, Mutant: id, Repaired: true}
		for range 2 { // what passes does so twice
			if m.Repaired {
				m.Repaired = p.mutated(id).Kind == wire.Pass
				p.Exec.Linger(p.item.Linger)
			}
		}
		if err := p.Conn.Reply(wire.Reply{Effect: m}); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// original runs the original.
func (p *failing) original() exec.Execution {
	p.Cov.Clear()
	ex := p.Exec.Detailed(exec.Clone(p.vals), p.item.Fuel)
	p.Muts.CountExec()
	return ex
}

// infected lists the mutants to be tried: what the input does not infect fails as
// the original does. It tells how the original ended, too.
func (p *failing) infected() ([]uint32, wire.OutcomeKind) {
	ref := p.Muts.Reference(p.vals, p.item.Fuel, false)
	ids := p.Muts.Living(ref.Infected)
	if p.item.Mutants != nil {
		ids = slices.DeleteFunc(ids, func(id uint32) bool { return !slices.Contains(p.item.Mutants, id) })
	}
	return ids, ref.Ex.Kind
}

// tryAll tries the mutants in turn. It returns false when it was asked to stop.
func (p *failing) tryAll(ids []uint32) (done bool, err error) {
	for _, id := range ids {
		if id <= p.item.After {
			continue
		}
		if p.Conn.Shared.Stopping() {
			return false, nil
		}
		if err := p.try(id); err != nil {
			return false, err
		}
	}
	return true, p.check(nil)
}

// try tries one mutant, and tells if it makes a difference.
func (p *failing) try(id uint32) error {
	p.suspects = append(p.suspects, id)
	ex := p.mutated(id)
	if ex.Kind.Failed() && p.nameOf(ex) == p.identity {
		return nil
	}
	m := &wire.Effect{Item: p.index, Mutant: id, Repaired: ex.Kind == wire.Pass}
	if m.Repaired {
		moved := p.Cov.Counters()
		m.Repaired = p.mutated(id).Kind == wire.Pass
		m.Moved = differing(p.counters, moved)
	}
	return p.check(m)
}

// check tells what was seen if the original fails as it did before. It may be that
// a mutant has damaged its state: nothing that was seen since counts then.
func (p *failing) check(m *wire.Effect) error {
	if len(p.suspects) == 0 {
		return nil
	}
	if ex := p.original(); p.nameOf(ex) != p.identity {
		return p.Muts.ReportDamage(p.Conn, p.vals, &mutants.Verdict{Suspects: p.suspects, Text: "a failing input no longer fails in the same way"})
	}
	p.suspects = p.suspects[:0]
	if m == nil {
		return nil
	}
	return p.Conn.Reply(wire.Reply{Effect: m})
}

// mutated runs the input with a mutant.
func (p *failing) mutated(id uint32) exec.Execution {
	p.Cov.Clear()
	ex := p.Exec.DetailedMutant(exec.Clone(p.vals), id, p.item.Fuel)
	if p.inLoop && p.Exec.FuncOf(id) == p.loop.Func && ex.Turning != nil {
		ex.Turning.Also(p.loop) // it counts nothing while the mutant is active
	}
	p.Muts.CountMutant(id)
	return ex
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
