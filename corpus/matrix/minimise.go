package matrix

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Features selects features of a [Matrix].
type Features uint8

const (
	Kills    Features = 1 << iota // killed mutants
	Coverage                      // covered blocks, by hit counts
)

// Prefs says what [Minimise] must keep.
type Prefs struct {
	// By selects the features that count; 0 selects all. Entries that have none
	// of them are dropped.
	By Features
	// Assertions keeps, for every mutant that some entry kills by assertion, an
	// entry that does so. Without it such a mutant may be left to an entry that
	// kills it in another way, which plain go test may not see.
	Assertions bool
}

// Minimise returns the indices, in ascending order, of entries that together
// have every feature that all entries of m have. The fixed entries are among
// them; of the others none can be left out without losing a feature.
//
// It is the greedy algorithm for set cover (Chvátal, A Greedy Heuristic for the
// Set-Covering Problem, 1979), which takes at most 1 + ln d times as many
// entries as necessary, d being the most features of an entry. Among entries
// that add equally many features it takes the one that adds most kills by
// assertion, then the one that adds most kills that plain go test sees at once, then
// the shorter, then the faster, then the first by name. The result is the same
// in whatever order the entries were added. Before that, entries that nothing can
// replace are taken, and those that add nothing to another one left out (see reduce).
//
// Gains only shrink as entries are taken, so an entry whose gain, brought up to
// date, still beats the others' old gains is the best (Minoux, Accelerated
// Greedy Algorithms for Maximizing Submodular Set Functions, 1978). The same
// holds for the tuple (features, assertions, visible kills) compared element by
// element, as none of the three can grow.
func Minimise(m *Matrix, prefs Prefs) []int {
	if prefs.By == 0 {
		prefs.By = Kills | Coverage
	}
	c := newCover(m, prefs)
	var chosen []int
	for i := range m.rows {
		if m.rows[i].Fixed {
			c.take(i)
			chosen = append(chosen, i)
		}
	}
	fixed := len(chosen)
	taken, open := c.reduce()
	chosen = append(append(chosen, taken...), c.greedy(open)...)
	kept := append(chosen[:fixed:fixed], c.dropRedundant(chosen)...)
	slices.Sort(kept)
	return kept
}

// A cover is a set of entries under construction, as the features they have.
type cover struct {
	m     *Matrix
	prefs Prefs
	rank  []int // of each entry in the order of last resort

	killed, asserted, covered bitset.Set
}

func newCover(m *Matrix, prefs Prefs) *cover {
	return &cover{
		m: m, prefs: prefs, rank: ranks(m),
		killed: bitset.New(m.mutants), asserted: bitset.New(m.mutants), covered: bitset.New(m.blocks * 8),
	}
}

// ranks orders the entries by what they cost. The features come last, so that
// the order does not depend on indices even if names are not unique.
func ranks(m *Matrix) []int {
	order := make([]int, len(m.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &m.rows[i], &m.rows[j]
		return cmp.Or(
			cmp.Compare(a.Size, b.Size),
			cmp.Compare(a.Fuel, b.Fuel),
			strings.Compare(a.Name, b.Name),
			compareFeatures(a, b),
			cmp.Compare(i, j), // equal rows: either will do
		)
	})
	rank := make([]int, len(order))
	for r, i := range order {
		rank[i] = r
	}
	return rank
}

func compareFeatures(a, b *row) int {
	if c := compareSets(a.cover, b.cover); c != 0 {
		return c
	}
	for kind := range kinds {
		if c := compareSets(a.kills[kind], b.kills[kind]); c != 0 {
			return c
		}
	}
	return 0
}

// compareSets needs no more than some order; equal sets have the same form.
func compareSets(a, b set) int {
	return cmp.Or(slices.Compare(a.list, b.list), slices.Compare(a.bits, b.bits))
}

// A gain is what an entry adds to a cover.
type gain struct{ features, assertions, visible int }

func (g gain) compare(h gain) int {
	return cmp.Or(
		cmp.Compare(g.features, h.features),
		cmp.Compare(g.assertions, h.assertions),
		cmp.Compare(g.visible, h.visible),
	)
}

// gain computes what entry i adds.
func (c *cover) gain(i int) (g gain) {
	r := &c.m.rows[i]
	if c.prefs.By&Coverage != 0 {
		g.features += r.cover.countNotIn(c.covered)
	}
	if c.prefs.By&Kills == 0 {
		return g
	}
	for kind, s := range r.kills {
		n := s.countNotIn(c.killed)
		g.features += n
		if oracle.Kind(kind) == oracle.Assertion {
			g.assertions += n
		}
		if oracle.Kind(kind) < oracle.Fuel {
			g.visible += n
		}
	}
	if c.prefs.Assertions {
		g.features += r.kills[oracle.Assertion].countNotIn(c.asserted)
	}
	return g
}

