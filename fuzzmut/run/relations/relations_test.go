package relations

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// calls are rows of calls with the numbers 0 to 59.
func calls(row func(n int) []any) (rows []Row) {
	for n := range 60 {
		rows = append(rows, of(row(n)...))
	}
	return rows
}

func of(values ...any) Row {
	r := make(Row, len(values))
	for i, v := range values {
		if n, ok := v.(int); ok {
			v = big.NewInt(int64(n))
		}
		r[i] = v
	}
	return r
}

// ofNumber is a column of a number: of a result if its name begins with got.
func ofNumber(value int, expr string) Column {
	return Column{Expr: expr, Type: "int", Basic: "int", Value: value, Result: strings.HasPrefix(expr, "got"), Observer: strings.TrimPrefix(strings.TrimPrefix(expr, "got"), "x")}
}

func ofText(value int, expr string) Column {
	c := ofNumber(value, expr)
	c.Type, c.Basic = "string", "string"
	return c
}

func ofTruth(value int, expr string) Column {
	c := ofNumber(value, expr)
	c.Type, c.Basic = "bool", "bool"
	return c
}

// holding lists what holds in rows.
func holding(columns []Column, rows []Row) (list []string) {
	for _, r := range Infer(columns, rows) {
		list = append(list, r.Holds)
	}
	return list
}

func TestWhatHoldsIsInferred(t *testing.T) {
	x, got := ofNumber(0, "x"), ofNumber(1, "got")
	for _, c := range []struct {
		what    string
		columns []Column
		row     func(n int) []any
		want    []string
	}{
		{"equal", []Column{x, got}, func(n int) []any { return []any{n - 9, n - 9} }, []string{"got == x"}},
		{"one more", []Column{x, got}, func(n int) []any { return []any{n, n + 1} }, []string{"got == x+1"}},
		{"twice", []Column{x, got}, func(n int) []any { return []any{n + 1, 2 * (n + 1)} }, []string{"got == 2*x"}},
		{"the negative", []Column{x, got}, func(n int) []any { return []any{n + 1, -(n + 1)} }, []string{"got == -x"}},
		{"at most", []Column{x, got}, func(n int) []any { return []any{n + 99, n + 99 - n%7*n} }, []string{"got <= x"}},
		{"nothing", []Column{x, got}, func(n int) []any { return []any{n + 1, (n*37)%61 + 1} }, nil},
		{
			"a sum",
			[]Column{x, ofNumber(1, "y"), ofNumber(2, "got")},
			func(n int) []any { return []any{n + 1, n*n%17 + 1, n + 1 + n*n%17 + 1} },
			[]string{"got == x + y"},
		},
		{
			"the length of what is read",
			[]Column{ofText(0, "s"), ofNumber(0, "len(s)"), ofText(1, "got")},
			func(n int) []any {
				s := fmt.Sprintf("%02d", n)
				return []any{s, 2, s}
			},
			[]string{"got == s"},
		},
		{
			"a prefix",
			[]Column{ofText(0, "s"), ofText(1, "got")},
			func(n int) []any { return []any{fmt.Sprint("x", n), fmt.Sprint("x", n, "!", n%3)} },
			[]string{"strings.HasPrefix(got, s)"},
		},
		{
			"capitals",
			[]Column{ofText(0, "s"), ofText(1, "got")},
			func(n int) []any { return []any{fmt.Sprint("a", n), fmt.Sprint("A", n)} },
			[]string{"got == strings.ToUpper(s)"},
		},
		{
			"a reset",
			[]Column{ofNumber(0, "x.Minor"), ofNumber(1, "got.Minor")},
			func(n int) []any { return []any{n + 1, 0} },
			[]string{"got.Minor == 0"},
		},
		{
			"what two arguments have in common",
			[]Column{ofNumber(0, "x"), {Expr: "y", Type: "int", Basic: "int", Value: 1}, ofTruth(2, "got")},
			func(n int) []any { return []any{n % 8, n * n % 11 % 8, n%8 == n*n%11%8} },
			[]string{"got == (x == y)"},
		},
		{
			"the opposite",
			[]Column{ofTruth(0, "got"), ofTruth(1, "gotOdd")},
			func(n int) []any { return []any{n%2 == 0, n%2 == 1} },
			[]string{"got != (gotOdd)"},
		},
		{
			"what follows",
			[]Column{ofTruth(0, "got"), ofTruth(1, "gotEven")},
			func(n int) []any { return []any{n%4 == 0, n%2 == 0} },
			[]string{"if got, gotEven"},
		},
		{
			"what follows the other way round",
			[]Column{ofTruth(0, "got"), ofTruth(1, "gotEven")},
			func(n int) []any { return []any{n%4 != 3, n%2 == 0} },
			[]string{"if gotEven, got"},
		},
		{
			"a branch",
			[]Column{ofTruth(0, "x.Last"), ofNumber(0, "x.N"), ofNumber(1, "got.N")},
			func(n int) []any {
				more := 0
				if n%2 == 0 {
					more = 1
				}
				return []any{n%2 == 0, n + 1, n + 1 + more}
			},
			[]string{"got.N >= x.N", "if x.Last, got.N == x.N+1", "if !x.Last, got.N == x.N"},
		},
	} {
		if got := holding(c.columns, calls(c.row)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// What was seen with few values may be an accident.
func TestAccidentsAreNotInferred(t *testing.T) {
	x, got := ofNumber(0, "x"), ofNumber(1, "got")
	for _, c := range []struct {
		what    string
		columns []Column
		row     func(n int) []any
	}{
		{"few values", []Column{x, got}, func(n int) []any { return []any{n%3 + 1, n%3 + 1} }},
		{"one value", []Column{ofNumber(0, "x.N"), ofNumber(1, "got.N"), ofNumber(0, "x.Other")}, func(n int) []any { return []any{7, 7, n + 1} }},
		{"never equal", []Column{x, got}, func(n int) []any { return []any{n + 1, n + 3 + n%4} }},
		{"hardly ever false", []Column{ofTruth(0, "got"), ofTruth(1, "gotOther")}, func(n int) []any { return []any{n < 30, n < 53} }},
		{"two arguments", []Column{x, ofNumber(1, "y"), ofTruth(2, "got")}, func(n int) []any { return []any{n + 1, n + 1, true} }},
	} {
		if got := holding(c.columns, calls(c.row)); got != nil {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	if got := holding([]Column{x, got}, calls(func(n int) []any { return []any{n, n} })[:rowsLeast-1]); got != nil {
		t.Errorf("few rows: %q", got)
	}
}

func TestRows(t *testing.T) {
	values := []any{"a\"\n", true, int64(-5), uint64(1) << 63, ""}
	got := ParseRow(fmt.Sprintf("%#v", values))
	if len(got) != len(values) || got[0] != values[0] || got[1] != true || got[2].(*big.Int).Int64() != -5 || got[3].(*big.Int).Uint64() != 1<<63 || got[4] != "" {
		t.Errorf("%v", got)
	}
	for _, text := range []string{"", "x", "[]interface {}{f()}", "[]interface {}{1.5}", "[]interface {}{-\"a\"}"} {
		if row := ParseRow(text); row != nil {
			t.Errorf("%q is the row %v", text, row)
		}
	}
}
