package arid

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// keeps says whether a statement does nothing but hand a value to a sync.Pool: nothing can rely
// on a pool to keep it, and with the race detector it drops some. So no test can tell that
// the statement is gone. What is handed over is another matter.
func (k *knowledge) keeps(s ast.Stmt) (call *ast.CallExpr) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return nil
	}
	if fn := k.callee(call); fn == nil || fn.FullName() != "(*sync.Pool).Put" && !k.keeper[fn] {
		return nil
	}
	return call
}

// learnKeeper finds a function that does nothing but hand values to pools.
func (k *knowledge) learnKeeper(fd *ast.FuncDecl, fn *types.Func) (found bool) {
	for _, s := range fd.Body.List {
		call := k.keeps(s)
		if call == nil || !isKept(call) {
			return false
		}
		found = true
	}
	k.keeper[fn] = found
	return found
}

// isKept says whether the operands of a call are names, which have no mutants.
func isKept(call *ast.CallExpr) bool {
	plain := true
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			switch n.(type) {
			case nil, *ast.Ident, *ast.SelectorExpr, *ast.UnaryExpr, *ast.ParenExpr:
			default:
				plain = false
			}
			return plain
		})
	}
	return plain
}

// pools returns the statements that only hand a value to a sync.Pool, without the value where
// that has mutants.
func (b *body) pools() (list []region) {
	for _, s := range b.seen {
		call := b.keeps(s)
		switch {
		case call == nil:
		case isKept(call):
			list = append(list, region{s.Pos(), s.End(), reasons.OnlyPooled})
		default:
			list = append(list, region{s.Pos(), call.Lparen, reasons.OnlyPooled})
		}
	}
	return list
}
