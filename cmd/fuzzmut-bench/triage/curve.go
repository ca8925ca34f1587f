package triage

import "github.com/fuzzmut/fuzzmut/fuzzmut/triage"

// idealCurve returns the curve of an order that shows another bug with each item.
func idealCurve(items, bugs int) []int {
	curve := make([]int, items)
	for i := range curve {
		curve[i] = min(i+1, bugs)
	}
	return curve
}

// areaOver returns the area under a curve as a share of that under another.
func areaOver(curve, other []int) float64 {
	return float64(sumOf(curve)) / float64(sumOf(other))
}

func sumOf(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}

// plateauOf returns the length of the longest run of items that show no other bug.
func plateauOf(curve []int) int {
	longest, run := 0, 0
	for i := 1; i < len(curve); i++ {
		if run++; curve[i] != curve[i-1] {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// itemsOf returns the items of a ranking alone.
func itemsOf(order []triage.Ranked) []int {
	items := make([]int, len(order))
	for i, r := range order {
		items[i] = r.Item
	}
	return items
}
