package matrix

import "cmp"

// Best returns the indices of at most n entries that are not fixed, the best first: that
// comes next which adds most kills to those before it, fixed ones included, then that
// which adds most coverage, then the shorter, the faster, and the first by name. Entries
// that add nothing are left out. It is the greedy algorithm for the maximum coverage
// problem, whose n entries have at least 1 - 1/e of the kills that any n have (Nemhauser,
// Wolsey and Fisher, An Analysis of Approximations for Maximizing Submodular Set
// Functions, 1978).
func Best(m *Matrix, n int) (best []int) {
	kills, coverage := newCover(m, Prefs{By: Kills}), newCover(m, Prefs{By: Coverage})
	taken := make([]bool, m.Len())
	take := func(i int) {
		taken[i] = true
		kills.take(i)
		coverage.take(i)
	}
	for i := range m.rows {
		if m.rows[i].Fixed {
			take(i)
		}
	}
	for len(best) < n {
		next, most := -1, [2]int{}
		for i := range m.rows {
			if taken[i] {
				continue
			}
			gain := [2]int{kills.gain(i).features, coverage.gain(i).features}
			order := cmp.Or(cmp.Compare(gain[0], most[0]), cmp.Compare(gain[1], most[1]))
			if order > 0 || order == 0 && next >= 0 && kills.rank[i] < kills.rank[next] {
				next, most = i, gain
			}
		}
		if next < 0 {
			break
		}
		take(next)
		best = append(best, next)
	}
	return best
}
