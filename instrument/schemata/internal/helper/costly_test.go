package helper_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
)

// TestCostly: only a call of the function itself, with all its arguments, has a helper.
func TestCostly(t *testing.T) {
	for call, want := range map[string]string{
		`z.Exp(x, y, nil)`:            "Exp",
		`new(big.Int).Exp(x, y, x)`:   "Exp",
		`own.Exp(x, y, nil)`:          "Exp", // it is embedded
		`(*big.Int).Exp(z, x, y, x)`:  "",
		`z.Exp(three())`:              "",
		`strings.Repeat("a", 3)`:      "Repeat",
		`bytes.Repeat(nil, 3)`:        "Repeat",
		`strings.Repeat(two())`:       "",
		`strings.ToUpper("a")`:        "",
		`z.Mul(x, y)`:                 "",
		`other.Exp(x, y, nil)`:        "",
		`func(a, b, c int) {}(1,2,3)`: "",
	} {
		c := checked.Text(t, `import ("bytes"; "math/big"; "strings"); func f() { `+call+` }
type t struct{}; func (t) Exp(x, y, m *big.Int) {}; func two() (string, int) { return "", 0 }; func three() (x, y, z *big.Int) { return }
var ( own struct{ *big.Int }; x, y, z *big.Int; other t )`)
		e := checked.First[*ast.ExprStmt](c, "").X.(*ast.CallExpr)
		if got := helper.Costly(c.Info, e); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}
