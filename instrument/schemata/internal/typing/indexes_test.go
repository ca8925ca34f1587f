package typing_test

import (
	"go/ast"
	"go/constant"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
)

// TestIndexes: the last i of a function is known to be 0 or above, or not.
func TestIndexes(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		// Indexes of range.
		{`for i := range list { use(i) }`, true},
		{`for i, c := range text { use(c); use(i) }`, true},
		{`for i := range array { use(i) }`, true},
		{`for i := range &array { use(i) }`, true},
		{`for i := range n { use(i) }`, true},
		{`var i int; for i = range list { }; use(i)`, true},
		{`for i := range numbers { use(i) }`, false}, // keys of a map
		{`for i := range channel { use(i) }`, false},
		{`for i := range pull { use(i) }`, false},
		{`for _, i := range list { use(i) }`, false},
		{`for i := range list { i--; use(i) }`, false},
		{`for i := range list { i++; use(i) }`, false}, // nothing says how often
		{`for i := range list { set(&i); use(i) }`, false},
		{`for i := range list { i -= 1; use(i) }`, false},
		{`for i := range list { i = n; use(i) }`, false},
		{`for i := range list { func() { i = n }(); use(i) }`, false},
		// Counters.
		{`for i := 0; i < n; i++ { use(i) }`, true},
		{`for i := 0; n > i; i++ { use(i) }`, true},
		{`for i := 3; i < n && i != 7; i++ { use(i) }`, true},
		{`for i := 0; i < n; i++ { i = 2; use(i) }`, true},
		{`for i := -1; i < n; i++ { use(i) }`, false},
		{`for i := n; i < 9; i++ { use(i) }`, false},
		{`for i := 0; i < n || n > 9; i++ { use(i) }`, false},
		{`for i := 0; i <= n; i++ { use(i) }`, false}, // n may be the last
		{`for i := 0; i != n; i++ { use(i) }`, false},
		{`for i := 0; ; i++ { use(i) }`, false},
		{`for i := 0; i < n; i++ { i++; use(i) }`, false},
		{`for i := 0; i < n; i += n { use(i) }`, false},
		{`for i := len(list); i < n; i++ { use(i) }`, false}, // of elements without a size, len may be the last
		{`for i := int8(0); i < 9; i++ { use(int(i)) }`, false},
		{`k := 0; for i := 0; k < n; i++ { use(i) }`, false},
		// Others.
		{`i := 0; use(i)`, true},
		{`i := len(list); use(i)`, true},
		{`var i int; use(i)`, true},
		{`var i, k = 1, -1; use(k); use(i)`, true},
		{`i := len(list) - 1; use(i)`, false},
		{`i, k := two(); use(k); use(i)`, false},
		{`var i, k = two(); use(k); use(i)`, false},
		{`i := 0; if n > 3 { i, n = n, i }; use(i)`, false},
		{`use(func(i int) int { return i }(n))`, false},
		{`use(func() (i int) { return n }())`, false},
		{`i := n; use(i)`, false},
		{`i := 0; i = top; use(i)`, false},
		{`i := 0; select { case i = <-channel: }; use(i)`, false},
	} {
		code := checked.File(t, `package p
var ( list []int; text string; array [3]int; numbers map[int]int; channel chan int; top int )
func pull(func(int) bool)
func two() (int, int)
func set(*int)
func use(any) int
func f(n int) { `+c.body+` }
`)
		code.Info.FindIndexes([]*ast.File{code.Src.Syntax})
		var last *ast.Ident
		ast.Inspect(code.Func("f").Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "i" {
				last = id
			}
			return true
		})
		least := code.Info.Bounds(last).Least
		if got := least != nil && constant.Sign(least) == 0; got != c.want {
			t.Errorf("%s: %t", c.body, got)
		}
	}
}
