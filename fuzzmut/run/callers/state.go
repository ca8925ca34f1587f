package callers

import (
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// states are the variables of the package under test that its functions change, and those that
// stand for the clock or for random numbers. A fuzz test sets them when an input begins, if it is known
// to what, and sets them back in the end: what a function returns comes from calls of the same input then.
type states struct {
	graph  *graph
	by     map[*types.Var]*sequence.Variable
	used   map[*node][]string
	asking map[*node]asked
	outer  map[*node]bool // whether what a function returns may come from outside the process
}

// asked is what is known of a function that may ask the outside.
type asked struct {
	unless []string // it does not as long as none of these conditions holds
	always bool     // nobody can keep it from that
}

func newStates(g *graph) *states {
	s := &states{graph: g, by: make(map[*types.Var]*sequence.Variable), used: make(map[*node][]string), asking: make(map[*node]asked), outer: make(map[*node]bool)}
	changed, early := s.changes(), s.changedEarly()
	scope := g.loaded.Packages[0].Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || g.names[variableName(v)] == nil {
			continue
		}
		n := g.names[variableName(v)]
		initial, isSet := initializer(n, v)
		if hook := hookOf(n.info, v, initial); hook != nil {
			s.by[v] = hook
		} else if changed[v] && copied(v.Type(), 0) {
			source, ok := s.source(n.info, initial)
			s.by[v] = &sequence.Variable{Name: name, Type: v.Type(), Initial: source, Kept: early[v] || isSet && !ok}
		}
	}
	return s
}

// list is all of them, by name.
func (s *states) list() (list []sequence.Variable) {
	for _, v := range s.by {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b sequence.Variable) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// changes are the variables of the package that its functions change, or whose address they take.
func (s *states) changes() map[*types.Var]bool {
	all := make(map[*types.Var]bool)
	for _, n := range s.graph.nodes {
		if n.fn == nil || !n.own || n.test || s.graph.inits[n] {
			continue
		}
		for _, v := range changedIn(n) {
			all[v] = true
		}
	}
	return all
}

// changedEarly are those that change before the first test: what they are declared with is not what
// they begin with.
func (s *states) changedEarly() map[*types.Var]bool {
	all := make(map[*types.Var]bool)
	for _, n := range s.graph.nodes {
		if !s.graph.inits[n] || !n.own {
			continue
		}
		s.graph.runs(n, func(_, used *node) bool {
			if used.fn != nil && used.own && !used.test {
				for _, v := range changedIn(used) {
					all[v] = true
				}
			}
			return true
		})
	}
	return all
}

// begins says whether an input begins with a value of a variable that is known.
func (s *states) begins(v *types.Var) bool { return s.by[v] != nil && !s.by[v].Kept }

// changedIn lists the variables of the package that a function changes itself.
func changedIn(n *node) (list []*types.Var) {
	add := func(e ast.Expr) {
		if v := rootOf(n.info, e); v != nil && v.Pkg() == n.fn.Pkg() && v.Parent() == v.Pkg().Scope() {
			list = append(list, v)
		}
	}
	ast.Inspect(n.decl, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				add(e)
			}
		case *ast.IncDecStmt:
			add(x.X)
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				add(x.X)
			}
		case *ast.SliceExpr:
			if _, array := n.info.TypeOf(x.X).Underlying().(*types.Array); array {
				add(x.X)
			}
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
				if fn, ok := n.info.Uses[sel.Sel].(*types.Func); ok && fn.Signature().Recv() != nil {
					if _, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); pointer {
						add(sel.X)
					}
				}
			}
		}
		return true
	})
	return list
}

