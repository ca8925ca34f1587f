// Package rbt is a red-black tree with known faults. Insertion is that of Okasaki, "Red-
// Black Trees in a Functional Setting" (1999), deletion that of Kahrs, "Red-Black Trees
// with Types" (2001), the faults are of the kinds that studies of property testing
// plant there: wrong colors, balancing left out, and those of search trees.
package rbt

// Tree is a tree of keys and values; nil is the empty one, which is black.
type Tree struct {
	Red   bool
	Left  *Tree
	Key   int
	Value int
	Right *Tree
}

// The faults, of which at most one is there.
const (
	None             = iota
	InsertRedRoot    // insert leaves the root red
	InsertBlackLeaf  // insert makes a new node black
	InsertNoLeft     // insert does not balance the left side
	InsertNoRight    // insert does not balance the right side
	InsertReplaces   // insert returns a tree of the new node alone
	InsertDuplicates // insert does not see a key that is there
	InsertKeeps      // insert leaves the value of a key that is there
	BalanceSwaps     // balance exchanges the two trees in the middle
	DeleteRedRoot    // delete leaves the root red
	DeleteLeftColor  // balancing the left side after delete keeps a red node red
	DeleteRightColor // balancing the right side after delete keeps a red node red
	DeleteNoSub      // balancing the left side after delete does not take a black node off the other
	DeleteForgets    // delete returns what is left below, not the tree above it
	DeleteReversed   // delete looks on the wrong side
	JoinRed          // joining two red trees makes a black root
	JoinBlack        // joining two black trees makes a red node under the root
	Faults           = JoinBlack
)

// Trees are the operations, with a fault.
type Trees struct{ Fault int }

func red(t *Tree) bool   { return t != nil && t.Red }
func black(t *Tree) bool { return t != nil && !t.Red }

func node(isRed bool, left *Tree, n *Tree, right *Tree) *Tree {
	return &Tree{isRed, left, n.Key, n.Value, right}
}

func recolored(t *Tree, isRed bool) *Tree {
	if t == nil {
		return nil
	}
	return node(isRed, t.Left, t, t.Right)
}

// Insert returns t with the value for the key.
func (b Trees) Insert(t *Tree, key, value int) *Tree {
	t = b.insert(t, key, value)
	if b.Fault == InsertRedRoot {
		return t
	}
	return recolored(t, false)
}

func (b Trees) insert(t *Tree, key, value int) *Tree {
	switch {
	case t == nil || b.Fault == InsertReplaces:
		return &Tree{b.Fault != InsertBlackLeaf, nil, key, value, nil}
	case key < t.Key:
		left := b.insert(t.Left, key, value)
		if t.Red || b.Fault == InsertNoLeft {
			return node(t.Red, left, t, t.Right)
		}
		return b.balance(left, t, t.Right)
	case key > t.Key || b.Fault == InsertDuplicates:
		right := b.insert(t.Right, key, value)
		if t.Red || b.Fault == InsertNoRight {
			return node(t.Red, t.Left, t, right)
		}
		return b.balance(t.Left, t, right)
	case b.Fault == InsertKeeps:
		return t
	}
	return &Tree{t.Red, t.Left, key, value, t.Right}
}

// balance makes a black node of n, and does away with two red nodes in line below.
func (b Trees) balance(left, n, right *Tree) *Tree {
	four := func(t1, x, t2, y, t3, z, t4 *Tree) *Tree {
		if b.Fault == BalanceSwaps {
			t2, t3 = t3, t2
		}
		return node(true, node(false, t1, x, t2), y, node(false, t3, z, t4))
	}
	switch {
	case red(left) && red(right):
		return node(true, recolored(left, false), n, recolored(right, false))
	case red(left) && red(left.Left):
		x := left.Left
		return four(x.Left, x, x.Right, left, left.Right, n, right)
	case red(left) && red(left.Right):
		y := left.Right
		return four(left.Left, left, y.Left, y, y.Right, n, right)
	case red(right) && red(right.Right):
		z := right.Right
		return four(left, n, right.Left, right, z.Left, z, z.Right)
	case red(right) && red(right.Left):
		y := right.Left
		return four(left, n, y.Left, y, y.Right, right, right.Right)
	}
	return node(false, left, n, right)
}

// Delete returns t without the key.
func (b Trees) Delete(t *Tree, key int) *Tree {
	t = b.remove(t, key)
	if b.Fault == DeleteRedRoot {
		return t
	}
	return recolored(t, false)
}

func (b Trees) remove(t *Tree, key int) *Tree {
	if t == nil {
		return nil
	}
	less, more := key < t.Key, key > t.Key
	if b.Fault == DeleteReversed {
		less, more = more, less
	}
	switch {
	case less:
		left := b.remove(t.Left, key)
		switch {
		case b.Fault == DeleteForgets:
			return left
		case black(t.Left):
			return b.balanceLeft(left, t, t.Right)
		}
		return node(true, left, t, t.Right)
	case more:
		right := b.remove(t.Right, key)
		switch {
		case b.Fault == DeleteForgets:
			return right
		case black(t.Right):
			return b.balanceRight(t.Left, t, right)
		}
		return node(true, t.Left, t, right)
	}
	return b.join(t.Left, t.Right)
}

// balanceLeft makes up for a black node that is missing on the left.
func (b Trees) balanceLeft(left, n, right *Tree) *Tree {
	switch {
	case red(left):
		return node(true, recolored(left, b.Fault == DeleteLeftColor), n, right)
	case black(right):
		return b.balance(left, n, recolored(right, true))
	case red(right) && black(right.Left):
		y := right.Left
		return node(true, node(false, left, n, y.Left), y, b.balance(y.Right, right, b.lighter(right.Right)))
	}
	return node(true, left, n, right) // of trees that are none of ours
}

// balanceRight makes up for a black node that is missing on the right.
func (b Trees) balanceRight(left, n, right *Tree) *Tree {
	switch {
	case red(right):
		return node(true, left, n, recolored(right, b.Fault == DeleteRightColor))
	case black(left):
		return b.balance(recolored(left, true), n, right)
	case red(left) && black(left.Right):
		y := left.Right
		return node(true, b.balance(recolored(left.Left, true), left, y.Left), y, node(false, y.Right, n, right))
	}
	return node(true, left, n, right) // of trees that are none of ours
}

// lighter takes a black node off.
func (b Trees) lighter(t *Tree) *Tree {
	if b.Fault == DeleteNoSub {
		return t
	}
	return recolored(t, true)
}

// join returns the tree of both, if all keys of s are less than those of t.
func (b Trees) join(s, t *Tree) *Tree {
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	case s.Red && t.Red:
		if m := b.join(s.Right, t.Left); red(m) {
			return node(b.Fault != JoinRed, node(true, s.Left, s, m.Left), m, node(true, m.Right, t, t.Right))
		} else {
			return node(true, s.Left, s, node(true, m, t, t.Right))
		}
	case !s.Red && !t.Red:
		if m := b.join(s.Right, t.Left); red(m) {
			return node(true, node(b.Fault == JoinBlack, s.Left, s, m.Left), m, node(false, m.Right, t, t.Right))
		} else {
			return b.balanceLeft(s.Left, s, node(false, m, t, t.Right))
		}
	case t.Red:
		return node(true, b.join(s, t.Left), t, t.Right)
	}
	return node(true, s.Left, s, b.join(s.Right, t))
}
