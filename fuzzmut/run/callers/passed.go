package callers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// Bounds on what tests give to functions.
const (
	passedMost = 48  // values of one parameter
	partsMost  = 24  // new values of parts of large structs, and as many entries of maps, in addition
	largeMost  = 8   // fields of a struct that is not large
	partMost   = 4   // fields of a part
	holedMost  = 12  // of these, with a text that the search may change
	flowMost   = 3   // variables through which a value comes
	typeMost   = 300 // bytes of a type
	valueMost  = 300 // of a value
	nestedMost = 4   // types in each other
)

// within is an expression of test files with what is known of its types.
type within struct {
	info *types.Info
	expr ast.Expr
}

// flows notes what tests put into fields, what they give to helpers, and what
// they loop over.
func (l *literals) flows(info *types.Info, f *ast.File) {
	note := func(v *types.Var, e ast.Expr) {
		if v != nil {
			l.values[v] = append(l.values[v], within{info, e})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			s, ok := structOf(info.TypeOf(n))
			if !ok {
				return true
			}
			line := make(map[*types.Var]within)
			for i, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if id, ok := kv.Key.(*ast.Ident); ok {
						v, _ := info.Uses[id].(*types.Var)
						note(v, kv.Value)
						line[v] = within{info, kv.Value}
					}
				} else if i < s.NumFields() {
					note(s.Field(i), e)
					line[s.Field(i)] = within{info, e}
				}
			}
			for v := range line {
				l.lines[v] = append(l.lines[v], line)
			}
		case *ast.CallExpr:
			fn := constants.Callee(info, n)
			if fn == nil || n.Ellipsis.IsValid() || l.graph.names[fn.FullName()] == nil || !l.graph.names[fn.FullName()].test {
				return true
			}
			for i, e := range constants.Passed(info, n) {
				if params := fn.Signature().Params(); i < params.Len() && !(fn.Signature().Variadic() && i == params.Len()-1) {
					note(params.At(i), e)
				}
			}
		case *ast.RangeStmt:
			id, ok := n.Value.(*ast.Ident)
			lit, ok2 := ast.Unparen(n.X).(*ast.CompositeLit)
			if !ok || !ok2 {
				return true
			}
			v, _ := info.Defs[id].(*types.Var)
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				note(v, e)
			}
		}
		return true
	})
}

func structOf(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // of an element whose type is left out
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// calls notes what tests give to the functions of the package, but for constants.
func (l *literals) calls(info *types.Info, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Ellipsis.IsValid() {
			return true
		}
		fn := constants.Callee(info, call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != l.pkg || fn.Signature().Params().Len() == 0 {
			return true
		}
		sig := calledAs(info, call, fn)
		for i, e := range constants.Passed(info, call) {
			i = min(i, fn.Signature().Params().Len()-1)
			t := sig.Params().At(i + sig.Params().Len() - fn.Signature().Params().Len()).Type()
			if _, basic := t.Underlying().(*types.Basic); basic {
				continue
			}
			to := asGiven(fn, i, t)
			l.pass(passedKey(fn, i, t), within{info, e}, to, flowMost)
			if iface, ok := t.Underlying().(*types.Interface); ok && !iface.Empty() {
				l.pass(types.TypeString(t, nil), within{info, e}, to, flowMost)
			}
		}
		return true
	})
}

// What follows the key of values with a text that the search may change, of parts of structs,
// and of maps of one entry.
const (
	holes   = " holes"
	pieces  = " pieces"
	entries = " entries"
)

// calledAs is the signature of a function where it is called: with type arguments for its type parameters, and
// that of a method expression with the receiver before the parameters.
func calledAs(info *types.Info, call *ast.CallExpr, fn *types.Func) *types.Signature {
	if t := info.TypeOf(call.Fun); t != nil {
		if sig, ok := t.Underlying().(*types.Signature); ok {
			return sig
		}
	}
	return fn.Signature()
}

// passedKey is the key of what a parameter gets, whose type is t where the function is called: what fits a
// generic function with some type arguments does not with others.
func passedKey(fn *types.Func, i int, t types.Type) string {
	key := fn.FullName() + " " + strconv.Itoa(i)
	if fn.Signature().TypeParams().Len()+fn.Signature().RecvTypeParams().Len() == 0 {
		return key
	}
	return key + " " + types.TypeString(asGiven(fn, i, t), nil)
}

// asGiven is the type of an argument for a parameter that has a type where the function is called: of one that takes
// any number, the type of each.
func asGiven(fn *types.Func, i int, t types.Type) types.Type {
	if list, ok := t.(*types.Slice); ok && fn.Signature().Variadic() && i == fn.Signature().Params().Len()-1 {
		return list.Elem()
	}
	return t
}

