package callers

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// arguments checks the types of a function's receiver and parameters, and returns the
// functions that make those with fields that are not exported. A value of fields that
// nobody has set that way may be one that there never is; and sides whose fields differ
// would take the same input for other values. With an errOfNothing it returns functions, too.
func (f *finder) arguments(fn, was *types.Func) (makers []*node, err error) {
	var bare error
	now, old := parts(fn.Signature()), parts(was.Signature())
	if target.Omits(fn.Signature(), f.plain) {
		now = now[:len(now)-1]
	}
	for i, v := range now {
		what := "its argument " + v.Name()
		if v == fn.Signature().Recv() {
			what = "its receiver"
		}
		if m := f.makerOf(v.Type()); m != nil {
			if !slices.Contains(makers, m) {
				makers = append(makers, m)
			}
			continue
		}
		if own := f.internal(v.Type()); own != nil {
			m := cmp.Or(f.maker(own), f.creator(own))
			if m == nil {
				return nil, fmt.Errorf("no fuzz test can be derived for %s: %s is of %s, which is not exported, and no function makes one of texts, of numbers or of nothing: values that nobody can pass would differ; mark a function that calls this one, or write the fuzz test yourself",
					target.Function(fn), what, own.Obj().Name())
			}
			if !slices.Contains(makers, m) {
				makers = append(makers, m)
			}
			continue
		}
		if hidden := f.hidden(v.Type(), make(map[types.Type]bool)); hidden != nil {
			m := f.creator(v.Type())
			if m == nil {
				return nil, f.unmade(fn, what, v.Type(), hidden)
			}
			if !slices.Contains(makers, m) {
				makers = append(makers, m)
			}
			if f.plain && bare == nil {
				bare = &errOfNothing{fn, what, v.Type(), m.fn}
			}
			continue
		}
		if f.shape(f.graph.loaded, v.Type(), nil) != f.shape(f.before, old[i].Type(), nil) {
			return nil, fmt.Errorf("%s can't be compared: the values that %s can have changed", target.Function(fn), what)
		}
	}
	return makers, bare
}

// errOfNothing says that a function makes what an argument is of nothing. A case of one call is
// for people, who would ask for its options.
type errOfNothing struct {
	fn    *types.Func
	what  string
	typ   types.Type
	maker *types.Func
}

func (e *errOfNothing) Error() string {
	return fmt.Sprintf("no fuzz test can be derived for %s: %s is of %s, which %s makes of nothing: only cases of calls in turn begin with that; mark a function that makes one and calls this one, or write the fuzz test yourself",
		target.Function(e.fn), e.what, types.TypeString(e.typ, types.RelativeTo(e.fn.Pkg())), target.Function(e.maker))
}

// unmade says that nothing makes what an argument of a type holds, or is.
func (f *finder) unmade(fn *types.Func, what string, t types.Type, hidden *types.Named) error {
	holds, why, do := "holds values of", "no exported function makes one of texts, of numbers or of nothing", "does"
	if n := target.NamedOf(t); n != nil && n.Obj() == hidden.Obj() {
		holds = "is of"
	}
	if f.generic(hidden) {
		why, do = "what makes one has type parameters, which no fuzz test for one function chooses", "makes one"
	}
	return fmt.Errorf("no fuzz test can be derived for %s: %s %s %s, whose fields are not exported, and %s; mark a function that %s and calls this one, or write the fuzz test yourself",
		target.Function(fn), what, holds, hidden.Obj().Name(), why, do)
}

// generic says whether an exported function would make values of a type, if it had no type parameters.
func (f *finder) generic(t *types.Named) bool {
	return slices.ContainsFunc(f.graph.nodes, func(n *node) bool {
		if n.fn == nil || !n.own || n.test || !f.mayMake(n.fn, t) || n.fn.Signature().TypeParams().Len() == 0 {
			return false
		}
		args := slices.Repeat([]types.Type{types.Typ[types.Int]}, n.fn.Signature().TypeParams().Len())
		inst, err := types.Instantiate(nil, n.fn.Signature(), args, false)
		if err != nil || n.fn.Signature().Results().Len() == 0 {
			return false
		}
		fn := types.NewFunc(n.fn.Pos(), n.fn.Pkg(), n.fn.Name(), inst.(*types.Signature))
		made := target.NamedOf(fn.Signature().Results().At(0).Type())
		return made != nil && made.Obj() == t.Obj() && (target.IsMaker(fn, made) || target.IsCreator(fn, made))
	})
}

