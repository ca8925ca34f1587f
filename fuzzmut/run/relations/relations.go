// Package relations infers what holds between values that calls are given and values that they
// return: equalities, orders, sums, and what follows from what. It sees the values of many calls
// as rows of a table, and proposes what holds in all of them, if the values vary enough for that to be no
// accident.
package relations

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A Column is one value that is seen of each call: of an argument or a result.
type Column struct {
	Expr     string // as source
	Type     string // as source
	Basic    string // the basic type below it: "bool", "string", "int8"
	Result   bool
	Value    int    // the argument or result that it is seen of
	Observer string // what it is of that: "Len", "" for the value itself
}

// kinds of columns.
type kind int

const (
	truthKind kind = iota
	textKind
	numberKind
)

func (c *Column) kind() kind {
	switch c.Basic {
	case "bool":
		return truthKind
	case "string":
		return textKind
	}
	return numberKind
}

// as is the column as source of another type.
func (c *Column) as(basic string) string {
	if c.Type == basic {
		return c.Expr
	}
	return basic + "(" + c.Expr + ")"
}

// A Row has a value for each column: a bool, a string or a *big.Int.
type Row []any

// A Relation held in all rows.
type Relation struct {
	Holds string   // what holds, as a reader reads it
	Fails string   // the condition under which it does not, as source
	Shows []string // what to show then, as source
	// Package is one of the standard library that Fails uses; "": none.
	Package string

	away func(Row) float64 // see Away; nil: nobody knows
	side func(Row) bool    // see Side; nil: there is one
}

// Away is how far a row is from one in which the relation does not hold: 0 for such a row, and at least 1
// for one from which no small step leads there.
func (r *Relation) Away(row Row) float64 {
	if r.away == nil {
		return 1
	}
	return r.away(row)
}

// Side says whether the condition of a relation holds in a row, or the first of two that always say the same.
// A row in which the relation does not hold has something of both sides.
func (r *Relation) Side(row Row) bool { return r.side != nil && r.side(row) }

// RowsLeast is how many rows it takes to infer anything.
const RowsLeast = 40

// Bounds that keep accidents out.
const (
	branchLeast   = 20   // on one side of a condition
	distinctLeast = 5    // values of a column
	eachLeast     = 6    // rows of each outcome
	chanceMost    = 1e-4 // that it holds by chance, if the two have nothing to do with each other
)

// Infer lists what holds in all rows. Each is of another input.
func Infer(columns []Column, rows []Row) []Relation {
	t := &table{columns: columns, rows: rows, same: make([]int, len(columns))}
	if len(t.rows) < RowsLeast {
		return nil
	}
	t.equalities()
	t.fixed(t.rows, nil)
	t.numbers(t.rows, nil)
	t.sums()
	t.orders()
	t.texts()
	t.truths()
	t.branches()
	return distinct(t.list)
}

// distinct leaves out what was found in one way before, and in another one later.
func distinct(list []Relation) (out []Relation) {
	seen := make(map[string]bool)
	for _, r := range list {
		if !seen[r.Fails] {
			seen[r.Fails], out = true, append(out, r)
		}
	}
	return out
}

type table struct {
	columns []Column
	rows    []Row
	same    []int // for each column the first that it is equal to
	list    []Relation
}

// agree adds that two conditions always say the same, or never.
func (t *table) agree(p, q *truth, sign, not string, same bool) {
	is := func(sign string) string { return p.enclosed() + " " + sign + " (" + q.cond + ")" }
	t.add(nil, is(sign), is(not), either(p, q, same), slices.Concat(p.of, q.of)...)
	t.list[len(t.list)-1].side = p.at
}

// add adds a relation between columns. A condition limits it to some of the rows; nil: to none. away says how
// far a row is from one in which it does not hold, whatever the condition.
func (t *table) add(when *truth, holds, fails string, away func(Row) float64, of ...int) {
	r := Relation{Holds: holds, Fails: fails, away: away}
	if when != nil {
		r.Holds, r.Fails = "if "+when.cond+", "+holds, when.cond+" && "+fails
		r.away = func(row Row) float64 { return when.away(row) + away(row) }
		r.side = when.at
	}
	for _, c := range of {
		if expr := t.columns[c].Expr; !slices.Contains(r.Shows, expr) {
			r.Shows = append(r.Shows, expr)
		}
	}
	t.list = append(t.list, r)
}

