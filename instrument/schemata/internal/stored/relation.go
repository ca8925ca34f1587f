package stored

import (
	"go/constant"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// orders relate the terms of a function: i*n+j is how term i may compare with term j.
type orders []operator.Orders

// relateConstants notes how constants compare, and that lengths and other numbers are not below zero, nor
// texts below the empty one.
func (rel *relater) relateConstants() {
	n := len(rel.terms)
	rel.always = make(orders, n*n)
	for i := range rel.always {
		rel.always[i] = operator.AnyOrder
	}
	for i := range n {
		rel.always[i*n+i] = operator.Same
		for j := range n {
			if x, y := rel.values[i], rel.values[j]; x != nil && y != nil && x.Kind() == y.Kind() {
				rel.always[i*n+j] = compared(x, y)
			}
		}
	}
	for i, t := range rel.terms {
		switch {
		case t.v == nil:
		case t.length || isUnsigned(t.v.Type()):
			rel.restrict(rel.always, i, rel.index[term{constant: "0"}], operator.Same|operator.Above)
		case isText(t.v.Type()):
			rel.restrict(rel.always, i, rel.index[term{constant: `""`}], operator.Same|operator.Above)
		}
	}
	rel.conclude(rel.always)
}

func compared(x, y constant.Value) operator.Orders {
	switch {
	case constant.Compare(x, token.LSS, y):
		return operator.Below
	case constant.Compare(x, token.EQL, y):
		return operator.Same
	}
	return operator.Above
}

// restrict leaves only some orders of two terms.
func (rel *relater) restrict(now orders, i, j int, to operator.Orders) {
	n := len(rel.terms)
	now[i*n+j] &= to
	now[j*n+i] &= to.Flipped()
}

// conclude draws conclusions: from i < j and j <= k, that i < k; and from i < 4 that i <= 3. It returns false if
// two terms are left without an order: control does not get there.
func (rel *relater) conclude(now orders) bool {
	n := len(rel.terms)
	for changed := true; changed; {
		changed = false
		narrow := func(i, j int, to operator.Orders) bool {
			if now[i*n+j]&^to != 0 {
				rel.restrict(now, i, j, to)
				changed = true
			}
			return now[i*n+j] != 0
		}
		for i := range n {
			for k := range n {
				ik := now[i*n+k]
				for j := range n {
					if ik != operator.AnyOrder && !narrow(i, j, joined[ik][now[k*n+j]]) {
						return false
					}
				}
				next, ok := rel.next(k)
				if ok && ik == operator.Above && !narrow(i, next, operator.Same|operator.Above) ||
					ok && now[i*n+next] == operator.Below && !narrow(i, k, operator.Below|operator.Same) {
					return false
				}
			}
		}
	}
	return true
}

// next is the constant that is one more than another, if it is a term.
func (rel *relater) next(k int) (int, bool) {
	v := rel.values[k]
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	j, ok := rel.index[term{constant: constant.BinaryOp(v, token.ADD, constant.MakeInt64(1)).ExactString()}]
	return j, ok
}

// joined is how i may compare with j where it compares with k in some orders, and k with j in others.
var joined = func() (t [operator.AnyOrder + 1][operator.AnyOrder + 1]operator.Orders) {
	one := func(a, b operator.Orders) operator.Orders {
		switch {
		case a == operator.Same:
			return b
		case b == operator.Same || a == b:
			return a
		}
		return operator.AnyOrder
	}
	all := []operator.Orders{operator.Below, operator.Same, operator.Above}
	for a := range t {
		for b := range t {
			for _, x := range all {
				for _, y := range all {
					if operator.Orders(a)&x != 0 && operator.Orders(b)&y != 0 {
						t[a][b] |= one(x, y)
					}
				}
			}
		}
	}
	return t
}()

// widen adds what holds on another way to a place, and says whether that is more.
func widen(was, out orders) (more bool) {
	for i, o := range out {
		more = more || o&^was[i] != 0
		was[i] |= o
	}
	return more
}
