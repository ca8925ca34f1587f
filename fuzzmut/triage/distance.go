package triage

import (
	"math/bits"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// Metric is a distance between two items, from 0 to 1, that are called by their
// numbers. It is symmetric, and 0 from an item to itself.
type Metric func(i, j int) float64

// Distance returns the Jaccard distance (§2): of the members of either set, the
// share that is in one of them only. It is 0 if both are empty.
func Distance(u, v bitset.Set) float64 {
	differ, either := 0, 0
	for i := range max(len(u), len(v)) {
		a, b := u.Word(i), v.Word(i)
		differ += bits.OnesCount64(a ^ b)
		either += bits.OnesCount64(a | b)
	}
	return ratio(differ, either)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Outcomes is what the mutants do to a failing input, in three values (§2, last
// paragraph): a mutant repairs it, makes another failure of it, or does neither.
type Outcomes struct {
	Repaired bitset.Set // it passes with these mutants
	Changed  bitset.Set // it fails with these, but otherwise
}

// Distance returns, of the mutants that do something to either input, the share
// that does not do the same to both. Without changed failures it is the Jaccard
// distance of the repair vectors.
func (u Outcomes) Distance(v Outcomes) float64 {
	n := max(len(u.Repaired), len(u.Changed), len(v.Repaired), len(v.Changed))
	differ, either := 0, 0
	for i := range n {
		a, b, c, d := u.Repaired.Word(i), v.Repaired.Word(i), u.Changed.Word(i), v.Changed.Word(i)
		differ += bits.OnesCount64((a ^ b) | (c ^ d))
		either += bits.OnesCount64(a | b | c | d)
	}
	return ratio(differ, either)
}

// apart returns, of the mutants that repair either of two inputs that fail alike, the share
// that does nothing to the other one's failure. A repair that ends it, only for another one to
// follow, speaks for one bug.
func (u Outcomes) apart(v Outcomes) float64 {
	either := u.Repaired.Or(v.Repaired)
	apart := u.Repaired.Or(u.Changed).Xor(v.Repaired.Or(v.Changed))
	return ratio(apart.Shared(either), either.Len())
}

// Among returns the Jaccard distance between the vectors.
func Among(vectors []bitset.Set) Metric {
	return func(i, j int) float64 { return Distance(vectors[i], vectors[j]) }
}

// Tabulated returns the same distances between n items, each computed once.
func (m Metric) Tabulated(n int) Metric {
	table := make([]float64, n*n)
	for i := range n {
		for j := range i {
			d := m(i, j)
			table[i*n+j], table[j*n+i] = d, d
		}
	}
	return func(i, j int) float64 { return table[i*n+j] }
}
