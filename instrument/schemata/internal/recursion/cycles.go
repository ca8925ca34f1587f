package recursion

import "slices"

// cycles returns the nodes from which a path leads back to themselves, those that reach each other
// together. It is Tarjan's algorithm.
func cycles(nodes []node) [][]int {
	t := &tarjan{nodes: nodes, index: make([]int, len(nodes)), low: make([]int, len(nodes)), open: make([]bool, len(nodes))}
	for n := range nodes {
		if t.index[n] == 0 {
			t.visit(n)
		}
	}
	return t.found
}

type tarjan struct {
	nodes []node
	index []int // from 1 on, in the order of the visits; 0: not visited
	low   []int // the least index that is open and can be reached
	open  []bool
	stack []int // the open nodes
	next  int
	found [][]int
}

func (t *tarjan) visit(n int) {
	t.next++
	t.index[n], t.low[n], t.open[n] = t.next, t.next, true
	t.stack = append(t.stack, n)
	for _, to := range t.nodes[n].calls {
		if t.index[to] == 0 {
			t.visit(to)
		}
		if t.open[to] {
			t.low[n] = min(t.low[n], t.low[to])
		}
	}
	if t.low[n] == t.index[n] {
		t.close(n)
	}
}

// close takes a component off the stack: n, and what was visited after it.
func (t *tarjan) close(n int) {
	at := slices.Index(t.stack, n)
	component := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, n := range component {
		t.open[n] = false
	}
	if len(component) > 1 || slices.Contains(t.nodes[n].calls, n) {
		t.found = append(t.found, component)
	}
}
