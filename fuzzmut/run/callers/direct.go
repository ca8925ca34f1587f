package callers

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Direct are the functions, by their full names, that some fuzz test calls with its inputs as
// they are before it does anything else: a derived fuzz test would do the same again.
func Direct(r *load.Result) map[string]bool {
	direct := make(map[string]bool)
	for _, tests := range r.Tests {
		for _, f := range tests.Files {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				if fn := typeutil.StaticCallee(tests.Info, call); fn == nil || fn.FullName() != "(*testing.F).Fuzz" {
					return true
				}
				if lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit); ok && len(lit.Body.List) > 0 {
					if fn := handedOn(tests.Info, lit.Type, lit.Body.List[0]); fn != nil {
						direct[fn.FullName()] = true
					}
				}
				return true
			})
		}
	}
	return direct
}

// handedOn returns the function that a statement calls with the parameters of a fuzz target, but
// for the first one, in their order; nil: it does not. They may be converted.
func handedOn(info *types.Info, target *ast.FuncType, s ast.Stmt) *types.Func {
	var call *ast.CallExpr
	switch s := s.(type) {
	case *ast.IfStmt:
		if s.Init != nil {
			return handedOn(info, target, s.Init)
		}
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			call, _ = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		}
	}
	if call == nil {
		return nil
	}
	fn := typeutil.StaticCallee(info, call)
	if fn == nil || fn.Signature().Recv() != nil {
		return nil
	}
	var params []types.Object
	for _, field := range target.Params.List {
		for _, name := range field.Names {
			params = append(params, info.Defs[name])
		}
	}
	if len(params) != len(call.Args)+1 {
		return nil
	}
	for i, arg := range call.Args {
		arg = ast.Unparen(arg)
		if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 && info.Types[conv.Fun].IsType() {
			arg = ast.Unparen(conv.Args[0])
		}
		if id, ok := arg.(*ast.Ident); !ok || params[i+1] == nil || info.Uses[id] != params[i+1] {
			return nil
		}
	}
	return fn
}