// related says whether something may be said of two columns: they are seen of two values, and not of
// two arguments, which have nothing to do with each other.
func (t *table) related(i, j int) bool {
	a, b := &t.columns[i], &t.columns[j]
	return (a.Result || b.Result) && a.Value != b.Value && a.kind() == b.kind()
}

// first says whether no column before it is equal.
func (t *table) first(i int) bool { return t.same[i] == i }

// varies says whether a column has enough values in some rows.
func (t *table) varies(i int, rows []Row) bool { return t.distinct(i, rows, distinctLeast) }

// distinct says whether a column has a number of values.
func (t *table) distinct(i int, rows []Row, n int) bool {
	seen := make(map[string]bool)
	for _, r := range rows {
		if seen[fmt.Sprint(r[i])] = true; len(seen) >= n {
			return true
		}
	}
	return false
}

// operands are two columns as source of one type.
func (t *table) operands(i, j int) (a, b string) {
	x, y := &t.columns[i], &t.columns[j]
	if x.Type == y.Type {
		return x.Expr, y.Expr
	}
	common := t.common(i, j)
	return x.as(common), y.as(common)
}

// common is the basic type as which two columns are compared.
func (t *table) common(i, j int) string {
	x, y := &t.columns[i], &t.columns[j]
	switch {
	case x.Type == y.Type || x.kind() != numberKind:
		return x.Basic
	case strings.HasPrefix(x.Basic, "u") && strings.HasPrefix(y.Basic, "u"):
		return "uint64"
	}
	return "int64"
}

func equal(a, b any) bool {
	if x, ok := a.(*big.Int); ok {
		return x.Cmp(b.(*big.Int)) == 0
	}
	return a == b
}

func every(rows []Row, holds func(Row) bool) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return !holds(r) })
}

func count(rows []Row, holds func(Row) bool) (n int) {
	for _, r := range rows {
		if holds(r) {
			n++
		}
	}
	return n
}

// both says whether rows have enough of what holds and of what does not.
func both(rows []Row, holds func(Row) bool) bool {
	n := count(rows, holds)
	return n >= eachLeast && len(rows)-n >= eachLeast
}

// equalities are columns that are always equal.
func (t *table) equalities() {
	for j := range t.columns {
		t.same[j] = j
		for i := range j {
			if !t.first(i) || t.columns[i].kind() != t.columns[j].kind() || !every(t.rows, func(r Row) bool { return equal(r[i], r[j]) }) {
				continue
			}
			if t.columns[j].kind() == truthKind && !both(t.rows, func(r Row) bool { return r[j].(bool) }) || t.columns[j].kind() != truthKind && !t.varies(j, t.rows) {
				continue
			}
			t.same[j] = i
			if t.related(i, j) {
				a, b := t.operands(j, i)
				t.add(nil, a+" == "+b, a+" != "+b, t.unequal(j, i), j, i)
			}
			break
		}
	}
}

// fixed are results with one value, where the same of an argument has many, or where it is the length of
// a text that varies.
func (t *table) fixed(rows []Row, when *truth) {
	for j := range t.columns {
		c := &t.columns[j]
		if !c.Result || t.distinct(j, rows, 2) || !t.fixes(j, rows) {
			continue
		}
		other := steps(func(r Row) bool { return !equal(r[j], rows[0][j]) })
		switch v := rows[0][j].(type) {
		case bool:
			if v {
				t.add(when, c.Expr, "!"+c.Expr, other, j)
			} else {
				t.add(when, "!"+c.Expr, c.Expr, other, j)
			}
		case string:
			if v == "" {
				t.add(when, c.Expr+` == ""`, c.Expr+` != ""`, other, j)
			}
		default:
			t.add(when, fmt.Sprintf("%s == %v", c.Expr, v), fmt.Sprintf("%s != %v", c.Expr, v), other, j)
		}
	}
}

// fixes says whether it is no accident that a column has one value.
func (t *table) fixes(j int, rows []Row) bool {
	c := &t.columns[j]
	for i := range t.columns {
		switch a := &t.columns[i]; {
		case a.Value == c.Value:
			if c.Observer == "len" && a.kind() == textKind && t.distinct(i, rows, RowsLeast/2) {
				return true
			}
		case c.Observer != "" && a.Observer == c.Observer && a.Type == c.Type && !a.Result:
			if a.kind() == truthKind && both(rows, func(r Row) bool { return r[i].(bool) }) || a.kind() != truthKind && t.varies(i, rows) {
				return true
			}
		}
	}
	return false
}
