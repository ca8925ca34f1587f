package callers

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Costs of a step from a function to one that it may call. One that it names is nearer
// than one that it calls only if a value is of the right type.
const (
	named   = 1
	dynamic = 8
)

// A node is a function, or a variable of a package with its initializer.
type node struct {
	index       int
	name        string      // full
	fn          *types.Func // nil for a variable
	decl        ast.Node    // what is searched for uses
	info        *types.Info
	file        string
	first, last int  // lines
	own         bool // of the package under test
	test        bool // of its test files
	from        map[int]int
	to          map[int]int  // what it uses, with the cost
	effect      string       // what it does to the outside itself: "calls os.Remove"
	outside     bool         // what it returns itself may come from outside the process
	machine     string       // what it asks itself that differs from machine to machine: "net.Interfaces"
	late        map[int]bool // functions in to that are not just called as the program starts
}

// graph says which function uses which, as far as the syntax that is loaded tells.
type graph struct {
	loaded  *load.Result
	nodes   []*node
	names   map[string]*node
	methods map[string][]*node // by name and number of parameters
	inits   map[*node]bool
	bound   *constants.Bindings // of the test files, once they are read
	lits    *literals           // likewise
	others  []*types.Package    // see outside; nil: not asked so far
}

func newGraph(r *load.Result) *graph {
	g := &graph{loaded: r, names: make(map[string]*node), methods: make(map[string][]*node), inits: make(map[*node]bool)}
	for i, p := range r.Packages {
		for _, f := range p.Files {
			g.declare(f, p.Info, i == 0, false)
		}
	}
	for _, t := range r.Tests {
		for _, f := range t.Files {
			g.declare(f, t.Info, false, true)
		}
	}
	for _, n := range g.nodes {
		g.uses(n)
	}
	return g
}

// declare adds the functions and variables of a file.
func (g *graph) declare(f load.File, info *types.Info, own, test bool) {
	for _, d := range f.Syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			fn, ok := info.Defs[d.Name].(*types.Func)
			if !ok || d.Body == nil {
				continue
			}
			name := fn.FullName()
			init := d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_")
			if init {
				name += "#" + strconv.Itoa(len(g.nodes)) // there may be several
			}
			n := g.add(&node{name: name, fn: fn, decl: d.Body, info: info, file: f.Path, own: own, test: test}, d)
			if g.inits[n] = init; fn.Signature().Recv() != nil {
				key := methodKey(fn)
				g.methods[key] = append(g.methods[key], n)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						if obj, ok := info.Defs[id].(*types.Var); ok {
							g.add(&node{name: variableName(obj), decl: v, info: info, file: f.Path, test: test}, v)
						}
					}
				}
			}
		}
	}
}

func (g *graph) add(n *node, at ast.Node) *node {
	n.index, n.from, n.to, n.late = len(g.nodes), make(map[int]int), make(map[int]int), make(map[int]bool)
	n.first, n.last = g.loaded.Position(at.Pos()).Line, g.loaded.Position(at.End()).Line
	g.nodes = append(g.nodes, n)
	g.names[n.name] = n
	return n
}

func variableName(v *types.Var) string { return "var " + v.Pkg().Path() + "." + v.Name() }

// methodKey is what methods have in common that may implement each other.
func methodKey(fn *types.Func) string {
	return fn.Name() + "/" + strconv.Itoa(fn.Signature().Params().Len())
}

// uses finds what a node uses.
func (g *graph) uses(n *node) {
	var once map[*ast.Ident]bool
	if n.fn == nil {
		once = calledOnce(n.decl)
	}
	switches := switchedBy(n.decl)
	var visit func(x ast.Node) bool
	visit = func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt:
			if !never(n.info, x.Cond) {
				break
			}
			for _, part := range []ast.Node{x.Init, x.Cond, x.Else} {
				if part != nil {
					ast.Inspect(part, visit)
				}
			}
			return false
		case *ast.Ident:
			if fn, ok := n.info.Uses[x].(*types.Func); ok && switches[x] && fn.Pkg() != nil && fn.Pkg().Path() == "os" {
				break
			}
			g.use(n, n.info.Uses[x], once[x])
		case *ast.CallExpr:
			g.handedOut(n, x)
		}
		return true
	}
	ast.Inspect(n.decl, visit)
}

// never says whether a condition is false in every run, as that of "if debug" with a constant: what
// is done then is not done.
func never(info *types.Info, cond ast.Expr) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return never(info, b.X) || never(info, b.Y)
	}
	v := info.Types[cond].Value
	return v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v)
}

