package difference

import "slices"

// Align returns the indices of lines that two texts have in common, in order: lines that
// occur once in each of them are anchors (patience diff), and between anchors it is a
// longest common subsequence, unless too many lines are there. Such lines count as
// replaced.
func Align(a, b []string) [][2]int {
	var pairs [][2]int
	align(a, b, 0, 0, &pairs)
	return pairs
}

// align adds the pairs of two runs of lines that begin at i and j of their texts.
func align(a, b []string, i, j int, pairs *[][2]int) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		*pairs = append(*pairs, [2]int{i, j})
		a, b, i, j = a[1:], b[1:], i+1, j+1
	}
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	switch anchors := anchors(a, b); {
	case len(anchors) > 0:
		x, y := 0, 0
		for _, at := range append(anchors, [2]int{len(a), len(b)}) {
			align(a[x:at[0]], b[y:at[1]], i+x, j+y, pairs)
			if at[0] < len(a) {
				*pairs = append(*pairs, [2]int{i + at[0], j + at[1]})
			}
			x, y = at[0]+1, at[1]+1
		}
	case len(a)*len(b) <= maxCells:
		for _, at := range lcs(a, b) {
			*pairs = append(*pairs, [2]int{i + at[0], j + at[1]})
		}
	}
	for k := range tail {
		*pairs = append(*pairs, [2]int{i + len(a) + k, j + len(b) + k})
	}
}

// anchors returns the longest run of lines that occur once in a and once in b, in the
// order of both.
func anchors(a, b []string) [][2]int {
	const many = -1
	inB := make(map[string]int)
	for j, line := range b {
		if _, ok := inB[line]; ok {
			j = many
		}
		inB[line] = j
	}
	count := make(map[string]int)
	for _, line := range a {
		count[line]++
	}
	var unique [][2]int
	for i, line := range a {
		if j, ok := inB[line]; ok && j != many && count[line] == 1 {
			unique = append(unique, [2]int{i, j})
		}
	}
	return increasing(unique)
}

// increasing returns a longest subsequence whose second members increase.
func increasing(list [][2]int) [][2]int {
	var ends []int // of the best subsequence of each length, as an index of list
	before := make([]int, len(list))
	for i, p := range list {
		at, _ := slices.BinarySearchFunc(ends, p[1], func(e, j int) int { return list[e][1] - j })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var best [][2]int
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		best = append(best, list[i])
	}
	slices.Reverse(best)
	return best
}
