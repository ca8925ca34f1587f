package stored

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// known are the constants that variables have, as text. That of a zero is zero.
type known map[types.Object]string

const zero = "0"

// zeroAt enters the variables that are zero at the return statements of the function, and the
// assignments of constants to what has them.
func (r *reader) zeroAt(f *Facts) {
	begin := map[*cfg.Block]known{r.blocks[0]: r.noResults()}
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
				was, seen := begin[next]
				if seen {
					out = both(was, out)
				}
				if !seen || len(out) != len(was) { // it only becomes less
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
				f.zeros[n] = now.zeros()
			case *ast.AssignStmt:
				f.same[n] = r.setsSame(n, now)
			}
			r.assign(n, now)
		}
	}
}

// zeros are the variables that are zero.
func (k known) zeros() map[types.Object]bool {
	out := make(map[types.Object]bool)
	for v, text := range k {
		if text == zero {
			out[v] = true
		}
	}
	return out
}

// setsSame says whether an assignment gives variables the constants that they have, and does nothing else.
func (r *reader) setsSame(n *ast.AssignStmt, now known) bool {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return false
	}
	for i, e := range n.Lhs {
		v := r.variable(e)
		if v == nil {
			return false
		}
		if text := r.constant(v, n.Rhs[i]); text == "" || now[v] != text {
			return false
		}
	}
	return true
}

// noResults are the named results, which are zero at first.
func (r *reader) noResults() known {
	out := make(known)
	for v := range r.results {
		if r.own[v] && begins(v.Type()) {
			out[v] = zero
		}
	}
	return out
}

// both is what holds in both ways.
func both(a, b known) known {
	out := make(known)
	for v, text := range a {
		if b[v] == text {
			out[v] = text
		}
	}
	return out
}

// assign takes note of what a node stores: only assignments and declarations set own variables.
func (r *reader) assign(n ast.Node, now known) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		sets := (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && len(n.Lhs) == len(n.Rhs)
		for i, e := range n.Lhs {
			if sets {
				r.store(e, n.Rhs[i], now)
			} else {
				r.store(e, nil, now)
			}
		}
	case *ast.IncDecStmt:
		r.store(n.X, nil, now)
	case *ast.ValueSpec:
		r.declare(n, now)
	}
}

// declare takes note of declared variables. Those without values are zero.
func (r *reader) declare(n *ast.ValueSpec, now known) {
	for i, id := range n.Names {
		switch v := r.variable(id); {
		case len(n.Values) == len(n.Names):
			r.store(id, n.Values[i], now)
		case v != nil && len(n.Values) == 0 && begins(v.Type()):
			now[v] = zero
		default:
			r.store(id, nil, now)
		}
	}
}

// store takes note of a value for what may be a variable; nil: it is not known.
func (r *reader) store(to, value ast.Expr, now known) {
	v := r.variable(to)
	if v == nil {
		return
	}
	delete(now, v)
	if value != nil {
		if text := r.constant(v, value); text != "" {
			now[v] = text
		}
	}
}

// constant returns the text of a constant as the variable has it, "" if an expression is none: a number in an
// interface has a type, and so has a nil pointer in one.
func (r *reader) constant(v types.Object, e ast.Expr) string {
	tv := r.info.Types[ast.Unparen(e)]
	switch {
	case isFloat(v.Type()) && tv.Value != nil:
		if f := constant.ToFloat(tv.Value); constant.Sign(f) != 0 {
			return f.ExactString()
		}
		return zero
	case !hasZero(v.Type()):
		return ""
	case tv.IsNil():
		return zero
	case tv.Value == nil || types.IsInterface(v.Type()):
		return ""
	}
	switch b := v.Type().Underlying().(*types.Basic); {
	case b.Info()&types.IsBoolean != 0 && !constant.BoolVal(tv.Value), tv.Value.ExactString() == `""`:
		return zero
	case b.Info()&types.IsInteger != 0:
		return constant.ToInt(tv.Value).ExactString()
	}
	return tv.Value.ExactString()
}

// where is what variables have after a block, by the way that its condition takes.
func (r *reader) where(b *cfg.Block, holds bool, now known) known {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return now
	}
	cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok || !r.conditions[cond] {
		return now
	}
	out := maps.Clone(now)
	r.decide(cond, holds, out)
	return out
}

// decide adds what variables have where a condition holds, or does not.
func (r *reader) decide(cond ast.Expr, holds bool, now known) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident:
		if v := r.variable(e); v != nil {
			now[v] = map[bool]string{false: zero, true: "true"}[holds]
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			r.decide(e.X, !holds, now)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && holds, e.Op == token.LOR && !holds:
			r.decide(e.X, holds, now)
			r.decide(e.Y, holds, now)
		case e.Op == token.EQL && holds, e.Op == token.NEQ && !holds:
			if v := r.variable(e.X); v != nil && hasZero(v.Type()) && r.constant(v, e.Y) != "" {
				now[v] = r.constant(v, e.Y)
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

// begins says whether a variable of a type that is declared without a value has one that only assignments change: one
// of an array or a struct has parts.
func begins(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param || isFloat(t) || hasZero(t)
}

func isFloat(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
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
