package hunk

import (
	"fmt"
	"testing"
)

// The hunks of each pair of texts are named by the numbers of the statements in their order.
func TestShared(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           string
	}{
		{
			"what is counted in a loop", "func f(s string) {\n\ta(s)\n\tfor range s {\n\t\tb(1)\n\t\tc()\n\t}\n\td()\n\te(0)\n}\n",
			"func f(s string) {\n\tn := 0\n\ta(s)\n\tfor range s {\n\t\tb(n)\n\t\tc()\n\t\tn++\n\t}\n\td()\n\te(1)\n}\n",
			"[[0 1 2]]",
		},
		{
			"a value that is declared and does not change", "func f(s string) {\n\ta(s)\n\tb()\n\tc(s)\n}\n",
			"func f(s string) {\n\tl := lower(s)\n\tx()\n\ta(l)\n\tb()\n\tc(l)\n}\n",
			"[]",
		},
		{
			"a variable that is given a value before each use", "func f(s string) {\n\ta(s)\n\tswitch s {\n\tcase x:\n\t\ta(1)\n\t\tb(1)\n\t\tc(1)\n\tcase y:\n\t\ta(2)\n\t\tb(2)\n\t\tc(2)\n\t}\n}\n",
			"func f(s string) {\n\tvar n int\n\ta(s)\n\tswitch s {\n\tcase x:\n\t\tn = p(s)\n\t\ta(1)\n\t\tb(1)\n\t\tc(n)\n\tcase y:\n\t\tn = q(s)\n\t\ta(2)\n\t\tb(2)\n\t\tc(n)\n\t}\n}\n",
			"[[1 2] [3 4]]",
		},
		{
			"a branch that may give a value", "func f(s string) {\n\ta(s)\n\tif s == x {\n\t\tb()\n\t\tc()\n\t}\n\td()\n\te(0)\n}\n",
			"func f(s string) {\n\tok := false\n\ta(s)\n\tif s == x {\n\t\tb()\n\t\tok = true\n\t\tc()\n\t}\n\td()\n\te(ok)\n}\n",
			"[[0 1 2]]",
		},
		{
			"what only the old code counted", "func f(s string) {\n\tn := 0\n\ta(s)\n\tfor range s {\n\t\tb(n)\n\t\tc()\n\t\tn++\n\t}\n}\n",
			"func f(s string) {\n\ta(s)\n\tfor range s {\n\t\tb(1)\n\t\tc()\n\t}\n}\n",
			"[[0 1 2]]",
		},
		{
			"a variable that both sides have", "func f(s string) {\n\tn := 0\n\ta(s)\n\tfor range s {\n\t\tb(n)\n\t\tc()\n\t\tn++\n\t}\n}\n",
			"func f(s string) {\n\tn := 1\n\ta(s)\n\tfor range s {\n\t\tb(n + 1)\n\t\tc()\n\t\tn += 2\n\t}\n}\n",
			"[]",
		},
		{
			"a buffer that is written to", "func f(s string) {\n\ta(s)\n\tb(s)\n\tc()\n\td(1)\n}\n",
			"func f(s string) {\n\tvar w strings.Builder\n\ta(s)\n\tw.WriteString(s)\n\tc()\n\td(w.String())\n}\n",
			"[[0 1 2]]",
		},
		{
			"variables with the same name in two functions", "func f() {\n\ta()\n\tb(0)\n}\n\nfunc g() {\n\ta()\n\tb(0)\n}\n",
			"func f() {\n\tn := 1\n\tn++\n\ta()\n\tb(n)\n}\n\nfunc g() {\n\tn := 1\n\tn++\n\ta()\n\tb(n)\n}\n",
			"[[0 1] [2 3]]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := []byte("package p\n\n"+c.old), []byte("package p\n\n"+c.new)
			if got := fmt.Sprint(Shared(old, new, Diff(old, new))); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestSharedOfWhatDoesNotParse(t *testing.T) {
	old, new := []byte("package p\n\nfunc {\n\nx\ny\nz\n"), []byte("package p\n\nfunc {\n\na\ny\nb\n")
	if got := Shared(old, new, Diff(old, new)); got != nil {
		t.Errorf("%v", got)
	}
}
