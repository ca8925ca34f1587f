package matrix

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// The two reductions by which set cover is minimized before anything is chosen
// (Beasley, An Algorithm for Set Covering Problem, 1987, §2): an entry that alone
// has some feature is taken, and an entry all of whose missing features another one
// has as well is left out. Each makes room for the other.

// reductionMost bounds the features that the second reduction looks at, for memory,
// and reductionWork what it compares, for time. What they leave is left to the
// greedy choice.
const (
	reductionMost = 1 << 23
	reductionWork = 1 << 25
)

// reduce takes the entries that no choice can do without, and returns them and
// those that are still to choose from.
func (c *cover) reduce() (taken, open []int) {
	n := newTally(c.m, c.prefs)
	for i := range c.m.rows {
		n.add(i, 1)
	}
	for i := range c.m.rows {
		if !c.m.rows[i].Fixed && !n.redundant(i) {
			c.take(i)
			taken = append(taken, i)
		}
	}
	total := 0
	for i := range c.m.rows {
		if g := c.gain(i); g.features > 0 {
			open = append(open, i)
			total += g.features
		}
	}
	if total > reductionMost {
		return taken, open
	}
	r := &reduction{c: c, work: reductionWork}
	for _, i := range open {
		r.open = append(r.open, openEntry{entry: i, gain: c.gain(i), rest: c.missing(i)})
	}
	for r.leaveOut() && r.takeAlone() {
	}
	open = open[:0]
	for _, e := range r.open {
		open = append(open, e.entry)
	}
	return append(taken, r.taken...), open
}

// missing lists the features that entry i adds, as numbers: kills, kills by
// assertion, blocks.
func (c *cover) missing(i int) (list []uint32) {
	r := &c.m.rows[i]
	if c.prefs.By&Kills != 0 {
		for _, s := range r.kills {
			list = s.appendNotIn(list, c.killed, 0)
		}
		if c.prefs.Assertions {
			list = r.kills[oracle.Assertion].appendNotIn(list, c.asserted, uint32(c.m.mutants))
		}
	}
	if c.prefs.By&Coverage != 0 {
		list = r.cover.appendNotIn(list, c.covered, uint32(2*c.m.mutants))
	}
	slices.Sort(list)
	return list
}

// reduction is the state of one reduce.
type reduction struct {
	c     *cover
	open  []openEntry // to choose from
	taken []int
	work  int // left
}

// openEntry is an entry with what it adds.
type openEntry struct {
	entry int
	gain  gain
	rest  []uint32
}

// having lists, for each feature, the open entries that add it, by their places.
func (r *reduction) having() [][]int32 {
	lists := make([][]int32, 2*r.c.m.mutants+8*r.c.m.blocks)
	for at := range r.open {
		for _, f := range r.open[at].rest {
			lists[f] = append(lists[f], int32(at))
		}
	}
	return lists
}

// leaveOut leaves out entries that add nothing to another one, and reports whether
// there were any. Of entries that add the same the best one stays.
func (r *reduction) leaveOut() bool {
	slices.SortFunc(r.open, func(a, b openEntry) int { // the best first
		return cmp.Or(-a.gain.compare(b.gain), cmp.Compare(r.c.rank[a.entry], r.c.rank[b.entry]))
	})
	having := r.having()
	kept := make([]openEntry, 0, len(r.open))
	for at := range r.open {
		rest := r.open[at].rest
		rarest := having[rest[0]]
		for _, f := range rest {
			if len(having[f]) < len(rarest) {
				rarest = having[f]
			}
		}
		if !r.redundant(at, rarest) {
			kept = append(kept, r.open[at])
		}
	}
	fewer := len(kept) < len(r.open)
	r.open = kept
	return fewer
}

// redundant says whether one of the entries that are better than the one at a place
// adds all that it adds. They are in order. Whether that one is redundant itself does
// not matter: then a better one yet has all of it.
func (r *reduction) redundant(at int, among []int32) bool {
	for _, j := range among {
		if int(j) >= at || r.work <= 0 {
			return false
		}
		r.work--
		if r.within(r.open[at].rest, r.open[j].rest) {
			return true
		}
	}
	return false
}

// within says whether all of a is in b. Both are sorted.
func (r *reduction) within(a, b []uint32) bool {
	for _, f := range a {
		for len(b) > 0 && b[0] < f {
			b = b[1:]
			r.work--
		}
		if len(b) == 0 || b[0] != f {
			return false
		}
	}
	return true
}

// takeAlone takes the entries that are the only open ones with some feature, and
// reports whether there were any.
func (r *reduction) takeAlone() bool {
	having := r.having()
	before := len(r.taken)
	for _, e := range r.open {
		if slices.ContainsFunc(e.rest, func(f uint32) bool { return len(having[f]) == 1 }) {
			r.c.take(e.entry)
			r.taken = append(r.taken, e.entry)
		}
	}
	if len(r.taken) == before {
		return false
	}
	left := make([]openEntry, 0, len(r.open))
	for _, e := range r.open {
		if e.rest = r.c.missing(e.entry); len(e.rest) > 0 {
			left = append(left, openEntry{e.entry, r.c.gain(e.entry), e.rest})
		}
	}
	r.open = left
	return true
}
