package triage

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// Case is a failing input that is to be sorted.
type Case struct {
	Outcomes        // what the mutants do to it; of mutants that break nothing
	Stack    Stack  // of the failure
	Token    string // the failure's identity: kind, message and place
	// Loop is the token of a hang without what the loop calls last; "" for other failures.
	Loop    string
	Covered bitset.Set // blocks
	// Asserted says that an assertion has failed. Whatever is wrong with a result fails there,
	// so the place says less than that of a panic.
	Asserted bool
	// Costly says that the input passes, and costs too much for its length. Many changes
	// before several loops stop the growth of all of them, so that the loop alone says which
	// are one bug.
	Costly bool
}

// Repairable reports whether some mutant repairs the input.
func (c *Case) Repairable() bool { return c.Repaired.Len() > 0 }

// sameLoop reports whether both hang in one loop, whatever it calls last.
func (c *Case) sameLoop(d *Case) bool { return c.Loop != "" && c.Loop == d.Loop }

// Options of Sort. The zero value is the default.
type Options struct {
	// First is the item to begin with; a negative one is chosen: the first item of
	// the largest bucket.
	First int
	// Merge is how far buckets of equal vectors may be apart, on average, to become
	// one; 0 means DefaultMerge, and a negative value merges none.
	Merge float64
}

// DefaultMerge is how far apart buckets may be on average that are said to show the
// same bug. With the modules of bench-triage 0.35 joins more of what belongs together
// than 0.3 does, and above 0.4 bugs get mixed up. Inputs that fail in different
// places are at least 0.5 apart: that the same mutants repair them is not enough to
// join them.
const DefaultMerge = 0.35

// Sorted is the result of Sort.
type Sorted struct {
	Order   []Ranked // all items, in the order in which to look at them; distances are causal
	Buckets [][]int  // items by bucket, in order of rank; buckets by their first
	Causal  Metric   // CausalMetric of the cases
	Ranking []Metric // what the order goes by, the first before the next
}

// Sort ranks failing inputs and puts them into buckets. Items are taken to be in an
// order of preference, the smallest first, by which ties are broken.
//
// The cheap evidence goes first: what fails in another place, or says something
// else, comes before what fails alike. Among the latter the repair vectors decide, then
// coverage, since a guard that returns an error repairs several bugs of one place alike, and
// then the order of preference. With buckets tokens and vectors count half.
func Sort(cases []Case, o Options) Sorted {
	n := len(cases)
	if n == 0 {
		return Sorted{}
	}
	tokens := make([]string, n)
	for i := range cases {
		tokens[i] = cases[i].Token
	}
	token, causal := Differing(tokens), CausalMetric(cases).Tabulated(n)
	clusters := buckets(cases, mixed(cases, causal), o.Merge)
	first := o.First
	if first < 0 {
		first = start(clusters)
	}
	s := Sorted{Causal: causal, Ranking: []Metric{token, causal, covered(cases)}}
	s.Order = FurthestFirst(n, first, 0, s.Ranking...)
	number := make(map[int]int)
	for k, r := range s.Order {
		s.Order[k].Distance = 1
		for _, before := range s.Order[:k] {
			s.Order[k].Distance = min(causal(before.Item, r.Item), s.Order[k].Distance)
		}
		c := clusters[r.Item]
		at, ok := number[c]
		if !ok {
			at = len(s.Buckets)
			number[c] = at
			s.Buckets = append(s.Buckets, nil)
		}
		s.Buckets[at] = append(s.Buckets[at], r.Item)
	}
	return s
}

// mixed is the distance that buckets go by: tokens and vectors count half each. Several
// mutants that all repair both inputs, and none that repairs one of them only, outweigh
// the place: what is wrong before both places is one bug. Of hangs in one loop that end their turns
// in different calls the vectors alone decide, if there are any: a callee may have several
// ways to make no progress.
func mixed(cases []Case, causal Metric) Metric {
	return func(i, j int) float64 {
		a, b := &cases[i], &cases[j]
		switch {
		case a.Costly || b.Costly:
			return Differing([]string{a.Token, b.Token})(0, 1)
		case a.Token == b.Token:
			return causal(i, j) / 2
		case a.Repaired.Len() > 1 && !a.Asserted && !b.Asserted && a.Repaired.Equal(b.Repaired):
			return 0
		case a.sameLoop(b) && a.Repairable() && b.Repairable():
			return causal(i, j)
		}
		return (1 + causal(i, j)) / 2
	}
}

