// Package constants finds what test files pass to functions: constants, directly, through
// variables and tables, and through functions of the test files.
package constants

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

const (
	depthMost  = 3    // helpers of tests that call each other
	rawMost    = 4096 // lists that are looked at
	columnsFew = 16   // arguments that are looked at
)

// A Source is test files that are type-checked together.
type Source struct {
	Info  *types.Info
	Files []*ast.File
}

// Of returns what the sources pass to the functions that of holds for: for each call that says
// something, the function and a value for each parameter, nil for one that is not known. The
// order is that of the sources.
func (b *Bindings) Of(of func(*types.Func) bool) (calls []Call) {
	for _, s := range b.sources {
		for _, f := range s.Files {
			ast.Inspect(f, func(x ast.Node) bool {
				call, ok := x.(*ast.CallExpr)
				if !ok {
					return len(calls) < rawMost
				}
				if fn := Callee(s.Info, call); fn != nil && of(fn) {
					for _, values := range b.arguments(s.Info, call, fn, 0) {
						calls = append(calls, Call{fn, values})
					}
				}
				return len(calls) < rawMost
			})
		}
	}
	return calls
}

// A Call is what one call passes.
type Call struct {
	Func   *types.Func
	Values []constant.Value
}

// arguments returns what the parameters of a function may be in a call, as far as one can
// tell; unknown lists are left out.
func (b *Bindings) arguments(info *types.Info, call *ast.CallExpr, fn *types.Func, depth int) (list [][]constant.Value) {
	args := Passed(info, call)
	params := min(fn.Signature().Params().Len(), len(args), columnsFew)
	if depth > depthMost || b.busy[call] {
		return nil
	}
	b.busy[call] = true
	defer delete(b.busy, call)
	fixed := make([]constant.Value, params)
	vars := make([]*types.Var, params)
	known, open := false, false
	for i := range params {
		fixed[i], vars[i] = Leaf(info, args[i])
		known = known || fixed[i] != nil
		open = open || vars[i] != nil && (len(b.at[vars[i]]) > 0 || len(b.calls[vars[i]]) > 0)
	}
	if !open {
		if known {
			list = append(list, fixed)
		}
		return list
	}
	for _, r := range b.rowsOf(vars, depth) {
		values := slices.Clone(fixed)
		for i, v := range vars {
			if c := r[v]; c != nil {
				values[i] = c
			}
		}
		list = append(list, values)
	}
	return list
}

// Rows returns the values that variables have together: lines of tables, and what functions of
// the test files are given.
func (b *Bindings) Rows(vars []*types.Var) []Row { return b.rowsOf(vars, 0) }

// rowsOf returns the rows that have one of the variables.
func (b *Bindings) rowsOf(vars []*types.Var, depth int) (rows []Row) {
	seen := make(map[int]bool)
	called := make(map[*ast.CallExpr]bool)
	for _, v := range vars {
		for _, at := range b.at[v] {
			if v != nil && !seen[at] {
				seen[at] = true
				rows = append(rows, b.rows[at])
			}
		}
		for _, c := range b.calls[v] {
			if v == nil || called[c.call] || len(rows) > rawMost {
				continue
			}
			called[c.call] = true
			for _, values := range b.arguments(c.info, c.call, c.fn, depth+1) {
				r := make(Row)
				for i, value := range values {
					if value != nil {
						r[c.fn.Signature().Params().At(i)] = value
					}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}
