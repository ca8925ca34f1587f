package stored

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// A relater finds how operands of comparisons in a function may compare, whatever the function is called
// with. It follows conditions, and assignments to variables that only the function's own
// statements set. Operands are whole numbers and texts: floating-point numbers may compare in no way at all.
type relater struct {
	*reader
	terms  []term
	values []constant.Value // of terms that are constants
	index  map[term]int
	always orders // whatever variables have
	facts  *Facts
}

// orders enters the comparisons of the function whose operands don't compare in all ways.
func (r *reader) orders(f *Facts, body *ast.BlockStmt) {
	rel := &relater{reader: r, index: make(map[term]int), facts: f}
	rel.collect(body)
	if len(rel.terms) > termsMost || len(rel.terms) == 0 {
		return
	}
	rel.relateConstants()
	begin := map[*cfg.Block]orders{r.blocks[0]: slices.Clone(rel.always)}
	for changed := true; changed; {
		changed = false
		for _, b := range r.blocks {
			now, ok := begin[b]
			if !ok {
				continue // nothing leads there so far
			}
			now = slices.Clone(now)
			rel.round(b, now)
			for _, n := range b.Nodes {
				rel.run(n, now)
			}
			for i, next := range b.Succs {
				out, possible := rel.after(b, i == 0, now)
				if !possible {
					continue
				}
				if was, seen := begin[next]; !seen {
					begin[next], changed = slices.Clone(out), true
				} else if widen(was, out) {
					changed = true
				}
			}
		}
	}
	for _, b := range r.blocks {
		if now, ok := begin[b]; ok {
			now = slices.Clone(now)
			rel.round(b, now)
			for _, n := range b.Nodes {
				rel.enter(n, now)
				rel.run(n, now)
			}
		}
	}
}

// variable is the variable that an expression is, of those that only the function's own statements set; nil: it is
// something else.
func (rel *relater) variable(e ast.Expr) types.Object {
	if v := rel.info.ObjectOf(identOf(e)); v != nil && (rel.own[v] || rel.ranged[v]) {
		return v
	}
	return nil
}

// round takes note of what range sets as a round begins: an index is not below zero, and below what it counts to.
func (rel *relater) round(b *cfg.Block, now orders) {
	s, ok := b.Stmt.(*ast.RangeStmt)
	if !ok || b.Kind != cfg.KindRangeBody {
		return
	}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && rel.variable(e) != nil {
			rel.forget(rel.variable(e), now)
		}
	}
	if s.Key == nil {
		return
	}
	i, ok := rel.index[term{v: rel.variable(s.Key)}]
	x := rel.info.TypeOf(s.X)
	if !ok || !isWhole(x) && !isText(x) && !isList(x) {
		return
	}
	if zero, ok := rel.index[term{constant: "0"}]; ok {
		rel.restrict(now, i, zero, operator.Same|operator.Above)
	}
	if end, ok := rel.index[rel.end(s.X)]; ok && !rel.sets(s.Body, rel.variable(s.X)) {
		rel.restrict(now, i, end, operator.Below)
	}
	rel.conclude(now)
}

// sets says whether a loop assigns to a variable.
func (rel *relater) sets(body *ast.BlockStmt, v types.Object) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || rel.variable(e) == v
			}
		case *ast.IncDecStmt:
			found = found || rel.variable(n.X) == v
		case *ast.RangeStmt:
			found = found || n.Key != nil && rel.variable(n.Key) == v || n.Value != nil && rel.variable(n.Value) == v
		}
		return !found
	})
	return found
}

// run takes note of what a node does to variables.
func (rel *relater) run(n ast.Node, now orders) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		single := len(n.Lhs) == 1 && len(n.Rhs) == 1 && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE)
		for i, e := range n.Lhs {
			v := rel.variable(e)
			switch {
			case v == nil:
			case single || n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) && !rel.mentions(n.Rhs, n.Lhs):
				rel.set(v, n.Rhs[i], now)
			default:
				rel.forget(v, now)
			}
		}
	case *ast.IncDecStmt:
		if v := rel.variable(n.X); v != nil {
			rel.step(v, n.Tok == token.INC, now)
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			v := rel.variable(id)
			switch {
			case v == nil:
			case len(n.Values) == len(n.Names) && len(n.Names) == 1:
				rel.set(v, n.Values[i], now)
			default:
				rel.forget(v, now)
				if len(n.Values) == 0 {
					rel.clear(v, now)
				}
			}
		}
	}
}

// mentions says whether an expression names a variable that is set.
func (rel *relater) mentions(list, set []ast.Expr) (found bool) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				found = found || slices.ContainsFunc(set, func(s ast.Expr) bool { return rel.info.ObjectOf(id) == rel.info.ObjectOf(identOf(s)) })
			}
			return !found
		})
	}
	return found
}

// forget drops what is known of a variable.
func (rel *relater) forget(v types.Object, now orders) {
	for _, t := range []term{{v: v}, {v: v, length: true}} {
		if i, ok := rel.index[t]; ok {
			rel.assume(i, now)
		}
	}
}

// assume leaves of a term what always holds.
func (rel *relater) assume(i int, now orders) {
	n := len(rel.terms)
	for j := range n {
		now[i*n+j], now[j*n+i] = rel.always[i*n+j], rel.always[j*n+i]
	}
}

