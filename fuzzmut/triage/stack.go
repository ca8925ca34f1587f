package triage

import "math"

// Stack is what a stack of calls says of a failure.
type Stack struct {
	Kind   string   // of the failure: "panic: index out of range"
	Frames []string // names of functions, innermost first
}

// CASR's similarity of stacks: frames count the less the further they are from the
// top, and the further apart they stand in the two.
const (
	casrDepth  = 0.04
	casrOffset = 0.13
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
