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
}

// Bounds that keep accidents out.
const (
	rowsLeast     = 40
	branchLeast   = 20   // on one side of a condition
	distinctLeast = 5    // values of a column
	eachLeast     = 6    // rows of each outcome
	chanceMost    = 1e-4 // that it holds by chance, if the two have nothing to do with each other
)

// Infer lists what holds in all rows. Each is of another input.
func Infer(columns []Column, rows []Row) []Relation {
	t := &table{columns: columns, rows: rows, same: make([]int, len(columns))}
	if len(t.rows) < rowsLeast {
		return nil
	}
	t.equalities()
	t.fixed(t.rows, "")
	t.numbers(t.rows, "")
	t.sums()
	t.orders()
	t.texts()
	t.truths()
	t.branches()
	return t.list
}

type table struct {
	columns []Column
	rows    []Row
	same    []int // for each column the first that it is equal to
	list    []Relation
}

// add adds a relation between columns. A condition limits it to some of the rows; "": to none.
func (t *table) add(when, holds, fails string, of ...int) {
	r := Relation{Holds: holds, Fails: fails}
	if when != "" {
		r.Holds, r.Fails = "if "+when+", "+holds, when+" && "+fails
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
	switch {
	case x.Type == y.Type:
		return x.Expr, y.Expr
	case x.kind() != numberKind:
		return x.as(x.Basic), y.as(x.Basic)
	case strings.HasPrefix(x.Basic, "u") && strings.HasPrefix(y.Basic, "u"):
		return x.as("uint64"), y.as("uint64")
	}
	return x.as("int64"), y.as("int64")
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
				t.add("", a+" == "+b, a+" != "+b, j, i)
			}
			break
		}
	}
}

// fixed are results with one value, where the same of an argument has many, or where it is the length of
// a text that varies.
func (t *table) fixed(rows []Row, when string) {
	for j := range t.columns {
		c := &t.columns[j]
		if !c.Result || t.distinct(j, rows, 2) || !t.fixes(j, rows) {
			continue
		}
		switch v := rows[0][j].(type) {
		case bool:
			if v {
				t.add(when, c.Expr, "!"+c.Expr, j)
			} else {
				t.add(when, "!"+c.Expr, c.Expr, j)
			}
		case string:
			if v == "" {
				t.add(when, c.Expr+` == ""`, c.Expr+` != ""`, j)
			}
		default:
			t.add(when, fmt.Sprintf("%s == %v", c.Expr, v), fmt.Sprintf("%s != %v", c.Expr, v), j)
		}
	}
}

// fixes says whether it is no accident that a column has one value.
func (t *table) fixes(j int, rows []Row) bool {
	c := &t.columns[j]
	for i := range t.columns {
		switch a := &t.columns[i]; {
		case a.Value == c.Value:
			if c.Observer == "len" && a.kind() == textKind && t.distinct(i, rows, rowsLeast/2) {
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
