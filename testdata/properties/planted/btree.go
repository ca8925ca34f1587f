package planted

import (
	"slices"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// The bugs of a BTree.
const (
	BTreeSplitsInner   = 1 + iota // to split an inner node loses what is between its halves
	BTreeBorrowsInner             // to borrow from the right for an inner node leaves the child where it is
	BTreeDeletesInside            // to delete a key of an inner node puts the one after its predecessor there
)

// BTree is a set of numbers: a tree whose nodes have one to three of them (Cormen et al.,
// Introduction to Algorithms, chapter 18, with minimum degree 2).
type BTree struct {
	bug   int
	root  *bnode
	model map[int]bool
}

type bnode struct {
	keys []int
	kids []*bnode // none of a leaf
}

const degree = 2

// NewBTree returns an empty BTree with a bug.
func NewBTree(bug int) *BTree { return &BTree{bug: bug, root: &bnode{}, model: make(map[int]bool)} }

func (n *bnode) leaf() bool { return len(n.kids) == 0 }
func (n *bnode) full() bool { return len(n.keys) == 2*degree-1 }

// split splits kid i of n, which is full.
func (t *BTree) split(n *bnode, i int) {
	left := n.kids[i]
	right := &bnode{keys: slices.Clone(left.keys[degree:])}
	middle := left.keys[degree-1]
	if !left.leaf() {
		right.kids = slices.Clone(left.kids[degree:])
		left.kids = left.kids[:degree:degree]
		if t.bug == BTreeSplitsInner {
			left.kids[degree-1] = &bnode{keys: left.kids[degree-1].keys[:1]}
		}
	}
	left.keys = left.keys[: degree-1 : degree-1]
	n.keys = slices.Insert(n.keys, i, middle)
	n.kids = slices.Insert(n.kids, i+1, right)
}

// Insert and the other operations say whether the model did the same.
func (t *BTree) Insert(key int) hunt.Outcome {
	if !t.has(key) {
		if t.root.full() {
			t.root = &bnode{kids: []*bnode{t.root}}
			t.split(t.root, 0)
		}
		t.insert(t.root, key)
	}
	t.model[key] = true
	return t.outcome()
}

func (t *BTree) insert(n *bnode, key int) {
	i, _ := slices.BinarySearch(n.keys, key)
	if n.leaf() {
		n.keys = slices.Insert(n.keys, i, key)
		return
	}
	if n.kids[i].full() {
		if t.split(n, i); key > n.keys[i] {
			i++
		}
	}
	t.insert(n.kids[i], key)
}

func (t *BTree) has(key int) bool {
	for n := t.root; ; {
		i, found := slices.BinarySearch(n.keys, key)
		if found || n.leaf() {
			return found
		}
		n = n.kids[i]
	}
}

// Delete removes a key, if it is there.
func (t *BTree) Delete(key int) hunt.Outcome {
	if t.has(key) {
		t.delete(t.root, key)
		if len(t.root.keys) == 0 && !t.root.leaf() {
			t.root = t.root.kids[0]
		}
	}
	delete(t.model, key)
	return t.outcome()
}

// DeleteMin removes the least key.
func (t *BTree) DeleteMin() hunt.Outcome {
	n := t.root
	for !n.leaf() {
		n = n.kids[0]
	}
	if len(n.keys) == 0 {
		return t.outcome()
	}
	return t.Delete(n.keys[0])
}

// delete removes a key from below n, which has enough keys to lose one.
func (t *BTree) delete(n *bnode, key int) {
	i, found := slices.BinarySearch(n.keys, key)
	switch {
	case n.leaf():
		if found {
			n.keys = slices.Delete(n.keys, i, i+1)
		}
	case found && len(n.kids[i].keys) >= degree:
		p := n.kids[i]
		for !p.leaf() {
			p = p.kids[len(p.kids)-1]
		}
		last := p.keys[len(p.keys)-1]
		n.keys[i] = last
		if t.bug == BTreeDeletesInside && len(p.keys) > 2 {
			n.keys[i] = p.keys[len(p.keys)-2]
		}
		t.delete(n.kids[i], last)
	case found && len(n.kids[i+1].keys) >= degree:
		s := n.kids[i+1]
		for !s.leaf() {
			s = s.kids[0]
		}
		n.keys[i] = s.keys[0]
		t.delete(n.kids[i+1], s.keys[0])
	case found:
		n.merge(i)
		t.delete(n.kids[i], key)
	default:
		i = t.fill(n, i)
		t.delete(n.kids[i], key)
	}
}

// fill gives kid i of n enough keys to lose one, and returns its number after that.
func (t *BTree) fill(n *bnode, i int) int {
	kid := n.kids[i]
	switch {
	case len(kid.keys) >= degree:
	case i > 0 && len(n.kids[i-1].keys) >= degree:
		left := n.kids[i-1]
		last := len(left.keys) - 1
		kid.keys = slices.Insert(kid.keys, 0, n.keys[i-1])
		n.keys[i-1], left.keys = left.keys[last], left.keys[:last]
		if !left.leaf() {
			kid.kids = slices.Insert(kid.kids, 0, left.kids[last+1])
			left.kids = left.kids[:last+1]
		}
	case i+1 < len(n.kids) && len(n.kids[i+1].keys) >= degree:
		right := n.kids[i+1]
		kid.keys = append(kid.keys, n.keys[i])
		n.keys[i] = right.keys[0]
		right.keys = slices.Delete(right.keys, 0, 1)
		if !right.leaf() {
			kid.kids = append(kid.kids, right.kids[0])
			if t.bug == BTreeBorrowsInner {
				kid.kids[len(kid.kids)-1] = right.kids[1]
			}
			right.kids = slices.Delete(right.kids, 0, 1)
		}
	case i+1 < len(n.kids):
		n.merge(i)
	default:
		n.merge(i - 1)
		return i - 1
	}
	return i
}

// merge makes one of the kids i and i+1.
func (n *bnode) merge(i int) {
	left, right := n.kids[i], n.kids[i+1]
	left.keys = append(append(left.keys, n.keys[i]), right.keys...)
	left.kids = append(left.kids, right.kids...)
	n.keys, n.kids = slices.Delete(n.keys, i, i+1), slices.Delete(n.kids, i+1, i+2)
}

func (n *bnode) all(keys []int) []int {
	for i, k := range n.keys {
		if !n.leaf() {
			keys = n.kids[i].all(keys)
		}
		keys = append(keys, k)
	}
	if !n.leaf() {
		keys = n.kids[len(n.keys)].all(keys)
	}
	return keys
}

func (t *BTree) outcome() hunt.Outcome {
	keys := t.root.all(nil)
	if len(keys) != len(t.model) || !slices.IsSorted(keys) {
		return hunt.Failed
	}
	for _, k := range keys {
		if !t.model[k] {
			return hunt.Failed
		}
	}
	return hunt.Passed
}

// BTreeOp is an operation as a value.
type BTreeOp struct {
	Kind uint8 `fuzz:"max=2"`
	Key  int
}

// BTrees tests operations on an empty BTree.
func BTrees(bug int) func(*[]BTreeOp) hunt.Outcome {
	return func(ops *[]BTreeOp) hunt.Outcome {
		t := NewBTree(bug)
		for _, op := range *ops {
			if t.do(op) == hunt.Failed {
				return hunt.Failed
			}
		}
		return hunt.Passed
	}
}

func (t *BTree) do(op BTreeOp) hunt.Outcome {
	switch op.Kind % 3 {
	case 0:
		return t.Insert(op.Key)
	case 1:
		return t.Delete(op.Key)
	}
	return t.DeleteMin()
}
