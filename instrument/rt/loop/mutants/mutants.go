// Package mutants runs mutants on an input, judges what they change, and keeps account of
// which are alive.
package mutants

import (
	"slices"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Mutants is what a worker knows about the mutants: which are alive, and how
// often each was reached, infected and executed.
type Mutants struct {
	x *exec.Executor

	alive  []bool         // by mutant; false for killed and static ones
	inFunc []int          // live mutants by function
	bodies [][]bool       // by package and function: it holds live mutants
	met    []bool         // by mutant: it was infected while it lived
	inside map[uint32]int // by mutant: how many inputs kill it only inside
	costs  bool           // a mutant that costs much more is killed

	Pause time.Duration // after each run with a mutant

	Executed []uint32 // over the life of the worker: what least-executed looks at
	count    counts   // since the last report
	Burned   int64    // by mutants, over the life of the worker
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

// take returns the counts as the wire wants them, and starts again.
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

func New(x *exec.Executor, init *wire.Init) *Mutants {
	n := len(init.MutantFunc) + 1
	m := &Mutants{
		x: x, alive: make([]bool, n), met: make([]bool, n),
		inFunc: make([]int, init.Funcs), Executed: make([]uint32, n), costs: init.CostKills,
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
		m.Kill(id)
	}
	return m
}

// Kill takes a mutant out of the living. It reports whether it was one.
func (m *Mutants) Kill(id uint32) bool {
	if !m.alive[id] {
		return false
	}
	m.alive[id] = false
	f := m.x.FuncOf(id)
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

// CountExec counts an execution of the original.
func (m *Mutants) CountExec() { m.count.execs++ }

// CountMutant counts an execution of a mutant that is not judged here.
func (m *Mutants) CountMutant(id uint32) {
	m.count.mutantExecs++
	m.count.executed.add(id)
}

// Len is one more than the highest number of a mutant.
func (m *Mutants) Len() int { return len(m.alive) }

// Alive reports whether a mutant is alive.
func (m *Mutants) Alive(id uint32) bool { return m.alive[id] }

// FuncOf returns the number of the function that holds a mutant.
func (m *Mutants) FuncOf(id uint32) int32 { return m.x.FuncOf(id) }

// countLiving counts the living among ids. Of the others it depends on their neighbors
// in the function whether they are seen.
func (m *Mutants) countLiving(t *tally, ids []uint32) {
	for _, id := range ids {
		if m.alive[id] {
			t.add(id)
		}
	}
}

// Living returns the infected mutants that are alive.
func (m *Mutants) Living(ids []uint32) []uint32 {
	var list []uint32
	for _, id := range ids {
		if m.alive[id] {
			list = append(list, id)
		}
	}
	return list
}

// Meet counts the mutants that were not infected before.
func (m *Mutants) Meet(ids []uint32) int {
	n := 0
	for _, id := range ids {
		if !m.met[id] {
			m.met[id] = true
			n++
		}
	}
	return n
}

// Take returns the counts as the wire wants them, and starts again.
func (m *Mutants) Take() wire.Stats {
	s := wire.Stats{Execs: m.count.execs, MutantExecs: m.count.mutantExecs}
	s.Reached, s.Infected, s.Executed = m.count.reached.take(), m.count.infected.take(), m.count.executed.take()
	m.count.execs, m.count.mutantExecs = 0, 0
	return s
}
