package triage

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// Assigning failing inputs to buckets one by one, as they come: at first only the input that opened
// a bucket is looked at, and of the mutants only those that tell.

// How many of the mutants that tell two buckets apart are run, and of those that
// repair a bucket: what is like no bucket must not pass for one by chance.
const (
	tellingPair = 4
	tellingOwn  = 4
)

// Telling returns mutants, ascending, that tell which of the known cases a failing
// input is like: a few of those that do one thing to one of two cases, and another to
// the other, for every two; and a few that repair each case, since what no bucket's
// repairs repair is in none of them. Those that serve most of these ends are taken
// first, and then the lower ones.
func Telling(known []Case) []int {
	var ends []end
	for i := range known {
		ends = append(ends, end{known[i].Repaired, tellingOwn})
		for j := range i {
			ends = append(ends, end{known[i].differing(known[j].Outcomes), tellingPair})
		}
	}
	var chosen bitset.Set
	for {
		serves := make(map[int]int)
		best := 0
		for _, e := range ends {
			if e.among.Shared(chosen) >= e.most {
				continue
			}
			for _, m := range e.among.Members() {
				if !chosen.Has(m) {
					serves[m]++
					best = max(best, serves[m])
				}
			}
		}
		if best == 0 {
			return chosen.Members()
		}
		chosen.Add(lowest(serves, best))
	}
}

// end is what mutants are chosen for: most of these are enough.
type end struct {
	among bitset.Set
	most  int
}

// lowest returns the lowest key with a value.
func lowest(of map[int]int, value int) int {
	low := -1
	for k, v := range of {
		if v == value && (low < 0 || k < low) {
			low = k
		}
	}
	return low
}

// differing returns the mutants that do not do the same to both.
func (u Outcomes) differing(v Outcomes) bitset.Set {
	return u.Repaired.Xor(v.Repaired).Or(u.Changed.Xor(v.Changed))
}

// among returns what some of the mutants do.
func (u Outcomes) among(mutants bitset.Set) Outcomes {
	return Outcomes{Repaired: u.Repaired.And(mutants), Changed: u.Changed.And(mutants)}
}

// NearestByTelling returns which of the known cases a failing input is like on which
// only the telling mutants were run, -1 if it can't be said without the others. It has
// to fail as the case does, and be repaired as far as DefaultMerge allows; of several
// it is the nearest, and then the first.
func NearestByTelling(known []Case, c Case, telling []int) int {
	mutants := bitset.Of(telling...)
	near, nearest := DefaultMerge, -1
	for i := range known {
		k := &known[i]
		if k.Token != c.Token || k.Repaired.Shared(mutants) == 0 || c.Repaired.Shared(k.Repaired) == 0 {
			continue
		}
		d := k.among(mutants).Distance(c.among(mutants))
		if d < near || d == near && nearest < 0 {
			near, nearest = d, i
		}
	}
	return nearest
}

// Nearest returns the known bucket that a failing input belongs to, given all that is
// known of the input; -1 if it is in none of them: the nearest, by the mean distance to its
// inputs and up to the threshold that Sort has.
func Nearest(known [][]Case, c Case) int {
	cases := append(slices.Concat(known...), c)
	m := mixed(cases, CausalMetric(cases))
	near, nearest := DefaultMerge, -1
	first := 0
	for b, bucket := range known {
		sum := 0.0
		for i := range bucket {
			sum += m(first+i, len(cases)-1)
		}
		first += len(bucket)
		if d := sum / float64(len(bucket)); d < near || d == near && nearest < 0 {
			near, nearest = d, b
		}
	}
	return nearest
}
