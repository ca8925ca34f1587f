package calc

import (
	"fmt"
	"testing"
)

func TestEval(t *testing.T) {
	for src, want := range map[string]int64{
		"1 + 2*3":     7,
		"-2^2":        -4,
		"2^3^2":       512,
		"7 - 4 - 2":   1,
		"(1+2) * -x":  -30,
		"17 % 5 / 2":  1,
		"10 - (3-2)":  9,
		"2^(1+2) % 5": 3,
	} {
		x, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, err := Eval(x, map[Var]int64{'x': 10}); err != nil || got != want {
			t.Errorf("%s = %d, %v; want %d", src, got, err, want)
		}
	}
}

func seed(f *testing.F, args ...any) {
	for _, src := range []string{
		"1 + 2*3", "-2^2", "2^3^2", "7 - 4 - 2", "(1+2) * -x", "x % y",
		"10 - (3-2)", "9223372036854775807", "--x", "2^-1", "1/0", "(", "a $",
	} {
		f.Add(append([]any{src}, args...)...)
	}
}

// FuzzPrint checks that printing settles: what Parse makes of a printed
// expression prints the same.
func FuzzPrint(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		x, err := Parse(src)
		if err != nil {
			t.Skip(err)
		}
		printed := x.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", src, printed, err)
		}
		if got := again.String(); got != printed {
			t.Errorf("%q prints as %q, then as %q", src, printed, got)
		}
	})
}

// FuzzEval checks that an expression is worth the same before and after
// printing. It never says how much.
func FuzzEval(f *testing.F) {
	seed(f, int64(3), int64(-7))
	f.Fuzz(func(t *testing.T, src string, xv, yv int64) {
		x, err := Parse(src)
		if err != nil {
			t.Skip(err)
		}
		vars := map[Var]int64{'x': xv, 'y': yv}
		want, wantErr := Eval(x, vars)
		again, err := Parse(x.String())
		if err != nil {
			t.Fatal(err)
		}
		got, err := Eval(again, vars)
		if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s = %d, %v; printed %s = %d, %v", src, want, wantErr, again, got, err)
		}
	})
}