// switchedBy finds the names of functions whose results are compared at once, or used only for
// whether one is set: a variable of the environment that is a switch is hardly ever set.
func switchedBy(decl ast.Node) map[*ast.Ident]bool {
	set := make(map[*ast.Ident]bool)
	add := func(e ast.Expr) {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && (sel.Sel.Name == "Getenv" || sel.Sel.Name == "LookupEnv") {
				set[sel.Sel] = true
			}
		}
	}
	ast.Inspect(decl, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.EQL || x.Op == token.NEQ {
				add(x.X)
				add(x.Y)
			}
		case *ast.AssignStmt:
			if id, ok := x.Lhs[0].(*ast.Ident); ok && len(x.Lhs) == 2 && len(x.Rhs) == 1 && id.Name == "_" {
				add(x.Rhs[0])
			}
		}
		return true
	})
	return set
}

// calledOnce finds the names of the functions that an initializer calls itself.
func calledOnce(initializer ast.Node) map[*ast.Ident]bool {
	set := make(map[*ast.Ident]bool)
	ast.Inspect(initializer, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch f := ast.Unparen(x.Fun).(type) {
			case *ast.Ident:
				set[f] = true
			case *ast.SelectorExpr:
				set[f.Sel] = true
			}
		}
		return true
	})
	return set
}

// use notes that n names an object; once: as the program starts, and not later.
func (g *graph) use(n *node, obj types.Object, once bool) {
	switch obj := obj.(type) {
	case *types.Func:
		fn := obj.Origin()
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			for _, m := range g.methods[methodKey(fn)] {
				g.link(n, m, dynamic)
			}
			return
		}
		if to := g.names[fn.FullName()]; to != nil {
			g.link(n, to, named)
			n.late[to.index] = n.late[to.index] || !once
		} else if e := load.Effect(fn); e != "" && n.effect == "" && !once {
			n.effect = "calls " + e
		} else if !once && load.FromOutside(fn) && (n.fn != nil || fn.Pkg().Path() != "time") {
			// A time that a variable is declared with differs from process to process, which is
			// seen where inputs run in two.
			n.outside = true
			if load.FromMachine(fn) && n.machine == "" {
				n.machine = fn.Pkg().Name() + "." + fn.Name()
			}
		}
	case *types.Var:
		if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
			return
		}
		v := g.names[variableName(obj)]
		if v == nil {
			return
		}
		if g.link(n, v, named); g.inits[n] {
			g.link(v, n, named) // its value comes from there
		}
	}
}

func (g *graph) link(from, to *node, cost int) {
	if from == to {
		return
	}
	if have, ok := from.to[to.index]; !ok || cost < have {
		from.to[to.index], to.from[from.index] = cost, cost
	}
}

// handedOut notes the methods that code which is not loaded may call, since it is given
// values that have them: Less in sort.Sort(x), String in fmt.Sprint(x).
func (g *graph) handedOut(n *node, call *ast.CallExpr) {
	fn := constants.Callee(n.info, call)
	if fn == nil || g.names[fn.FullName()] != nil {
		return
	}
	params := fn.Signature().Params()
	seen := make(map[types.Type]bool)
	for i, arg := range constants.Passed(n.info, call) {
		if i >= params.Len() {
			i = params.Len() - 1
		}
		if i < 0 || !takesInterface(params.At(i).Type()) {
			continue
		}
		g.methodsOf(n, n.info.TypeOf(arg), seen)
	}
}

// takesInterface says whether an argument becomes a value of an interface: the methods
// of any other are not known to who is given it. Type parameters may have methods.
func takesInterface(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem() // the last of a variadic function
	}
	return types.IsInterface(t)
}

// methodsOf links the exported methods of a type, and of what values of it hold.
func (g *graph) methodsOf(n *node, t types.Type, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for m := range t.Origin().Methods() {
			if to := g.names[m.FullName()]; to != nil && m.Exported() {
				g.link(n, to, dynamic)
			}
		}
		g.methodsOf(n, t.Underlying(), seen)
	case *types.Pointer:
		g.methodsOf(n, t.Elem(), seen)
	case *types.Slice:
		g.methodsOf(n, t.Elem(), seen)
	case *types.Array:
		g.methodsOf(n, t.Elem(), seen)
	case *types.Map:
		g.methodsOf(n, t.Key(), seen)
		g.methodsOf(n, t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			g.methodsOf(n, f.Type(), seen)
		}
	}
}
