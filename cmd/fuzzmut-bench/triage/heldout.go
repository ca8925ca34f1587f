package triage

import (
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/stats"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
)

// mergeThresholds are those among which one is chosen; 0 is left out, since with
// triage.Options it stands for the default.
var mergeThresholds = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6}

// agreement is that of fuzzmut triage's buckets with the labels if buckets up to a
// threshold apart are merged.
func (t *triaged) agreement(merge float64) float64 {
	_, labels, _ := t.labels()
	s := triage.Sort(t.cases(everyOperator), triage.Options{Merge: merge})
	return compare(t.clustersOf(&s), labels).ARI
}

// chosenWithout returns the threshold with the best mean agreement over all modules
// but one, and the middle one of those that are as good: few modules tell thresholds
// apart finely, and the ends of a range are where it is about to get worse.
func chosenWithout(agreements [][]float64, left int) float64 {
	var best []float64
	most := -1.0
	for k, threshold := range mergeThresholds {
		var others []float64
		for i, a := range agreements {
			if i != left {
				others = append(others, a[k])
			}
		}
		switch mean := stats.Mean(others); {
		case mean > most:
			best, most = []float64{threshold}, mean
		case mean == most:
			best = append(best, threshold)
		}
	}
	return best[(len(best)-1)/2]
}

// printHeldOut prints for each module how its inputs are sorted with the threshold
// that the others choose: the default was chosen with these very modules.
func printHeldOut(w io.Writer, all []*triaged) {
	if len(all) < 2 {
		return
	}
	agreements := make([][]float64, len(all))
	for i, t := range all {
		for _, threshold := range mergeThresholds {
			agreements[i] = append(agreements[i], t.agreement(threshold))
		}
	}
	fmt.Fprintf(w, "\nleaving a module out\tthe others choose\tARI\tARI at %v\ttop frame\tlast bug at\ttop frame\tworse than top frame\n", triage.DefaultMerge)
	for i, t := range all {
		threshold := chosenWithout(agreements, i)
		held, usual := t.agreement(threshold), t.agreement(triage.DefaultMerge)
		_, labels, _ := t.labels()
		m := topFrameMetric(t)
		theirs := compare(clusters(triage.Single, 0)(t, m[0]), labels).ARI
		last, theirLast := t.rankings(ours(t).Ranking).all, t.rankings(m).all
		worse := "no"
		switch {
		case last > theirLast && held < theirs:
			worse = "in both"
		case last > theirLast:
			worse = "in rank"
		case held < theirs:
			worse = "in ARI"
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t%s\n", t.Module, threshold, held, usual, theirs, last, theirLast, worse)
	}
}
