// Package values is a search tree whose Delete loses the left part of what it joins.
package values

// Tree is a search tree; nil is the empty one.
type Tree struct {
	Left, Right *Tree
	Key         int16
}

// Ordered reports whether all keys are where they belong, between low and high.
func (t *Tree) Ordered(low, high int) bool {
	if t == nil {
		return true
	}
	key := int(t.Key)
	return low < key && key < high && t.Left.Ordered(low, key) && t.Right.Ordered(key, high)
}

// Has reports whether a key is in the tree.
func (t *Tree) Has(key int16) bool {
	for t != nil && t.Key != key {
		if key < t.Key {
			t = t.Left
		} else {
			t = t.Right
		}
	}
	return t != nil
}

// Delete returns the tree without a key.
func (t *Tree) Delete(key int16) *Tree {
	switch {
	case t == nil:
		return nil
	case key < t.Key:
		return &Tree{t.Left.Delete(key), t.Right, t.Key}
	case key > t.Key:
		return &Tree{t.Left, t.Right.Delete(key), t.Key}
	}
	return join(t.Left, t.Right)
}

// join makes one tree of two, of which all keys of the first are smaller.
func join(a, b *Tree) *Tree {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return &Tree{a.Left, &Tree{nil, b, a.Key}, a.Key} // a.Right is lost, a.Key is there twice
}
