package triage_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// The three failing inputs of a toy compiler, as in §4 of the paper: a shows a bug
// in its folding of constants, b one in its loops, and c, which has a loop over a
// constant, fails by the first bug alone. Mutants 0 and 1 are in the folding, 2 is
// in code that both need, and 3 and 4 are in the loops.
var (
	toyA = bitset.Of(0, 2)
	toyB = bitset.Of(2, 3, 4)
	toyC = bitset.Of(2)
	toy  = []bitset.Set{toyA, toyB, toyC}
)

func TestToyCompilerDistances(t *testing.T) {
	m := triage.Among(toy)
	for _, tt := range []struct {
		i, j int
		want float64
	}{{0, 1, 0.75}, {0, 2, 0.50}, {1, 2, 2.0 / 3}, {0, 0, 0}} {
		if d := m(tt.i, tt.j); d != tt.want || m(tt.j, tt.i) != d {
			t.Errorf("d(%d, %d) = %v, want %v", tt.i, tt.j, d, tt.want)
		}
	}
}

// items returns the items of a ranking alone.
func items(order []triage.Ranked) []int {
	var list []int
	for _, r := range order {
		list = append(list, r.Item)
	}
	return list
}

func TestToyCompilerRankings(t *testing.T) {
	for start, want := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}} {
		if got := items(triage.FurthestFirst(3, start, 0, triage.Among(toy))); !slices.Equal(got, want) {
			t.Errorf("from %d: %v, want %v", start, got, want)
		}
	}
}

func TestToyCompilerLocalisation(t *testing.T) {
	s := triage.Spectrum{Failures: 3, Passing: 2}
	for m := range 5 {
		e := triage.Effect{Statement: m / 2}
		for f, v := range toy {
			if v.Has(m) {
				e.Repairs.Add(f)
			}
		}
		s.Mutants = append(s.Mutants, e)
	}
	m := triage.Among(toy)
	// Mutant 2 repairs everything: it is the least likely place of each bug.
	want := []triage.Suspect{{Number: 3, Score: 1}, {Number: 4, Score: 1}, {Number: 2, Score: 1 / 1.75}}
	if got := s.Repair(1, m); !reflect.DeepEqual(got, want) {
		t.Errorf("Repair: %v, want %v", got, want)
	}
	s.Mutants[3].Breaks = 1 // it repairs nothing, then
	if got := s.Repair(1, m); !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("Repair with a mutant that breaks: %v, want %v", got, want[1:])
	}
}

func TestToyCompilerRings(t *testing.T) {
	want := []triage.Ring{{Distance: 0.5, Items: []int{2}}, {Distance: 0.75, Items: []int{1}}}
	if got := triage.Rings(3, 0, triage.Among(toy)); !reflect.DeepEqual(got, want) {
		t.Errorf("rings: %v, want %v", got, want)
	}
}

func TestDistanceOfEmptySets(t *testing.T) {
	if d := triage.Distance(nil, bitset.Set{}); d != 0 {
		t.Errorf("two empty sets are %v apart", d)
	}
	if d := triage.Distance(nil, bitset.Of(3, 65)); d != 1 {
		t.Errorf("an empty set and another are %v apart", d)
	}
}

func TestThreeValues(t *testing.T) {
	a := triage.Outcomes{Repaired: bitset.Of(1, 2), Changed: bitset.Of(3)}
	b := triage.Outcomes{Repaired: bitset.Of(1, 3), Changed: bitset.Of(2)}
	c := triage.Outcomes{Repaired: bitset.Of(1, 2), Changed: bitset.Of(3, 70)}
	plain := triage.Outcomes{Repaired: toyA}
	for _, tt := range []struct {
		u, v triage.Outcomes
		want float64
	}{
		{a, b, 2.0 / 3}, // 2 and 3 do something to both, but not the same
		{a, c, 1.0 / 4},
		{a, a, 0},
		{triage.Outcomes{}, triage.Outcomes{}, 0},
		{plain, triage.Outcomes{Repaired: toyB}, 0.75},
	} {
		if got := tt.u.Distance(tt.v); got != tt.want || tt.v.Distance(tt.u) != got {
			t.Errorf("%v and %v are %v apart, want %v", tt.u, tt.v, got, tt.want)
		}
	}
}

// far is a distance between points on a line.
func far(points ...float64) triage.Metric {
	return func(i, j int) float64 { return math.Abs(points[i] - points[j]) }
}