// rootOf is the variable that an expression is, or is a part of; nil: there is none.
func rootOf(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.Uses[x].(*types.Var)
			return v
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if _, field := info.Selections[x]; !field {
				v, _ := info.Uses[x.Sel].(*types.Var)
				return v
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// initializer is what a variable is declared with. The expression is nil if that is nothing, or
// one value of several that a call returns.
func initializer(n *node, v *types.Var) (e ast.Expr, isSet bool) {
	spec, ok := n.decl.(*ast.ValueSpec)
	if !ok || len(spec.Values) == 0 {
		return nil, false
	}
	if len(spec.Values) == len(spec.Names) {
		for i, id := range spec.Names {
			if n.info.Defs[id] == v {
				return spec.Values[i], true
			}
		}
	}
	return nil, true
}

// hooks are what the packages of others let their tests replace, with something that is the same
// each time: the clock, and a source of random bytes. The first choice is the one at the beginning.
var hooks = map[string]sequence.Variable{
	"time.Now": {Choices: []string{
		"func() time.Time { return time.Unix(1700000000, 123456789).UTC() }",
		"func() time.Time { return time.Unix(1600000000, 987654321).UTC() }",
		"func() time.Time { return time.Unix(1700000000, 123457789).UTC() }",
		"func() time.Time { return time.Unix(-1, 0).UTC() }",
	}},
	"crypto/rand.Reader": {Choices: []string{`strings.NewReader(strings.Repeat("random\xff\x80\x00", 99))`}},
}

// hookOf is a variable that stands for the clock or for random numbers; nil: it does not.
func hookOf(info *types.Info, v *types.Var, initial ast.Expr) *sequence.Variable {
	sel, ok := initial.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	obj := info.Uses[sel.Sel]
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	hook, ok := hooks[obj.Pkg().Path()+"."+obj.Name()]
	switch t := types.TypeString(v.Type(), nil); {
	case !ok || t != "func() time.Time" && t != "io.Reader":
		return nil
	}
	hook.Name, hook.Type, hook.Initial = v.Name(), v.Type(), hook.Choices[0]
	return &hook
}

// initialMost is how long source of what a variable is declared with is at most.
const initialMost = 80

// source is that of an expression that makes the same value each time it is evaluated.
func (s *states) source(info *types.Info, e ast.Expr) (string, bool) {
	if e == nil || !s.fresh(info, e) {
		return "", false
	}
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), e); err != nil || b.Len() > initialMost || strings.Contains(b.String(), "\n") {
		return "", false
	}
	return b.String(), true
}

// fresh says whether an expression makes the same value each time it is evaluated in another file
// of the package: it calls nothing and names only what the package declares.
func (s *states) fresh(info *types.Info, e ast.Expr) bool {
	own := s.graph.loaded.Packages[0].Types
	ok := true
	ast.Inspect(e, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit, *ast.StarExpr:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && x.Op != token.ARROW
		case *ast.CallExpr:
			tv := info.Types[x.Fun]
			ok = ok && (tv.IsType() || tv.IsBuiltin())
		case *ast.Ident:
			if obj := info.Uses[x]; obj != nil && obj.Parent() != types.Universe {
				_, isVar := obj.(*types.Var)
				ok = ok && obj.Pkg() == own && (!isVar || obj.(*types.Var).IsField())
			}
		}
		return ok
	})
	return ok
}

// arrayMost is how many elements an array has at most: it is copied for each input.
const arrayMost = 1024

// copied says whether an assignment takes all of a value over: a lock is not to be copied.
func copied(t types.Type, depth int) bool {
	const most = 4
	if depth > most {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic") {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !copied(f.Type(), depth+1) {
				return false
			}
		}
	case *types.Array:
		return u.Len() <= arrayMost && copied(u.Elem(), depth+1)
	case *types.Pointer:
		return false // what it points to is changed
	}
	return true
}

// uses lists the names of those that a function may read or change.
func (s *states) uses(n *node) []string {
	if list, ok := s.used[n]; ok {
		return list
	}
	names := make(map[string]bool)
	s.graph.runs(n, func(_, used *node) bool {
		if spec, ok := used.decl.(*ast.ValueSpec); ok && used.fn == nil {
			for _, id := range spec.Names {
				v, _ := used.info.Defs[id].(*types.Var)
				if s.by[v] != nil && variableName(v) == used.name {
					names[v.Name()] = true
				}
			}
		}
		return true
	})
	s.used[n] = slices.Sorted(maps.Keys(names))
	return s.used[n]
}