// internal returns the type of an argument, or what that points to, if other packages can't
// name it: code of the package alone makes its values, and of any that it could hold only
// those occur which some function makes. nil: it is no such type, or has a text form, or test
// cases are written, whose readers see what the value is. A struct without fields has but one
// value, which needs no function.
func (f *finder) internal(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || f.plain || n.Obj().Exported() || f.standard(n) || types.IsInterface(n) || hasText(n) {
		return nil
	}
	if s, ok := n.Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return nil
	}
	return n
}

// makerOf returns the maker of an argument, if that has fields that are not exported, or is
// of a type with a name whose values lead to such fields.
func (f *finder) makerOf(t types.Type) *node {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || f.standard(n) || types.IsInterface(n) {
		return nil
	}
	hidden := hasHidden(n) || f.hidden(n, make(map[types.Type]bool)) != nil
	if native, _ := n.Underlying().(*types.Basic); !hidden && (!f.plain || native != nil) {
		return nil
	}
	m := f.maker(n)
	if m != nil && !hidden && !takesText(m) {
		return nil
	}
	return m
}

// takesText says whether a function has a parameter that is a text.
func takesText(n *node) bool {
	for p := range n.fn.Signature().Params().Variables() {
		if isText(p.Type()) {
			return true
		}
	}
	return false
}

// parts lists the receiver and the parameters.
func parts(s *types.Signature) (list []*types.Var) {
	if s.Recv() != nil {
		list = append(list, s.Recv())
	}
	return slices.AppendSeq(list, s.Params().Variables())
}

// hidden returns a type that values of t lead to, with fields that are not exported and no
// text form; nil: there is none. Those of the standard library are known by package derive.
func (f *finder) hidden(t types.Type, seen map[types.Type]bool) *types.Named {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if f.standard(t) || hasText(t) {
			return nil
		}
		if hasHidden(t) {
			return t
		}
		if s, ok := t.Underlying().(*types.Struct); ok && target.IsMessage(t) {
			for v := range s.Fields() {
				if n := f.hidden(v.Type(), seen); v.Exported() && n != nil {
					return n
				}
			}
			return nil
		}
		return f.hidden(t.Underlying(), seen)
	case *types.Pointer:
		return f.hidden(t.Elem(), seen)
	case *types.Slice:
		return f.hidden(t.Elem(), seen)
	case *types.Array:
		return f.hidden(t.Elem(), seen)
	case *types.Map:
		if n := f.hidden(t.Key(), seen); n != nil {
			return n
		}
		return f.hidden(t.Elem(), seen)
	case *types.Struct:
		for v := range t.Fields() {
			if n := f.hidden(v.Type(), seen); n != nil {
				return n
			}
		}
	}
	return nil
}

// hasHidden says whether a type is a struct with fields that are not exported.
func hasHidden(t *types.Named) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || target.IsMessage(t) {
		return false
	}
	for v := range s.Fields() {
		if !v.Exported() && v.Name() != "_" {
			return true
		}
	}
	return false
}

func (f *finder) standard(t *types.Named) bool {
	if t.Obj().Pkg() == nil {
		return true // error, comparable
	}
	path, module := t.Obj().Pkg().Path(), f.graph.loaded.Test.ModulePath
	domain, _, _ := strings.Cut(path, "/")
	return !strings.Contains(domain, ".") && path != module && !strings.HasPrefix(path, module+"/")
}

// hasText says whether values of a type are made of texts: package derive does so.
func hasText(t *types.Named) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	has := func(name string) bool { return methods.Lookup(nil, name) != nil }
	return has("MarshalText") && has("UnmarshalText") || has("MarshalBinary") && has("UnmarshalBinary")
}

// shape is a type with those of its fields and elements, and what implements them.
func (f *finder) shape(r *load.Result, t types.Type, seen []types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := typeName(t)
		switch {
		case hasText(t):
			return name + " of text"
		case f.standard(t) || slices.Contains(seen, types.Type(t)):
			return name
		}
		return name + " " + f.shape(r, t.Underlying(), append(slices.Clone(seen), t))
	case *types.Pointer:
		return "*" + f.shape(r, t.Elem(), seen)
	case *types.Slice:
		return "[]" + f.shape(r, t.Elem(), seen)
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), f.shape(r, t.Elem(), seen))
	case *types.Map:
		return "map[" + f.shape(r, t.Key(), seen) + "]" + f.shape(r, t.Elem(), seen)
	case *types.Struct:
		var fields []string
		for v := range t.Fields() {
			fields = append(fields, v.Name()+" "+f.shape(r, v.Type(), seen))
		}
		return "struct{" + strings.Join(fields, "; ") + "}"
	case *types.Interface:
		return typeName(t) + " of " + strings.Join(implementations(r, t), ", ")
	}
	return typeName(t)
}

