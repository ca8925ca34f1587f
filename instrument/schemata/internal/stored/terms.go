package stored

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// termsMost bounds the terms of a function: the time to relate them grows with the third power.
const termsMost = 20

// A term is what a comparison is about: a variable of the function, the length of one, or a constant.
type term struct {
	v        types.Object
	length   bool
	constant string // as text, for a term without a variable
}

// collect finds the terms of the function.
func (rel *relater) collect(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if !isRelation(n.Op) {
				return true
			}
			x, okX := rel.term(n.X)
			y, okY := rel.term(n.Y)
			if okX && okY && (x.v != nil || y.v != nil) {
				rel.add(x, n.X)
				rel.add(y, n.Y)
				rel.addLength(x, y)
				rel.addLength(y, x)
			}
		}
		return true
	})
	for _, t := range slices.Clone(rel.terms) { // and what they are set to
		if t.v != nil {
			rel.addSources(t.v, body)
		}
	}
}

// addLength adds the length of a text that is compared with the empty one.
func (rel *relater) addLength(text, empty term) {
	if text.v != nil && empty.constant == `""` {
		rel.add(term{v: text.v, length: true}, nil)
		rel.addConstant(constant.MakeInt64(0))
	}
}

// addSources adds the terms that a variable is set to.
func (rel *relater) addSources(v types.Object, body *ast.BlockStmt) {
	add := func(to, from ast.Expr) {
		if rel.variable(to) != v {
			return
		}
		if t, ok := rel.term(from); ok {
			rel.add(t, from)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, e := range n.Lhs {
					add(e, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, id := range n.Names {
					add(id, n.Values[i])
				}
			}
		}
		return true
	})
}

func (rel *relater) add(t term, e ast.Expr) {
	if _, ok := rel.index[t]; ok {
		return
	}
	rel.index[t] = len(rel.terms)
	rel.terms = append(rel.terms, t)
	var value constant.Value
	if t.v == nil {
		value = rel.info.Types[ast.Unparen(e)].Value
	}
	rel.values = append(rel.values, value)
	if t.length || t.v != nil && isUnsigned(t.v.Type()) {
		rel.addConstant(constant.MakeInt64(0))
	}
	if t.v != nil && !t.length && isText(t.v.Type()) {
		rel.addConstant(constant.MakeString(""))
	}
}

func (rel *relater) addConstant(v constant.Value) {
	t := term{constant: v.ExactString()}
	if _, ok := rel.index[t]; !ok {
		rel.index[t] = len(rel.terms)
		rel.terms = append(rel.terms, t)
		rel.values = append(rel.values, v)
	}
}

// term is what an expression stands for.
func (rel *relater) term(e ast.Expr) (term, bool) {
	e = ast.Unparen(e)
	tv := rel.info.Types[e]
	if v := tv.Value; v != nil {
		if v.Kind() == constant.String || v.Kind() == constant.Int {
			return term{constant: v.ExactString()}, true
		}
		return term{}, false
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v := rel.variable(e); v != nil && (isWhole(v.Type()) || isText(v.Type())) {
			return term{v: v}, true
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && len(e.Args) == 1 {
			if b, ok := rel.info.Uses[id].(*types.Builtin); ok && b.Name() == "len" {
				if v := rel.variable(e.Args[0]); v != nil && keepsLength(v.Type()) {
					return term{v: v, length: true}, true
				}
			}
		}
	}
	return term{}, false
}

// end is what range counts to.
func (rel *relater) end(x ast.Expr) term {
	if v := rel.variable(x); v != nil && !isWhole(v.Type()) {
		return term{v: v, length: true}
	}
	t, _ := rel.term(x)
	return t
}

// within says whether a type has the values of a term: what is nearer than these does not wrap around.
func (rel *relater) within(j int, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch other := rel.terms[j]; {
	case other.length:
		return b.Kind() == types.Int
	case other.v != nil:
		o, ok := other.v.Type().Underlying().(*types.Basic)
		return ok && o.Kind() == b.Kind()
	}
	n, exact := constant.Int64Val(constant.ToInt(rel.values[j]))
	switch b.Kind() {
	case types.Int8:
		return exact && n == int64(int8(n))
	case types.Uint8:
		return exact && n == int64(uint8(n))
	case types.Int16:
		return exact && n == int64(int16(n))
	case types.Uint16:
		return exact && n == int64(uint16(n))
	case types.Int, types.Int32, types.Int64: // int has 32 bits somewhere
		return exact && n == int64(int32(n))
	}
	return exact && n == int64(uint32(n))
}

// pair are the terms that a comparison is about.
func (rel *relater) pair(e *ast.BinaryExpr) (i, j int, ok bool) {
	x, okX := rel.term(e.X)
	y, okY := rel.term(e.Y)
	if !okX || !okY {
		return 0, 0, false
	}
	i, okX = rel.index[x]
	j, okY = rel.index[y]
	return i, j, okX && okY
}

func isRelation(op token.Token) bool { return operator.Holding(op) != 0 }

func isWhole(t types.Type) bool { return basic(t)&types.IsInteger != 0 }

func isText(t types.Type) bool { return basic(t)&types.IsString != 0 }

func isUnsigned(t types.Type) bool { return basic(t)&types.IsUnsigned != 0 }

// basic is what a type is, if it has no parts.
func basic(t types.Type) types.BasicInfo {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	return b.Info()
}

// keepsLength says whether only an assignment changes the length of a variable.
func keepsLength(t types.Type) bool {
	_, slice := t.Underlying().(*types.Slice)
	return isText(t) || slice && isList(t)
}

// isList says whether a type is a slice, an array, or a pointer to one.
func isList(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u.(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}
