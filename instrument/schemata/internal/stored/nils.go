package stored

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// nilAtReturns enters the variables that are nil at the return statements of the function.
func (r *reader) nilAtReturns(at map[*ast.ReturnStmt]map[types.Object]bool) {
	begin := map[*cfg.Block]set{r.blocks[0]: r.noResults()}
	for changed := true; changed; {
		changed = false
		for _, b := range r.blocks {
			now, ok := begin[b]
			if !ok {
				continue // nothing leads there so far
			}
			now = maps.Clone(now)
			for _, n := range b.Nodes {
				r.assign(n, now)
			}
			for i, next := range b.Succs {
				out := r.where(b, i == 0, now)
				was, known := begin[next]
				if known {
					out = both(was, out)
				}
				if !known || len(out) != len(was) { // it only becomes less
					begin[next], changed = out, true
				}
			}
		}
	}
	for _, b := range r.blocks {
		now, ok := begin[b]
		if !ok {
			continue
		}
		now = maps.Clone(now)
		for _, n := range b.Nodes {
			if ret, ok := n.(*ast.ReturnStmt); ok {
				at[ret] = maps.Clone(now)
			}
			r.assign(n, now)
		}
	}
}

// noResults are the named results, which are nil at first if their type has a nil.
func (r *reader) noResults() set {
	out := make(set)
	for v := range r.results {
		if r.own[v] && hasNil(v.Type()) {
			out[v] = true
		}
	}
	return out
}

// both are the members of two sets.
func both(a, b set) set {
	out := make(set)
	for v := range a {
		if b[v] {
			out[v] = true
		}
	}
	return out
}

// assign takes note of what a node stores: only assignments and declarations set own variables.
func (r *reader) assign(n ast.Node, nils set) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if v := r.variable(e); v != nil {
				r.store(v, len(n.Lhs) == len(n.Rhs) && r.isNil(n.Rhs[i]), nils)
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if v := r.variable(id); v != nil {
				r.store(v, len(n.Values) == 0 && hasNil(v.Type()) || len(n.Values) == len(n.Names) && r.isNil(n.Values[i]), nils)
			}
		}
	}
}

func (r *reader) store(v types.Object, isNil bool, nils set) {
	if isNil {
		nils[v] = true
	} else {
		delete(nils, v)
	}
}

// isNil says whether an expression is nil itself. A typed nil in an interface is not: the type of the
// expression is untyped then.
func (r *reader) isNil(e ast.Expr) bool { return r.info.Types[ast.Unparen(e)].IsNil() }

// where are the variables that are nil after a block, by the way that its condition takes.
func (r *reader) where(b *cfg.Block, holds bool, nils set) set {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return nils
	}
	cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok || !r.conditions[cond] {
		return nils
	}
	out := maps.Clone(nils)
	r.decide(cond, holds, out)
	return out
}

// decide adds the variables that are nil where a condition holds, or does not.
func (r *reader) decide(cond ast.Expr, holds bool, nils set) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			r.decide(e.X, !holds, nils)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && holds, e.Op == token.LOR && !holds:
			r.decide(e.X, holds, nils)
			r.decide(e.Y, holds, nils)
		case e.Op == token.EQL && holds, e.Op == token.NEQ && !holds:
			if v := r.variable(e.X); v != nil && r.isNil(e.Y) {
				nils[v] = true
			}
		}
	}
}

// findConditions finds the expressions that say which way control takes.
func (r *reader) findConditions(body *ast.BlockStmt) {
	r.conditions = make(map[ast.Expr]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			r.conditions[n.Cond] = true
		case *ast.ForStmt:
			r.conditions[n.Cond] = n.Cond != nil
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					r.conditions[e] = n.Tag == nil
				}
			}
		}
		return true
	})
}

func hasNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		_, param := types.Unalias(t).(*types.TypeParam)
		return !param
	}
	return false
}