func TestTiesGoToTheNextMetricThenToTheOrder(t *testing.T) {
	first, second := far(0, 0.5, 0.5, 0.5), far(0, 0.1, 0.9, 0.1)
	got := triage.FurthestFirst(4, 0, 0, first, second)
	want := []triage.Ranked{{Item: 0, Distance: 1}, {Item: 2, Distance: 0.5}, {Item: 1}, {Item: 3}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := triage.FurthestFirst(4, 3, 2, first); !slices.Equal(items(got), []int{3, 0}) {
		t.Errorf("two places from 3: %v", got)
	}
	if got := triage.FurthestFirst(0, 0, 0, first); got != nil {
		t.Errorf("nothing is ranked as %v", got)
	}
}

func TestRankingsHoldEachItemOnceAtShrinkingDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		vectors := randomVectors(r, 1+r.IntN(30), 12)
		order := triage.FurthestFirst(len(vectors), r.IntN(len(vectors)), 0, triage.Among(vectors))
		seen := make(map[int]bool)
		for i, o := range order {
			if seen[o.Item] || i > 1 && o.Distance > order[i-1].Distance {
				t.Fatalf("ranking %v", order)
			}
			seen[o.Item] = true
		}
		if len(seen) != len(vectors) {
			t.Fatalf("%d of %d items are ranked", len(seen), len(vectors))
		}
	}
}

func randomVectors(r *rand.Rand, n, size int) []bitset.Set {
	list := make([]bitset.Set, n)
	for i := range list {
		for m := range size {
			if r.IntN(3) == 0 {
				list[i].Add(m)
			}
		}
	}
	return list
}

func TestClusters(t *testing.T) {
	line := far(0, 0.1, 0.2, 0.9, 1)
	ones := []int{1, 1, 1, 1, 1}
	for _, tt := range []struct {
		linkage   triage.Linkage
		weights   []int
		threshold float64
		want      []int
	}{
		{triage.Average, ones, 0, []int{0, 1, 2, 3, 4}},
		{triage.Average, ones, 0.101, []int{0, 0, 1, 2, 2}},
		{triage.Average, ones, 0.151, []int{0, 0, 0, 1, 1}},
		{triage.Average, []int{9, 1, 1, 1, 1}, 0.18, []int{0, 0, 1, 2, 2}}, // 2 is 0.19 from nine of one and one of the other
		{triage.Complete, ones, 0.15, []int{0, 0, 1, 2, 2}},
		{triage.Complete, ones, 0.2, []int{0, 0, 0, 1, 1}},
		{triage.Single, ones, 0.101, []int{0, 0, 0, 1, 1}},
		{triage.Average, ones, 1, []int{0, 0, 0, 0, 0}},
	} {
		if got := triage.Cluster(tt.weights, line, tt.linkage, tt.threshold); !slices.Equal(got, tt.want) {
			t.Errorf("linkage %v of %v at %v: %v, want %v", tt.linkage, tt.weights, tt.threshold, got, tt.want)
		}
	}
	if got := triage.Cluster(nil, line, triage.Average, 1); len(got) != 0 {
		t.Errorf("nothing is clustered as %v", got)
	}
}

// TestClustersAreThoseOfTheDefinition computes them again the slow way.
func TestClustersAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		vectors := randomVectors(r, 2+r.IntN(14), 8)
		m := triage.Among(vectors)
		for _, linkage := range []triage.Linkage{triage.Average, triage.Complete, triage.Single} {
			weights := make([]int, len(vectors))
			for i := range weights {
				weights[i] = 1 + r.IntN(3)
			}
			got, want := triage.Cluster(weights, m, linkage, 0.4), clusterSlowly(weights, m, linkage, 0.4)
			if !slices.Equal(got, want) {
				t.Fatalf("linkage %v: %v, want %v", linkage, got, want)
			}
		}
	}
}

func clusterSlowly(weights []int, m triage.Metric, linkage triage.Linkage, threshold float64) []int {
	var clusters [][]int
	for i := range weights {
		clusters = append(clusters, []int{i})
	}
	between := func(a, b []int) float64 {
		sum, n, most, least := 0.0, 0, 0.0, 2.0
		for _, i := range a {
			for _, j := range b {
				sum += float64(weights[i]*weights[j]) * m(i, j)
				n += weights[i] * weights[j]
				most, least = max(most, m(i, j)), min(least, m(i, j))
			}
		}
		return map[triage.Linkage]float64{triage.Average: sum / float64(n), triage.Complete: most, triage.Single: least}[linkage]
	}
	for {
		x, y, best := 0, 0, 2.0
		for i := range clusters {
			for j := i + 1; j < len(clusters); j++ {
				// Sums in another order differ in the last digit.
				if d := between(clusters[i], clusters[j]); d < best-1e-12 {
					x, y, best = i, j, d
				}
			}
		}
		if best > threshold+1e-12 {
			break
		}
		clusters[x] = append(clusters[x], clusters[y]...)
		clusters = slices.Delete(clusters, y, y+1)
	}
	root := make([]int, len(weights))
	for _, c := range clusters {
		for _, i := range c {
			root[i] = slices.Min(c)
		}
	}
	return triage.Groups(root)
}

func TestDiscovery(t *testing.T) {
	labels := [][]string{{"a"}, {"a"}, {"b", "c"}, {"a"}, {"d"}}
	curve := triage.Discovery([]int{0, 1, 2, 3}, labels)
	if want := []int{1, 1, 3, 3}; !slices.Equal(curve, want) {
		t.Fatalf("curve %v, want %v", curve, want)
	}
	if got := triage.FirstSeen(curve); !slices.Equal(got, []int{1, 3, 3}) {
		t.Errorf("first seen at %v", got)
	}
	// Ranks 1, 3, 3, and 5 for the one that does not come.
	if got, want := triage.APFD(curve, 4), 1-12.0/16+1.0/8; got != want {
		t.Errorf("APFD %v, want %v", got, want)
	}
	if triage.APFD(nil, 3) != 0 || triage.APFD([]int{1}, 1) != 0.5 {
		t.Error("APFD of the smallest curves")
	}
}