// clear takes note that a variable has its zero value.
func (rel *relater) clear(v types.Object, now orders) {
	for _, t := range []struct{ of, to term }{
		{term{v: v}, term{constant: "0"}}, {term{v: v}, term{constant: `""`}}, {term{v: v, length: true}, term{constant: "0"}},
	} {
		i, ok := rel.index[t.of]
		j, ok2 := rel.index[t.to]
		if ok && ok2 && (t.of.length || isText(v.Type()) == (rel.values[j].Kind() == constant.String)) {
			rel.copy(i, j, now)
		}
	}
}

// copy takes note that a term is the same as another.
func (rel *relater) copy(i, j int, now orders) {
	n := len(rel.terms)
	rel.assume(i, now)
	for k := range n {
		if k != i {
			now[i*n+k], now[k*n+i] = now[j*n+k], now[k*n+j]
		}
	}
	now[i*n+j], now[j*n+i] = operator.Same, operator.Same
}

// set takes note of an assignment.
func (rel *relater) set(v types.Object, e ast.Expr, now orders) {
	from, known := rel.term(e)
	if known && from == (term{v: v}) {
		return
	}
	length, hasLength := rel.index[term{v: v, length: true}]
	if known && from.v == v { // its own length
		known = false
	}
	i, ok := rel.index[term{v: v}]
	switch j, ok2 := rel.index[from]; {
	case ok && known && ok2:
		rel.copy(i, j, now)
	case ok:
		rel.assume(i, now)
	}
	if !hasLength {
		return
	}
	rel.assume(length, now)
	if j, ok := rel.index[term{v: from.v, length: true}]; ok && known && from.v != nil && !from.length {
		rel.copy(length, j, now)
	} else if w := rel.variable(e); w != nil && w != v {
		if j, ok := rel.index[term{v: w, length: true}]; ok {
			rel.copy(length, j, now)
		}
	} else if from.constant == `""` && known {
		rel.copy(length, rel.index[term{constant: "0"}], now)
	}
}

// step takes note that one is added to a variable, or taken away. What is below some other value, or above
// one, does not wrap around.
func (rel *relater) step(v types.Object, up bool, now orders) {
	i, ok := rel.index[term{v: v}]
	if !ok {
		return
	}
	n := len(rel.terms)
	towards, away := operator.Below, operator.Above // as seen from i
	if !up {
		towards, away = away, towards
	}
	wraps := true
	for j := range n {
		wraps = wraps && (now[i*n+j] != towards || !rel.within(j, v.Type()))
	}
	for j := range n {
		if j == i {
			continue
		}
		var out operator.Orders
		for _, o := range []operator.Orders{operator.Below, operator.Same, operator.Above} {
			switch {
			case now[i*n+j]&o == 0:
			case o == towards:
				out |= towards | operator.Same
			case wraps:
				out = operator.AnyOrder
			default:
				out |= away
			}
		}
		now[i*n+j], now[j*n+i] = out, out.Flipped()
		rel.restrict(now, i, j, rel.always[i*n+j])
	}
}

// after is what is known after a block, by the way that its condition takes; false: control does not take it.
func (rel *relater) after(b *cfg.Block, holds bool, now orders) (orders, bool) {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return now, true
	}
	cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok || !rel.conditions[cond] {
		return now, true
	}
	out := slices.Clone(now)
	return out, rel.suppose(cond, holds, out)
}

// suppose adds what follows where a condition holds, or does not; false: it can't be.
func (rel *relater) suppose(cond ast.Expr, holds bool, now orders) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op != token.NOT || rel.suppose(e.X, !holds, now)
	case *ast.BinaryExpr:
		if e.Op == token.LAND && holds || e.Op == token.LOR && !holds {
			return rel.suppose(e.X, holds, now) && rel.suppose(e.Y, holds, now)
		}
		if !isRelation(e.Op) {
			return true
		}
		to := operator.Holding(e.Op)
		if !holds {
			to ^= operator.AnyOrder
		}
		i, j, ok := rel.pair(e)
		if !ok {
			return true
		}
		rel.restrict(now, i, j, to)
		for _, p := range [][2]int{{i, j}, {j, i}} {
			if text, empty := rel.terms[p[0]], rel.terms[p[1]]; text.v != nil && empty.constant == `""` {
				if p[0] == j {
					to = to.Flipped()
				}
				rel.restrict(now, rel.index[term{v: text.v, length: true}], rel.index[term{constant: "0"}], to)
			}
		}
		return rel.conclude(now)
	}
	return true
}

// enter notes how the operands of the comparisons in a node compare.
func (rel *relater) enter(n ast.Node, now orders) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR { // the right operand is evaluated if the left one holds, or does not
				rel.enter(x.X, now)
				if right := slices.Clone(now); rel.suppose(x.X, x.Op == token.LAND, right) {
					rel.enter(x.Y, right)
				}
				return false
			}
			if i, j, ok := rel.pair(x); ok && isRelation(x.Op) {
				rel.facts.orders[x] = now[i*len(rel.terms)+j]
			}
		}
		return true
	})
}
