package vet

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// idleFuzzTests returns the fuzz tests that refer to no function, type or variable of the
// module's code, neither themselves nor through what test files declare. Such a fuzz test
// can't reach the code. There are roundabout ways to it, and where one is possible, nothing
// is said: an import for its effects, code that runs at the start of the program, and other
// processes.
func idleFuzzTests(u *load.Unit) []load.Wrong {
	x := &idle{Unit: u, decls: make(map[types.Object][]ast.Node)}
	external := strings.HasSuffix(u.Types.Name(), "_test")
	code, tests := false, false
	for _, f := range u.Files {
		if !load.IsTestFile(f.Path) {
			code = code || hasFunction(f.Syntax)
			continue
		}
		tests = true
		if x.imports(f.Syntax) {
			return nil
		}
		x.declare(f.Syntax)
	}
	if !tests || !code && !external || registers(u) {
		return nil
	}
	var list []load.Wrong
	for _, f := range u.Files {
		for _, d := range f.Syntax.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || !load.IsTestFile(f.Path) {
				continue
			}
			fn, ok := u.Info.Defs[fd.Name].(*types.Func)
			if ok && load.IsFuzzTest(fn) && !x.reaches(fn) {
				list = append(list, load.Wrong{
					Pos:  fd.Name.Pos(),
					Text: fmt.Sprintf("%s calls nothing of package %s, nor of others of its module: no input can show a fault there", fn.Name(), x.tested()),
				})
			}
		}
	}
	return list
}

// idle follows what test files refer to.
type idle struct {
	*load.Unit
	decls map[types.Object][]ast.Node // in test files
}

// tested is the import path of the package under test.
func (x *idle) tested() string {
	path, _, _ := strings.Cut(x.ImportPath, " ")
	return strings.TrimSuffix(path, "_test")
}

// own says whether a package is of the module.
func (x *idle) own(path string) bool {
	root := x.ModulePath
	if root == "" {
		root = x.tested()
	}
	return path == root || strings.HasPrefix(path, root+"/")
}

// imports says whether a test file imports a package of the module for its effects, or one
// through which tests reach code in other processes.
func (x *idle) imports(f *ast.File) bool {
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if path == "os/exec" || path == "plugin" || path == "unsafe" || path == "net" || strings.HasPrefix(path, "net/") {
			return true
		}
		if i.Name != nil && i.Name.Name == "_" && x.own(path) {
			return true
		}
	}
	return false
}

// declare notes what a test file declares: functions, and methods with their types.
func (x *idle) declare(f *ast.File) {
	add := func(id *ast.Ident, node ast.Node) {
		if obj := x.Info.Defs[id]; obj != nil {
			x.decls[obj] = append(x.decls[obj], node)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name, d)
			if fn, ok := x.Info.Defs[d.Name].(*types.Func); ok && fn.Signature().Recv() != nil {
				if named := receiver(fn); named != nil {
					x.decls[named] = append(x.decls[named], d)
				}
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name, s)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id, s)
					}
				}
			}
		}
	}
}

// receiver is the type that a method is declared for.
func receiver(fn *types.Func) types.Object {
	t := types.Unalias(fn.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// reaches says whether what is declared as obj refers to the module's code.
func (x *idle) reaches(obj types.Object) bool {
	seen := map[types.Object]bool{obj: true}
	todo := []types.Object{obj}
	found := false
	for len(todo) > 0 && !found {
		obj := todo[0]
		todo = todo[1:]
		for _, node := range x.decls[obj] {
			ast.Inspect(node, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok || found {
					return !found
				}
				used := origin(x.Info.Uses[id])
				switch {
				case used == nil || used.Pkg() == nil || seen[used]:
				case x.decls[used] != nil:
					seen[used] = true
					todo = append(todo, used)
				default:
					found = x.isCode(used)
				}
				return !found
			})
		}
	}
	return found
}

// origin is a function or variable as it is declared.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// isCode says whether an object is declared in the module, and not in these test files: of
// a constant no code runs.
func (x *idle) isCode(obj types.Object) bool {
	switch obj.(type) {
	case *types.Func, *types.TypeName, *types.Var:
	default:
		return false
	}
	if obj.Pkg() == x.Types {
		return !load.IsTestFile(x.Fset.Position(obj.Pos()).Filename)
	}
	path, _, _ := strings.Cut(obj.Pkg().Path(), " ")
	return x.own(path)
}

func hasFunction(f *ast.File) bool {
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
			return true
		}
	}
	return false
}