// sets says whether a function with parameters changes one of them.
func (s *states) sets(n *node) (yes bool) {
	if n.fn.Signature().Recv() != nil || n.fn.Signature().Params().Len() == 0 {
		return false
	}
	s.graph.runs(n, func(_, used *node) bool {
		if used.fn != nil && used.own && !used.test {
			yes = slices.ContainsFunc(changedIn(used), s.begins)
		}
		return !yes
	})
	return yes
}

// ask says when a function may ask the outside: not where a variable of the state keeps it from
// that, as in "if id == none { id = fromHardware() }".
func (s *states) ask(n *node) asked {
	if a, ok := s.asking[n]; ok {
		return a
	}
	var a asked
	s.gather(n, &a, make(map[*node]bool))
	slices.Sort(a.unless)
	a.unless = slices.Compact(a.unless)
	s.asking[n] = a
	return a
}

// gather adds what a function asks, itself or through others that were not seen.
func (s *states) gather(n *node, a *asked, seen map[*node]bool) {
	if seen[n] || a.always || !s.fromOutside(n) {
		return
	}
	seen[n] = true
	if a.always = n.fn == nil && n.outside; !a.always {
		s.askIn(n, n.decl, a, seen)
	}
}

func (s *states) fromOutside(n *node) bool {
	yes, ok := s.outer[n]
	if !ok {
		yes = s.graph.fromOutside(n)
		s.outer[n] = yes
	}
	return yes
}

// askIn adds what a part of a function asks.
func (s *states) askIn(n *node, part ast.Node, a *asked, seen map[*node]bool) {
	ast.Inspect(part, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt:
			cond := s.condition(n.info, x.Cond)
			if cond == "" {
				return !a.always
			}
			var body asked
			s.askIn(n, x.Body, &body, map[*node]bool{n: true})
			if body.always || len(body.unless) > 0 {
				a.unless = append(a.unless, cond)
			}
			for _, rest := range []ast.Node{x.Init, x.Else} {
				if rest != nil {
					s.askIn(n, rest, a, seen)
				}
			}
			return false
		case *ast.Ident:
			s.askOf(n.info.Uses[x], a, seen)
		}
		return !a.always
	})
}

// askOf adds what a function or a variable asks that another function names.
func (s *states) askOf(obj types.Object, a *asked, seen map[*node]bool) {
	var to *node
	switch obj := obj.(type) {
	case *types.Func:
		if to = s.graph.names[obj.Origin().FullName()]; to == nil {
			a.always = a.always || load.FromOutside(obj) && !tracing(obj)
			return
		}
	case *types.Var:
		if s.begins(obj) || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
			return
		}
		to = s.graph.names[variableName(obj)]
	}
	if to != nil {
		s.gather(to, a, seen)
	}
}

// tracing says whether a function tells who calls: that is the same each time, and where it shows in a result,
// a written test, which is another caller, fails and is left out.
func tracing(fn *types.Func) bool {
	return fn.FullName() == "runtime.Callers" || fn.FullName() == "runtime.Caller"
}

// condition is a condition over variables of the state alone, as source; "": it is none.
func (s *states) condition(info *types.Info, e ast.Expr) string {
	ok, some := true, false
	ast.Inspect(e, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.BinaryExpr, *ast.ParenExpr, *ast.BasicLit, nil:
		case *ast.UnaryExpr:
			ok = ok && x.Op == token.NOT
		case *ast.Ident:
			switch obj := info.Uses[x].(type) {
			case *types.Var:
				ok = ok && obj.Pkg() == s.graph.loaded.Packages[0].Types && obj.Parent() == obj.Pkg().Scope()
				some = some || s.begins(obj)
			case *types.Const, *types.Nil:
				ok = ok && (obj.Parent() == types.Universe || obj.Pkg() == s.graph.loaded.Packages[0].Types && obj.Parent() == obj.Pkg().Scope())
			default:
				ok = false
			}
		default:
			ok = false
		}
		return ok
	})
	if !ok || !some {
		return ""
	}
	return types.ExprString(e)
}
