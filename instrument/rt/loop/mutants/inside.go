package mutants

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The oracle compares unexported fields and receivers, too. A kill that shows in nothing
// else is one that no caller notices, and no golden value: whoever reads the result has to
// know that.

// written is what a caller sees of an execution: its end, and the golden texts.
type written struct {
	kind    wire.OutcomeKind
	dearest int64 // fuel of a text that was asked for it, at most
	seen    []wire.Seen
}

// explain says of a kill whether it shows only inside, and what is the same in two runs.
// Addresses are not. What is said of the first kill inside is enough.
func (m *Mutants) explain(vals []any, id uint32, ref *Reference, kind oracle.Kind, detail string) (oracle.Kind, string) {
	if kind == oracle.Difference && m.onlyInside(vals, id, ref) {
		if kind = oracle.OnlyInside; m.inside[id] > 0 {
			return kind, detail
		}
	}
	if _, again := m.Try(vals, id, ref); again != detail {
		detail = "differs from run to run"
	}
	return kind, detail
}

// onlyInside reports whether a caller sees nothing of the difference that the last run
// has shown. Most differences are plain to see, and cost no run.
func (m *Mutants) onlyInside(vals []any, id uint32, ref *Reference) bool {
	diff, same := m.x.Rec.Compare(ref.Log)
	if same || m.x.Shows(diff) { // if it is the same, the target ended in another way
		return false
	}
	if ref.written == nil {
		m.count.execs++
		ref.written = m.write(m.x.Written(exec.Clone(vals), m.x.HangFuel, m.x.Rec.Hidden))
	}
	m.count.mutantExecs++
	m.x.MethodMost = exec.MethodFuel(ref.written.dearest)
	defer func() { m.x.MethodMost = 0 }()
	got := m.write(m.x.WrittenMutant(exec.Clone(vals), id, ref.Fuel*10, m.x.Rec.Hidden))
	m.x.Linger(m.Pause)
	return got.kind == ref.written.kind && slices.Equal(got.seen, ref.written.seen)
}

// write takes in an execution, but for values that differ from run to run.
func (m *Mutants) write(ex exec.Execution, seen []wire.Seen) *written {
	return &written{ex.Kind, ex.Dearest, slices.DeleteFunc(seen, func(s wire.Seen) bool { return m.x.Rec.Excluded(s.Site, s.Value) })}
}

// Inside counts an input that kills a mutant only inside, and reports whether another is
// to be looked at.
func (m *Mutants) Inside(id uint32) (another bool) {
	if m.inside == nil {
		m.inside = make(map[uint32]int)
	}
	m.inside[id]++
	return m.inside[id] < wire.InsideTries
}