// start is the first item of the largest cluster, of the first if several are as
// large.
func start(clusters []int) int {
	counts := make(map[int]int)
	best := 0
	for _, c := range clusters {
		counts[c]++
	}
	for i, c := range clusters {
		if counts[c] > counts[clusters[best]] {
			best = i
		}
	}
	return best
}

// buckets joins items with equal vectors, and then what is at most so far apart.
func buckets(cases []Case, m Metric, merge float64) []int {
	switch {
	case merge == 0:
		merge = DefaultMerge
	case merge < 0:
		merge = 0
	}
	type class struct {
		token, repaired string
		covered         string // of what no mutant repairs
	}
	keys := make([]class, len(cases))
	for i := range cases {
		c := &cases[i]
		keys[i] = class{token: c.Token, repaired: c.Repaired.Key()}
		if !c.Repairable() {
			keys[i].covered = c.Covered.Key()
		}
	}
	groups := Groups(keys)
	var weights, members []int
	for i, g := range groups {
		if g == len(weights) {
			weights, members = append(weights, 0), append(members, i)
		}
		weights[g]++
	}
	merged := Cluster(weights, func(i, j int) float64 { return m(members[i], members[j]) }, Average, merge)
	clusters := make([]int, len(cases))
	for i, g := range groups {
		clusters[i] = merged[g]
	}
	return clusters
}

// Differing is 0 between items with the same key, and 1 between others.
func Differing[K comparable](keys []K) Metric {
	return func(i, j int) float64 {
		if keys[i] == keys[j] {
			return 0
		}
		return 1
	}
}

// halfRepaired is how far an input is, for which an assertion fails and that some mutants
// repair, from one that fails alike and that none repairs.
const halfRepaired = 0.75

// CausalMetric is the distance by what mutants do to the inputs, in three values,
// without the mutants that repair every input, since these tell nothing apart.
// Where no mutant repairs one of the two, the other evidence has to do: that each change breaks
// something, or was not tried, does not say that it is another bug. For inputs that fail alike
// it tells nothing either if what repairs the one makes another failure of the other: both
// failures are ended. None of that holds for assertions.
func CausalMetric(cases []Case) Metric {
	universal := universal(cases)
	outcomes := make([]Outcomes, len(cases))
	for i := range cases {
		outcomes[i] = cases[i].Outcomes
		outcomes[i].Repaired = cases[i].Repaired.And(cases[i].Repaired.Xor(universal))
	}
	return func(i, j int) float64 {
		a, b := &cases[i], &cases[j]
		alike := (a.Token == b.Token || a.sameLoop(b)) && !a.Asserted
		switch {
		case i == j:
			return 0
		case a.Repairable() && b.Repairable() && alike:
			return outcomes[i].apart(outcomes[j])
		case a.Repairable() && b.Repairable():
			return outcomes[i].Distance(outcomes[j])
		case a.Repairable() == b.Repairable() || alike:
			return EvidenceDistance(a, b)
		case a.Token != b.Token:
			return 1
		}
		return halfRepaired
	}
}

// universal are the mutants that repair every input that any mutant repairs.
func universal(cases []Case) bitset.Set {
	var all bitset.Set
	first := true
	for i := range cases {
		switch {
		case !cases[i].Repairable():
		case first:
			all, first = cases[i].Repaired, false
		default:
			all = all.And(cases[i].Repaired)
		}
	}
	return all
}

// EvidenceDistance goes by what there is without mutants. Failures with the same
// token are half as far apart as their coverage; others of one kind as far as the
// mean of stacks and coverage says, and those of two kinds as far as can be.
func EvidenceDistance(a, b *Case) float64 {
	covered := Distance(a.Covered, b.Covered)
	switch {
	case a.Token == b.Token:
		return covered / 2
	case a.Stack.Kind != b.Stack.Kind:
		return 1
	}
	return (CASRDistance(a.Stack, b.Stack) + covered) / 2
}

// BySize compares inputs for the order that Sort wants: the shorter first, and then
// the lower.
func BySize(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// InTurns puts items of several classes in an order in which the classes take
// turns, so that a part of the work, done in that order, has something of each.
func InTurns[K comparable](classes []K) []int {
	turn := make([]int, len(classes))
	seen := make(map[K]int)
	order := make([]int, len(classes))
	for i, c := range classes {
		order[i], turn[i] = i, seen[c]
		seen[c]++
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(turn[a], turn[b]) })
	return order
}

// covered is the distance by coverage.
func covered(cases []Case) Metric {
	return func(i, j int) float64 { return Distance(cases[i].Covered, cases[j].Covered) }
}
