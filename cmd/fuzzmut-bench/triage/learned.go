package triage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// evidence are the distances that a learned one is a weighted mean of.
const evidence = 4

// weights say how much each distance counts, in parts of weightParts: by what mutants
// do, by stacks, by coverage, and by whether the failures are alike.
type weights [evidence]int

const weightParts = 5

func (w weights) String() string {
	var list []string
	for _, part := range w {
		list = append(list, fmt.Sprintf("%.1f", float64(part)/weightParts))
	}
	return strings.Join(list, " ")
}

// everyWeights are all that add up to the whole.
func everyWeights() []weights {
	var list []weights
	for a := range weightParts + 1 {
		for b := range weightParts + 1 - a {
			for c := range weightParts + 1 - a - b {
				list = append(list, weights{a, b, c, weightParts - a - b - c})
			}
		}
	}
	return list
}

// evidenceBetween returns the distances of each pair of inputs.
func evidenceBetween(t *triaged) [][][evidence]float64 {
	cases := t.cases(everyOperator)
	table := make([][][evidence]float64, len(cases))
	for i := range cases {
		a := &cases[i]
		table[i] = make([][evidence]float64, len(cases))
		for j := range cases {
			b := &cases[j]
			d := [evidence]float64{a.Distance(b.Outcomes), triage.CASRDistance(a.Stack, b.Stack), triage.Distance(a.Covered, b.Covered), 0}
			if a.Token != b.Token {
				d[3] = 1
			}
			if !a.Repairable() && !b.Repairable() {
				d[0] = triage.EvidenceDistance(a, b) // mutants tell nothing
			}
			table[i][j] = d
		}
	}
	return table
}

// weighed is the weighted mean of the distances.
func (w weights) weighed(table [][][evidence]float64) triage.Metric {
	return func(i, j int) float64 {
		sum := 0.0
		for k, part := range w {
			sum += float64(part) * table[i][j][k]
		}
		return sum / weightParts
	}
}

// learned is one setting that can be learned.
type learned struct {
	weights   weights
	threshold float64
}

// everyLearned are all settings that are tried.
func everyLearned() []learned {
	var list []learned
	for _, w := range everyWeights() {
		for _, threshold := range mergeThresholds {
			list = append(list, learned{w, threshold})
		}
	}
	return list
}

// agreementsOf are those of a module's buckets with its labels, for each setting.
func agreementsOf(t *triaged, settings []learned) []float64 {
	_, labels, _ := t.labels()
	table := evidenceBetween(t)
	list := make([]float64, len(settings))
	for i, s := range settings {
		list[i] = compare(clusters(triage.Average, s.threshold)(t, s.weights.weighed(table)), labels).ARI
	}
	return list
}

// learnedFrom returns the setting with the best mean agreement over the modules that may
// teach. Of several that are as good it is the one nearest to the middle of them, since a
// setting at the edge of the good ones is about to get worse.
func learnedFrom(agreements [][]float64, teaches func(i int) bool, settings []learned) int {
	var best []int
	most := -1.0
	for k := range settings {
		var others []float64
		for i := range agreements {
			if teaches(i) {
				others = append(others, agreements[i][k])
			}
		}
		switch mean := stats.Mean(others); {
		case mean > most+1e-9:
			best, most = []int{k}, mean
		case mean > most-1e-9:
			best = append(best, k)
		}
	}
	return middle(best, settings)
}

// middle returns that of the chosen settings that is nearest to their mean.
func middle(chosen []int, settings []learned) int {
	var mean [evidence + 1]float64
	for _, k := range chosen {
		for n, x := range settings[k].coordinates() {
			mean[n] += x / float64(len(chosen))
		}
	}
	best, least := chosen[0], 0.0
	for i, k := range chosen {
		distance := 0.0
		for n, x := range settings[k].coordinates() {
			distance += (x - mean[n]) * (x - mean[n])
		}
		if i == 0 || distance < least-1e-9 {
			best, least = k, distance
		}
	}
	return best
}

func (l learned) coordinates() [evidence + 1]float64 {
	var x [evidence + 1]float64
	for n, part := range l.weights {
		x[n] = float64(part) / weightParts
	}
	x[evidence] = l.threshold
	return x
}

// printLearned prints for each module how its inputs are sorted by one distance for all
// evidence, with weights and a threshold that the modules of other names choose.
func printLearned(w io.Writer, all []*triaged) {
	if !slices.ContainsFunc(all, func(t *triaged) bool { return family(t.Module) != family(all[0].Module) }) {
		return
	}
	settings := everyLearned()
	agreements := make([][]float64, len(all))
	for i, t := range all {
		agreements[i] = agreementsOf(t, settings)
	}
	var held, usual []float64
	fmt.Fprintf(w, "\nweights learned without the module\trepairs, stacks, coverage, failure\tthreshold\tARI\tARI of fuzzmut triage\n")
	for i, t := range all {
		k := learnedFrom(agreements, othersOf(all, i), settings)
		held, usual = append(held, agreements[i][k]), append(usual, t.agreement(triage.DefaultMerge))
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%.2f\n", t.Module, settings[k].weights, settings[k].threshold, held[i], usual[i])
	}
	fmt.Fprintf(w, "mean\t\t\t%.2f\t%.2f\n", stats.Mean(held), stats.Mean(usual))
}

// othersOf says which sets are of another module than a set.
func othersOf(all []*triaged, set int) func(i int) bool {
	return func(i int) bool { return family(all[i].Module) != family(all[set].Module) }
}

// family is a set's name without the number of its version: two versions of a module say the
// same.
func family(set string) string { return strings.TrimRight(set, "0123456789") }
