package values

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

const (
	// handedMost bounds the types that are added to the values of interface{}.
	handedMost = 8
	// handedDeep bounds the types in each other.
	handedDeep = 10
)

// handed lists the structs, and the pointers to structs, that tests hand to functions of the module
// as interface{}, or have in tables and lists of such values. They are made of types that both
// sides of a comparison have in the same form: of the tests', and of none of the package's own.
func (f *finder) handed() (list []types.Type) {
	known := make(map[string]bool)
	n := &namer{in: f.found.tests.Types}
	add := func(info *types.Info, e ast.Expr) {
		t := f.plain(info.TypeOf(e), handedDeep)
		if t == nil || len(list) == handedMost {
			return
		}
		elem := t
		if p, ok := t.(*types.Pointer); ok {
			elem = p.Elem()
		}
		if s, ok := elem.Underlying().(*types.Struct); !ok || s.NumFields() == 0 || known[n.name(t)] || isTime(elem) {
			return
		}
		known[n.name(t)] = true
		list = append(list, t)
	}
	for _, tests := range f.loaded.Tests {
		for _, file := range tests.Files {
			ast.Inspect(file.Syntax, func(x ast.Node) bool {
				switch x := x.(type) {
				case *ast.CallExpr:
					f.arguments(tests, x, add)
				case *ast.CompositeLit:
					elements(tests.Info, x, add)
				}
				return true
			})
		}
	}
	return list
}

// arguments visits what a call hands to a function of the module as interface{}.
func (f *finder) arguments(tests *load.TestFiles, call *ast.CallExpr, visit func(*types.Info, ast.Expr)) {
	fn := typeutil.StaticCallee(tests.Info, call)
	if fn == nil || fn.Pkg() == nil || !f.inModule(fn.Pkg()) {
		return
	}
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		if i >= params.Len() {
			break // more are in a list
		}
		if isEmpty(params.At(i).Type()) {
			visit(tests.Info, arg)
		}
	}
}

// elements visits the values of interface{} in a literal.
func elements(info *types.Info, lit *ast.CompositeLit, visit func(*types.Info, ast.Expr)) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if keyed {
				key, _ := kv.Key.(*ast.Ident)
				if v, ok := info.Uses[key].(*types.Var); ok && isEmpty(v.Type()) {
					visit(info, kv.Value)
				}
			} else if i < u.NumFields() && isEmpty(u.Field(i).Type()) {
				visit(info, e)
			}
		case *types.Slice:
			if !keyed && isEmpty(u.Elem()) {
				visit(info, e)
			}
		case *types.Map:
			if keyed && isEmpty(u.Elem()) {
				visit(info, kv.Value)
			}
		}
	}
}

func isEmpty(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.Empty()
}

func isTime(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Time"
}

// plain is a type as the file of registrations can name it: one without methods that only tests
// know is what it stands for. nil: it can't, or package derive may not make its values.
func (f *finder) plain(t types.Type, depth int) types.Type {
	if t == nil || depth < 0 {
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Info()&types.IsUntyped == 0 && t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid {
			return t
		}
	case *types.Pointer:
		if e := f.plain(t.Elem(), depth-1); e != nil {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := f.plain(t.Elem(), depth-1); e != nil {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := f.plain(t.Elem(), depth-1); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Map:
		k, e := f.plain(t.Key(), depth-1), f.plain(t.Elem(), depth-1)
		if k == nil || e == nil {
			break
		}
		if _, ok := k.Underlying().(*types.Basic); ok {
			return types.NewMap(k, e)
		}
	case *types.Interface:
		if t.Empty() {
			return t
		}
	case *types.Struct:
		return f.plainStruct(t, depth)
	case *types.Named:
		return f.plainNamed(t, depth)
	}
	return nil
}

// plainNamed is plain for types with a name.
func (f *finder) plainNamed(t *types.Named, depth int) types.Type {
	if isTime(t) {
		return t
	}
	if t.TypeArgs().Len() > 0 || !f.inTests(t.Obj()) {
		return nil
	}
	named := t.Obj().Parent() == f.found.tests.Types.Scope()
	if f.within[t] {
		if named {
			return t
		}
		return nil
	}
	f.within[t] = true
	defer delete(f.within, t)
	switch inner := f.plain(t.Underlying(), depth-1); {
	case inner == nil:
		return nil
	case named:
		return t
	case t.NumMethods() == 0:
		return inner
	}
	return nil
}

// plainStruct is plain for structs: their fields have to be exported.
func (f *finder) plainStruct(s *types.Struct, depth int) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range s.NumFields() {
		v := s.Field(i)
		t := f.plain(v.Type(), depth-1)
		if t == nil || !v.Exported() || v.Embedded() && !types.Identical(t, v.Type()) {
			return nil
		}
		fields, tags = append(fields, types.NewField(v.Pos(), v.Pkg(), v.Name(), t, v.Embedded())), append(tags, s.Tag(i))
	}
	return types.NewStruct(fields, tags)
}
