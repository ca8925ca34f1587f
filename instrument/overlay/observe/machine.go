package observe

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// operations has what the operations of a fuzzmut.Machine return observed, if call is that of its
// Fuzz method: package fuzzmut makes the calls, which no test file shows. It reports whether it is.
func (fr *fileRewriter) operations(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Fuzz" || len(call.Args) != 1 {
		return false
	}
	state := target.MachineState(fr.info.TypeOf(sel.X))
	if state == nil {
		return false
	}
	var names []string
	first := -1
	for _, op := range fr.operationsOf(sel.X, state) {
		results := resultTypes(op.fn.Signature().Results())
		if view := fr.loaded.Views.Funcs[viewKey(op.fn)]; view != golden.ViewNone && worthWrapping(results) {
			fr.pkg = op.fn.Pkg().Path()
			site := fr.operationSite(call, op, state, results, view)
			if first < 0 {
				first = site
			}
			names = append(names, strconv.Quote(op.key))
		}
	}
	if first >= 0 {
		arg := call.Args[0]
		fr.edits.Wrap(fr.offset(arg.Pos()), fr.offset(arg.End()), fr.rt+"ObsOps(", ", "+strconv.Itoa(first)+", "+strings.Join(names, ", ")+")")
	}
	return true
}

// operation is one of a machine.
type operation struct {
	fn  *types.Func
	key string // as package fuzzmut has it
}

// operationsOf lists the operations that a machine has: those that its literal names, or the exported
// methods of its state.
func (fr *fileRewriter) operationsOf(machine ast.Expr, state types.Type) (list []operation) {
	if lit, ok := ast.Unparen(machine).(*ast.CompositeLit); ok {
		if ops, ok := target.Listed(lit, "Ops"); ok {
			for _, e := range ops {
				if fn, ok := fr.info.Uses[calleeIdent(e)].(*types.Func); ok {
					list = append(list, newOperation(fn))
				}
			}
			return list
		}
	}
	for sel := range types.NewMethodSet(state).Methods() {
		if fn, ok := sel.Obj().(*types.Func); ok && fn.Exported() {
			list = append(list, newOperation(fn))
		}
	}
	return list
}

func newOperation(fn *types.Func) operation {
	if fn.Signature().Recv() != nil {
		return operation{fn, "." + fn.Name()}
	}
	return operation{fn, fn.Name()}
}

// operationSite adds the site of an operation, and returns its number.
func (fr *fileRewriter) operationSite(call *ast.CallExpr, op operation, state types.Type, results []types.Type, view golden.View) int {
	what := seen{name: funcName(op.fn), view: view}
	if recv := op.fn.Signature().Recv(); recv != nil {
		typ := typeName(state)
		if typ == nil || !typ.Exported() {
			typ = typeName(recv.Type())
		}
		what.called = op.fn.Pkg().Name() + "."
		if typ != nil && typ.Exported() {
			what.called += typ.Name() + "."
		}
		what.called += op.fn.Name()
	}
	return fr.site(call, what.with(results, nil))
}
