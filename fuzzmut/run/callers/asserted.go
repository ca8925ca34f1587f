package callers

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// Bounds on what a function asks about an empty interface.
const (
	assertedMost = 48 // values of one parameter
	assertedDeep = 3  // functions that hand it on to each other
)

// asserted lists values of the types that a function asks for in a parameter of an empty interface, by type
// assertions and type switches, as source: those of other types take the way of an error. A function that hands the
// parameter on asks for what the other one does. None: it asks for nothing.
func (l *literals) asserted(fn *types.Func, i int) []string {
	a := &assertions{literals: l, seen: make(map[*types.Var]bool)}
	a.of(fn, i, assertedDeep)
	return a.list[:min(len(a.list), assertedMost)]
}

// assertions collects values.
type assertions struct {
	*literals
	seen map[*types.Var]bool
	list []string
}

// of adds what a function asks for.
func (a *assertions) of(fn *types.Func, i, depth int) {
	fn = fn.Origin()
	n := a.graph.names[fn.FullName()]
	if n == nil || depth == 0 || !takesAny(fn, i) || fn.Signature().Variadic() && i == fn.Signature().Params().Len()-1 {
		return
	}
	v := fn.Signature().Params().At(i)
	if a.seen[v] {
		return
	}
	a.seen[v] = true
	is := func(e ast.Expr) bool { return e != nil && variable(n.info, ast.Unparen(e)) == v }
	ast.Inspect(n.decl, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.TypeAssertExpr:
			if is(x.X) && x.Type != nil {
				a.add(n.info.TypeOf(x.Type))
			}
		case *ast.TypeSwitchStmt:
			if is(switched(x)) {
				for _, clause := range x.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						a.add(n.info.TypeOf(e))
					}
				}
			}
		case *ast.CallExpr:
			to := constants.Callee(n.info, x)
			if to == nil || x.Ellipsis.IsValid() {
				return true
			}
			for k, e := range constants.Passed(n.info, x) {
				if is(e) && k < to.Signature().Params().Len() {
					a.of(to, k, depth-1)
				}
			}
		}
		return true
	})
}

// switched is what a type switch is about.
func switched(s *ast.TypeSwitchStmt) ast.Expr {
	var e ast.Expr
	switch s := s.Assign.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if t, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
		return t.X
	}
	return nil
}

// add adds values of a type that the file can name.
func (a *assertions) add(t types.Type) {
	for _, source := range a.valuesOf(t) {
		if !slices.Contains(a.list, source) && a.compiles(source) {
			a.list = append(a.list, source)
		}
	}
}

// valuesOf is source of a few values of a type, with texts that the search may change.
func (a *assertions) valuesOf(t types.Type) []string {
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return []string{"nil"}
	}
	switch types.TypeString(types.Unalias(t), nil) {
	case "error":
		return []string{"errors.New(" + sequence.TextHole + ")"}
	case "time.Time":
		return []string{"time.Unix(3, 0).UTC()"}
	}
	name := a.typeOf(t)
	if name == "" {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicValues(name, u)
	case *types.Pointer:
		return []string{"new(" + a.typeOf(u.Elem()) + ")", "(" + name + ")(nil)"}
	case *types.Slice:
		if types.Identical(u.Elem(), types.Typ[types.Byte]) {
			return []string{name + "(" + sequence.TextHole + ")"}
		}
		list := []string{name + "{}"}
		for _, e := range a.valuesOf(u.Elem()) {
			list = append(list, fmt.Sprintf("%s{%s}", name, e))
		}
		return list
	case *types.Map, *types.Array, *types.Struct:
		return []string{name + "{}"}
	}
	return nil
}

// basicValues is source of a few values of a type without parts: those on both sides of zero, and
// one that is more than a digit.
func basicValues(name string, b *types.Basic) (list []string) {
	values := []string{"0", "-1", "100"}
	switch info := b.Info(); {
	case info&types.IsString != 0:
		values = []string{sequence.TextHole}
	case info&types.IsBoolean != 0:
		values = []string{"true", "false"}
	case info&types.IsFloat != 0:
		values = []string{"0", "2.5", "-1"}
	case info&types.IsUnsigned != 0:
		values = []string{"0", "1", "100"}
	case info&types.IsInteger == 0:
		return nil
	}
	for _, value := range values {
		if name != "string" && name != "bool" && name != "int" && !(name == "float64" && strings.Contains(value, ".")) {
			value = name + "(" + value + ")" // else it is of that type
		}
		list = append(list, value)
	}
	return list
}