// pass notes what an expression stands for that tests give for a type.
func (l *literals) pass(key string, x within, to types.Type, through int) {
	add := func(source string) {
		if source != "" && !slices.Contains(l.args[key], source) && l.fits(source, to) {
			l.args[key] = append(l.args[key], source)
		}
	}
	e := ast.Unparen(x.expr)
	if tv := x.info.Types[e]; tv.Value != nil || tv.IsNil() || l.loses(tv.Type, to) {
		return
	}
	l.pieces(key, x.info.TypeOf(e))
	l.entries(key, x.info, e)
	if source, texts := l.written(x.info, e, 0, valueMost); source != "" {
		if add(source); texts != 0 {
			holed, _ := l.written(x.info, e, texts, valueMost)
			l.hole(key, holed)
		}
		return
	}
	v := variable(x.info, e)
	if list := l.values[v]; v != nil && len(list) > 0 && through > 0 {
		for _, x := range list {
			l.pass(key, x, to, through-1)
		}
		return
	}
	add(l.zero(x))
}

// zero is source of a pointer to a zero value, of the type of an expression that is one.
func (l *literals) zero(x within) string {
	if p, ok := types.Unalias(x.info.TypeOf(x.expr)).(*types.Pointer); ok {
		if source := l.typeOf(p.Elem()); source != "" {
			return "new(" + source + ")"
		}
	}
	return ""
}

// given is what a line of a table has for an argument.
func (l *literals) given(x within) sequence.Arg {
	if c := x.info.Types[x.expr].Value; c != nil {
		return sequence.Arg{Constant: c}
	}
	if source, _ := l.written(x.info, x.expr, 0, valueMost); source != "" {
		return sequence.Arg{Source: source}
	}
	return sequence.Arg{Source: l.zero(x)}
}

// linesOf are the lines of the table that has most of some variables, if one of these is no
// constant there.
func (l *literals) linesOf(vars []*types.Var) (lines []map[*types.Var]within) {
	other := false
	for _, v := range vars {
		if len(l.lines[v]) > len(lines) {
			lines = l.lines[v]
		}
		for _, line := range l.lines[v] {
			other = other || line[v].info.Types[line[v].expr].Value == nil
		}
	}
	if !other {
		return nil
	}
	return lines
}

// pieces notes new values of parts of a large struct that a pointer leads to. What a call does with
// all its fields is too much to be compared.
func (l *literals) pieces(key string, t types.Type) {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || s.NumFields() <= largeMost {
		return
	}
	var fields []*types.Var
	var tags []string
	add := func() {
		if source := l.typeOf(types.NewStruct(fields, tags)); source != "" && len(fields) > 0 && !slices.Contains(l.args[key+pieces], "new("+source+")") {
			l.args[key+pieces] = append(l.args[key+pieces], "new("+source+")")
		}
		fields, tags = nil, nil
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if source := l.typeOf(types.NewStruct([]*types.Var{f}, []string{s.Tag(i)})); !f.Exported() || source == "" {
			continue
		}
		if fields, tags = append(fields, f), append(tags, s.Tag(i)); len(fields) == partMost {
			add()
		}
	}
	add()
}

// entries notes maps of one entry of a map with several, with a text that the search may change:
// what one entry does is hidden by an error of another.
func (l *literals) entries(key string, info *types.Info, e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		v, _ := info.Uses[id].(*types.Var)
		e = l.inits[v]
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok || len(lit.Elts) < 2 || lit.Type == nil {
		return
	}
	if _, ok := info.TypeOf(lit).Underlying().(*types.Map); !ok {
		return
	}
	for _, entry := range lit.Elts {
		one := &ast.CompositeLit{Type: lit.Type, Elts: []ast.Expr{entry}}
		source, texts := l.written(info, one, 0, valueMost)
		if texts != 0 {
			source, _ = l.written(info, one, texts, valueMost)
		}
		if source != "" && !slices.Contains(l.args[key+entries], source) {
			l.args[key+entries] = append(l.args[key+entries], source)
		}
	}
}

// hole notes a value with a text that the search may change.
func (l *literals) hole(key, source string) {
	if key += holes; strings.Contains(source, sequence.TextHole) && !slices.Contains(l.args[key], source) {
		l.args[key] = append(l.args[key], source)
	}
}

// passed lists what tests give to a function for a parameter that has a type where the function is called, from
// all parts of the tests, and for an empty interface values of the types that the function asks for.
func (l *literals) passed(fn *types.Func, i int, t types.Type) []string {
	key := passedKey(fn, i, t)
	list := spread(l.args[key], passedMost)
	if takesAny(fn, i) {
		list = append(list, spread(l.args[key+pieces], partsMost)...) // whose types are new
	}
	list = append(list, spread(l.args[key+entries], partsMost)...)
	list = append(list, spread(l.args[key+holes], holedMost)...)
	for _, source := range l.asserted(fn, i) {
		if !slices.Contains(list, source) {
			list = append(list, source)
		}
	}
	return list
}

