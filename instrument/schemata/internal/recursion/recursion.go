// Package recursion finds the functions of a package that may call themselves, by way of others of
// the package, too.
//
// The graph has an edge where a function names another, in a call or as a value. A call of a method
// of an interface may be one of each method of the package with that name and type, and a call of a
// value one of each function of its type that stands as a value somewhere. What is called by way of
// another package, as String is by fmt, is not seen.
package recursion

import (
	"go/ast"
	"go/types"
	"slices"
)

// Find returns the functions declared in some files that may call themselves.
func Find(info *types.Info, files []*ast.File) map[*ast.FuncDecl]bool {
	g := &graph{info: info, numbers: make(map[any]int)}
	for _, f := range files {
		for _, d := range f.Decls {
			g.declaration(d)
		}
	}
	g.link()
	found := make(map[*ast.FuncDecl]bool)
	for _, cycle := range cycles(g.nodes) {
		for _, n := range cycle {
			if d := g.nodes[n].decl; d != nil {
				found[d] = true
			}
		}
	}
	return found
}

// node is a function, a function literal, or what initializes variables of the package.
type node struct {
	decl    *ast.FuncDecl
	method  *types.Func // nil: none
	calls   []int       // nodes that it names
	values  []types.Type
	dynamic []types.Type  // of values that it calls
	virtual []*types.Func // methods of interfaces that it names
}

// graph has the nodes of a package.
type graph struct {
	info    *types.Info
	nodes   []node
	numbers map[any]int // by *types.Func, *ast.FuncLit or *ast.GenDecl
}

// number returns the number of a node, which is made if there is none.
func (g *graph) number(of any) int {
	n, ok := g.numbers[of]
	if !ok {
		n = len(g.nodes)
		g.numbers[of] = n
		g.nodes = append(g.nodes, node{})
	}
	return n
}

func (g *graph) declaration(d ast.Decl) {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		g.read(g.number(d), d)
		return
	}
	obj, ok := g.info.Defs[fn.Name].(*types.Func)
	if !ok || fn.Body == nil {
		return
	}
	n := g.number(obj)
	g.nodes[n].decl = fn
	if fn.Recv != nil {
		g.nodes[n].method = obj
	}
	g.read(n, fn.Body)
}

// read enters what the code of a node names and calls.
func (g *graph) read(n int, code ast.Node) {
	called := make(map[ast.Node]bool)
	ast.Inspect(code, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			callee := named(x.Fun)
			called[callee] = true
			g.call(n, x, callee)
		case *ast.FuncLit:
			g.names(n, g.number(x), x, called[x])
			g.read(g.number(x), x.Body)
			return false
		case *ast.SelectorExpr:
			g.use(n, x.Sel, x, called[x.Sel])
			called[x.Sel] = true // the name alone is no other value
		case *ast.Ident:
			g.use(n, x, x, called[x])
		}
		return true
	})
}

// named is the name of what is called, or else the operand.
func named(fun ast.Expr) ast.Node {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		if id, ok := named(fun.X).(*ast.Ident); ok {
			return id
		}
	case *ast.IndexListExpr:
		return named(fun.X)
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return ast.Unparen(fun)
}

// call enters a call of a value.
func (g *graph) call(n int, call *ast.CallExpr, callee ast.Node) {
	if tv := g.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return
	}
	switch callee := callee.(type) {
	case *ast.FuncLit:
		return
	case *ast.Ident:
		if _, ok := g.info.Uses[callee].(*types.Func); ok {
			return
		}
	}
	if t := g.info.TypeOf(call.Fun); t != nil {
		g.nodes[n].dynamic = append(g.nodes[n].dynamic, t.Underlying())
	}
}

// use enters that a node names a function, in an expression.
func (g *graph) use(n int, id *ast.Ident, e ast.Expr, called bool) {
	fn, ok := g.info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		g.nodes[n].virtual = append(g.nodes[n].virtual, fn)
		return
	}
	g.names(n, g.number(fn.Origin()), e, called)
}

// names enters an edge. What is not called is a value.
func (g *graph) names(from, to int, e ast.Expr, called bool) {
	g.nodes[from].calls = append(g.nodes[from].calls, to)
	if t := g.info.TypeOf(e); !called && t != nil {
		g.nodes[to].values = append(g.nodes[to].values, t)
	}
}

// link resolves what nodes call by way of interfaces and values.
func (g *graph) link() {
	methods := make(map[string][]int)
	var values []int
	for i := range g.nodes {
		if m := g.nodes[i].method; m != nil {
			methods[m.Name()] = append(methods[m.Name()], i)
		}
		if len(g.nodes[i].values) > 0 {
			values = append(values, i)
		}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		for _, v := range n.virtual {
			for _, m := range methods[v.Name()] {
				if mayBe(v, g.nodes[m].method) {
					n.calls = append(n.calls, m)
				}
			}
		}
		for _, t := range n.dynamic {
			for _, v := range values {
				if slices.ContainsFunc(g.nodes[v].values, func(u types.Type) bool { return types.Identical(t, u.Underlying()) }) {
					n.calls = append(n.calls, v)
				}
			}
		}
	}
}

// mayBe says whether a method of an interface may be one of a type.
func mayBe(virtual, method *types.Func) bool {
	return method.Signature().RecvTypeParams().Len() > 0 || types.Identical(virtual.Type(), method.Type())
}
