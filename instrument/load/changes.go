package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// bodies are the functions of the loaded code by their full names.
type bodies map[string]body

func allBodies(r *Result) bodies {
	b := make(bodies)
	for _, p := range r.Packages {
		b.add(p.Files, p.Info)
	}
	for _, t := range r.Tests {
		b.add(t.Files, t.Info)
	}
	return b
}

// Changes says of methods whether they may change what they are called on.
func (r *Result) Changes() func(method *types.Func) bool { return allBodies(r).changes }

func (b bodies) add(files []File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Syntax.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			if fn, ok := info.Defs[fd.Name].(*types.Func); ok {
				b[fn.FullName()] = body{fd, info}
			}
		}
	}
}

// touches says whether a function changes something outside the process, or ends it, as far
// as the table of effects knows, itself or through other loaded functions.
func (b bodies) touches(fn *types.Func) bool {
	effect := func(used types.Object) bool {
		fn, ok := used.(*types.Func)
		return ok && Effect(fn) != ""
	}
	return b.reaches(fn, effect, make(map[string]bool))
}

// refuses says whether a function may panic by intention, itself or through other loaded functions: by a call of panic, or
// of a function that is named as one that panics.
func (b bodies) refuses(fn *types.Func) bool {
	panics := func(used types.Object) bool {
		switch used := used.(type) {
		case *types.Builtin:
			return used.Name() == "panic"
		case *types.Func:
			return strings.HasPrefix(used.Name(), "Must")
		}
		return false
	}
	return b.reaches(fn, panics, make(map[string]bool))
}

// reaches says whether a function is, or uses, what is looked for, itself or through other loaded functions.
func (b bodies) reaches(fn *types.Func, is func(used types.Object) bool, seen map[string]bool) bool {
	fn = fn.Origin()
	if is(fn) {
		return true
	}
	known, ok := b[fn.FullName()]
	if !ok || seen[fn.FullName()] {
		return false
	}
	seen[fn.FullName()] = true
	found := false
	ast.Inspect(known.decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			used := known.info.Uses[id]
			if callee, isFunc := used.(*types.Func); isFunc {
				found = b.reaches(callee, is, seen)
			} else {
				found = used != nil && is(used)
			}
		}
		return !found
	})
	return found
}

// roots are the functions from which what start says reaches code: those, and if there are any,
// what may run without its name in them, methods, init functions, and what variables are
// initialized with.
func roots(r *Result, start func(*ast.FuncDecl, *types.Func) bool) (list []*types.Func) {
	var others []*types.Func
	add := func(files []File, info *types.Info) {
		for _, f := range files {
			for _, d := range f.Syntax.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok {
					others = append(others, functionsIn(d, info)...)
					continue
				}
				fn, ok := info.Defs[fd.Name].(*types.Func)
				switch {
				case ok && start(fd, fn):
					list = append(list, fn)
				case ok && (fd.Recv != nil || fd.Name.Name == "init"):
					others = append(others, fn)
				}
			}
		}
	}
	for _, p := range r.Packages {
		add(p.Files, p.Info)
	}
	for _, t := range r.Tests {
		add(t.Files, t.Info)
	}
	if len(list) == 0 {
		return nil
	}
	return append(list, others...)
}

// functionsIn are the functions that a piece of code names.
func functionsIn(code ast.Node, info *types.Info) (list []*types.Func) {
	ast.Inspect(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if fn, ok := info.Uses[id].(*types.Func); ok {
				list = append(list, fn)
			}
		}
		return true
	})
	return list
}

// lead says whether one of the functions is fn, or reaches it.
func (b bodies) lead(from []*types.Func, fn *types.Func) bool {
	name := fn.FullName() // the external tests have other objects for it
	is := func(used types.Object) bool {
		f, ok := used.(*types.Func)
		return ok && f.Origin().FullName() == name
	}
	seen := make(map[string]bool)
	return slices.ContainsFunc(from, func(f *types.Func) bool { return b.reaches(f, is, seen) })
}

