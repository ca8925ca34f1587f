package refute

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
)

// A function is a call with the values that it shows; nil: it shows none.
type function struct {
	columns []relations.Column
	zero    []any
	show    func(vals []any) relations.Row
}

// found lists what is inferred from given calls, and what is left of it after some rounds.
func (f *function) found(t *testing.T, seed uint64, calls [][]any) (statements, left []string) {
	t.Helper()
	var rows []relations.Row
	var values []any
	for _, vals := range calls {
		if row := f.show(vals); row != nil {
			rows = append(rows, row)
		}
		values = append(values, vals...)
	}
	s := New(Options{Seed: seed, MaxLen: 1024, Zero: f.zero, Values: values, Statements: relations.Infer(f.columns, rows)})
	statements = holds(s.Left())
	for _, vals := range calls {
		if row := f.show(vals); row != nil {
			s.Show(corpus.Of(vals...), row)
		}
	}
	if now := holds(s.Left()); len(now) != len(statements) {
		t.Fatalf("%q do not hold in the calls that they were inferred from, but %q", statements, now)
	}
	for range 10 {
		for _, in := range s.Next(200) {
			if row := f.show(in.Values()); row != nil {
				s.Show(in, row)
			}
		}
	}
	return statements, holds(s.Left())
}

func holds(list []relations.Relation) (texts []string) {
	for _, r := range list {
		texts = append(texts, r.Holds)
	}
	return texts
}

func truth(expr string, value int) relations.Column {
	return relations.Column{Expr: expr, Type: "bool", Basic: "bool", Result: true, Value: value}
}

func number(expr, typ string, value int, result bool) relations.Column {
	return relations.Column{Expr: expr, Type: typ, Basic: typ, Value: value, Result: result}
}

// What is false for special numbers alone falls: two that are the same are close to each other, unless
// they are infinite.
func TestSpecialNumbersAreTried(t *testing.T) {
	f := &function{
		columns: []relations.Column{truth("same", 1), truth("near", 2)},
		zero:    []any{0.0, 0.0, 0.0, 0.0},
		show: func(v []any) relations.Row {
			a, b, c, d := v[0].(float64), v[1].(float64), v[2].(float64), v[3].(float64)
			return relations.Row{a == c && b == d, math.Abs(a-c) < 0.1 && math.Abs(b-d) < 0.1}
		},
	}
	var calls [][]any
	for n := range 80 {
		x, y := float64(n), float64(n*n%17)
		calls = append(calls, []any{x, y, x + float64(n%4)/40*float64(1+n%3*9), y})
	}
	for seed := range uint64(5) {
		statements, left := f.found(t, seed, calls)
		if fmt.Sprint(statements) != "[if same, near]" || len(left) > 0 {
			t.Errorf("seed %d: of %q %q are left", seed, statements, left)
		}
	}
}

// Of two texts that are taken a third is made: with a zone, what looks like a range is an address, too.
func TestTextsAreComposedOfOthers(t *testing.T) {
	isRange := func(s string) bool {
		from, to, ok := strings.Cut(s, "-")
		a, err := netip.ParseAddr(from)
		b, errTo := netip.ParseAddr(to)
		return ok && err == nil && errTo == nil && a.Is4() == b.Is4() && b.Zone() == ""
	}
	f := &function{
		columns: []relations.Column{truth("isRange", 1), truth("isAddr", 2)},
		zero:    []any{""},
		show: func(v []any) relations.Row {
			_, err := netip.ParseAddr(v[0].(string))
			return relations.Row{isRange(v[0].(string)), err == nil}
		},
	}
	var calls [][]any
	for n := range 60 {
		addr := fmt.Sprintf("10.0.0.%d", n)
		if n%2 == 0 {
			addr = fmt.Sprintf("::%x", n)
		}
		text := addr
		switch n % 5 {
		case 1, 2:
			text = addr + "-" + addr
		case 3:
			text = addr + "%"
		}
		calls = append(calls, []any{text})
	}
	for seed := range uint64(5) {
		statements, left := f.found(t, seed, calls)
		if fmt.Sprint(statements) != "[if isRange, !isAddr]" || len(left) > 0 {
			t.Errorf("seed %d: of %q %q are left", seed, statements, left)
		}
	}
}