// take adds the features of entry i.
func (c *cover) take(i int) {
	r := &c.m.rows[i]
	for _, s := range r.kills {
		s.addTo(&c.killed)
	}
	r.kills[oracle.Assertion].addTo(&c.asserted)
	r.cover.addTo(&c.covered)
}

// greedy takes entries of open until none adds a feature.
func (c *cover) greedy(open []int) (chosen []int) {
	q := &queue{rank: c.rank}
	for _, i := range open {
		if g := c.gain(i); g.features > 0 {
			q.items = append(q.items, candidate{i, g})
		}
	}
	heap.Init(q)
	for len(q.items) > 0 {
		top := &q.items[0]
		now := c.gain(top.entry)
		switch {
		case now.features == 0:
			heap.Pop(q)
		case now != top.gain:
			top.gain = now
			heap.Fix(q, 0)
		default:
			c.take(top.entry)
			chosen = append(chosen, top.entry)
			heap.Pop(q)
		}
	}
	return chosen
}

// A candidate is an entry with its gain when it was last looked at.
type candidate struct {
	entry int
	gain  gain
}

// A queue is a heap of candidates, the most promising first.
type queue struct {
	items []candidate
	rank  []int
}

func (q *queue) Len() int      { return len(q.items) }
func (q *queue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *queue) Push(x any)    { q.items = append(q.items, x.(candidate)) }

func (q *queue) Less(i, j int) bool {
	a, b := &q.items[i], &q.items[j]
	if c := a.gain.compare(b.gain); c != 0 {
		return c > 0
	}
	return q.rank[a.entry] < q.rank[b.entry]
}

func (q *queue) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return last
}

// dropRedundant returns the entries of chosen that are not fixed and whose
// features the others of chosen do not all have. One pass is enough: what can't
// be dropped when its turn comes can't be dropped when there are fewer others.
func (c *cover) dropRedundant(chosen []int) (kept []int) {
	n := newTally(c.m, c.prefs)
	for _, i := range chosen {
		n.add(i, 1)
	}
	for _, i := range c.worstFirst(chosen) {
		if n.redundant(i) {
			n.add(i, -1)
		} else {
			kept = append(kept, i)
		}
	}
	return kept
}

// worstFirst orders the entries of chosen that are not fixed: those with few
// kills by assertion first, then the long, slow ones.
func (c *cover) worstFirst(chosen []int) []int {
	var order []int
	for _, i := range chosen {
		if !c.m.rows[i].Fixed {
			order = append(order, i)
		}
	}
	none := bitset.New(c.m.mutants)
	slices.SortFunc(order, func(i, j int) int {
		a, b := c.m.rows[i].kills[oracle.Assertion], c.m.rows[j].kills[oracle.Assertion]
		return cmp.Or(cmp.Compare(a.countNotIn(none), b.countNotIn(none)), cmp.Compare(c.rank[j], c.rank[i]))
	})
	return order
}

// A tally counts, for each feature, the entries that have it.
type tally struct {
	m                         *Matrix
	prefs                     Prefs
	killed, asserted, covered []int32
}

func newTally(m *Matrix, prefs Prefs) *tally {
	return &tally{m, prefs, make([]int32, m.mutants), make([]int32, m.mutants), make([]int32, m.blocks*8)}
}

// add counts entry i n times.
func (t *tally) add(i int, n int32) {
	r := &t.m.rows[i]
	for f := range r.cover.all() {
		t.covered[f] += n
	}
	for _, s := range r.kills {
		for f := range s.all() {
			t.killed[f] += n
		}
	}
	for f := range r.kills[oracle.Assertion].all() {
		t.asserted[f] += n
	}
}

// redundant says whether another entry has each feature of entry i that counts.
func (t *tally) redundant(i int) bool {
	r := &t.m.rows[i]
	if t.prefs.By&Coverage != 0 && !shared(r.cover, t.covered) {
		return false
	}
	if t.prefs.By&Kills == 0 {
		return true
	}
	for _, s := range r.kills {
		if !shared(s, t.killed) {
			return false
		}
	}
	return !t.prefs.Assertions || shared(r.kills[oracle.Assertion], t.asserted)
}

// shared says whether each element of s was counted more than once.
func shared(s set, counts []int32) bool {
	for f := range s.all() {
		if counts[f] < 2 {
			return false
		}
	}
	return true
}
