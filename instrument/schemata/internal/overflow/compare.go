package overflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// relation has the core's names of the comparisons that bound something.
var relation = map[token.Token]string{token.LSS: "IsLess", token.LEQ: "IsAtMost", token.GTR: "IsMore", token.GEQ: "IsAtLeast"}

// comparisons finds those that bound something: that a loop goes on by, that have a length in
// them, or a number that sizes or indexes something.
func (f *Flow) comparisons() {
	sized := f.done
	f.done = make(map[any]bool, len(sized))
	for v := range sized {
		f.done[v] = true
	}
	var signs []*ast.BinaryExpr
	for _, c := range f.compared {
		switch {
		case f.nearZero(c.X) || f.nearZero(c.Y) && !f.unsigned(c.X):
			if !f.nearZero(c.X) {
				signs = append(signs, c)
			}
			continue
		case f.nearZero(c.Y) && !f.loops[c], !f.loops[c] && !f.bounds(c.X, sized) && !f.bounds(c.Y, sized),
			f.meant(c), !f.plain(c.X), !f.plain(c.Y):
			continue
		}
		f.cmps[c] = "Bounds"
		if !f.looks(c.X, c.Y) && !f.looks(c.Y, c.X) {
			f.follow(c.X)
			f.follow(c.Y)
		}
	}
	f.followAll()
	for _, c := range signs {
		if f.names(c.X, f.done) && f.plain(c.X) {
			f.cmps[c] = "Signs"
		}
	}
}

// nearZero reports whether a constant is -1, 0 or 1: what is compared with it is a sign.
func (f *Flow) nearZero(e ast.Expr) bool {
	v := f.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	n, ok := constant.Int64Val(v)
	return ok && -1 <= n && n <= 1
}

// bounds reports whether an operand has a length in it, or names a number that sizes something.
func (f *Flow) bounds(e ast.Expr, sized map[any]bool) bool {
	found := f.names(e, sized)
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && f.info.Types[call.Fun].IsBuiltin() {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") {
				found = true
			}
		}
		return !found
	})
	return found
}

// names reports whether an expression names one of some variables.
func (f *Flow) names(e ast.Expr, of map[any]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && !found {
			if v := f.variable(e); v != nil && of[v] {
				found = true
			}
		}
		return !found
	})
	return found
}

// meant reports whether a comparison makes use of numbers below zero that are large ones without a sign:
// uint(i) < uint(len(s)), x-'a' < 26.
func (f *Flow) meant(c *ast.BinaryExpr) bool {
	for _, e := range []ast.Expr{c.X, c.Y} {
		switch e := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			if f.info.Types[e.Fun].IsType() && f.unsigned(e) && f.integer(e.Args[0]) && !f.unsigned(e.Args[0]) && !f.info.IsConstant(e) && f.size(e) >= f.size(e.Args[0]) {
				return true
			}
		case *ast.BinaryExpr:
			if e.Op == token.SUB && f.unsigned(e) && !f.info.IsConstant(e) && f.constantOther(c, e) {
				return true
			}
		}
	}
	return false
}

// constantOther reports whether the other side of a comparison is a constant, or the difference of
// constants would be.
func (f *Flow) constantOther(c *ast.BinaryExpr, e ast.Expr) bool {
	other := c.X
	if ast.Unparen(c.X) == e {
		other = c.Y
	}
	return f.info.IsConstant(other)
}

// looks reports whether a comparison looks for an overflow: what is compared is made of the other
// side, as in a+b < a.
func (f *Flow) looks(sum, part ast.Expr) bool {
	of := f.variable(part)
	if of == nil {
		return false
	}
	made := []ast.Expr{sum}
	if v := f.variable(sum); v != nil {
		made = f.into[v]
		for _, s := range f.adds[v] { // n += k; if n < k
			if a, ok := s.(*ast.AssignStmt); ok && f.variable(a.Rhs[0]) == of {
				return true
			}
		}
	}
	for _, e := range made {
		if b, ok := f.unconverted(e).(*ast.BinaryExpr); ok && f.carries(b.Op, b.X, b.Y) && f.names(b, map[any]bool{of: true}) {
			return true
		}
	}
	return false
}

// unconverted is what an expression converts.
func (f *Flow) unconverted(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || !f.info.Types[call.Fun].IsType() || len(call.Args) != 1 {
			return e
		}
		e = call.Args[0]
	}
}

// isConstant is the core's word for the operands that are constants.
func (f *Flow) isConstant(x, y ast.Expr) string {
	c := 0
	if f.info.IsConstant(x) {
		c |= 1
	}
	if f.info.IsConstant(y) {
		c |= 2
	}
	return [...]string{"0", "1", "2", "3"}[c]
}

// basic is the type of an expression by its name.
func (f *Flow) basic(e ast.Expr) *types.Basic {
	b, _ := f.info.TypeOf(e).Underlying().(*types.Basic)
	return b
}
