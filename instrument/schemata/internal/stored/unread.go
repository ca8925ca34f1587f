package stored

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// set is of variables.
type set map[types.Object]bool

// unread lists statements that store values which nothing reads, and do nothing else.
func (r *reader) unread() (list []span) {
	live := make(map[*cfg.Block]set) // where it begins
	for changed := true; changed; {
		changed = false
		for i := len(r.blocks) - 1; i >= 0; i-- {
			b := r.blocks[i]
			now := r.after(b, live)
			for k := len(b.Nodes) - 1; k >= 0; k-- {
				r.before(b.Nodes[k], now)
			}
			if len(now) != len(live[b]) { // it only grows
				live[b], changed = now, true
			}
		}
	}
	for _, b := range r.blocks {
		now := r.after(b, live)
		for k := len(b.Nodes) - 1; k >= 0; k-- {
			if r.dead(b.Nodes[k], now) {
				list = append(list, span{b.Nodes[k].Pos(), b.Nodes[k].End()})
			}
			r.before(b.Nodes[k], now)
		}
	}
	return list
}

// after are the variables that are read after a block.
func (r *reader) after(b *cfg.Block, live map[*cfg.Block]set) set {
	out := make(set)
	for _, next := range b.Succs {
		maps.Copy(out, live[next])
	}
	return out
}

// before makes of the variables that are read after a node those that are read after what is before it.
func (r *reader) before(n ast.Node, live set) {
	var sets []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			sets = n.Lhs
		}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			sets = append(sets, id)
		}
	}
	skip := make(map[*ast.Ident]bool)
	for _, e := range sets {
		if v := r.variable(e); v != nil {
			delete(live, v)
			skip[ast.Unparen(e).(*ast.Ident)] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !skip[id] && r.own[r.info.ObjectOf(id)] {
			live[r.info.ObjectOf(id)] = true
		}
		return true
	})
	if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 0 {
		for v := range r.results {
			live[v] = true
		}
	}
}

// dead says whether a node stores plain values in variables that are not read after it, and does
// nothing else.
func (r *reader) dead(n ast.Node, live set) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && r.allDead(n.Lhs, live) && r.plain(n.Rhs)
	case *ast.IncDecStmt:
		return r.allDead([]ast.Expr{n.X}, live)
	}
	return false
}

// allDead says whether values for variables, at least one, are not read. A named result
// is read after a panic that a deferred call recovers from.
func (r *reader) allDead(list []ast.Expr, live set) bool {
	some := false
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		v := r.variable(e)
		if v == nil || live[v] || r.results[v] {
			return false
		}
		some = true
	}
	return some
}

// plain says whether expressions give their values, do nothing else, and can't panic, whatever is
// changed in them.
func (r *reader) plain(list []ast.Expr) bool {
	ok := true
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case nil, *ast.BasicLit, *ast.ParenExpr:
			case *ast.Ident:
			case *ast.UnaryExpr:
				ok = ok && n.Op != token.ARROW && n.Op != token.AND
			case *ast.BinaryExpr:
				_, basic := r.info.TypeOf(n.X).Underlying().(*types.Basic)
				ok = ok && basic && decides[n.Op]
			default:
				ok = false
			}
			return ok
		})
	}
	return ok
}

// decides are the operators that give true or false. Of others there are mutants that divide, which
// may panic.
var decides = map[token.Token]bool{
	token.EQL: true, token.NEQ: true, token.LSS: true, token.LEQ: true, token.GTR: true, token.GEQ: true, token.LAND: true, token.LOR: true,
}
