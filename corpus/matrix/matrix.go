// Package matrix holds which corpus entry kills which mutant and covers which
// code, and finds small sets of entries that lose nothing of it.
//
// The rows are entries, the columns features. A feature is a mutant that the
// entry kills, or one bit of the hit-count bucket of a block of code that the
// entry executes: an entry that runs a loop often covers another feature than
// one that runs it once. How rows are stored is not part of the API.
package matrix

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// kinds bounds the kinds of kills by inputs. The first are the best.
const kinds = oracle.Cost + 1

// A Kill is a mutant that an entry kills.
type Kill struct {
	Mutant int         // from 0, below the number passed to New
	Kind   oracle.Kind // one that inputs kill by
}

// A Hit is a block that an entry executes.
type Hit struct {
	Block  int   // from 0
	Bucket uint8 // bits for how often; each bit is its own feature
}

// An Entry identifies a row and says how dear the entry is.
type Entry struct {
	Name string // breaks ties; should be unique
	Size int    // in bytes
	Fuel int64  // that the original program burns on it: time in a form that is the same on every machine
	// Fixed entries are the user's own. They are kept in any case, so that what
	// they cover costs nothing.
	Fixed bool
}

// A Matrix is a table of entries and their features. Rows are added and never
// changed. It may be read by several goroutines at a time.
type Matrix struct {
	mutants, blocks int
	rows            []row
}

// A row holds an entry's features. A mutant is in at most one of the kills.
type row struct {
	Entry
	kills [kinds]set
	cover set // block*8 + bit of the bucket
}

// New makes a matrix without entries for mutants 0 to mutants-1 and blocks 0 to
// blocks-1.
func New(mutants, blocks int) *Matrix {
	return &Matrix{mutants: mutants, blocks: blocks}
}

// Add adds an entry and returns its index, which counts from 0. The slices are
// not kept. Of several kills of one mutant the preferred kind counts. Add
// panics if a mutant, block or kind is out of range.
func (m *Matrix) Add(e Entry, kills []Kill, hits []Hit) int {
	m.rows = append(m.rows, row{e, m.killSets(kills), m.coverSet(hits)})
	return len(m.rows) - 1
}

func (m *Matrix) killSets(kills []Kill) (sets [kinds]set) {
	best := make(map[int]oracle.Kind, len(kills))
	for _, k := range kills {
		if k.Mutant < 0 || k.Mutant >= m.mutants || k.Kind == 0 || k.Kind >= kinds {
			panic(fmt.Sprintf("matrix: kill of mutant %d of %d, kind %d", k.Mutant, m.mutants, k.Kind))
		}
		if old, ok := best[k.Mutant]; !ok || k.Kind < old {
			best[k.Mutant] = k.Kind
		}
	}
	var elems [kinds][]uint32
	for mutant, kind := range best { // newSet sorts
		elems[kind] = append(elems[kind], uint32(mutant))
	}
	for kind := range sets {
		sets[kind] = newSet(elems[kind], m.mutants)
	}
	return sets
}

func (m *Matrix) coverSet(hits []Hit) set {
	var elems []uint32
	for _, h := range hits {
		if h.Block < 0 || h.Block >= m.blocks {
			panic(fmt.Sprintf("matrix: hit of block %d of %d", h.Block, m.blocks))
		}
		for b := h.Bucket; b != 0; b &= b - 1 {
			elems = append(elems, uint32(h.Block*8+bits.TrailingZeros8(b)))
		}
	}
	return newSet(elems, m.blocks*8)
}

// Len is the number of entries.
func (m *Matrix) Len() int { return len(m.rows) }

// Entry returns the entry of that index.
func (m *Matrix) Entry(i int) Entry { return m.rows[i].Entry }

// Kills yields the mutants that entry i kills and how, by kind and index.
func (m *Matrix) Kills(i int) iter.Seq2[int, oracle.Kind] {
	return func(yield func(int, oracle.Kind) bool) {
		for kind := range kinds {
			for mutant := range m.rows[i].kills[kind].all() {
				if !yield(int(mutant), kind) {
					return
				}
			}
		}
	}
}

// Kind says whether entry i kills the mutant, and how.
func (m *Matrix) Kind(i, mutant int) (oracle.Kind, bool) {
	for kind := range kinds {
		if m.rows[i].kills[kind].has(uint32(mutant)) {
			return kind, true
		}
	}
	return 0, false
}

// Hits yields the blocks that entry i covers, with their bucket bits, in order.
func (m *Matrix) Hits(i int) iter.Seq2[int, uint8] {
	return func(yield func(int, uint8) bool) {
		block, bucket := -1, uint8(0)
		for f := range m.rows[i].cover.all() {
			if int(f/8) != block && block >= 0 && !yield(block, bucket) {
				return
			}
			if int(f/8) != block {
				block, bucket = int(f/8), 0
			}
			bucket |= 1 << (f % 8)
		}
		if block >= 0 {
			yield(block, bucket)
		}
	}
}

// Totals is what a set of entries achieves together.
type Totals struct {
	Killed     int // mutants
	Assertions int // mutants that at least one entry kills by assertion
	Blocks     int // covered
	Features   int // covered: blocks by their hit counts
}

// Total adds up the entries of the given indices, each mutant, block and
// feature counting once.
func (m *Matrix) Total(entries []int) Totals {
	killed, asserted := bitset.New(m.mutants), bitset.New(m.mutants)
	features, blocks := bitset.New(m.blocks*8), bitset.New(m.blocks)
	for _, i := range entries {
		r := &m.rows[i]
		for _, s := range r.kills {
			s.addTo(&killed)
		}
		r.kills[oracle.Assertion].addTo(&asserted)
		r.cover.addTo(&features)
		for f := range r.cover.all() {
			blocks.Add(int(f / 8))
		}
	}
	return Totals{killed.Len(), asserted.Len(), blocks.Len(), features.Len()}
}

// FirstKills gives, for each mutant, the index of the first of the given
// entries that kills it, or -1. The order of the entries is the caller's.
func (m *Matrix) FirstKills(entries []int) []int {
	first := make([]int, m.mutants)
	for i := range first {
		first[i] = -1
	}
	for _, i := range entries {
		for mutant := range m.Kills(i) {
			if first[mutant] < 0 {
				first[mutant] = i
			}
		}
	}
	return first
}
