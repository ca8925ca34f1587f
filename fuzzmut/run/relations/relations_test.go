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
		{
			"what follows in two ways",
			[]Column{ofTruth(0, "x.Empty"), ofTruth(1, "got.Empty")},
			func(n int) []any { return []any{n%3 == 0, n%3 == 0 || n%5 == 0} },
			[]string{"if x.Empty, got.Empty"},
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
	if got := holding([]Column{x, got}, calls(func(n int) []any { return []any{n, n} })[:RowsLeast-1]); got != nil {
		t.Errorf("few rows: %q", got)
	}
}

// A row in which a relation does not hold is no step away, and of others those are nearer in which its
// condition holds, or in which two numbers are close.
func TestRowsAreNearThoseInWhichARelationFails(t *testing.T) {
	x, got, big8 := ofNumber(0, "x"), ofNumber(1, "got"), ofNumber(0, "x")
	big8.Type, big8.Basic = "int8", "int8"
	got8 := big8
	got8.Expr, got8.Value, got8.Result = "got", 1, true
	truth, text := func(n int) bool { return n%3 == 0 }, func(n int) string { return fmt.Sprint("a", n) }
	for _, c := range []struct {
		holds   string
		columns []Column
		row     func(n int) []any
		far     []any // rows, each as near as the one before, or nearer; the last one is there
		near    []any
		at      []any
	}{
		{"got == x", []Column{x, got}, func(n int) []any { return []any{n, n} }, []any{9, 9}, []any{1, 1}, []any{9, 8}},
		{"got == x+1", []Column{x, got}, func(n int) []any { return []any{n, n + 1} }, []any{9, 10}, []any{1, 2}, []any{9, 9}},
		{"got == x+1", []Column{big8, got8}, func(n int) []any { return []any{n, n + 1} }, []any{9, 10}, []any{127, -128}, []any{127, 128 - 1}},
		{"got == 2*x", []Column{x, got}, func(n int) []any { return []any{n + 1, 2*n + 2} }, []any{9, 18}, []any{1, 2}, []any{9, 17}},
		{"got <= x", []Column{x, got}, func(n int) []any { return []any{n + 99, n + 99 - n%7*n} }, []any{1000, 3}, []any{10, 9}, []any{9, 10}},
		{"got == strings.ToUpper(s)", []Column{ofText(0, "s"), ofText(1, "got")}, func(n int) []any { return []any{text(n), strings.ToUpper(text(n))} }, []any{"a", "A"}, []any{"", ""}, []any{"a", "a"}},
		{"strings.HasPrefix(got, s)", []Column{ofText(0, "s"), ofText(1, "got")}, func(n int) []any { return []any{text(n), text(n) + "!" + text(n%3)} }, []any{"a", "a!"}, []any{"", "!"}, []any{"a", "!"}},
		{"got.Minor == 0", []Column{ofNumber(0, "x.Minor"), ofNumber(1, "got.Minor")}, func(n int) []any { return []any{n + 1, 0} }, []any{5, 0}, []any{1, 0}, []any{1, 1}},
		{"got == (x == y)", []Column{x, {Expr: "y", Type: "int", Basic: "int", Value: 1}, ofTruth(2, "got")}, func(n int) []any { return []any{n % 8, n * n % 11 % 8, n%8 == n*n%11%8} }, []any{1, 1000, false}, []any{1, 2, false}, []any{1, 1, false}},
		{"got != (gotNot)", []Column{ofTruth(0, "got"), ofTruth(1, "gotNot")}, func(n int) []any { return []any{truth(n), !truth(n)} }, []any{true, false}, []any{false, true}, []any{true, true}},
		{"if got, gotMore", []Column{ofTruth(0, "got"), ofTruth(1, "gotMore")}, func(n int) []any { return []any{n%4 == 0, n%2 == 0} }, []any{false, true}, []any{true, true}, []any{true, false}},
		{"if x.Last, got.N == x.N+1", []Column{ofTruth(0, "x.Last"), ofNumber(0, "x.N"), ofNumber(1, "got.N")}, func(n int) []any { return []any{n%2 == 0, n + 1, n + 2 - n%2} }, []any{false, 3, 3}, []any{true, 3, 4}, []any{true, 3, 3}},
	} {
		list := Infer(c.columns, calls(c.row))
		i := slices.IndexFunc(list, func(r Relation) bool { return r.Holds == c.holds })
		if i < 0 {
			t.Errorf("%s is not inferred", c.holds)
			continue
		}
		far, near, at := list[i].Away(of(c.far...)), list[i].Away(of(c.near...)), list[i].Away(of(c.at...))
		if at != 0 || near <= 0 || far < near {
			t.Errorf("%s: %v, %v and %v steps away", c.holds, far, near, at)
		}
		for _, r := range calls(c.row) {
			if list[i].Away(r) == 0 {
				t.Errorf("%s does not hold in %v", c.holds, r)
			}
		}
	}
	if r := (&Relation{}); r.Away(nil) != 1 {
		t.Error("nothing is known of a relation that was not inferred")
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
