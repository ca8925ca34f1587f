// Package values finds what source says about the types of a package's fuzz tests of
// values, and reflection does not tell: the implementations of interfaces, and the
// constants of types.
//
// What an input stands for must not depend on who runs the test. So implementations
// become a part of the source, in a file of calls of fuzzmut.Implementations that the
// user keeps; constants only tell the search which values to try first.
package values

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// library is the package that fuzz tests of values call.
const library = target.Library

// Found is what was found about the types of a package's fuzz tests.
type Found struct {
	Interfaces []Interface // for which the user has registered no implementations
	Constants  []wire.Constants

	tests  *load.TestFiles // in which a file of registrations belongs
	handed []types.Type    // see handed
	oldGo  bool            // the module is of a Go version without type parameters
}

// An Interface occurs in a type of inputs.
type Interface struct {
	Type types.Type
	// Written says that a file which this package has made names implementations.
	Written bool
	Impls   []types.Type // those known, by name; of pointers, the pointer types
}

// Find looks at the types of the inputs of a package's fuzz tests. Interfaces that
// have a place in them and all their implementations are found in the packages of the
// module, and in the interface's own, as far as tests can name them.
func Find(loaded *load.Result) *Found {
	f := &finder{
		loaded: loaded, registered: make(map[string]bool), written: make(map[string]bool),
		seen: make(map[types.Type]bool), constants: make(map[string]bool), within: make(map[*types.Named]bool), found: &Found{oldGo: loaded.OldGo()},
	}
	var roots []root
	for _, tests := range loaded.Tests {
		roots = append(roots, f.calls(tests)...)
	}
	for _, r := range roots {
		f.tests = r.tests
		f.visit(r.typ)
	}
	f.found.tests = f.home(roots)
	// What is found is made of other types in turn.
	for n := 0; n < len(f.found.Interfaces); n++ {
		impls := f.implementations(f.found.Interfaces[n].Type)
		f.found.Interfaces[n].Impls = impls
		for _, t := range impls {
			f.visit(t)
		}
	}
	if f.anything {
		f.found.handed = f.handed()
	}
	slices.SortFunc(f.found.Constants, func(a, b wire.Constants) int { return strings.Compare(a.Type, b.Type) })
	return f.found
}

// root is the type of the inputs of a call.
type root struct {
	typ   types.Type
	tests *load.TestFiles
}

// finder is the state of one Find.
type finder struct {
	loaded     *load.Result
	registered map[string]bool // types that the user has said something about, by their names
	written    map[string]bool // ... and those of files that this package has made
	tests      *load.TestFiles // of the call in progress
	seen       map[types.Type]bool
	constants  map[string]bool
	anything   bool                  // inputs hold values of interface{}
	within     map[*types.Named]bool // types that plain looks into
	found      *Found
}

// nameOf names a type as no other.
func nameOf(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// calls notes the registrations in test files, and returns the types that inputs are
// derived for.
func (f *finder) calls(tests *load.TestFiles) (roots []root) {
	for _, file := range tests.Files {
		into := f.registered
		if Generated(file.Src) {
			into = f.written
		}
		ast.Inspect(file.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				obj, args := f.instance(tests, n)
				switch obj {
				case "Fuzz", "Gen":
					roots = append(roots, root{args.At(0), tests})
				case "FuzzAfter":
					roots = append(roots, root{args.At(1), tests}) // of the inputs; the first is of the states
				case "Represent":
					into[nameOf(args.At(0))] = true
					roots = append(roots, root{args.At(1), tests})
				case "Implementations", "Values":
					into[nameOf(args.At(0))] = true
				}
			case *ast.CompositeLit:
				for _, t := range f.drawn(tests, n) {
					roots = append(roots, root{t, tests})
				}
			case *ast.CallExpr:
				if obj, _ := f.instance(tests, called(n)); obj == "Implementations" {
					for _, arg := range n.Args {
						roots = append(roots, root{tests.Info.TypeOf(arg), tests})
					}
				}
			}
			return true
		})
	}
	return roots
}

