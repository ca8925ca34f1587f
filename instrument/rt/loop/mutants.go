package loop

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// mutants is what a worker knows about the mutants: which are alive, and how
// often each was reached, infected and executed.
type mutants struct {
	x *executor

	alive  []bool   // by mutant; false for killed and static ones
	inFunc []int    // living mutants by function
	bodies [][]bool // by package and function: it holds living mutants
	met    []bool   // by mutant: it was infected while it lived

	pause time.Duration // after each run with a mutant

	executed []uint32 // over the life of the worker: what least-executed looks at
	count    counts   // since the last report
	burned   int64    // by mutants, over the life of the worker
}

// counts are per mutant, since the last report.
type counts struct {
	reached, infected, executed tally
	execs, mutantExecs          int64
}

// tally counts per mutant. What it costs to read goes by the mutants that were
// counted, not by all there are.
type tally struct {
	n   []uint32 // by mutant
	ids []uint32 // that were counted
}

func newTally(mutants int) tally { return tally{n: make([]uint32, mutants)} }

func (t *tally) add(id uint32) {
	if t.n[id] == 0 {
		t.ids = append(t.ids, id)
	}
	t.n[id]++
}

// take returns the counts as the wire wants them, and starts anew.
func (t *tally) take() [][2]uint32 {
	slices.Sort(t.ids)
	var list [][2]uint32
	for _, id := range t.ids {
		list = append(list, [2]uint32{id, t.n[id]})
		t.n[id] = 0
	}
	t.ids = t.ids[:0]
	return list
}

func newMutants(x *executor, init *wire.Init) *mutants {
	n := len(init.MutantFunc) + 1
	m := &mutants{
		x: x, alive: make([]bool, n), met: make([]bool, n),
		inFunc: make([]int, init.Funcs), executed: make([]uint32, n),
		count: counts{reached: newTally(n), infected: newTally(n), executed: newTally(n)},
	}
	for i, f := range init.MutantFunc {
		if f >= 0 {
			m.alive[i+1] = true
			m.inFunc[f]++
		}
	}
	for _, p := range fuzzmutrt.Packages {
		living := make([]bool, len(p.Slow))
		for i := range living {
			living[i] = m.inFunc[int(p.FirstFunc)+i] > 0
		}
		m.bodies = append(m.bodies, living)
	}
	for _, id := range init.Dead {
		m.kill(id)
	}
	return m
}

// kill takes a mutant out of the living. It reports whether it was one.
func (m *mutants) kill(id uint32) bool {
	if !m.alive[id] {
		return false
	}
	m.alive[id] = false
	f := m.x.mutantFunc[id-1]
	if m.inFunc[f]--; m.inFunc[f] > 0 {
		return true
	}
	for i, p := range fuzzmutrt.Packages {
		if at := f - int32(p.FirstFunc); at >= 0 && int(at) < len(p.Slow) {
			m.bodies[i][at] = false
		}
	}
	return true
}

// A reference is what the original did on an input: the execution that mutants
// are compared with.
type reference struct {
	ex       execution
	log      *observe.Log
	reached  []uint32
	infected []uint32
	fuel     int64 // what a mutant may burn

	weighed, heavy bool // whether the original's heap goes beyond the bound, once that is known
}

// reference traces the original on the input, through the functions that hold
// living mutants. With values, differences from it can be explained.
func (m *mutants) reference(vals []any, fuel int64, values bool) *reference {
	ex := m.x.trace(clone(vals), m.bodies, fuel, values)
	m.count.execs++
	ref := &reference{ex: ex, log: m.x.rec.Log()}
	ref.fuel = ex.burned*mutantFuelFactor + mutantFuelExtra
	ref.reached = listBits(fuzzmutrt.Reached)
	ref.infected = listBits(fuzzmutrt.Infected)
	m.countLiving(&m.count.reached, ref.reached)
	m.countLiving(&m.count.infected, ref.infected)
	return ref
}

// countLiving counts the living among ids. Of the others it depends on their neighbours
// in the function whether they are seen.
func (m *mutants) countLiving(t *tally, ids []uint32) {
	for _, id := range ids {
		if m.alive[id] {
			t.add(id)
		}
	}
}

