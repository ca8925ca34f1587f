package triage

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/spelling"
)

// What other tools go by, to compare with.

// topFrame is the failure's kind and innermost frame: what a stack hash of depth 1
// goes by.
func topFrame(s triage.Stack) string {
	return s.Kind + "\n" + strings.Join(s.Frames[:min(1, len(s.Frames))], "\n")
}

// ClusterFuzz's rule: crashes are of one kind, and alike by the three frames on top.
const (
	clusterFuzzFrames     = 3
	clusterFuzzSame       = 2   // frames in common that are enough
	clusterFuzzSimilarity = 0.8 // else the mean similarity of the frames has to be above this
)

// sameByClusterFuzz reports whether two failures are one by ClusterFuzz's rule:
// they are of the same kind, and their three innermost frames have two in common,
// in the same order, or are on average more than 0.8 alike as strings.
func sameByClusterFuzz(a, b triage.Stack) bool {
	if a.Kind != b.Kind {
		return false
	}
	u, v := a.Frames[:min(clusterFuzzFrames, len(a.Frames))], b.Frames[:min(clusterFuzzFrames, len(b.Frames))]
	if strings.Join(u, "\n") == strings.Join(v, "\n") {
		return true
	}
	if longestCommon(u, v) >= clusterFuzzSame {
		return true
	}
	n := min(len(u), len(v))
	if n == 0 {
		return false
	}
	sum := 0.0
	for i := range n {
		sum += alike(u[i], v[i])
	}
	return sum/float64(n) > clusterFuzzSimilarity
}

// clusterFuzzMetric is 0 between failures that are one by ClusterFuzz's rule, and
// 1 between others. Under single linkage it makes ClusterFuzz's groups.
func clusterFuzzMetric(stacks []triage.Stack) triage.Metric {
	return func(i, j int) float64 {
		if i == j || sameByClusterFuzz(stacks[i], stacks[j]) {
			return 0
		}
		return 1
	}
}

func longestCommon(u, v []string) int {
	row := make([]int, len(v)+1)
	for _, a := range u {
		diagonal := 0
		for j, b := range v {
			above := row[j+1]
			switch {
			case a == b:
				row[j+1] = diagonal + 1
			default:
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(v)]
}

// alike is 1 less the edit distance over the length of both strings.
func alike(a, b string) float64 {
	n := len(a) + len(b)
	if n == 0 {
		return 1
	}
	return float64(n-spelling.Distance(a, b)) / float64(n)
}

// casrThreshold is how far apart failures of one of CASR's clusters are at most, under
// complete linkage.
const casrThreshold = 0.3

// casrMetric is triage.CASRDistance between the stacks.
func casrMetric(stacks []triage.Stack) triage.Metric {
	return func(i, j int) float64 { return triage.CASRDistance(stacks[i], stacks[j]) }
}
