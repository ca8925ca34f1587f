package search

import (
	"math/rand/v2"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// path returns the path of a part in a class, all of them equally likely; ok is
// false if there is none.
func path(r *rand.Rand, x *term.Term, c term.Class) (p term.Path, ok bool) {
	n := x.Count(c)
	if n == 0 {
		return nil, false
	}
	return x.Nth(c, r.IntN(n)), true
}

// pick returns the path of a part for which want holds, all of them equally likely;
// ok is false if there is none.
func pick(r *rand.Rand, x *term.Term, want func(*term.Term) bool) (p term.Path, ok bool) {
	n := count(x, want)
	if n == 0 {
		return nil, false
	}
	k := r.IntN(n)
	return nth(x, want, &k, make(term.Path, 0, 12))
}

// count counts the parts of x for which want holds.
func count(x *term.Term, want func(*term.Term) bool) (n int) {
	if want(x) {
		n++
	}
	for _, k := range x.Kids {
		n += count(k, want)
	}
	return n
}

// nth returns the path of the part for which want holds after k others; x is at the
// path p.
func nth(x *term.Term, want func(*term.Term) bool, k *int, p term.Path) (term.Path, bool) {
	if want(x) {
		if *k == 0 {
			return p, true
		}
		*k--
	}
	for i, kid := range x.Kids {
		if q, ok := nth(kid, want, k, append(p, i)); ok {
			return q, true
		}
	}
	return nil, false
}

// isNumber reports whether a part is a number.
func isNumber(x *term.Term) bool {
	k := x.Type.Kind
	return k == term.Int || k == term.Uint || k == term.Float
}

// isLeaf reports whether a part can be other than it is, and holds no others.
func isLeaf(x *term.Term) bool { return len(x.Kids) == 0 && x.Count(term.Leaves) == 1 }

// redraw draws one of the numbers of x again, if it has any.
func redraw(r *rand.Rand, x *term.Term, size int) *term.Term {
	p, ok := path(r, x, term.Numbers)
	if !ok {
		return x
	}
	return x.Put(p, x.At(p).Type.Draw(r, size))
}

// twins returns a path that differs from p in one step: at a product above, the
// outermost possible one, it takes another field of the same type. In a pair of states
// the one path is in the first state, and the other is at the same place in the second.
func twins(r *rand.Rand, x *term.Term, p term.Path) (twin term.Path, ok bool) {
	for i, k := range p {
		if x.Type.Kind == term.Product {
			var same []int
			for j, f := range x.Type.Fields {
				if j != k && f.Type == x.Type.Fields[k].Type && !isLeaf(x.Kids[j]) {
					same = append(same, j)
				}
			}
			if len(same) > 0 {
				twin = append(twin, p...)
				twin[i] = same[r.IntN(len(same))]
				return twin, true
			}
		}
		x = x.Kids[k]
	}
	return nil, false
}

// putBoth puts a part at a path, and at its twin if that has the same part now.
func putBoth(r *rand.Rand, x *term.Term, p term.Path, part *term.Term) *term.Term {
	old := x.At(p)
	y := x.Put(p, part)
	if twin, ok := twins(r, x, p); ok {
		// Of y: an entry of a map is gone where its key has become another's.
		if o := y.At(twin); o != nil && o.Type == old.Type {
			y = y.Put(twin, part)
		}
	}
	return y
}