// takesAny says whether a parameter is of an empty interface, or takes any number of these.
func takesAny(fn *types.Func, i int) bool {
	iface, ok := asGiven(fn, i, fn.Signature().Params().At(i).Type()).Underlying().(*types.Interface)
	return ok && iface.Empty()
}

// spread are a few of a list, from all parts of it.
func spread(list []string, most int) []string {
	if len(list) <= most {
		return slices.Clone(list)
	}
	few := make([]string, most)
	for i := range few {
		few[i] = list[i*len(list)/most]
	}
	return few
}

// operand is what an operator is applied to: of the address of a variable what that is declared
// with, if it is a literal.
func (w *literalWriter) operand(e *ast.UnaryExpr) ast.Expr {
	id, ok := ast.Unparen(e.X).(*ast.Ident)
	if !ok || e.Op != token.AND {
		return e.X
	}
	v, _ := w.info.Uses[id].(*types.Var)
	if lit, ok := w.inits[v].(*ast.CompositeLit); ok {
		return lit
	}
	return e.X
}

// typeSource is a type as source; it is bad if the file can't name it.
func (w *literalWriter) typeSource(t types.Type) string {
	source := w.typeOf(t)
	w.bad = w.bad || source == ""
	return source
}

// typeOf is a type as source for a file of the package: a type that only tests know is what it
// stands for. "": the file can't name it.
func (l *literals) typeOf(t types.Type) string {
	if source, ok := l.typed(t, nestedMost); ok && len(source) <= typeMost && l.compiles(source) {
		return source
	}
	return ""
}

func (l *literals) typed(t types.Type, depth int) (string, bool) {
	if depth < 0 {
		return "", false
	}
	of := func(format string, list ...types.Type) (string, bool) {
		parts := make([]any, len(list))
		for i, t := range list {
			part, ok := l.typed(t, depth-1)
			if !ok {
				return "", false
			}
			parts[i] = part
		}
		return fmt.Sprintf(format, parts...), true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Name(), t.Kind() != types.UnsafePointer && t.Info()&types.IsUntyped == 0
	case *types.Pointer:
		return of("*%s", t.Elem())
	case *types.Slice:
		return of("[]%s", t.Elem())
	case *types.Array:
		return of("["+strconv.FormatInt(t.Len(), 10)+"]%s", t.Elem())
	case *types.Map:
		return of("map[%s]%s", t.Key(), t.Elem())
	case *types.Interface:
		return "interface{}", t.Empty()
	case *types.Struct:
		return l.structType(t, depth)
	case *types.Named:
		obj := t.Obj()
		switch {
		case t.TypeArgs().Len() > 0:
			return "", false
		case (&literalWriter{literals: l}).known(obj):
			return obj.Name(), true
		case obj.Parent() == obj.Pkg().Scope() && l.imports(obj.Pkg().Path()) && obj.Exported():
			return obj.Pkg().Name() + "." + obj.Name(), true
		case l.inTests(obj):
			if source, ok := l.right(obj, depth); ok {
				return source, true
			}
			return l.typed(t.Underlying(), depth-1)
		}
	}
	return "", false
}

// right is the type that a declaration in tests gives another name, as source; false: that type has no name, or the
// file can't name it.
func (l *literals) right(obj types.Object, depth int) (string, bool) {
	if n, ok := types.Unalias(l.decls[obj]).(*types.Named); ok {
		return l.typed(n, depth-1)
	}
	return "", false
}

// inTests says whether tests of the package declare a type that the file can't name.
func (l *literals) inTests(obj types.Object) bool {
	return !(&literalWriter{literals: l}).known(obj) && (obj.Pkg().Path() == l.pkg || obj.Pkg().Path() == l.pkg+"_test")
}

// loses says whether a value of a type implements an interface by methods that it does not have in the file: there the
// type is what it stands for.
func (l *literals) loses(t, to types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	iface, ok2 := to.Underlying().(*types.Interface)
	return ok && ok2 && !iface.Empty() && l.inTests(n.Obj())
}

// hides says whether a field is another one in each package: those of the tests' own types stand for nothing else.
func (l *literals) hides(f *types.Var) bool {
	return !f.Exported() && f.Pkg().Path() != l.pkg && f.Pkg().Path() != l.pkg+"_test"
}

// structType is a struct as source, with its tags.
func (l *literals) structType(s *types.Struct, depth int) (string, bool) {
	var fields []string
	for i := range s.NumFields() {
		f := s.Field(i)
		source, ok := l.typed(f.Type(), depth-1)
		if !ok || l.hides(f) || f.Embedded() && path.Ext("."+strings.TrimPrefix(source, "*")) != "."+f.Name() {
			return "", false
		}
		if !f.Embedded() {
			source = f.Name() + " " + source
		}
		if tag := s.Tag(i); tag != "" {
			source += " " + strconv.Quote(tag)
		}
		fields = append(fields, source)
	}
	return "struct{" + strings.Join(fields, "; ") + "}", true
}