// A text is written in other ways, too: what reads "+1" does not return it.
func TestTextsAreSpelledInOtherWays(t *testing.T) {
	f := &function{
		columns: []relations.Column{
			{Expr: "s", Type: "string", Basic: "string"},
			{Expr: "got", Type: "string", Basic: "string", Value: 1, Result: true},
		},
		zero: []any{""},
		show: func(v []any) relations.Row {
			s := v[0].(string)
			first, second, ok := strings.Cut(s, ":")
			x, err := strconv.Atoi(first)
			y, err2 := strconv.Atoi(second)
			if !ok || err != nil || err2 != nil {
				return nil
			}
			return relations.Row{s, strconv.Itoa(x) + ":" + strconv.Itoa(y)}
		},
	}
	var calls [][]any
	for n := range 60 {
		calls = append(calls, []any{strconv.Itoa(n) + ":" + strconv.Itoa(n*n)})
	}
	for seed := range uint64(5) {
		if statements, left := f.found(t, seed, calls); fmt.Sprint(statements) != "[got == s]" || len(left) > 0 {
			t.Errorf("seed %d: of %q %q are left", seed, statements, left)
		}
	}
}

// An order that three numbers of all break is found from those that nearly do.
func TestNumbersThatComeNearAreGoneOnFrom(t *testing.T) {
	f := &function{
		columns: []relations.Column{number("x", "int", 0, false), number("got", "int", 1, true)},
		zero:    []any{0},
		show: func(v []any) relations.Row {
			x := v[0].(int)
			if x < 0 || x > 1<<40 {
				return nil
			}
			away := max(x-123456, 123456-x)
			got := x - away/16
			if away < 2 {
				got = x + 1
			}
			return relations.Row{big.NewInt(int64(x)), big.NewInt(int64(got))}
		},
	}
	var calls [][]any
	for n := range 60 {
		calls = append(calls, []any{123456 + n*n*n + 8})
	}
	for n := range 8 {
		calls = append(calls, []any{123456 - 15 + n})
	}
	for seed := range uint64(5) {
		if statements, left := f.found(t, seed, calls); fmt.Sprint(statements) != "[got <= x]" || len(left) > 0 {
			t.Errorf("seed %d: of %q %q are left", seed, statements, left)
		}
	}
}

// What holds for all stays: arithmetic is that of the source, which wraps.
func TestWhatHoldsStays(t *testing.T) {
	f := &function{
		columns: []relations.Column{number("x", "int8", 0, false), number("got", "int8", 1, true)},
		zero:    []any{int8(0)},
		show: func(v []any) relations.Row {
			x := v[0].(int8)
			return relations.Row{big.NewInt(int64(x)), big.NewInt(int64(x + 1))}
		},
	}
	var calls [][]any
	for n := range int8(60) {
		calls = append(calls, []any{n})
	}
	if statements, left := f.found(t, 1, calls); fmt.Sprint(statements) != "[got == x+1]" || len(left) != 1 {
		t.Errorf("of %q %q are left", statements, left)
	}
}

// The same seed makes the same inputs, none twice.
func TestInputsDependOnTheSeed(t *testing.T) {
	made := func(seed uint64) string {
		statement := relations.Relation{Holds: "always"}
		s := New(Options{Seed: seed, MaxLen: 64, Zero: []any{"", 0, []byte(nil), false}, Values: []any{"1.2-rc", "a@b"}, Statements: []relations.Relation{statement}})
		var b strings.Builder
		seen := make(map[string]bool)
		for range 3 {
			for _, in := range s.Next(100) {
				if seen[in.Key()] || in.Len() > 64 {
					t.Errorf("%v", in)
				}
				seen[in.Key()] = true
				fmt.Fprintln(&b, in)
				s.Show(in, relations.Row{})
			}
		}
		return b.String()
	}
	if one := made(1); one != made(1) || one == made(2) {
		t.Error("the inputs do not depend on the seed alone")
	}
	if s := New(Options{Zero: []any{""}}); s.Next(9) != nil {
		t.Error("there are inputs without a statement")
	}
}