// listBits lists the members of a bit set, ascending.
func listBits(set []uint64) []uint32 {
	var list []uint32
	for i, w := range set {
		for w != 0 {
			list = append(list, uint32(i*64+bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
	return list
}

// living returns the infected mutants that are alive.
func (m *mutants) living(ids []uint32) []uint32 {
	var list []uint32
	for _, id := range ids {
		if m.alive[id] {
			list = append(list, id)
		}
	}
	return list
}

// meet counts the mutants that were not infected before.
func (m *mutants) meet(ids []uint32) int {
	n := 0
	for _, id := range ids {
		if !m.met[id] {
			m.met[id] = true
			n++
		}
	}
	return n
}

// try runs one mutant on the input and judges it: DESIGN §4. The kind is empty
// when nothing tells it from the original.
func (m *mutants) try(vals []any, id uint32, ref *reference) (kind oracle.Kind, detail string) {
	m.executed[id]++
	m.count.executed.add(id)
	m.count.mutantExecs++
	ex := m.x.mutant(clone(vals), id, ref.log, ref.fuel)
	if ex.kind == wire.Fuel {
		// Slow is not the same as endless, and large is not the same as hoarding.
		m.count.mutantExecs++
		m.burned += ex.burned
		m.x.ration.off = m.x.ration.hoards && m.heavy(vals, ref)
		ex = m.x.mutant(clone(vals), id, ref.log, ref.fuel*10)
		m.x.ration.off = false
	}
	m.burned += ex.burned
	return m.judge(ex, ref)
}

// heavy reports whether the original's heap grows as large on the input as that of a
// mutant that hoards: then the size says nothing.
func (m *mutants) heavy(vals []any, ref *reference) bool {
	if !ref.weighed {
		m.count.execs++
		ref.weighed, ref.heavy = true, m.x.hoards(clone(vals), ref.fuel)
	}
	return ref.heavy
}

func (m *mutants) judge(ex execution, ref *reference) (kind oracle.Kind, detail string) {
	switch ex.kind {
	case wire.Fail:
		return oracle.Assertion, m.x.failureText()
	case wire.Panic:
		return oracle.Panic, panicText(m.x.run.value)
	case wire.Fuel:
		if m.x.ration.hoards {
			return oracle.Fuel, m.x.ration.text()
		}
		return oracle.Fuel, fmt.Sprintf("burned more than %d units, the original %d", ref.fuel, ref.ex.burned)
	case wire.Exit:
		return oracle.Exit, "the process would have ended"
	}
	if ex.kind != ref.ex.kind {
		return oracle.Difference, fmt.Sprintf("the fuzz target's outcome is %s, the original's %s", ex.kind, ref.ex.kind)
	}
	if diff, same := m.x.rec.Compare(ref.log); !same {
		return oracle.Difference, diff.Text
	}
	return 0, ""
}

// healthy re-runs the original and reports whether it still does what it did,
// with what differs, and the observed value if it is one. Maps are in another order
// than before, which the mutant that ran last decides.
func (m *mutants) healthy(vals []any, last uint32, ref *reference) (ok bool, text string, value *wire.Value) {
	m.count.execs++
	ex := m.x.ordered(1+uint64(last)%(orders-1), func() execution { return m.x.again(clone(vals), ref.log, ref.fuel) })
	if ex.kind != ref.ex.kind {
		return false, outcomeChanged(ref.ex.kind, ex.kind), nil
	}
	diff, same := m.x.rec.Compare(ref.log)
	if same {
		return true, "", nil
	}
	return false, diff.Text, &wire.Value{Site: diff.Site, Value: diff.Value}
}

// outcomeChanged says that the original did not end as it did before.
func outcomeChanged(was, is wire.OutcomeKind) string {
	return fmt.Sprintf("the fuzz target's outcome was %s and is now %s", was, is)
}

// verdict is what running a list of mutants on one input came to.
type verdict struct {
	kills    []wire.Kill
	survived int
	// damaged is set when the original no longer does what it did. suspects ran
	// since it was last seen healthy; lastKill is what the judge said of the last.
	damaged  bool
	text     string
	value    *wire.Value
	suspects []uint32
	lastKill *wire.Kill
}

// runAll runs the mutants on the input, one after the other. A kill counts only
// if the original, run again, still does what it did: what differs may otherwise
// be the target's own mood, or the work of a mutant before. With explain, kills
// say what was seen, as far as it is the same in two runs.
func (m *mutants) runAll(vals []any, ids []uint32, ref *reference, explain bool, onKill func(wire.Kill)) verdict {
	var v verdict
	for _, id := range ids {
		v.suspects = append(v.suspects, id)
		kind, detail := m.try(vals, id, ref)
		m.x.linger(m.pause)
		if kind == 0 {
			v.survived++
			continue
		}
		if explain && kind != oracle.Fuel {
			// What is told must be the same in every run. Addresses are not.
			if _, again := m.try(vals, id, ref); again != detail {
				detail = "differs from run to run"
			}
		}
		kill := wire.Kill{Mutant: id, Kind: kind, Detail: cut(detail)}
		if ok, text, value := m.healthy(vals, id, ref); !ok {
			v.damaged, v.text, v.value, v.lastKill = true, text, value, &kill
			return v
		}
		v.suspects = v.suspects[:0]
		v.kills = append(v.kills, kill)
		onKill(kill)
	}
	if n := len(v.suspects); n > 0 {
		if ok, text, value := m.healthy(vals, v.suspects[n-1], ref); !ok {
			v.damaged, v.text, v.value = true, text, value
		}
	}
	return v
}

// runPicked runs mutants that a filter has picked, and tells about how much fuel that
// took, with the traced run that came before. A mutant that is run takes a re-run of
// the original often enough to count for two.
func (m *mutants) runPicked(vals []any, ids []uint32, ref *reference) (v verdict, fuel int64) {
	before := m.count.mutantExecs
	v = m.runAll(vals, ids, ref, false, func(k wire.Kill) { m.kill(k.Mutant) })
	runs := m.count.mutantExecs - before
	return v, (traceFactor + 2*runs) * (ref.ex.burned + executionFuel)
}

func cut(s string) string {
	const most = 300
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// failureText is the test's output of the last execution.
func (x *executor) failureText() string {
	_, _, output := x.target.hooks.Result(x.target.t)
	return x.message(wire.Fail, output)
}

// take returns the counts as the wire wants them, and starts anew.
func (m *mutants) take() wire.Stats {
	s := wire.Stats{Execs: m.count.execs, MutantExecs: m.count.mutantExecs}
	s.Reached, s.Infected, s.Executed = m.count.reached.take(), m.count.infected.take(), m.count.executed.take()
	m.count.execs, m.count.mutantExecs = 0, 0
	return s
}