func TestCASRDistance(t *testing.T) {
	stack := func(frames ...string) triage.Stack { return triage.Stack{Kind: "panic", Frames: frames} }
	base := stack("p.leaf", "p.parseValue", "p.parseObject", "p.Parse")
	for _, tt := range []struct {
		name  string
		other triage.Stack
		want  float64
	}{
		{"itself", base, 0},
		{"another caller", stack("p.leaf", "p.parseValue", "p.parseObject", "p.Other"), math.Exp(-0.12) / (1 + math.Exp(-0.04) + math.Exp(-0.08) + math.Exp(-0.12))},
		{"two frames in common", stack("p.x", "p.leaf", "p.parseValue"), 1 - (math.Exp(-0.13)+math.Exp(-0.04-0.13))/(1+math.Exp(-0.04)+math.Exp(-0.08))},
		{"nothing", stack("p.a", "p.b", "p.c"), 1},
		{"nearly the same names", stack("p.leaf2", "p.parseValue2", "p.parseObject2"), 1},
		{"no frames", stack(), 1},
		{"another kind", triage.Stack{Kind: "hang", Frames: base.Frames}, 0},
	} {
		if got := triage.CASRDistance(base, tt.other); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A program of three statements: 0 is run by all, 1 by what fails, and its mutant
// repairs both failures; 2 by one failure and one passing input, which it breaks.
func spectrum() triage.Spectrum {
	return triage.Spectrum{
		Failures: 2, Passing: 4,
		Mutants: []triage.Effect{
			{Statement: 0, Breaks: 4},
			{
				Statement: 1, Repairs: bitset.Of(0, 1),
				Moved: map[int]bitset.Set{0: bitset.Of(1, 2), 1: bitset.Of(1)},
			},
			{Statement: 1},
			{Statement: 2, Repairs: bitset.Of(0), Changes: bitset.Of(1), Breaks: 1},
		},
		Covered:      []bitset.Set{bitset.Of(0, 1, 2), bitset.Of(0, 1)},
		PassingCover: []int{4, 0, 1},
	}
}

func TestLocalisersFindTheFault(t *testing.T) {
	s, all := spectrum(), bitset.Of(0, 1)
	for name, list := range map[string][]triage.Suspect{
		"Coverage": s.Coverage(1), "MUSE": s.MUSE(all), "MUSEUM": s.MUSEUM(all), "Metallaxis": s.Metallaxis(all), "Ochiai": s.Ochiai(all),
	} {
		if list[0].Number != 1 || len(list) > 1 && list[1].Score == list[0].Score {
			t.Errorf("%s does not put the fault in place 1: %v", name, list)
		}
	}
}

func TestScoresOfLocalisers(t *testing.T) {
	s, all := spectrum(), bitset.Of(0, 1)
	// Three repairs of failures, five breakages: weight 3·4 / (5·2).
	w := 12.0 / 10
	for _, tt := range []struct {
		name string
		got  []triage.Suspect
		want []float64 // by statement
	}{
		{"MUSE", s.MUSE(all), []float64{-w, 0.5, 0.5 - w/4}},
		{"MUSEUM", s.MUSEUM(all), []float64{-4.0 / 6 / 2, 2.0 / 4 / 3, (1.0/4 - 1.0/6) / 2}},
		{"Metallaxis", s.Metallaxis(all), []float64{0, 1, 2 / math.Sqrt(2*3)}},
		{"Ochiai", s.Ochiai(all), []float64{2 / math.Sqrt(2*6), 1, 1 / math.Sqrt(2*2)}},
		// Statement 2 moves with the first failure's repair alone.
		{"Coverage", s.Coverage(0), []float64{0, 0.5, 1}},
	} {
		for _, suspect := range tt.got {
			if want := tt.want[suspect.Number]; math.Abs(suspect.Score-want) > 1e-12 {
				t.Errorf("%s gives statement %d %v, want %v", tt.name, suspect.Number, suspect.Score, want)
			}
		}
	}
}

func ExampleFurthestFirst() {
	// Which mutants repair which of four failing inputs.
	vectors := []bitset.Set{
		bitset.Of(1, 2, 3),
		bitset.Of(1, 2, 3),
		bitset.Of(2, 3),
		bitset.Of(8),
	}
	for _, r := range triage.FurthestFirst(len(vectors), 0, 0, triage.Among(vectors)) {
		fmt.Printf("input %d, %.2f from those before\n", r.Item, r.Distance)
	}
	// Output:
	// input 0, 1.00 from those before
	// input 3, 1.00 from those before
	// input 2, 0.33 from those before
	// input 1, 0.00 from those before
}
