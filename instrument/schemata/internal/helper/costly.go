package helper

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Costly returns the helper of the core that stands in for a call of the standard library whose
// work one number decides; "" for all others.
func Costly(info *typing.Info, call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || len(call.Args) != fn.Signature().Params().Len() {
		return "" // a method expression, or f(g())
	}
	return CostlyCalls[fn.FullName()]
}

// CostlyCalls are the helpers by the functions that they stand in for.
var CostlyCalls = map[string]string{"(*math/big.Int).Exp": "Exp", "strings.Repeat": "Repeat", "bytes.Repeat": "Repeat"}
