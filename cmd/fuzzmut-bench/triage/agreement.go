package triage

import "math"

// agreement says how well clusters agree with labels. All figures are 1 for the
// best.
type agreement struct {
	Clusters, Labels int
	// Purity is the share of items whose label is the commonest of their cluster.
	Purity float64
	// Completeness is 1 less the share of what there is to know about an item's
	// cluster that its label does not tell: 1 if no bug is split.
	Completeness float64
	// Precision and Recall are of pairs of items: of the pairs in one cluster those
	// with one label, and the other way round.
	Precision, Recall float64
	// ARI is the adjusted Rand index: 0 for what chance would do.
	ARI float64
}

// compare compares clusters with labels, both numbered from 0.
func compare(clusters, labels []int) agreement {
	table := tabulate(clusters, labels)
	a := agreement{Clusters: len(table.rows), Labels: len(table.columns)}
	n := len(clusters)
	if n == 0 {
		return a
	}
	for _, row := range table.cells {
		best := 0
		for _, count := range row {
			best = max(best, count)
		}
		a.Purity += float64(best) / float64(n)
	}
	a.Completeness = table.completeness(n)
	both, sameCluster, sameLabel := 0, table.pairs(table.rows), table.pairs(table.columns)
	for _, row := range table.cells {
		both += table.pairs(row)
	}
	a.Precision, a.Recall = share(both, sameCluster), share(both, sameLabel)
	a.ARI = adjustedRand(both, sameCluster, sameLabel, n*(n-1)/2)
	return a
}

// share is a of b, and all of nothing.
func share(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func adjustedRand(both, clusters, labels, all int) float64 {
	if all == 0 {
		return 1
	}
	expected := float64(clusters) * float64(labels) / float64(all)
	most := float64(clusters+labels) / 2
	if most == expected {
		return 1 // all in one on both sides, or each by itself
	}
	return (float64(both) - expected) / (most - expected)
}

// contingency counts items by cluster and label.
type contingency struct {
	cells         [][]int
	rows, columns []int // sums
}

func tabulate(clusters, labels []int) contingency {
	t := contingency{rows: make([]int, 1+highest(clusters)), columns: make([]int, 1+highest(labels))}
	t.cells = make([][]int, len(t.rows))
	for i := range t.cells {
		t.cells[i] = make([]int, len(t.columns))
	}
	for i, c := range clusters {
		t.cells[c][labels[i]]++
		t.rows[c]++
		t.columns[labels[i]]++
	}
	return t
}

func highest(list []int) int {
	most := -1
	for _, i := range list {
		most = max(most, i)
	}
	return most
}

func (t contingency) pairs(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c * (c - 1) / 2
	}
	return n
}

// completeness is 1 - H(cluster | label) / H(cluster).
func (t contingency) completeness(n int) float64 {
	entropy, given := 0.0, 0.0
	for c, row := range t.cells {
		entropy += surprise(t.rows[c], t.rows[c], n)
		for l, count := range row {
			given += surprise(count, count, t.columns[l])
		}
	}
	given /= float64(n)
	if entropy /= float64(n); entropy == 0 {
		return 1
	}
	return 1 - given/entropy
}

// surprise is what count items contribute to an entropy, each of a class that
// has part of the whole.
func surprise(count, part, whole int) float64 {
	if part == 0 {
		return 0
	}
	return -float64(count) * math.Log(float64(part)/float64(whole))
}
