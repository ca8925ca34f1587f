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

// Ideal returns the curve of an order that shows another bug with each item.
func Ideal(items, bugs int) []int {
	curve := make([]int, items)
	for i := range curve {
		curve[i] = min(i+1, bugs)
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

// APFD returns the average percentage of faults detected, from 0 to 1, that a
// discovery curve amounts to if there are so many bugs in all: 1 less the mean rank
// at which a bug appears, over the length of the curve, and half a step more. A bug
// that does not appear counts with the rank behind the last.
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

// AreaOver returns the area under a curve as a share of that under another.
func AreaOver(curve, other []int) float64 {
	return ratio(sumOf(curve), sumOf(other))
}

func sumOf(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}

// Plateau returns the length of the longest run of items that show no other bug.
func Plateau(curve []int) int {
	longest, run := 0, 0
	for i := 1; i < len(curve); i++ {
		if run++; curve[i] != curve[i-1] {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// Items returns the items of a ranking alone.
func Items(order []Ranked) []int {
	items := make([]int, len(order))
	for i, r := range order {
		items[i] = r.Item
	}
	return items
}
