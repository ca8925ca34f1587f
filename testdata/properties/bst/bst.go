// Package bst is a binary search tree with known faults: those of the workload of
// Hughes, "How to Specify It!" (2019), §2, which studies of property testing use.
package bst

// Tree is a tree of keys and values; nil is the empty one.
type Tree struct {
	Left  *Tree
	Key   int
	Value int
	Right *Tree
}

// The faults, of which at most one is there.
const (
	None              = iota
	InsertReplaces    // insert returns a tree of the new node alone
	InsertDuplicates  // insert does not see a key that is there
	InsertKeeps       // insert leaves the value of a key that is there
	DeleteForgets     // delete returns what is left below, not the tree above it
	DeleteReversed    // delete looks on the wrong side
	UnionPrepends     // union takes all keys of the first tree to be the smaller ones
	UnionTrustsRoots  // union takes the roots' order for that of all keys
	UnionWrongWinner  // union takes values of the second tree
	DeleteDropsBranch // delete of a node with two branches drops one
	Faults            = DeleteDropsBranch
)

// Trees are the operations, with a fault.
type Trees struct{ Fault int }

// Insert returns t with the value for the key.
func (b Trees) Insert(t *Tree, key, value int) *Tree {
	switch {
	case t == nil || b.Fault == InsertReplaces:
		return &Tree{Key: key, Value: value}
	case key < t.Key:
		return &Tree{b.Insert(t.Left, key, value), t.Key, t.Value, t.Right}
	case key > t.Key || b.Fault == InsertDuplicates:
		return &Tree{t.Left, t.Key, t.Value, b.Insert(t.Right, key, value)}
	case b.Fault == InsertKeeps:
		return t
	}
	return &Tree{t.Left, key, value, t.Right}
}

// Delete returns t without the key.
func (b Trees) Delete(t *Tree, key int) *Tree {
	if t == nil {
		return nil
	}
	less, more := key < t.Key, key > t.Key
	if b.Fault == DeleteReversed {
		less, more = more, less
	}
	switch {
	case less:
		left := b.Delete(t.Left, key)
		if b.Fault == DeleteForgets {
			return left
		}
		return &Tree{left, t.Key, t.Value, t.Right}
	case more:
		right := b.Delete(t.Right, key)
		if b.Fault == DeleteForgets {
			return right
		}
		return &Tree{t.Left, t.Key, t.Value, right}
	case b.Fault == DeleteDropsBranch && t.Left != nil:
		return t.Left
	}
	return join(t.Left, t.Right)
}

// join returns the tree of both, if all keys of a are less than those of b.
func join(a, b *Tree) *Tree {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &Tree{a.Left, a.Key, a.Value, &Tree{join(a.Right, b.Left), b.Key, b.Value, b.Right}}
}

// Union returns the tree of the keys of both, with the values of the first.
func (b Trees) Union(s, t *Tree) *Tree {
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	case b.Fault == UnionPrepends:
		return &Tree{s.Left, s.Key, s.Value, b.Union(s.Right, t)}
	case b.Fault == UnionTrustsRoots && s.Key < t.Key:
		return &Tree{s.Left, s.Key, s.Value, &Tree{b.Union(s.Right, t.Left), t.Key, t.Value, t.Right}}
	}
	value := s.Value
	if v, ok := find(t, s.Key); ok && b.Fault == UnionWrongWinner {
		value = v
	}
	return &Tree{b.Union(s.Left, below(t, s.Key)), s.Key, value, b.Union(s.Right, above(t, s.Key))}
}

// below returns the part of t with the keys less than key.
func below(t *Tree, key int) *Tree {
	switch {
	case t == nil:
		return nil
	case t.Key >= key:
		return below(t.Left, key)
	}
	return &Tree{t.Left, t.Key, t.Value, below(t.Right, key)}
}

// above returns the part of t with the keys greater than key.
func above(t *Tree, key int) *Tree {
	switch {
	case t == nil:
		return nil
	case t.Key <= key:
		return above(t.Right, key)
	}
	return &Tree{above(t.Left, key), t.Key, t.Value, t.Right}
}

func find(t *Tree, key int) (int, bool) {
	for t != nil {
		switch {
		case key < t.Key:
			t = t.Left
		case key > t.Key:
			t = t.Right
		default:
			return t.Value, true
		}
	}
	return 0, false
}
