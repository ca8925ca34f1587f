package triage

// Discovery returns how many bugs have been seen after the first item of an order,
// after the second, and so on. An item shows the bugs that its labels name.
func Discovery[L comparable](order []int, labels [][]L) []int {
	seen := make(map[L]bool)
	curve := make([]int, len(order))
	for i, item := range order {
		for _, l := range labels[item] {
			seen[l] = true
		}
		curve[i] = len(seen)
	}
	return curve
}

// FirstSeen returns the ranks, from 1, at which the first bug, the second and so on
// appear.
func FirstSeen(curve []int) []int {
	var ranks []int
	last := 0
	for i, n := range curve {
		for ; last < n; last++ {
			ranks = append(ranks, i+1)
		}
	}
	return ranks
}

// APFD returns the average percentage of faults detected, from 0 to 1, of a discovery
// curve, given the total number of bugs: 1 less the mean rank at which a bug appears,
// over the length of the curve, and half a step more. A bug that does not appear counts
// with the rank after the last.
func APFD(curve []int, bugs int) float64 {
	n := len(curve)
	if n == 0 || bugs == 0 {
		return 0
	}
	ranks := FirstSeen(curve)
	sum := (bugs - len(ranks)) * (n + 1)
	for _, r := range ranks {
		sum += r
	}
	return 1 - float64(sum)/float64(n*bugs) + 1/float64(2*n)
}