// changes says whether a method may change what it is called on: it assigns to a part of it,
// or hands it to a function that may. A method that is not known may if it has a pointer.
func (b bodies) changes(fn *types.Func) bool { return b.change(fn, make(map[string]bool)) }

func (b bodies) change(fn *types.Func, seen map[string]bool) bool {
	fn = fn.Origin()
	recv := fn.Signature().Recv()
	known, ok := b[fn.FullName()]
	switch {
	case recv == nil || !leads(recv.Type()) || seen[fn.FullName()]:
		return false
	case !ok:
		return fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), "sync")
	}
	seen[fn.FullName()] = true
	names := known.decl.Recv.List[0].Names
	if len(names) == 0 || known.info.Defs[names[0]] == nil {
		return false
	}
	w := &writes{body: known, all: b, seen: seen, from: map[types.Object]bool{known.info.Defs[names[0]]: true}}
	for before := 0; before < len(w.from) && !w.found; { // a variable may be set after its use in a loop
		before = len(w.from)
		ast.Inspect(known.decl.Body, w.node)
	}
	return w.found
}

// leads says whether a copy of a value leads to what the value leads to.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	}
	return false
}

// writes looks for what a method changes of its receiver.
type writes struct {
	body
	all   bodies
	seen  map[string]bool
	from  map[types.Object]bool // variables that lead to the receiver
	found bool
}

func (w *writes) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			w.assigned(l)
			if len(n.Lhs) == len(n.Rhs) {
				w.alias(l, n.Rhs[i])
			}
		}
	case *ast.IncDecStmt:
		w.assigned(n.X)
	case *ast.RangeStmt:
		w.alias(n.Value, n.X)
		w.assigned(n.Key)
		w.assigned(n.Value)
	case *ast.CallExpr:
		w.call(n)
	}
	return !w.found
}

// assigned notes an assignment to a part of the receiver, and not to a variable alone.
func (w *writes) assigned(l ast.Expr) {
	if l == nil {
		return
	}
	if _, variable := ast.Unparen(l).(*ast.Ident); !variable && w.ofReceiver(l) {
		w.found = true
	}
}

// alias notes a variable that leads to what the receiver does.
func (w *writes) alias(l, r ast.Expr) {
	id, ok := l.(*ast.Ident)
	if !ok || !w.ofReceiver(r) {
		return
	}
	obj := w.info.ObjectOf(id)
	if obj != nil && leads(obj.Type()) {
		w.from[obj] = true
	}
}

// ofReceiver says whether an expression is a part of what the receiver leads to.
func (w *writes) ofReceiver(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return w.from[w.info.ObjectOf(e)]
	case *ast.SelectorExpr:
		return w.ofReceiver(e.X)
	case *ast.IndexExpr:
		return w.ofReceiver(e.X)
	case *ast.SliceExpr:
		return w.ofReceiver(e.X)
	case *ast.StarExpr:
		return w.ofReceiver(e.X)
	case *ast.UnaryExpr:
		return w.ofReceiver(e.X)
	case *ast.TypeAssertExpr:
		return w.ofReceiver(e.X)
	}
	return false
}

// call looks at what a call may change: by delete, clear and copy, by a method of a part of
// the receiver, or by a function of the same code that is given a pointer to such a part.
func (w *writes) call(c *ast.CallExpr) {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if _, ok := w.info.Uses[fun].(*types.Builtin); ok {
			if name := fun.Name; (name == "delete" || name == "clear" || name == "copy") && w.ofReceiver(c.Args[0]) {
				w.found = true
			}
			return
		}
	case *ast.SelectorExpr:
		if fn, ok := w.info.Uses[fun.Sel].(*types.Func); ok && fn.Signature().Recv() != nil && w.ofReceiver(fun.X) && w.all.change(fn, w.seen) {
			w.found = true
		}
	}
	for _, a := range c.Args {
		if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && w.ofReceiver(u.X) {
			w.found = true
		} else if t := w.info.TypeOf(a); t != nil && w.ofReceiver(a) {
			_, pointer := t.Underlying().(*types.Pointer)
			w.found = w.found || pointer && !w.info.Types[c.Fun].IsType()
		}
	}
}
