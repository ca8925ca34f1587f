package helper

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Exit returns the helper of the core that stands in for a call that ends
// the process; "" for all others.
func Exit(info *typing.Info, call *ast.CallExpr) string {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return ""
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return ""
	}
	helper := Exits[fn.Pkg().Path()+"."+fn.Name()]
	if helper == "" || len(call.Args) != 1 && helper != "Fatal" && helper != "Fatalf" || len(call.Args) == 0 {
		return ""
	}
	if _, spread := info.Types[call.Args[0]].Type.(*types.Tuple); spread {
		return "" // f(g()) with several results can't take one more argument
	}
	return helper
}

// Exits are the helpers by the functions that they stand in for.
var Exits = map[string]string{
	"os.Exit": "Exit", "syscall.Exit": "Exit",
	"log.Fatal": "Fatal", "log.Fatalln": "Fatal", "log.Fatalf": "Fatalf", // functions and methods of *Logger
}
