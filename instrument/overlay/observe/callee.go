package observe

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// callee returns the function of an observed package that call calls statically,
// and how a user would write it; nil if there is none.
func (fr *fileRewriter) callee(call *ast.CallExpr) (*types.Func, string) {
	obj := fr.info.Uses[calleeIdent(call.Fun)]
	if v, ok := obj.(*types.Var); ok {
		if fn := fr.aliases[v]; fn != nil {
			return fn, v.Pkg().Name() + "." + v.Name()
		}
		return nil, ""
	}
	if fn, ok := obj.(*types.Func); ok && fr.observes(fn) {
		return fn, funcName(fn)
	}
	return nil, ""
}

// calleeIdent returns the identifier that names what is called; nil for calls of
// function values that are not named.
func calleeIdent(fun ast.Expr) *ast.Ident {
	switch e := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr: // a generic function, or an element of function type
		return calleeIdent(e.X)
	case *ast.IndexListExpr:
		return calleeIdent(e.X)
	}
	return nil
}

// observes says whether fn is declared in an observed package, outside its tests, or makes a
// sequence of calls for a derived fuzz test: what that returns is all that is observed of them.
func (rw *rewriter) observes(fn *types.Func) bool {
	if fn.Pkg() == nil || !rw.observed[fn.Pkg().Path()] {
		return false
	}
	return rw.sequences[fn.Name()] || !strings.HasSuffix(rw.loaded.Position(fn.Origin().Pos()).Filename, "_test.go")
}

// findAliases finds package-level variables of test files that are initialized
// with an observed function: var Wrap = wrap.
func (rw *rewriter) findAliases() {
	for _, t := range rw.loaded.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				gd, ok := d.(*ast.GenDecl)
				if !ok || gd.Tok != token.VAR {
					continue
				}
				for _, s := range gd.Specs {
					rw.addAliases(t.Info, s.(*ast.ValueSpec))
				}
			}
		}
	}
}

func (rw *rewriter) addAliases(info *types.Info, s *ast.ValueSpec) {
	if len(s.Names) != len(s.Values) {
		return
	}
	for i, value := range s.Values {
		fn, _ := info.Uses[calleeIdent(value)].(*types.Func)
		v, ok := info.Defs[s.Names[i]].(*types.Var)
		if ok && fn != nil && rw.observes(fn) {
			rw.aliases[v] = fn
		}
	}
}

// viewKey is the key of a function in load.Views.
func viewKey(fn *types.Func) string {
	name := fn.Name()
	if recv := fn.Origin().Signature().Recv(); recv != nil {
		if t := typeName(recv.Type()); t != nil {
			name = t.Name() + "." + name
		}
	}
	return fn.Pkg().Path() + "." + name
}

// called is what golden values call a function: a method by the type that it is called
// on, which callers know, not by the one that declares it, and of a type that is not
// exported by the package alone.
func (fr *fileRewriter) called(call *ast.CallExpr, fn *types.Func) string {
	if fn.Signature().Recv() == nil {
		return ""
	}
	pkg, typ := fn.Pkg().Name(), ""
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		t := types.Unalias(fr.info.TypeOf(sel.X))
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			pkg = n.Obj().Pkg().Name()
			if n.Obj().Exported() {
				typ = n.Obj().Name() + "."
			}
		}
	}
	return pkg + "." + typ + fn.Name()
}

// funcName writes fn as a user would: "gjson.Get", "(*intest.Ring).Push".
func funcName(fn *types.Func) string {
	recv := fn.Origin().Signature().Recv()
	if recv == nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	t := types.Unalias(recv.Type())
	pointer := false
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	name := types.TypeString(t, (*types.Package).Name)
	if n, ok := t.(*types.Named); ok {
		name = fn.Pkg().Name() + "." + n.Obj().Name() // without type parameters
	}
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + fn.Name()
}
