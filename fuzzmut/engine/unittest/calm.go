package unittest

import (
	"encoding/binary"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Of the mutants in a group, others of its function may keep one from the place where it shows:
// different ones in each group. Then its site is evaluated less often than without a mutant. Where it
// is evaluated as often, it was calm: none of the others has changed how control comes there. So the second
// time a mutant passes, this counts if it was calm, or the group has no others of its function. One that
// was not calm comes into no group with others of its function from then on.

// timesOf are the counts of a trace, of the mutants that it infects; nil: there are none.
func timesOf(ran *wire.TestRan) map[int]uint64 {
	if ran == nil || len(ran.Times) == 0 {
		return nil
	}
	infected, rest := bitset.FromBytes(ran.Infected), ran.Times
	times := make(map[int]uint64)
	for id := range bitset.FromBytes(ran.Reached).All() {
		n, size := binary.Uvarint(rest)
		if size <= 0 {
			return nil
		}
		if rest = rest[size:]; infected.Has(id) {
			times[id] = n
		}
	}
	return times
}

// calm reports whether the site of a member was evaluated as often as without a mutant, in each test of
// the group that it infects.
func (g *group) calm(i int) bool {
	id := int(g.members[i].verdict.Mutant)
	for t, times := range g.times {
		if t.infected.Has(id) && (i >= len(times) || times[i] == 0 || uint64(times[i]) != t.times[id]) {
			return false
		}
	}
	return len(g.times) > 0
}

// countPass counts that the group has passed, for a member that took effect.
func (g *group) countPass(i int, sameFunction func(a, b *member) bool) {
	m := g.members[i]
	m.calm = g.calm(i)
	crowded := slices.ContainsFunc(g.members, func(o *member) bool { return o != m && sameFunction(m, o) })
	if m.passed == 0 || m.calm || !crowded {
		m.passed++
	}
}

// inTheWay says that one of two mutants of a function has passed before, was not calm, and has to pass
// once more.
func (c *confirmer) inTheWay(a, b *member) bool {
	return !a.far && (a.wary() || b.wary()) && c.sameFunction(a, b)
}

func (c *confirmer) sameFunction(a, b *member) bool {
	fn := c.function(a.item)
	return fn >= 0 && fn == c.function(b.item)
}

func (m *member) wary() bool { return m.passed > 0 && !m.calm }
