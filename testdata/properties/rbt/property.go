package rbt

import (
	"maps"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// Case is an input: a tree, and operands.
type Case struct {
	T          *Tree
	Key, Value int
}

// Check tests one operation, that of the fault, against a map, on any red-black tree.
func (b Trees) Check(c *Case) hunt.Outcome {
	if !valid(c.T) {
		return hunt.Discarded
	}
	model := make(map[int]int)
	fill(model, c.T)
	if b.Fault >= DeleteRedRoot {
		delete(model, c.Key)
		return outcome(b.Delete(c.T, c.Key), model)
	}
	model[c.Key] = c.Value
	return outcome(b.Insert(c.T, c.Key, c.Value), model)
}

// Op inserts, or deletes.
type Op struct {
	Delete     bool
	Key, Value int
}

// Run tests both operations against a map, without preconditions.
func (b Trees) Run(ops *[]Op) hunt.Outcome {
	var t *Tree
	model := make(map[int]int)
	for _, op := range *ops {
		if op.Delete {
			t = b.Delete(t, op.Key)
			delete(model, op.Key)
		} else {
			t = b.Insert(t, op.Key, op.Value)
			model[op.Key] = op.Value
		}
		if outcome(t, model) == hunt.Failed {
			return hunt.Failed
		}
	}
	return hunt.Passed
}

// Machine is a tree and a map, on which operations run one at a time.
type Machine struct {
	trees Trees
	tree  *Tree
	model map[int]int
}

// NewMachine returns an empty Machine.
func NewMachine(fault int) *Machine { return &Machine{Trees{Fault: fault}, nil, make(map[int]int)} }

// Insert inserts into both.
func (m *Machine) Insert(key, value int) hunt.Outcome {
	m.tree = m.trees.Insert(m.tree, key, value)
	m.model[key] = value
	return outcome(m.tree, m.model)
}

// Delete deletes from both.
func (m *Machine) Delete(key int) hunt.Outcome {
	m.tree = m.trees.Delete(m.tree, key)
	delete(m.model, key)
	return outcome(m.tree, m.model)
}

// outcome says whether a tree is a red-black tree, and holds what the model does.
func outcome(t *Tree, model map[int]int) hunt.Outcome {
	got := make(map[int]int)
	n := fill(got, t)
	if !valid(t) || n != len(model) || !maps.Equal(got, model) {
		return hunt.Failed
	}
	return hunt.Passed
}

// fill puts what is in a tree into a map, and counts the nodes.
func fill(m map[int]int, t *Tree) int {
	if t == nil {
		return 0
	}
	m[t.Key] = t.Value
	return 1 + fill(m, t.Left) + fill(m, t.Right)
}

// valid says whether t is a red-black tree: ordered, with a black root, no red node
// below a red one, and as many black nodes on all ways down.
func valid(t *Tree) bool {
	_, ok := blackHeight(t)
	return ok && !red(t) && ordered(t, nil, nil)
}

func blackHeight(t *Tree) (int, bool) {
	if t == nil {
		return 0, true
	}
	if t.Red && (red(t.Left) || red(t.Right)) {
		return 0, false
	}
	left, ok := blackHeight(t.Left)
	if !ok {
		return 0, false
	}
	right, ok := blackHeight(t.Right)
	if !t.Red {
		left, right = left+1, right+1
	}
	return left, ok && left == right
}

// ordered says whether the keys of t ascend, between bounds if they are not nil.
func ordered(t *Tree, low, high *int) bool {
	if t == nil {
		return true
	}
	if low != nil && t.Key <= *low || high != nil && t.Key >= *high {
		return false
	}
	return ordered(t.Left, low, &t.Key) && ordered(t.Right, &t.Key, high)
}
