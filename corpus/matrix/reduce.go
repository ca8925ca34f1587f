package matrix

import (
	"cmp"
	"slices"
)

// The two reductions by which set cover is made smaller before anything is chosen
// (Beasley, An Algorithm for Set Covering Problem, 1987, §2): an entry that alone
// has some feature is taken, and an entry all of whose missing features another one
// has as well is left out. Each makes room for the other.

// reductionMost bounds the features that the second reduction looks at, for memory,
// and reductionWork what it compares, for time. What they leave is left to the
// greedy choice.
const (
	reductionMost = 1 << 23
	reductionWork = 1 << 28
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
	r := &reduction{c: c, open: open, work: reductionWork}
	r.rest = make(map[int][]uint32, len(open))
	for _, i := range open {
		r.rest[i] = c.missing(i)
	}
	for r.leaveOut() && r.takeAlone() {
	}
	return append(taken, r.taken...), r.open
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
			list = r.kills[Assertion].appendNotIn(list, c.asserted, uint32(c.m.mutants))
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
	open  []int            // entries to choose from
	rest  map[int][]uint32 // what each of them adds
	taken []int
	work  int // left
}

// having lists, for each feature, the open entries that add it.
func (r *reduction) having() [][]int {
	lists := make([][]int, 2*r.c.m.mutants+8*r.c.m.blocks)
	for _, i := range r.open {
		for _, f := range r.rest[i] {
			lists[f] = append(lists[f], i)
		}
	}
	return lists
}

// leaveOut leaves out entries that another one makes needless, and reports whether
// there were any. Of entries that add the same the best one stays.
func (r *reduction) leaveOut() bool {
	having := r.having()
	gone := make(map[int]bool)
	gains := make(map[int]gain, len(r.open))
	for _, i := range r.open {
		gains[i] = r.c.gain(i)
	}
	better := func(i, j int) int { // first the better one
		return cmp.Or(-gains[i].compare(gains[j]), cmp.Compare(r.c.rank[i], r.c.rank[j]))
	}
	slices.SortFunc(r.open, better)
	for at := len(r.open) - 1; at >= 0 && r.work > 0; at-- {
		i := r.open[at]
		rarest := having[r.rest[i][0]]
		for _, f := range r.rest[i] {
			if len(having[f]) < len(rarest) {
				rarest = having[f]
			}
		}
		gone[i] = slices.ContainsFunc(rarest, func(j int) bool {
			return i != j && !gone[j] && better(j, i) < 0 && r.within(i, j)
		})
	}
	before := len(r.open)
	r.open = slices.DeleteFunc(r.open, func(i int) bool { return gone[i] })
	return len(r.open) < before
}

// within says whether entry j adds all that entry i adds.
func (r *reduction) within(i, j int) bool {
	a, b := r.rest[i], r.rest[j]
	r.work -= len(b)
	for _, f := range a {
		for len(b) > 0 && b[0] < f {
			b = b[1:]
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
	for _, i := range slices.Clone(r.open) {
		if slices.ContainsFunc(r.rest[i], func(f uint32) bool { return len(having[f]) == 1 }) {
			r.c.take(i)
			r.taken = append(r.taken, i)
		}
	}
	if len(r.taken) == before {
		return false
	}
	r.open = slices.DeleteFunc(r.open, func(i int) bool {
		r.rest[i] = r.c.missing(i)
		return len(r.rest[i]) == 0
	})
	return true
}
