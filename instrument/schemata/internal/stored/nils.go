package stored

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// zeroAt enters the variables that are zero at the return statements of the function, and the
// assignments of zeros to what is zero.
func (r *reader) zeroAt(f *Facts) {
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
			switch n := n.(type) {
			case *ast.ReturnStmt:
				f.zeros[n] = maps.Clone(now)
			case *ast.AssignStmt:
				f.same[n] = r.setsZeros(n, now)
			}
			r.assign(n, now)
		}
	}
}

// setsZeros says whether an assignment gives zeros to variables that are zero, and does nothing else.
func (r *reader) setsZeros(n *ast.AssignStmt, zeros set) bool {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return false
	}
	for i, e := range n.Lhs {
		if v := r.variable(e); v == nil || !zeros[v] || !r.isZero(v, n.Rhs[i]) {
			return false
		}
	}
	return true
}

// noResults are the named results, which are zero at first.
func (r *reader) noResults() set {
	out := make(set)
	for v := range r.results {
		if r.own[v] && hasZero(v.Type()) {
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
func (r *reader) assign(n ast.Node, zeros set) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		sets := (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && len(n.Lhs) == len(n.Rhs)
		for i, e := range n.Lhs {
			if v := r.variable(e); v != nil {
				store(v, sets && r.isZero(v, n.Rhs[i]), zeros)
			}
		}
	case *ast.IncDecStmt:
		if v := r.variable(n.X); v != nil {
			delete(zeros, v)
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if v := r.variable(id); v != nil {
				store(v, len(n.Values) == 0 && hasZero(v.Type()) || len(n.Values) == len(n.Names) && r.isZero(v, n.Values[i]), zeros)
			}
		}
	}
}

func store(v types.Object, isZero bool, zeros set) {
	if isZero {
		zeros[v] = true
	} else {
		delete(zeros, v)
	}
}

// isZero says whether an expression is a zero as the variable has it: a number in an interface is none, nor
// is a nil that has a type.
func (r *reader) isZero(v types.Object, e ast.Expr) bool {
	tv := r.info.Types[ast.Unparen(e)]
	switch {
	case !hasZero(v.Type()):
		return false
	case tv.IsNil():
		return true
	case tv.Value == nil || types.IsInterface(v.Type()):
		return false
	}
	switch tv.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(tv.Value)
	case constant.String:
		return constant.StringVal(tv.Value) == ""
	}
	return constant.Sign(tv.Value) == 0
}

// where are the variables that are zero after a block, by the way that its condition takes.
func (r *reader) where(b *cfg.Block, holds bool, zeros set) set {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return zeros
	}
	cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok || !r.conditions[cond] {
		return zeros
	}
	out := maps.Clone(zeros)
	r.decide(cond, holds, out)
	return out
}

// decide adds the variables that are zero where a condition holds, or does not.
func (r *reader) decide(cond ast.Expr, holds bool, zeros set) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident:
		if v := r.variable(e); v != nil && !holds {
			zeros[v] = true
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			r.decide(e.X, !holds, zeros)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && holds, e.Op == token.LOR && !holds:
			r.decide(e.X, holds, zeros)
			r.decide(e.Y, holds, zeros)
		case e.Op == token.EQL && holds, e.Op == token.NEQ && !holds:
			if v := r.variable(e.X); v != nil && r.isZero(v, e.Y) {
				zeros[v] = true
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

// hasZero says whether a type has one zero, which == tells from all else. Of floats there are two.
func hasZero(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
	}
	return false
}
