package stored

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// How the operands of a comparison may compare follows from the conditions before it, and from what sets its variables.
// Where they may compare in some ways alone, a comment says in which, for each comparison of the line.
func TestOrders(t *testing.T) {
	for name, body := range map[string]string{
		"after a return":                "k := len(s)\nif n < k {\nreturn -1, nil\n}\nif n > k { // =>\nreturn 1, nil\n}\nreturn 0, nil",
		"in both branches":              "k := n * 2\nif n == k {\nkeep(n > k) // =\n} else if n > k { // <>\nkeep(k < n) // <\n} else {\nkeep(k != n) // >\n}\nreturn 0, nil",
		"after a switch":                "k := n * 2\nswitch {\ncase n < k:\nreturn 1, nil\ncase n == k: // =>\n}\nkeep(n < k) // =>\nreturn 0, nil",
		"and":                           "k := n * 2\nif n < k && n != k { // ; <\nreturn 1, nil\n}\nkeep(n < k)\nreturn 0, nil",
		"or and not":                    "k := n * 2\nif !(n >= k) || n == k { // ; =>\nreturn 1, nil\n}\nkeep(n < k) // >\nreturn 0, nil",
		"assigned in between":           "k := n * 2\nif n < k {\nreturn 1, nil\n}\nk = n * 3\nkeep(n < k)\nreturn 0, nil",
		"assigned on one way":           "k := n * 2\nif n < k {\nreturn 1, nil\n}\nif len(s) > 4 {\nk = n * 3\n}\nkeep(n < k)\nreturn 0, nil",
		"read and set at once":          "k, m := n*2, n*3\nif k < m {\nk, m = m, k\n}\nkeep(k < m)\nreturn 0, nil",
		"a loop that counts":            "for i := 0; i < len(s); i++ { // <=\nkeep(i < len(s)) // <\nkeep(i > 0) // =>\n}\nreturn 0, nil",
		"a loop to what may be less":    "for i := 0; i < n; i++ {\n}\nreturn 0, nil",
		"a loop whose end moves":        "for i := 0; i < len(s); i++ {\ns = s[1:]\n}\nreturn 0, nil",
		"a loop that skips":             "for i := 0; i < len(s); i++ {\nif i == 3 {\ni++\n}\n}\nreturn 0, nil",
		"a loop with a step of two":     "for i := 0; i < len(s); i += 2 {\n}\nreturn 0, nil",
		"a loop to the less of two":     "m := len(s)\nif k := len(text); k < m { // <>\nm = k\n}\nvar i int\nfor i = 0; i < m; i++ { // <=\n}\nkeep(i == m) // =\nreturn 0, nil",
		"a loop down":                   "for i := len(s); i > 0; i-- { // =>\n}\nreturn 0, nil",
		"of range":                      "for i := range s {\nkeep(i > 0, i < len(s)) // =>; <\n}\nreturn 0, nil",
		"of range over what is set":     "for i := range s {\nkeep(i < len(s))\ns = s[1:]\n}\nreturn 0, nil",
		"of range over a number":        "for i := range n {\nkeep(i < n) // <\n}\nreturn 0, nil",
		"of range over values":          "for _, k := range s {\nif k < n {\ncontinue\n}\nkeep(k == n) // =>\n}\nreturn 0, nil",
		"of range, from round to round": "m := 0\nfor _, k := range s {\nkeep(k == m)\nm = k\nkeep(k == m) // =\n}\nreturn 0, nil",
		"an empty text":                 "if text == \"\" { // =>\nreturn 0, nil\n}\nkeep(len(text) > 1, len(text) > 0, text != \"\") // =>; >; >\nreturn 0, nil",
		"a text that is not another":    "a, b := text[1:], text[2:]\nif a == b {\nreturn 0, nil\n}\nif a == \"\" { // =>\nkeep(b != \"\") // >\nreturn 1, nil\n}\nkeep(a > b) // <>\nreturn 0, nil",
		"neighbouring constants":        "if n > 2 {\nkeep(n == 3) // =>\n} else {\nkeep(n < 3) // <\n}\nreturn 0, nil",
		"zero values":                   "var i, k int\nvar a string\nkeep(i < k, a == \"\", i == 0) // =; =; =\nreturn 0, nil",
		"captured":                      "k := n * 2\nif n < k {\nreturn 1, nil\n}\nfunc() { k = 3 }()\nkeep(n < k)\nreturn 0, nil",
		"by its address":                "k := n * 2\nif n < k {\nreturn 1, nil\n}\nget(&k)\nkeep(n < k)\nreturn 0, nil",
		"in a function literal":         "func(a, b int) {\nif a < b {\nreturn\n}\nkeep(a == b) // =>\n}(1, n)\nreturn 0, nil",
		"fractions":                     "a, b := float64(n), 2.5\nif a < b {\nreturn 1, nil\n}\nkeep(a >= b)\nreturn 0, nil",
		"what wraps around":             "k := uint8(n)\nif k < 9 {\nreturn 1, nil\n}\nk++\nkeep(k < 9)\nreturn 0, nil",
		"what is below does not":        "k := uint8(n)\nif k >= 9 {\nreturn 1, nil\n}\nk++\nkeep(k > 9) // <=\nreturn 0, nil",
		"what is below what never fits": "k, j := uint8(n), n*3\nif k != 255 || j != 1000 {\nreturn 1, nil\n}\nk++\nkeep(k == 255)\nreturn 0, nil",
		"not below zero":                "k := uint(n)\nkeep(k == 0) // =>\nreturn 0, nil",
		"a goto":                        "k := n * 2\nagain:\nkeep(n < k)\nif n < k {\nn++\ngoto again\n}\nkeep(n == k) // =>\nreturn 0, nil",
		"a field":                       "var v struct{ a int }\nif v.a < n {\nreturn 1, nil\n}\nkeep(v.a < n)\nreturn 0, nil",
		"the greater one":               "if k := len(s); k > n { // <>\nn = k\n}\nreturn n, nil",
		"the greater one of fields":     "v := new(struct{ a, b int })\nif v.a < v.b { // <>\nv.a = v.b\n}\nreturn v.a, nil",
		"another one":                   "if k := len(s); k > n {\nn = k + 1\n}\nreturn n, nil",
		"one on each way":               "m := 0\nk := n * 2\nif k < n { // <>\nm = k\n} else {\nm = n\n}\nkeep(m)\nreturn 0, nil",
		"one on each way, elsewhere":    "m, o := 0, 0\nk := n * 2\nif k < n {\nm = k\n} else {\no = n\n}\nkeep(m, o)\nreturn 0, nil",
		"with something else":           "k := n * 2\nif k < n {\nn = k\nkeep(1)\n}\nreturn n, nil",
		"the greater fraction":          "a, b := float64(n), 2.5\nif a < b {\na = b\n}\nkeep(a)\nreturn 0, nil",
		"the greater of elements":       "if s[0] < s[1] {\ns[0] = s[1]\n}\nreturn 0, nil",
	} {
		checkOrders(t, name, "(int, error)", body)
	}
	checkOrders(t, "one returned", "int", "k := n * 2\nif k < n { // <>\nreturn k\n}\nreturn n")
	checkOrders(t, "one returned, or else", "int", "k := n * 2\nif k < n { // <>\nreturn k\n} else {\nreturn n\n}")
	checkOrders(t, "a third returned", "int", "k := n * 2\nif k < n {\nreturn k\n}\nreturn 1")
}

func checkOrders(t *testing.T, name, results, body string) {
	t.Helper()
	f, _, file, src := facts(t, results, body)
	lines := strings.Split(src, "\n")
	got := make([][]string, len(lines))
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(*ast.BinaryExpr)
		if !ok || !isRelation(e.Op) {
			return true
		}
		text := ""
		for i, order := range []operator.Orders{operator.Below, operator.Same, operator.Above} {
			if o := f.Orders(e); o != 0 && o != operator.AnyOrder && o&order != 0 {
				text += string("<=>"[i])
			}
		}
		line := strings.Count(src[:e.OpPos-file.FileStart], "\n")
		got[line] = append(got[line], text)
		return true
	})
	for i, line := range lines {
		_, want, said := strings.Cut(line, "// ")
		if have := strings.Join(got[i], "; "); said && have != want || !said && strings.Trim(have, "; ") != "" {
			t.Errorf("%s: line %d: %q, want %q\n%s", name, i+1, have, want, line)
		}
	}
}
