package bst

import (
	"maps"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// Case is an input: trees that may be none, and operands.
type Case struct {
	S, T       *Tree
	Key, Value int
}

// Check tests the operations against maps, on any trees that are ordered: one
// operation, that of the fault.
func (b Trees) Check(c *Case) hunt.Outcome {
	if !ordered(c.T, nil, nil) || b.union() && !ordered(c.S, nil, nil) {
		return hunt.Discarded
	}
	model := make(map[int]int)
	fill(model, c.T)
	var got *Tree
	switch {
	case b.union():
		got = b.Union(c.S, c.T)
		fill(model, c.S)
	case b.delete():
		got = b.Delete(c.T, c.Key)
		delete(model, c.Key)
	default:
		got = b.Insert(c.T, c.Key, c.Value)
		model[c.Key] = c.Value
	}
	return outcome(got, model)
}

func (b Trees) union() bool { return b.Fault >= UnionPrepends && b.Fault <= UnionWrongWinner }

func (b Trees) delete() bool {
	return b.Fault == DeleteForgets || b.Fault == DeleteReversed || b.Fault == DeleteDropsBranch
}

// Op inserts, or deletes.
type Op struct {
	Delete     bool
	Key, Value int
}

// Program is an input without preconditions: it makes two trees, which are united.
type Program struct{ S, T []Op }

// Run tests all operations against maps.
func (b Trees) Run(p *Program) hunt.Outcome {
	s, first, o := b.build(p.S)
	if o != hunt.Passed {
		return o
	}
	t, model, o := b.build(p.T)
	if o != hunt.Passed {
		return o
	}
	for k, v := range first {
		model[k] = v
	}
	return outcome(b.Union(s, t), model)
}

func (b Trees) build(ops []Op) (*Tree, map[int]int, hunt.Outcome) {
	var t *Tree
	model := make(map[int]int)
	for _, op := range ops {
		if op.Delete {
			t = b.Delete(t, op.Key)
			delete(model, op.Key)
		} else {
			t = b.Insert(t, op.Key, op.Value)
			model[op.Key] = op.Value
		}
		if outcome(t, model) == hunt.Failed {
			return nil, nil, hunt.Failed
		}
	}
	return t, model, hunt.Passed
}

// outcome says whether a tree is ordered, and holds what the model does.
func outcome(t *Tree, model map[int]int) hunt.Outcome {
	got := make(map[int]int)
	n := fill(got, t)
	if !ordered(t, nil, nil) || n != len(model) || !maps.Equal(got, model) {
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
