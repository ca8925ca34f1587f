package typing

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// CalleeIdent returns the identifier that names what a call calls, without package or
// receiver; nil if there is none.
func CalleeIdent(e *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		if id, ok := ast.Unparen(fun.X).(*ast.Ident); ok {
			return id
		}
	}
	return nil
}

// CalledFunc returns the import path and name of the function that a call names;
// "" for methods, builtins and function values.
func (i *Info) CalledFunc(e *ast.CallExpr) string {
	fn := i.calledObject(e)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	return fn.FullName()
}

// ReceiverName returns the name of the type that a method is declared for, "" of a function
// and of a method of a type without a name.
func ReceiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// BuiltinCall returns the name of the builtin that an expression calls, "" if it
// is something else.
func (i *Info) BuiltinCall(e ast.Expr) (string, *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !i.Types[call.Fun].IsBuiltin() {
		return "", nil
	}
	id := CalleeIdent(call)
	if id == nil {
		return "", nil
	}
	return id.Name, call
}

// MakesError says whether a call makes an error: it is errors.New or fmt.Errorf.
func (i *Info) MakesError(e *ast.CallExpr) bool {
	name := i.CalledFunc(e)
	return name == "errors.New" || name == "fmt.Errorf"
}

// IsPanic says whether a statement calls panic.
func (i *Info) IsPanic(s *ast.ExprStmt) bool {
	name, _ := i.BuiltinCall(s.X)
	return name == "panic"
}

// Length returns the length the compiler knows an indexed operand to have, or -1.
func (i *Info) Length(e ast.Expr) int64 {
	tv := i.Types[e]
	if tv.Value != nil && tv.Value.Kind() == constant.String {
		return int64(len(constant.StringVal(tv.Value)))
	}
	least := int64(-1)
	EachTerm(tv.Type, func(t types.Type) bool {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if a, ok := t.Underlying().(*types.Array); ok && (least < 0 || a.Len() < least) {
			least = a.Len()
		}
		return true
	})
	return least
}

// NonNegative says whether a value is below zero never: an unsigned number or a
// length.
func (i *Info) NonNegative(e ast.Expr) bool {
	if b, ok := i.TypeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !i.Types[call.Fun].IsBuiltin() {
		return false
	}
	id := CalleeIdent(call)
	return id != nil && (id.Name == "len" || id.Name == "cap")
}

// ComparesOrdered says whether the operands of a comparison are of one ordered
// type.
func (i *Info) ComparesOrdered(e *ast.BinaryExpr) bool {
	tx, ty := i.TypeOf(e.X), i.TypeOf(e.Y)
	return IsOrdered(tx) && IsOrdered(ty) && types.Identical(tx, ty) && !(i.IsConstant(e.X) && i.IsConstant(e.Y))
}

// IsComparison says whether an expression is one with == != < <= > or >=.
func IsComparison(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && b.Op.Precedence() == token.EQL.Precedence()
}

// IsFresh says whether an expression obviously gives an empty slice or map that is
// not nil, or a pointer to a zero value.
func (i *Info) IsFresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND && len(lit.Elts) == 0
	case *ast.CallExpr:
		id := CalleeIdent(e)
		if id == nil || !i.Types[e.Fun].IsBuiltin() {
			return false
		}
		switch id.Name {
		case "make":
			return len(e.Args) == 1 || i.IsConstant(e.Args[1]) && constant.Sign(i.Value(e.Args[1])) == 0
		case "new":
			return i.Types[e.Args[0]].IsType()
		}
	}
	return false
}

// IsMapElement says whether an expression is m[k] of a map.
func (i *Info) IsMapElement(e ast.Expr) bool {
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, ok = Core(i.TypeOf(index.X)).(*types.Map)
	return ok
}

// IsLength says whether a number is made of constants and lengths.
func (i *Info) IsLength(e ast.Expr) bool {
	if i.IsConstant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return i.IsLength(e.X) && i.IsLength(e.Y)
	case *ast.CallExpr:
		return i.NonNegative(e) && i.Types[e.Fun].IsBuiltin()
	}
	return false
}

// IsConstantText says whether an argument is a constant, as bytes perhaps.
func (i *Info) IsConstantText(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && i.Types[call.Fun].IsType() {
		e = call.Args[0]
	}
	return i.IsConstant(e)
}

// Idents returns identifiers as expressions.
func Idents(names []*ast.Ident) []ast.Expr {
	list := make([]ast.Expr, len(names))
	for i, id := range names {
		list[i] = id
	}
	return list
}

// RangesOver says whether a range over an operand does something between rounds
// or after the last: it receives, or calls a function.
func (i *Info) RangesOver(x ast.Expr) bool {
	switch Core(i.TypeOf(x)).(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return false
}

// Mixed says whether an operand's type may be a slice or a string.
func (i *Info) Mixed(e ast.Expr) reasons.Reason {
	var slice, text bool
	EachTerm(i.TypeOf(e), func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Slice)
		slice, text = slice || ok, text || !ok
		return true
	})
	if slice && text {
		return reasons.SliceOrString
	}
	return nil
}

// IsEmptyString says whether a constant is "".
func IsEmptyString(v constant.Value) bool {
	return v != nil && v.Kind() == constant.String && constant.StringVal(v) == ""
}

// Mentions says whether a variable is named in a node.
func (i *Info) Mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && i.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// IsSimple says whether an operand can be evaluated twice without a difference:
// a variable, or a field of one.
func (i *Info) IsSimple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return i.IsSimple(e.X)
	}
	return false
}
