package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// registers says whether what runs at the start of the program may lead others to the code, as
// image.RegisterFormat does: it starts a goroutine, or gives a function, or a value of a type
// that is declared here, to another package. An initialization that keeps to its package does
// not.
func registers(u *load.Unit) bool {
	s := &start{Unit: u, bodies: make(map[types.Object]ast.Node), seen: make(map[types.Object]bool)}
	var roots []ast.Node
	for _, f := range u.Files {
		for _, d := range f.Syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body == nil {
					continue
				}
				if obj := u.Info.Defs[d.Name]; obj != nil {
					s.bodies[obj] = d.Body
				}
				if name := d.Name.Name; d.Recv == nil && (name == "init" || name == "TestMain") {
					roots = append(roots, d.Body)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					roots = append(roots, d)
				}
			}
		}
	}
	s.followAll(roots)
	if s.named && !s.gives {
		// What is called by other means than its name is among what is named.
		clear(s.seen)
		s.followAll(roots)
	}
	return s.gives
}

// A start follows what runs at the start of the program.
type start struct {
	*load.Unit
	bodies map[types.Object]ast.Node // of functions, by their names
	seen   map[types.Object]bool
	named  bool // functions run that are named, whether they are called or not
	gives  bool
}

func (s *start) followAll(code []ast.Node) {
	for _, c := range code {
		s.follow(c)
	}
}

// follow looks at code, and at the functions of the package that it calls.
func (s *start) follow(code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			s.gives = true
		case *ast.CallExpr:
			s.gives = s.gives || s.foreign(n.Fun) && s.ownAmong(n.Args)
			s.called(n.Fun)
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				s.gives = s.gives || s.foreign(to) && s.ownAmong(n.Rhs)
			}
		case *ast.Ident:
			if s.named {
				s.enter(s.Info.Uses[n])
			}
		}
		return !s.gives
	})
}

// called follows the function that a call calls. Conversions are calls, too.
func (s *start) called(fun ast.Expr) {
	switch obj := typeutil.Callee(s.Info, &ast.CallExpr{Fun: fun}).(type) {
	case *types.Func:
		s.enter(obj)
	case *types.Builtin:
	default:
		_, literal := ast.Unparen(fun).(*ast.FuncLit)
		s.named = s.named || !literal && !s.Info.Types[fun].IsType()
	}
}

// enter follows a function of the package, once.
func (s *start) enter(obj types.Object) {
	obj = origin(obj)
	if body := s.bodies[obj]; obj != nil && body != nil && !s.seen[obj] {
		s.seen[obj] = true
		s.follow(body)
	}
}

// foreign says whether an expression names what another package declares, or is a function that
// is only known when the program runs.
func (s *start) foreign(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || s.foreignName(s.Info.Uses[id])
		}
		return !found
	})
	return found
}

func (s *start) foreignName(obj types.Object) bool {
	switch obj := obj.(type) {
	case nil, *types.PkgName:
		return false
	case *types.Var:
		if _, function := obj.Type().Underlying().(*types.Signature); function {
			return true
		}
	}
	return obj.Pkg() != nil && obj.Pkg() != s.Types
}

// ownAmong says whether expressions have a function of the package, or a value of one of its
// types.
func (s *start) ownAmong(list []ast.Expr) bool {
	found := false
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				found = true
			case ast.Expr:
				found = found || s.own(n)
			}
			return !found
		})
	}
	return found
}

func (s *start) own(e ast.Expr) bool {
	if id, ok := e.(*ast.Ident); ok {
		if fn, ok := s.Info.Uses[id].(*types.Func); ok && fn.Pkg() == s.Types {
			return true
		}
	}
	t := s.Info.TypeOf(e)
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == s.Types
}
