package revert

import (
	"cmp"
	"maps"
	"slices"
)

// Assign finds the cause of each of several differences, given the numbers of the parts
// that repair it: the part that repairs most of those that are left is the cause of them,
// and so on, small parts before large ones, which repair more than their share. The causes
// come in that order; of is the cause of each difference, -1 if no part repairs it.
func Assign(repaired [][]int, parts []Part) (causes, of []int) {
	of = slices.Repeat([]int{-1}, len(repaired))
	for {
		count := make(map[int]int)
		for i, list := range repaired {
			if of[i] < 0 {
				for _, p := range list {
					count[p]++
				}
			}
		}
		best := -1
		for _, p := range slices.Sorted(maps.Keys(count)) {
			if best < 0 || cmp.Or(cmp.Compare(len(parts[p]), len(parts[best])), cmp.Compare(count[best], count[p])) < 0 {
				best = p
			}
		}
		if best < 0 {
			return causes, of
		}
		causes = append(causes, best)
		for i, list := range repaired {
			if of[i] < 0 && slices.Contains(list, best) {
				of[i] = best
			}
		}
	}
}