// drawn lists the types of the arguments that are drawn for the constructors and operations that
// the literal of a Machine names. Those that package fuzzmut knows by itself are left out.
func (f *finder) drawn(tests *load.TestFiles, lit *ast.CompositeLit) (list []types.Type) {
	state := target.MachineState(tests.Info.TypeOf(lit))
	if state == nil {
		return nil
	}
	constructors, _ := target.Listed(lit, "Constructors")
	ops, _ := target.Listed(lit, "Ops")
	for _, e := range slices.Concat(constructors, ops) {
		sig, ok := tests.Info.TypeOf(e).(*types.Signature)
		if !ok {
			continue
		}
		for p := range sig.Params().Variables() {
			if t := p.Type(); !types.Identical(t, state) && !target.Known(t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// called returns the name of the function that is called, if it has one.
func called(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// instance returns the name of what an identifier stands for, with its type arguments,
// if it is one of the library's.
func (f *finder) instance(tests *load.TestFiles, id *ast.Ident) (name string, args *types.TypeList) {
	if id == nil {
		return "", nil
	}
	obj, inst := tests.Info.Uses[id], tests.Info.Instances[id]
	if inst.TypeArgs == nil || obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != library && obj.Pkg().Path() != target.Injected {
		return "", nil
	}
	return obj.Name(), inst.TypeArgs
}

// visit looks at a type and those that it is made of, as package derive does. Types of
// other modules are taken as they are, but for the types that they are made from.
func (f *finder) visit(t types.Type) {
	t = types.Unalias(t)
	if f.seen[t] || f.registered[nameOf(t)] {
		return
	}
	f.seen[t] = true
	if _, ok := t.(*types.TypeParam); ok {
		return // of a function that is called with other types
	}
	if n, ok := t.(*types.Named); ok {
		if n.Obj().Pkg() == nil && n.Obj().Name() != "error" {
			return
		}
		for arg := range n.TypeArgs().Types() {
			f.visit(arg)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		f.enumerate(t)
	case *types.Pointer:
		f.visit(u.Elem())
	case *types.Slice:
		f.visit(u.Elem())
	case *types.Array:
		f.visit(u.Elem())
	case *types.Map:
		f.visit(u.Key())
		f.visit(u.Elem())
	case *types.Struct:
		if !f.ours(t) {
			return
		}
		for i := range u.NumFields() {
			if !strings.Contains(u.Tag(i), `fuzz:"-"`) {
				f.visit(u.Field(i).Type())
			}
		}
	case *types.Interface:
		f.anything = f.anything || u.Empty() && objectOf(t) == nil
		if obj := objectOf(t); !u.Empty() && (obj == nil || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope()) {
			f.found.Interfaces = append(f.found.Interfaces, Interface{Type: t, Written: f.written[nameOf(t)]})
		}
	}
}

// ours reports whether a type is of the module under test, or has no name.
func (f *finder) ours(t types.Type) bool {
	n, ok := t.(*types.Named)
	return !ok || n.Obj().Pkg() != nil && f.inModule(n.Obj().Pkg())
}

func (f *finder) inModule(p *types.Package) bool {
	module := f.loaded.Test.ModulePath
	return pathOf(p) == f.loaded.Test.ImportPath || module != "" && (pathOf(p) == module || strings.HasPrefix(pathOf(p), module+"/"))
}

// pathOf is the import path of a package, of an external test's that of the package
// that it tests.
func pathOf(p *types.Package) string { return strings.TrimSuffix(p.Path(), "_test") }

// enumerate notes the constants of a basic type that has a name.
func (f *finder) enumerate(t types.Type) {
	n, ok := t.(*types.Named)
	if !ok || f.constants[nameOf(t)] {
		return
	}
	f.constants[nameOf(t)] = true
	c := wire.Constants{Type: n.Obj().Pkg().Name() + "." + n.Obj().Name()}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		k, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(k.Type(), t) {
			continue
		}
		switch v := k.Val(); v.Kind() {
		case constant.String:
			c.Texts = append(c.Texts, constant.StringVal(v))
		case constant.Int, constant.Float:
			if u, ok := bitsOf(v, t.Underlying().(*types.Basic)); ok {
				c.Numbers = append(c.Numbers, u)
			}
		}
	}
	slices.Sort(c.Numbers)
	c.Numbers = slices.Compact(c.Numbers)
	if len(c.Numbers)+len(c.Texts) > 1 { // a single one is no list to choose from
		f.found.Constants = append(f.found.Constants, c)
	}
}

// bitsOf returns a number as package term has it: two's complement, or the bits of a
// float64.
func bitsOf(v constant.Value, b *types.Basic) (uint64, bool) {
	if b.Info()&types.IsFloat != 0 {
		x, _ := constant.Float64Val(v)
		return math.Float64bits(x), true
	}
	if i, ok := constant.Int64Val(constant.ToInt(v)); ok {
		return uint64(i), true
	}
	return constant.Uint64Val(constant.ToInt(v))
}

// home is where registrations go: to test files of the package's own if the interfaces
// can be named there.
func (f *finder) home(roots []root) (home *load.TestFiles) {
	for _, r := range roots {
		if home == nil || home.External {
			home = r.tests
		}
	}
	for _, i := range f.found.Interfaces {
		n, ok := i.Type.(*types.Named)
		if ok && n.Obj().Pkg() != nil && strings.HasSuffix(n.Obj().Pkg().Path(), "_test") {
			for _, r := range roots {
				if r.tests.External {
					return r.tests
				}
			}
		}
	}
	return home
}

// implementations lists those of an interface.
func (f *finder) implementations(t types.Type) (list []types.Type) {
	iface := t.Underlying().(*types.Interface)
	for _, p := range f.packages(t) {
		scope := p.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || !f.nameable(tn) || f.inTests(tn) && !f.inTests(objectOf(t)) {
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
				continue
			}
			switch ptr := types.NewPointer(n); {
			case !derivable(n, make(map[types.Type]bool)):
			case types.Implements(n, iface):
				list = append(list, n)
			case types.Implements(ptr, iface):
				list = append(list, ptr)
			}
		}
	}
	return list
}

func objectOf(t types.Type) types.Object {
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// packages lists the packages in which implementations are looked for, as the tests
// see them, the package of the tests first.
func (f *finder) packages(t types.Type) []*types.Package {
	list := []*types.Package{f.found.tests.Types}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		for _, imp := range p.Imports() {
			if slices.Contains(list, imp) {
				continue
			}
			obj := objectOf(t)
			if f.inModule(imp) || obj != nil && obj.Pkg() == imp {
				list = append(list, imp)
				add(imp)
			}
		}
	}
	add(list[0])
	slices.SortFunc(list[1:], func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return list
}

// nameable reports whether the tests can name what is declared.
func (f *finder) nameable(tn *types.TypeName) bool {
	from, at := f.found.tests.Types, tn.Pkg()
	if from == at {
		return true
	}
	if !tn.Exported() || at.Name() == "main" {
		return false
	}
	parent, _, internal := strings.Cut(at.Path()+"/", "/internal/")
	return !internal || pathOf(from) == parent || strings.HasPrefix(pathOf(from), parent+"/")
}

// inTests reports whether something is declared in a test file: a double, that stands
// for what the program has.
func (f *finder) inTests(obj types.Object) bool {
	return obj != nil && strings.HasSuffix(f.loaded.Fset.Position(obj.Pos()).Filename, "_test.go")
}

// derivable reports whether values can be derived of a type: there are no channels and
// functions in it that are not left out.
func derivable(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Chan, *types.Signature:
		return false
	case *types.Pointer:
		return derivable(u.Elem(), seen)
	case *types.Slice:
		return derivable(u.Elem(), seen)
	case *types.Array:
		return derivable(u.Elem(), seen)
	case *types.Map:
		return derivable(u.Key(), seen) && derivable(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if !strings.Contains(u.Tag(i), `fuzz:"-"`) && !derivable(u.Field(i).Type(), seen) {
				return false
			}
		}
	}
	return true
}

// Missing returns the interfaces that no implementations are registered of.
func (f *Found) Missing() (list []Interface) {
	for _, i := range f.Interfaces {
		if !i.Written {
			list = append(list, i)
		}
	}
	return list
}

// Call returns the call that registers the implementations of an interface, as the
// package of the tests would write it; "" if there are none.
func (f *Found) Call(i Interface) string {
	if len(i.Impls) == 0 {
		return ""
	}
	n := namer{in: f.tests.Types}
	return n.call(i, library[strings.LastIndex(library, "/")+1:], i.Impls)
}

// call writes a call of the library, which is imported by a name.
func (n *namer) call(i Interface, lib string, impls []types.Type) string {
	var list []string
	for _, t := range impls {
		list = append(list, n.zero(t))
	}
	return fmt.Sprintf("%s.Implementations[%s](%s)", lib, n.name(i.Type), strings.Join(list, ", "))
}

// namer writes types as a package names them, and notes what that has to import.
type namer struct {
	in      *types.Package
	imports map[string]string // names by path
}

func (n *namer) name(t types.Type) string { return types.TypeString(t, n.qualify) }

func (n *namer) qualify(p *types.Package) string {
	if p == n.in {
		return ""
	}
	return n.imported(p.Path(), p.Name())
}

// imported returns the name by which a package is imported.
func (n *namer) imported(importPath, name string) string {
	if n.imports == nil {
		n.imports = make(map[string]string)
	}
	if have, ok := n.imports[importPath]; ok {
		return have
	}
	taken := func(name string) bool {
		for _, other := range n.imports {
			if other == name {
				return true
			}
		}
		return n.in.Scope().Lookup(name) != nil
	}
	unique := name
	for i := 2; taken(unique); i++ {
		unique = fmt.Sprintf("%s%d", name, i)
	}
	n.imports[importPath] = unique
	return unique
}

// zero writes a value of a type that has a name, or of a pointer to it.
func (n *namer) zero(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		return "new(" + n.name(p.Elem()) + ")"
	}
	name := n.name(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return name + `("")`
		case u.Info()&types.IsBoolean != 0:
			return name + "(false)"
		}
		return name + "(0)"
	case *types.Pointer:
		return name + "(nil)"
	}
	return name + "{}"
}

// base is the last part of an import path, for names that are no identifiers.
func base(importPath string) string { return path.Base(importPath) }
