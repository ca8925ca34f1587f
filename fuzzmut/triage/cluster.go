package triage

// Linkage is how far two clusters are apart.
type Linkage int

// The linkages.
const (
	Average  Linkage = iota // the mean over all pairs of items
	Complete                // the distance of the two items that are furthest apart
	Single                  // of those that are nearest
)

// Groups returns the number of the group of each item: items with the same key are
// in one group, and groups are numbered by their first items.
func Groups[K comparable](keys []K) []int {
	numbers := make(map[K]int)
	groups := make([]int, len(keys))
	for i, k := range keys {
		n, ok := numbers[k]
		if !ok {
			n = len(numbers)
			numbers[k] = n
		}
		groups[i] = n
	}
	return groups
}

// Cluster joins items whose weights are given, each the number of inputs that it stands for,
// into clusters. It always joins the two clusters that are nearest to each other,
// those with the lower first items if there are several, until no two are at most
// threshold apart. It returns the number of each item's cluster; clusters are
// numbered by their first items.
func Cluster(weights []int, m Metric, linkage Linkage, threshold float64) []int {
	c := newClustering(weights, m, linkage)
	for {
		i, j := c.nearestPair()
		if i < 0 || c.dist[i][j] > threshold {
			break
		}
		c.join(i, j)
	}
	return Groups(c.root)
}

// clustering is the state of Cluster. A cluster goes by the number of its first
// item; dist[i] is nil once i has been joined to another.
type clustering struct {
	linkage Linkage
	weight  []int
	dist    [][]float64
	nearest []int // by cluster, the nearest one with a higher number; -1: none
	root    []int // by item
}

func newClustering(weights []int, m Metric, linkage Linkage) *clustering {
	n := len(weights)
	c := &clustering{
		linkage: linkage, weight: make([]int, n), dist: make([][]float64, n), nearest: make([]int, n), root: make([]int, n),
	}
	for i := range n {
		c.root[i], c.weight[i], c.dist[i] = i, weights[i], make([]float64, n)
		for j := range i {
			d := m(i, j)
			c.dist[i][j], c.dist[j][i] = d, d
		}
	}
	for i := range n {
		c.findNearest(i)
	}
	return c
}

func (c *clustering) findNearest(i int) {
	c.nearest[i] = -1
	for j := i + 1; j < len(c.dist); j++ {
		if c.dist[j] != nil && (c.nearest[i] < 0 || c.dist[i][j] < c.dist[i][c.nearest[i]]) {
			c.nearest[i] = j
		}
	}
}

func (c *clustering) nearestPair() (i, j int) {
	best := -1
	for i := range c.dist {
		if c.dist[i] == nil || c.nearest[i] < 0 {
			continue
		}
		if best < 0 || c.dist[i][c.nearest[i]] < c.dist[best][c.nearest[best]] {
			best = i
		}
	}
	if best < 0 {
		return -1, -1
	}
	return best, c.nearest[best]
}

// join makes j part of i, which is lower.
func (c *clustering) join(i, j int) {
	for k := range c.dist {
		if c.dist[k] != nil && k != i && k != j {
			d := c.joined(i, j, k)
			c.dist[i][k], c.dist[k][i] = d, d
		}
	}
	c.weight[i] += c.weight[j]
	c.dist[j] = nil
	for item, r := range c.root {
		if r == j {
			c.root[item] = i
		}
	}
	for k := range c.dist {
		if c.dist[k] == nil {
			continue
		}
		near := c.nearest[k]
		switch {
		case k == i || near == i || near == j:
			c.findNearest(k)
		case k < i && c.nearer(k, i, near):
			c.nearest[k] = i
		}
	}
}

// nearer reports whether k is nearer to i than to j, or as near with i lower.
func (c *clustering) nearer(k, i, j int) bool {
	a, b := c.dist[k][i], c.dist[k][j]
	return a < b || a == b && i < j
}

// joined is the distance of k to i and j together.
func (c *clustering) joined(i, j, k int) float64 {
	a, b := c.dist[i][k], c.dist[j][k]
	switch c.linkage {
	case Complete:
		return max(a, b)
	case Single:
		return min(a, b)
	}
	wi, wj := float64(c.weight[i]), float64(c.weight[j])
	return (wi*a + wj*b) / (wi + wj)
}
