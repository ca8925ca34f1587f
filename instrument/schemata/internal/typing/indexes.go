package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// FindIndexes finds the local variables of files that are never below zero, as an index of range
// and the counter of a loop are.
func (i *Info) FindIndexes(files []*ast.File) {
	f := &indexes{
		info: i, fine: make(map[types.Object]bool), bad: make(map[types.Object]bool),
		grown: make(map[types.Object]bool), lengths: make(map[types.Object]bool), bounded: make(map[*ast.IncDecStmt]bool),
	}
	for _, file := range files {
		ast.Inspect(file, f.visit)
	}
	i.indexes = make(map[types.Object]bool)
	for v := range f.fine {
		// A length may be the last of its type, where one more is below zero.
		i.indexes[v] = !f.bad[v] && !(f.grown[v] && f.lengths[v])
	}
}

// indexes are variables by what becomes of them: fine is what no statement makes bad.
type indexes struct {
	info    *Info
	fine    map[types.Object]bool
	bad     map[types.Object]bool
	grown   map[types.Object]bool    // one is added to them
	lengths map[types.Object]bool    // they are set to lengths
	bounded map[*ast.IncDecStmt]bool // each adds one to what is below something
}

func (f *indexes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncType:
		f.unknown(n.Params)
		f.unknown(n.Results)
	case *ast.ForStmt:
		if step, ok := n.Post.(*ast.IncDecStmt); ok && step.Tok == token.INC && n.Cond != nil {
			f.bounded[step] = f.isBelow(n.Cond, step.X)
		}
	case *ast.IncDecStmt:
		f.set(n.X, f.bounded[n])
		f.grown[f.object(n.X)] = true
	case *ast.RangeStmt:
		f.set(n.Key, f.counts(n.X))
		f.set(n.Value, false)
	case *ast.AssignStmt:
		sets := (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && len(n.Lhs) == len(n.Rhs)
		for k, e := range n.Lhs {
			f.set(e, sets && f.isCount(e, n.Rhs[k]))
		}
	case *ast.ValueSpec:
		for k, id := range n.Names {
			f.set(id, len(n.Values) == 0 || len(n.Values) == len(n.Names) && f.isCount(id, n.Values[k]))
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.set(n.X, false)
		}
	}
	return true
}

// unknown notes parameters and results, which others set.
func (f *indexes) unknown(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			f.bad[f.info.Defs[id]] = true
		}
	}
}

// set notes that a variable gets a value, which is not below zero if it is fine.
func (f *indexes) set(e ast.Expr, fine bool) {
	v, ok := f.object(e).(*types.Var)
	switch {
	case !ok:
	case fine && v.Parent() != nil && v.Parent() != f.info.Pkg.Scope() && isWide(v.Type()):
		f.fine[v] = true
	default:
		f.bad[v] = true
	}
}

// object is what a name stands for; nil: the expression is no name.
func (f *indexes) object(e ast.Expr) types.Object {
	if e == nil {
		return nil
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return f.info.ObjectOf(id)
	}
	return nil
}

// isWide says whether a type has all whole numbers up to most and one more.
func isWide(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Int32 || b.Kind() == types.Int64)
}

// counts says whether the first variable of a range over x is an index.
func (f *indexes) counts(x ast.Expr) bool {
	t := f.info.TypeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsInteger) != 0
	}
	return false
}

// most is what a variable may be set to. More could wrap around when one is added.
const most = 1 << 30

// isCount says whether what a variable is set to is a number from 0 to most, or a length.
func (f *indexes) isCount(variable, e ast.Expr) bool {
	if v := f.info.Value(e); v != nil {
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && v.Kind() == constant.Int && 0 <= n && n <= most
	}
	f.lengths[f.object(variable)] = true
	name, _ := f.info.BuiltinCall(e)
	return name == "len" || name == "cap"
}

// isBelow says whether a condition holds only where a variable is below something: then one can be
// added to it.
func (f *indexes) isBelow(cond, variable ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.LAND:
		return f.isBelow(b.X, variable) || f.isBelow(b.Y, variable)
	case token.LSS:
		return f.same(b.X, variable)
	case token.GTR:
		return f.same(b.Y, variable)
	}
	return false
}

func (f *indexes) same(a, b ast.Expr) bool { return f.object(a) != nil && f.object(a) == f.object(b) }
