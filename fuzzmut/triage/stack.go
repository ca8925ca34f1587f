package triage

import (
	"math"
	"strings"
)

// What other tools go by, to compare with.

// Stack is what a stack of calls says of a failure.
type Stack struct {
	Kind   string   // of the failure: "panic: index out of range"
	Frames []string // names of functions, innermost first
}

// TopFrame is the failure's kind and innermost frame: what a stack hash of depth 1
// goes by.
func (s Stack) TopFrame() string { return s.Kind + "\n" + s.top(1) }

func (s Stack) top(n int) string { return strings.Join(s.Frames[:min(n, len(s.Frames))], "\n") }

// ClusterFuzz's rule: crashes are of one kind, and alike by the three frames on top.
const (
	clusterFuzzFrames     = 3
	clusterFuzzSame       = 2   // so many frames in common are enough
	clusterFuzzSimilarity = 0.8 // else the mean similarity of the frames has to be above this
)

// SameByClusterFuzz reports whether two failures are one by ClusterFuzz's rule:
// they are of the same kind, and their three innermost frames have two in common,
// in the same order, or are on average more than 0.8 alike as strings.
func SameByClusterFuzz(a, b Stack) bool {
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

// ClusterFuzzMetric is 0 between failures that are one by ClusterFuzz's rule, and
// 1 between others. Under single linkage it makes ClusterFuzz's groups.
func ClusterFuzzMetric(stacks []Stack) Metric {
	return func(i, j int) float64 {
		if i == j || SameByClusterFuzz(stacks[i], stacks[j]) {
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
	return float64(n-editDistance(a, b)) / float64(n)
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}

// CASR's similarity of stacks: frames count the less the further they are from the
// top, and the further apart they stand in the two.
const (
	casrDepth  = 0.04
	casrOffset = 0.13
	// CASRThreshold is how far apart failures of one cluster are at most, under
	// complete linkage.
	CASRThreshold = 0.3
)

// CASRDistance is 1 less the similarity of two stacks: the best sum, over frames
// that they have in common in the same order, of exp(-a·depth - r·offset), as a
// share of the sum for equal stacks of the length of the shorter.
func CASRDistance(a, b Stack) float64 {
	u, v := a.Frames, b.Frames
	if len(u) == 0 || len(v) == 0 {
		if len(u) == len(v) {
			return 0
		}
		return 1
	}
	best := make([]float64, len(v)+1)
	for i, f := range u {
		diagonal := 0.0
		for j, g := range v {
			above := best[j+1]
			best[j+1] = max(above, best[j])
			if f == g {
				gain := math.Exp(-casrDepth*float64(min(i, j)) - casrOffset*math.Abs(float64(i-j)))
				best[j+1] = max(best[j+1], diagonal+gain)
			}
			diagonal = above
		}
	}
	whole := 0.0
	for i := range min(len(u), len(v)) {
		whole += math.Exp(-casrDepth * float64(i))
	}
	return max(0, 1-best[len(v)]/whole)
}

// CASRMetric is CASRDistance between the stacks.
func CASRMetric(stacks []Stack) Metric {
	return func(i, j int) float64 { return CASRDistance(stacks[i], stacks[j]) }
}