// implementations lists the types of the loaded packages that implement an interface: what
// an input stands for depends on how many there are.
func implementations(r *load.Result, t *types.Interface) (names []string) {
	if t.NumMethods() == 0 {
		return nil
	}
	for _, p := range r.Packages {
		for _, name := range p.Types.Scope().Names() {
			tn, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if ok && !types.IsInterface(tn.Type()) && types.Implements(types.NewPointer(tn.Type()), t) {
				names = append(names, p.ImportPath+"."+name)
			}
		}
	}
	return names
}

// maker returns the exported function of the package under test that makes a value of a
// type, or any if the type is not exported either: of those with the fewest arguments the
// first; nil: there is none on both sides.
func (f *finder) maker(t *types.Named) *node {
	var best *node
	for _, n := range f.graph.nodes {
		if n.fn == nil || !n.own || !f.mayMake(n.fn, t) || !target.IsMaker(n.fn, t) || n.must() != nil {
			continue
		}
		if was := f.old[key(n.fn)]; was == nil || difference(was, n.fn) != "" {
			continue
		}
		if _, e := f.graph.effectOf(n); e == "" && (best == nil || compareMakers(n, best) < 0) {
			best = n
		}
	}
	return best
}

// mayMake says whether a function is one that makes values of a type for code like that which
// takes them.
func (f *finder) mayMake(fn *types.Func, t types.Type) bool {
	own, _ := t.(*types.Named)
	return !strings.HasPrefix(fn.Name(), "Must") && !strings.HasPrefix(fn.Name(), "must") &&
		(fn.Exported() || !f.plain && own != nil && !own.Obj().Exported())
}

// creator returns the exported function of the package under test that makes a value of an
// argument's type of nothing, or any if the type is not exported either: of several, the one that calls most code, since what has few
// options set does little; nil: there is none on both sides.
func (f *finder) creator(t types.Type) (best *node) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	most := -1
	for _, n := range f.graph.nodes {
		if n.fn == nil || !n.own || !f.mayMake(n.fn, t) || !target.IsCreator(n.fn, t) || n.returnsVariable() {
			continue
		}
		if was := f.old[key(n.fn)]; was == nil || difference(was, n.fn) != "" {
			continue
		}
		if _, e := f.graph.effectOf(n); e != "" {
			continue
		}
		if calls := f.graph.calls(n); calls > most {
			best, most = n, calls
		}
	}
	return best
}

// returnsVariable says whether a function returns a variable of a package: a value that
// inputs would share.
func (n *node) returnsVariable() (found bool) {
	ast.Inspect(n.decl, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(x.Results) == 0 {
				break
			}
			value := ast.Unparen(x.Results[0])
			if address, ok := value.(*ast.UnaryExpr); ok {
				value = ast.Unparen(address.X)
			}
			if id, ok := value.(*ast.Ident); ok {
				v, _ := n.info.Uses[id].(*types.Var)
				found = found || v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
			}
		}
		return true
	})
	return found
}

// calls counts the functions that one names, itself or through others.
func (g *graph) calls(n *node) (count int) {
	seen := map[int]bool{n.index: true}
	for todo := []*node{n}; len(todo) > 0; todo = todo[1:] {
		for i, cost := range todo[0].to {
			if cost == named && !seen[i] {
				seen[i] = true
				count++
				todo = append(todo, g.nodes[i])
			}
		}
	}
	return count
}

// compareMakers prefers functions that take texts, then those that read them, and of these those
// that take little.
func compareMakers(a, b *node) int {
	rank := func(n *node) int {
		switch {
		case takesText(n):
			return 0
		case target.Reads(n.fn):
			return 1
		}
		return 2
	}
	params := func(n *node) int { return n.fn.Signature().Params().Len() }
	return cmp.Or(rank(a)-rank(b), params(a)-params(b), a.index-b.index)
}

// makers lists what the arguments of a target are made with.
func (f *finder) makers(n *node) (list []target.Maker) {
	for _, m := range f.made[n] {
		maker := describeMaker(m)
		maker.Seeds = f.graph.seeds(m)
		list = append(list, maker)
	}
	return list
}

func describeMaker(n *node) target.Maker {
	t := types.Unalias(n.fn.Signature().Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return target.Maker{Type: types.TypeString(t, nil), Function: n.fn.Name()}
}
