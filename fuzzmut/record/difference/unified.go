package difference

import (
	"fmt"
	"strings"
)

// maxCells bounds the table of longest common subsequences. Golden texts are cut long
// before; what is longer counts as replaced.
const maxCells = 1 << 20

// unified returns the lines of want and got, with a sign before each: those that only one
// has, and a few of both around them. What is left out is counted.
func unified(want, got []string) []string {
	if len(want) == 1 && len(got) == 1 {
		return []string{"- " + want[0], "+ " + got[0]}
	}
	all := edits(want, got)
	near := make([]bool, len(all))
	for i, line := range all {
		if line[0] == ' ' {
			continue
		}
		for j := max(0, i-context); j <= min(len(all)-1, i+context); j++ {
			near[j] = true
		}
	}
	var lines []string
	for i := 0; i < len(all); i++ {
		if near[i] {
			lines = append(lines, all[i])
			continue
		}
		begin := i
		for i+1 < len(all) && !near[i+1] {
			i++
		}
		if n := i - begin + 1; n > 1 {
			lines = append(lines, fmt.Sprintf("  ... %d lines", n))
		} else {
			lines = append(lines, all[begin])
		}
	}
	return lines
}

// edits returns all lines, with signs: those that are gone before those that are new.
func edits(a, b []string) (all []string) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	add := func(sign string, lines []string) {
		for _, line := range lines {
			all = append(all, sign+strings.TrimRight(line, " "))
		}
	}
	add("  ", a[:head])
	if len(x)*len(y) > maxCells {
		add("- ", x)
		add("+ ", y)
	} else {
		common := lcs(x, y)
		i, j := 0, 0
		for _, c := range append(common, [2]int{len(x), len(y)}) {
			add("- ", x[i:c[0]])
			add("+ ", y[j:c[1]])
			if c[0] < len(x) {
				add("  ", x[c[0]:c[0]+1])
			}
			i, j = c[0]+1, c[1]+1
		}
	}
	add("  ", a[len(a)-tail:])
	return all
}

// lcs returns the indices of a longest common subsequence: of several the one that begins
// first in a.
func lcs(a, b []string) (pairs [][2]int) {
	length := make([][]int, len(a)+1) // of that of a[i:] and b[j:]
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i][j+1] >= length[i+1][j]:
			j++
		default:
			i++
		}
	}
	return pairs
}
