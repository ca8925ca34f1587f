package doubt_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
)

// TestResultsThatNobodyUses: which operands of the return statement of g are in doubt, by the functions that call it.
func TestResultsThatNobodyUses(t *testing.T) {
	for callers, want := range map[string]string{
		`func F() int { _, n := g(1); return n }`:                              "float64(n) + 1",
		`func F() int { var _, n = g(1); return n }`:                           "float64(n) + 1",
		`func F() { g(1) }`:                                                    "float64(n) + 1 n * 2",
		`func F() { defer g(1); go g(2) }`:                                     "float64(n) + 1 n * 2",
		`func F() { x, _ := g(1); use(x) }; func G() { _, y := g(1); use(y) }`: "",
		`func F() { x, _ := g(1); use(x) }; func G() { _, _ = g(1) }`:          "n * 2",
		`func F() { var s struct{ x float64 }; s.x, _ = g(1) }`:                "n * 2",
		`func F() (float64, int) { return g(1) }`:                              "",
		`func F() { take(g(1)) }`:                                              "",
		`func F() { f := g; _, n := f(1); use(n); g(2) }`:                      "", // it is a value
		`func F() { go use(g); g(2) }`:                                         "",
		`var _, top = g(1)`:                                                    "float64(n) + 1",
		``:                                                                     "", // nothing calls it
		`type t struct{}; func (t) g(n int) int { return n }; func F() { t{}.g(1) }`: "", // a method
	} {
		code := checked.File(t, `package p
func use(any)
func take(float64, int)
func g(n int) (float64, int) { f := func() int { return n - 3 }; use(f); return float64(n) + 1, n * 2 }
`+callers+"\n")
		at := doubt.Results(code.Info, []*ast.File{code.Src.Syntax})
		var got []string
		ast.Inspect(code.Src.Syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.ReturnStmt); ok {
				for _, e := range s.Results {
					if at(e.Pos()) != "" && at(e.End()-1) != "" && at(e.Pos()-1) == "" && at(e.End()) == "" {
						got = append(got, code.Src.Node(e))
					}
				}
			}
			return true
		})
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", callers, text, want)
		}
	}
}
