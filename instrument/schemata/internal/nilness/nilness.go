// Package nilness knows which variables of a file are not nil where.
package nilness

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Facts are what is known of one file.
type Facts struct {
	info     *typing.Info
	syntax   *ast.File
	proofs   map[proof]bool // filled by Proved
	assigned Vars           // filled by assignedVars
}

// New returns the facts of a file.
func New(info *typing.Info, syntax *ast.File) *Facts { return &Facts{info: info, syntax: syntax} }

// Vars is a set of variables that are not nil at some place, and are never
// assigned to after their declaration. It spares guards that can't help: a
// variable that has been dereferenced before is not nil.
type Vars map[types.Object]bool

// Fixed returns the local variable that an expression is, if it is never
// assigned to after its declaration.
func (k *Facts) Fixed(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := k.info.Uses[id].(*types.Var)
	if !ok || typing.IsPackageLevel(v) || k.assignedVars()[v] {
		return nil
	}
	return v
}

// assignedVars returns the variables of a file that get a value after their
// declaration, or may get one through a pointer.
func (k *Facts) assignedVars() Vars {
	if k.assigned != nil {
		return k.assigned
	}
	k.assigned = Vars{}
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if v := k.info.Uses[id]; v != nil { // else declared here
				k.assigned[v] = true
			}
		}
	}
	ast.Inspect(k.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				add(e)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				add(n.Key)
				add(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		}
		return true
	})
	return k.assigned
}

// Compared adds the variables that are not nil where a condition holds that
// compares them with nil by !=, or does not hold that does so by ==.
func (k *Facts) Compared(cond ast.Expr, op token.Token, notNil Vars) {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	switch {
	case e.Op == token.LAND && op == token.NEQ, e.Op == token.LOR && op == token.EQL:
		k.Compared(e.X, op, notNil)
		k.Compared(e.Y, op, notNil)
	case e.Op == op && k.info.Types[e.Y].IsNil():
		if v := k.Fixed(e.X); v != nil {
			notNil[v] = true
		}
	}
}

// NotNil says whether a result can't be nil at a return statement: as far as it
// is written there, or in a condition around it.
func (k *Facts) NotNil(s *ast.ReturnStmt, e ast.Expr) bool {
	if t := k.info.TypeOf(e); !types.IsInterface(t) && !k.info.Types[e].IsNil() {
		return true // even a nil pointer makes an interface that is not nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj, ok := k.info.Uses[e].(*types.Var)
		return ok && (typing.IsPackageLevel(obj) || k.Proved(s, obj))
	case *ast.SelectorExpr:
		obj, ok := k.info.Uses[e.Sel].(*types.Var)
		return ok && typing.IsPackageLevel(obj)
	case *ast.CallExpr:
		return k.info.MakesError(e)
	}
	return false
}

// proof is a variable that is not nil where a return statement stands.
type proof struct {
	ret *ast.ReturnStmt
	v   types.Object
}

// Proved says whether a condition around a return statement holds only if a
// variable is not nil. Assignments in between are not looked for: it is a matter
// of noise, not of soundness.
func (k *Facts) Proved(s *ast.ReturnStmt, v types.Object) bool {
	if k.proofs == nil {
		k.proofs = map[proof]bool{}
		ast.Inspect(k.syntax, k.collectProofs)
	}
	return k.proofs[proof{s, v}]
}

func (k *Facts) collectProofs(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		k.proves(n.Cond, token.NEQ, n.Body)
		if n.Else != nil {
			k.proves(n.Cond, token.EQL, n.Else)
		}
	case *ast.CaseClause:
		if len(n.List) == 1 {
			for _, s := range n.Body {
				k.proves(n.List[0], token.NEQ, s)
			}
		}
	}
	return true
}

// proves records what a condition that compares with nil by op says about the
// return statements it leads to: in the conjunction of !=, or by == in a
// disjunction that does not hold.
func (k *Facts) proves(cond ast.Expr, op token.Token, body ast.Node) {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	joint := token.LAND
	if op == token.EQL {
		joint = token.LOR
	}
	switch e.Op {
	case joint:
		k.proves(e.X, op, body)
		k.proves(e.Y, op, body)
	case op:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		if !ok || !k.info.Types[e.Y].IsNil() {
			return
		}
		v := k.info.Uses[id]
		ast.Inspect(body, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok {
				k.proofs[proof{ret, v}] = true
			}
			return true
		})
	}
}
