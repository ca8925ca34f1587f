package mutants

import (
	"fmt"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Reference is what the original did on an input: the execution that mutants
// are compared with.
type Reference struct {
	Ex       exec.Execution
	Log      *observe.Log
	Reached  []uint32
	Infected []uint32
	Fuel     int64 // what a mutant may burn

	bytes int64 // that the original allocates, about; 0: not measured

	weighed, heavy bool // whether the original's heap goes beyond the bound, once that is known

	written *written // what a caller sees of the original, once that is asked
}

// Reference traces the original on the input, through the functions that hold
// live mutants. With values, differences from it can be explained.
func (m *Mutants) Reference(vals []any, fuel int64, values bool) *Reference {
	ex := m.x.Trace(exec.Clone(vals), m.bodies, fuel, values)
	m.count.execs++
	ref := &Reference{Ex: ex, Log: m.x.Rec.Log()}
	ref.Fuel = exec.MutantFuel(ex.Burned)
	ref.Reached = exec.ListBits(fuzzmutrt.Reached)
	ref.Infected = exec.ListBits(fuzzmutrt.Infected)
	m.countLiving(&m.count.reached, ref.Reached)
	m.countLiving(&m.count.infected, ref.Infected)
	return ref
}

// Try runs one mutant on the input and judges it: DESIGN §4. The kind is 0
// when nothing tells it from the original.
func (m *Mutants) Try(vals []any, id uint32, ref *Reference) (kind oracle.Kind, detail string) {
	m.Executed[id]++
	m.count.executed.add(id)
	m.count.mutantExecs++
	before := m.allocated()
	m.x.MethodMost = exec.MethodFuel(ref.Ex.Dearest)
	defer func() { m.x.MethodMost = 0 }()
	ex := m.x.Mutant(exec.Clone(vals), id, ref.Log, ref.Fuel)
	if ex.Kind == wire.Fuel {
		// Slow is not the same as endless, and large is not the same as hoarding.
		m.count.mutantExecs++
		m.Burned += ex.Burned
		if m.x.Hoarded() && m.heavy(vals, ref) {
			ex = m.x.HeavyMutant(exec.Clone(vals), id, ref.Log, ref.Fuel*10)
		} else {
			ex = m.x.Mutant(exec.Clone(vals), id, ref.Log, ref.Fuel*10)
		}
	}
	m.Burned += ex.Burned
	if kind, detail = m.Judge(ex, ref); kind == 0 && m.costs {
		return m.judgeCost(vals, id, ex, m.allocated()-before, ref)
	}
	return kind, detail
}

// heavy reports whether the original's heap grows as large on the input as that of a
// mutant that hoards: then the size says nothing.
func (m *Mutants) heavy(vals []any, ref *Reference) bool {
	if !ref.weighed {
		m.CountExec()
		ref.weighed, ref.heavy = true, m.x.Hoards(exec.Clone(vals), ref.Fuel)
	}
	return ref.heavy
}

// Judge tells an execution of a mutant from the original's.
func (m *Mutants) Judge(ex exec.Execution, ref *Reference) (kind oracle.Kind, detail string) {
	switch ex.Kind {
	case wire.Fail:
		return oracle.Assertion, m.x.FailureText()
	case wire.Panic:
		return oracle.Panic, m.x.Panicked()
	case wire.Fuel:
		if m.x.Hoarded() {
			return oracle.Fuel, m.x.HoardText()
		}
		return oracle.Fuel, fmt.Sprintf("used more than %d units of fuel; the original used %d", ref.Fuel, ref.Ex.Burned)
	case wire.Exit:
		return oracle.Exit, "the process would have ended"
	}
	if ex.Kind != ref.Ex.Kind {
		return oracle.Difference, fmt.Sprintf("the fuzz target's outcome is %s, the original's %s", ex.Kind, ref.Ex.Kind)
	}
	if diff, same := m.x.Rec.Compare(ref.Log); !same {
		return oracle.Difference, diff.Text
	}
	return 0, ""
}

// Healthy re-runs the original and reports whether it still does what it did,
// with what differs, and the observed value if it is one. Maps are in another order
// than before, which the mutant that ran last decides.
func (m *Mutants) Healthy(vals []any, last uint32, ref *Reference) (ok bool, text string, value *wire.Value) {
	m.count.execs++
	ex := m.x.Ordered(1+uint64(last)%exec.Orders, func() exec.Execution { return m.x.Again(exec.Clone(vals), ref.Log, ref.Fuel) })
	if ex.Kind != ref.Ex.Kind {
		return false, OutcomeChanged(ref.Ex.Kind, ex.Kind), nil
	}
	diff, same := m.x.Rec.Compare(ref.Log)
	if same {
		return true, "", nil
	}
	if diff.Field == "" {
		diff.Field = m.fieldOf(vals, diff, ref.Fuel)
	}
	return false, diff.Text, &wire.Value{Site: diff.Site, Value: diff.Value, Field: m.x.Rec.Unhidden(diff.Site, diff.Value, diff.Field)}
}

// fieldOf finds the field of a value that differs between two runs of the original, in which
// maps are in other orders: references are often hashes, which do not tell it. It is "" if
// these runs do not differ there.
func (m *Mutants) fieldOf(vals []any, diff observe.Difference, fuel int64) string {
	m.count.execs++
	m.x.Observed(exec.Clone(vals), fuel)
	log := m.x.Rec.Log()
	for order := uint64(1); order <= exec.Orders; order++ {
		m.count.execs++
		m.x.Ordered(order, func() exec.Execution { return m.x.Again(exec.Clone(vals), log, fuel) })
		if d, same := m.x.Rec.Compare(log); !same && d.Site == diff.Site && d.Value == diff.Value {
			return d.Field
		}
	}
	return ""
}

// OutcomeChanged says that the original did not end as it did before.
func OutcomeChanged(was, is wire.OutcomeKind) string {
	return fmt.Sprintf("the fuzz target's outcome was %s and is now %s", was, is)
}

// A Verdict is what running a list of mutants on one input came to.
type Verdict struct {
	Kills []wire.Kill
	// Damaged is set when the original no longer does what it did, and Text and Value say
	// what differs. Suspects ran since it was last seen healthy; LastKill is what was
	// said of the last.
	Damaged  bool
	Text     string
	Value    *wire.Value
	Suspects []uint32
	LastKill *wire.Kill
	// Cut is set when the coordinator has asked the worker to stop before all were run.
	Cut bool
}

// RunAll runs the mutants on the input, one after the other. A kill counts only
// if the original, run again, still does what it did: what differs may otherwise
// be the target's own mood, or the work of a mutant before. With explain, kills
// say what was seen, and whether a caller can see it. It ends early if the worker is
// asked to stop.
func (m *Mutants) RunAll(vals []any, ids []uint32, ref *Reference, explain bool, onKill func(wire.Kill)) Verdict {
	var v Verdict
	for _, id := range ids {
		if m.x.Stopping() {
			v.Cut = true
			break
		}
		v.Suspects = append(v.Suspects, id)
		kind, detail := m.Try(vals, id, ref)
		m.x.Linger(m.Pause)
		if kind == 0 {
			continue
		}
		if explain && kind != oracle.Fuel {
			kind, detail = m.explain(vals, id, ref, kind, detail)
		}
		kill := wire.Kill{Mutant: id, Kind: kind, Detail: exec.Cut(detail)}
		if ok, text, value := m.Healthy(vals, id, ref); !ok {
			if kind == oracle.OnlyInside {
				kill.Kind = oracle.Difference // what it was compared with may be spoiled
			}
			v.Damaged, v.Text, v.Value, v.LastKill = true, text, value, &kill
			return v
		}
		v.Suspects = v.Suspects[:0]
		v.Kills = append(v.Kills, kill)
		onKill(kill)
	}
	if n := len(v.Suspects); n > 0 {
		if ok, text, value := m.Healthy(vals, v.Suspects[n-1], ref); !ok {
			v.Damaged, v.Text, v.Value = true, text, value
		}
	}
	return v
}

// RunPicked runs mutants that a filter has picked, and tells about how much fuel that
// took, with the traced run that came before. A mutant that is run takes a re-run of
// the original often enough to count for two.
func (m *Mutants) RunPicked(vals []any, ids []uint32, ref *Reference) (v Verdict, fuel int64) {
	before := m.count.mutantExecs
	v = m.RunAll(vals, ids, ref, false, func(k wire.Kill) { m.Kill(k.Mutant) })
	runs := m.count.mutantExecs - before
	return v, (exec.TraceFactor + 2*runs) * (ref.Ex.Burned + exec.ExecutionFuel)
}

// ReportDamage reports that the process can't go on after what was run on an input. It
// returns the error that ends it.
func (m *Mutants) ReportDamage(c *conn.Conn, vals []any, v *Verdict) error {
	d := wire.Damaged{Input: wire.Encode(vals), Suspects: v.Suspects, Text: v.Text, Value: v.Value, Kill: v.LastKill, Stats: m.Take()}
	if err := c.Reply(wire.Reply{Damaged: &d}); err != nil {
		return err
	}
	return conn.ErrDamaged
}
