package relations

import (
	"math"
	"slices"
)

// A truth is a condition on columns: true in some rows, and false in others.
type truth struct {
	cond, not string // as source
	of        []int
	at        func(Row) bool
	near      func(Row) float64 // how far a row is from one in which it is the other way round; nil: one step
	orders    bool              // it says which of two numbers is less
}

// opposite is the other way round.
func (c *truth) opposite() *truth {
	return &truth{cond: c.not, not: c.cond, of: c.of, at: func(r Row) bool { return !c.at(r) }, near: c.near, orders: c.orders}
}

// conditions lists what may be asked of one column.
func (t *table) conditions() (list []*truth) {
	for i := range t.columns {
		if !t.first(i) {
			continue
		}
		c := &t.columns[i]
		var near func(Row) float64
		of := func(cond, not string, at func(Row) bool) {
			if both(t.rows, at) {
				list = append(list, &truth{cond: cond, not: not, of: []int{i}, at: at, near: near})
			}
		}
		switch c.kind() {
		case truthKind:
			of(c.as("bool"), "!"+c.as("bool"), func(r Row) bool { return r[i].(bool) })
		case textKind:
			of(c.Expr+` == ""`, c.Expr+` != ""`, func(r Row) bool { return r[i].(string) == "" })
		default:
			near = func(r Row) float64 { return far(number(r[i])) }
			of(c.Expr+" == 0", c.Expr+" != 0", func(r Row) bool { return number(r[i]).Sign() == 0 })
			of(c.Expr+" < 0", c.Expr+" >= 0", func(r Row) bool { return number(r[i]).Sign() < 0 })
		}
	}
	return list
}

// comparisons lists what may be asked of the same of two arguments.
func (t *table) comparisons() (list []*truth) {
	for j := range t.columns {
		for i := range j {
			a, b := &t.columns[i], &t.columns[j]
			if a.kind() == truthKind || a.Type != b.Type || a.Value == b.Value || a.Result || b.Result || a.Observer != b.Observer || !t.varies(i, t.rows) || !t.varies(j, t.rows) {
				continue
			}
			near := func(r Row) float64 { return distance(r[i], r[j]) }
			of := func(is, not string, orders bool, at func(Row) bool) {
				if both(t.rows, at) {
					list = append(list, &truth{cond: a.Expr + is + b.Expr, not: a.Expr + not + b.Expr, of: []int{i, j}, at: at, near: near, orders: orders})
				}
			}
			of(" == ", " != ", false, func(r Row) bool { return equal(r[i], r[j]) })
			if a.kind() == numberKind {
				of(" < ", " >= ", true, func(r Row) bool { return number(r[i]).Cmp(number(r[j])) < 0 })
				of(" > ", " <= ", true, func(r Row) bool { return number(r[i]).Cmp(number(r[j])) > 0 })
			}
		}
	}
	return list
}

// truths are conditions on results that say the same as others, or the opposite, or from which others
// follow.
func (t *table) truths() {
	conditions := t.conditions()
	for x, p := range conditions {
		for y, q := range slices.Concat(conditions, t.comparisons()) {
			if again := y < x && t.ofResult(q); t.ofResult(p) && !again && !t.sameValue(p, q) {
				t.compare(p, q)
			}
		}
	}
}

// ofResult says whether a condition is about a result.
func (t *table) ofResult(c *truth) bool {
	return slices.ContainsFunc(c.of, func(i int) bool { return t.columns[i].Result })
}

// sameValue says whether a condition on one column is about a value that another is about, too.
func (t *table) sameValue(p, q *truth) bool {
	return slices.ContainsFunc(q.of, func(i int) bool { return t.columns[i].Value == t.columns[p.of[0]].Value })
}

// compare compares a condition with another.
func (t *table) compare(p, q *truth) {
	of := slices.Concat(p.of, q.of)
	switch count(t.rows, func(r Row) bool { return p.at(r) == q.at(r) }) {
	case len(t.rows):
		if !t.bare(p) || !t.bare(q) { // an equality of columns otherwise
			t.agree(p, q, "==", "!=", false)
		}
	case 0:
		t.agree(p, q, "!=", "==", true)
	default:
		for _, o := range [][2]*truth{{p, q}, {p, q.opposite()}, {p.opposite(), q}} {
			if t.follows(o[0], o[1]) {
				t.add(o[0], o[1].cond, o[1].not, o[1].opposite().away, of...)
			}
		}
		if t.follows(p.opposite(), q.opposite()) {
			t.add(q, p.cond, p.not, p.opposite().away, of...) // which says the same, without a negation
		}
	}
}

// bare says whether a condition is a column itself.
func (t *table) bare(c *truth) bool {
	return len(c.of) == 1 && t.columns[c.of[0]].kind() == truthKind
}

// enclosed is a condition as an operand.
func (c *truth) enclosed() string {
	if slices.Contains([]rune(c.cond), ' ') {
		return "(" + c.cond + ")"
	}
	return c.cond
}

// follows says whether one condition follows from another, and not by chance: the less often the second
// is true, and the more rows the first holds in, the less likely that is.
func (t *table) follows(p, q *truth) bool {
	np, nq := count(t.rows, p.at), count(t.rows, q.at)
	if chance := math.Pow(float64(nq)/float64(len(t.rows)), float64(np)); chance > chanceMost {
		return false
	}
	if q.orders && every(t.rows, func(r Row) bool { return !p.at(r) || equal(r[q.of[0]], r[q.of[1]]) }) {
		return false // they are equal, which says more
	}
	return every(t.rows, func(r Row) bool { return !p.at(r) || q.at(r) })
}

// branches are what holds of results if a condition on an argument does.
func (t *table) branches() {
	for _, c := range t.conditions() {
		if t.columns[c.of[0]].Result {
			continue
		}
		for _, c := range []*truth{c, c.opposite()} {
			rows := slices.DeleteFunc(slices.Clone(t.rows), func(r Row) bool { return !c.at(r) })
			if len(rows) < branchLeast {
				continue
			}
			before := len(t.list)
			t.fixed(rows, c)
			t.sameTexts(rows, c)
			t.numbers(rows, c)
			t.forget(before, c.cond)
		}
	}
}

// forget leaves out what holds without a condition, too.
func (t *table) forget(from int, when string) {
	always := make(map[string]bool)
	for _, r := range t.list[:from] {
		always["if "+when+", "+r.Holds] = true
	}
	t.list = slices.Concat(t.list[:from], slices.DeleteFunc(slices.Clone(t.list[from:]), func(r Relation) bool { return always[r.Holds] }))
}

// sameTexts are results that are the text that an argument is, in some rows.
func (t *table) sameTexts(rows []Row, when *truth) {
	for j := range t.columns {
		for i := range t.columns {
			if t.columns[j].kind() != textKind || !t.columns[j].Result || t.columns[i].Result || !t.related(i, j) || !t.first(i) || !t.first(j) || !t.varies(j, rows) {
				continue
			}
			if every(rows, func(r Row) bool { return equal(r[i], r[j]) }) {
				a, b := t.operands(j, i)
				t.add(when, a+" == "+b, a+" != "+b, t.unequal(j, i), j, i)
			}
		}
	}
}
