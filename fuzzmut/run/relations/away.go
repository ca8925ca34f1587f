package relations

import (
	"math"
	"math/big"
	"strings"
)

// steps is how far rows are from one in which something is true, where no value says that one is nearer than
// another.
func steps(is func(Row) bool) func(Row) float64 {
	return func(r Row) float64 {
		if is(r) {
			return 0
		}
		return 1
	}
}

// away is how far a row is from one in which a condition is true.
func (c *truth) away(r Row) float64 {
	switch {
	case c.at(r):
		return 0
	case c.near == nil:
		return 1
	}
	return max(c.near(r), least)
}

// either is how far rows are from one in which two conditions say the same, or do not.
func either(p, q *truth, same bool) func(Row) float64 {
	return func(r Row) float64 {
		if (p.at(r) == q.at(r)) == same {
			return 0
		}
		return min(p.turned(r), q.turned(r))
	}
}

// turned is how far a row is from one in which a condition is the other way round.
func (c *truth) turned(r Row) float64 {
	if c.at(r) {
		return c.opposite().away(r)
	}
	return c.away(r)
}

// least is how far two rows are from each other at least that are not the same.
const least = 1.0 / 128

// far is how far a number is from 0, below 1 and more for larger ones.
func far(n *big.Int) float64 {
	bits := float64(n.BitLen())
	if n.IsInt64() {
		bits = math.Log2(1 + math.Abs(float64(n.Int64())))
	}
	return bits / (bits + 8)
}

// distance is how far two values are from each other.
func distance(a, b any) float64 {
	switch x := a.(type) {
	case *big.Int:
		return far(new(big.Int).Sub(x, number(b)))
	case string:
		return apart(x, b.(string))
	}
	return steps(func(Row) bool { return a == b })(nil)
}

// apart is how much two texts differ: by what is between the beginning and the end that they have in common.
func apart(a, b string) float64 {
	n := min(len(a), len(b))
	same := 0
	for same < n && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	for len(a) > 0 && len(b) > 0 && strings.HasSuffix(a, b[len(b)-1:]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return far(big.NewInt(int64(max(len(a), len(b)))))
}

// unequal is how far rows are from one with different values in two columns.
func (t *table) unequal(i, j int) func(Row) float64 {
	if t.columns[i].kind() == numberKind {
		return t.differ(i, []int{j}, func(x ...*big.Int) *big.Int { return x[0] })
	}
	return steps(func(r Row) bool { return !equal(r[i], r[j]) })
}

// differ is how far rows are from one in which a column is another number than what is made of others. It
// computes as the source does, which is in the type of the operands.
func (t *table) differ(j int, of []int, made func(...*big.Int) *big.Int) func(Row) float64 {
	common := t.common(j, of[0])
	return steps(func(r Row) bool {
		var x []*big.Int
		for _, i := range of {
			x = append(x, wrapped(number(r[i]), common))
		}
		return wrapped(number(r[j]), common).Cmp(wrapped(made(x...), common)) != 0
	})
}

// less is how far rows are from one in which one column is less than another, compared as the source does.
func (t *table) less(i, j int) func(Row) float64 {
	common := t.common(i, j)
	return func(r Row) float64 {
		a, b := wrapped(number(r[i]), common), wrapped(number(r[j]), common)
		if a.Cmp(b) < 0 {
			return 0
		}
		return max(far(new(big.Int).Sub(a, b)), least)
	}
}

// wrapped is a new number, as a variable of a basic type has it.
func wrapped(n *big.Int, basic string) *big.Int {
	bits := uint(64)
	for size, b := range map[string]uint{"8": 8, "16": 16, "32": 32, "byte": 8, "rune": 32} {
		if strings.HasSuffix(basic, size) {
			bits = b
		}
	}
	all := new(big.Int).Lsh(big.NewInt(1), bits)
	w := new(big.Int).Mod(n, all)
	if signed := !strings.HasPrefix(basic, "u") && basic != "byte"; signed && w.Bit(int(bits)-1) == 1 {
		w.Sub(w, all)
	}
	return w
}
