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
	return CostlyCalls[called(info, sel.Sel, call)]
}

// called returns the full name of the function that id names in a call; "" if it names none, and if
// not each parameter has an argument, as in a method expression or f(g()).
func called(info *typing.Info, id *ast.Ident, call *ast.CallExpr) string {
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || len(call.Args) != fn.Signature().Params().Len() {
		return ""
	}
	return fn.Origin().FullName()
}

// CostlyCalls are the helpers by the functions that they stand in for.
var CostlyCalls = map[string]string{"(*math/big.Int).Exp": "Exp", "strings.Repeat": "Repeat", "bytes.Repeat": "Repeat"}
