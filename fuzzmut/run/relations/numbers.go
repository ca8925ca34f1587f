package relations

import (
	"fmt"
	"math/big"
)

// Bounds of the numbers in a relation.
const (
	awayMost  = 16
	timesMost = 8
)

func number(v any) *big.Int { return v.(*big.Int) }

// varying lists the columns of numbers that vary in some rows.
func (t *table) varying(rows []Row) (list []int) {
	for i := range t.columns {
		if t.columns[i].kind() == numberKind && t.first(i) && t.varies(i, rows) {
			list = append(list, i)
		}
	}
	return list
}

// numbers are results that are a constant away from another number, or a multiple of it.
func (t *table) numbers(rows []Row, when *truth) {
	list := t.varying(rows)
	for _, j := range list {
		for _, i := range list {
			if !t.columns[j].Result || t.columns[i].Result && i >= j || !t.related(i, j) {
				continue
			}
			a, b := t.operands(j, i)
			if k, ok := away(rows, i, j); ok {
				is := b
				if k != 0 {
					is += fmt.Sprintf("%+d", k)
				}
				if k != 0 || when != nil {
					t.add(when, a+" == "+is, a+" != "+is, t.differ(j, []int{i}, func(x ...*big.Int) *big.Int { return x[0].Add(x[0], big.NewInt(k)) }), j, i)
				}
			} else if k, ok := times(rows, i, j); ok {
				is := fmt.Sprintf("%d*%s", k, b)
				if k == -1 {
					is = "-" + b
				}
				t.add(when, a+" == "+is, a+" != "+is, t.differ(j, []int{i}, func(x ...*big.Int) *big.Int { return x[0].Mul(x[0], big.NewInt(k)) }), j, i)
			}
		}
	}
}

// away says how far one column is from another in all rows.
func away(rows []Row, i, j int) (int64, bool) {
	d := new(big.Int).Sub(number(rows[0][j]), number(rows[0][i]))
	far := !d.IsInt64() || d.CmpAbs(big.NewInt(awayMost)) > 0
	return d.Int64(), !far && every(rows, func(r Row) bool { return new(big.Int).Sub(number(r[j]), number(r[i])).Cmp(d) == 0 })
}

// times says what multiple one column is of another in all rows.
func times(rows []Row, i, j int) (int64, bool) {
	for k := int64(-1); k <= timesMost; k++ {
		if k != 0 && k != 1 && every(rows, func(r Row) bool { return new(big.Int).Mul(number(r[i]), big.NewInt(k)).Cmp(number(r[j])) == 0 }) {
			return k, true
		}
	}
	return 0, false
}

// operations on two numbers. Of those whose operands may change places one order is enough.
var operations = []struct {
	of      func(x, y *big.Int) *big.Int
	is      string
	commute bool
}{
	{func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }, "%s + %s", true},
	{func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }, "%s - %s", false},
	{func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }, "%s * %s", true},
}

// sums are results that are a sum, a difference or a product of two arguments.
func (t *table) sums() {
	list := t.varying(t.rows)
	for _, j := range list {
		for _, i := range list {
			for _, k := range list {
				x, y, z := &t.columns[i], &t.columns[k], &t.columns[j]
				if !z.Result || x.Result || y.Result || i == k || x.Type != z.Type || y.Type != z.Type {
					continue
				}
				for _, op := range operations {
					if op.commute && i > k || !every(t.rows, func(r Row) bool { return op.of(number(r[i]), number(r[k])).Cmp(number(r[j])) == 0 }) {
						continue
					}
					is := fmt.Sprintf(op.is, x.Expr, y.Expr)
					t.add(nil, z.Expr+" == "+is, z.Expr+" != "+is, t.differ(j, []int{i, k}, func(x ...*big.Int) *big.Int { return op.of(x[0], x[1]) }), j, i, k)
				}
			}
		}
	}
}

// orders are results that are at most, or at least, another number, and that are seen to be equal to it
// and different.
func (t *table) orders() {
	list := t.varying(t.rows)
	for _, j := range list {
		for _, i := range list {
			if !t.columns[j].Result || t.columns[i].Result && i >= j || !t.related(i, j) {
				continue
			}
			less := count(t.rows, func(r Row) bool { return number(r[j]).Cmp(number(r[i])) < 0 })
			more := count(t.rows, func(r Row) bool { return number(r[j]).Cmp(number(r[i])) > 0 })
			a, b := t.operands(j, i)
			switch {
			case len(t.rows)-less-more < eachLeast:
			case less == 0 && more >= eachLeast:
				t.add(nil, a+" >= "+b, a+" < "+b, t.less(j, i), j, i)
			case more == 0 && less >= eachLeast:
				t.add(nil, a+" <= "+b, a+" > "+b, t.less(i, j), j, i)
			}
		}
	}
}
