package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// reassign changes the := statements at the top of a body that gets a copy. In the
// function's own scope `x, err := f()` assigns to a parameter or result err; in the block
// that the body moves into it would declare another err, which deferred functions and bare returns
// don't see. So the value takes a way round: `x, tmp := f(); err = tmp`.
func (w *walker) reassign(b *ast.BlockStmt) {
	for _, s := range b.List {
		for labeled, ok := s.(*ast.LabeledStmt); ok; labeled, ok = s.(*ast.LabeledStmt) {
			s = labeled.Stmt
		}
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			w.reassignOne(b, a)
		}
	}
}

func (w *walker) reassignOne(b *ast.BlockStmt, a *ast.AssignStmt) {
	var back []string
	for i, e := range a.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := w.Info.Uses[id].(*types.Var)
		if !ok || b.Lbrace < v.Pos() && v.Pos() < b.Rbrace {
			continue // declared here, or by an earlier statement of the body
		}
		tmp := fmt.Sprintf("%st%d", w.Names.Result, w.Src.Off(id.Pos()))
		w.f.fast.Replace(w.Src.Off(id.Pos()), w.Src.Off(id.End()), tmp)
		back = append(back, w.assignBack(a, i, v, tmp))
	}
	if len(back) > 0 {
		w.f.fast.Wrap(w.Src.Off(a.Pos()), w.Src.Off(a.End()), "", "; "+strings.Join(back, "; "))
	}
}

// assignBack gives v the value of the variable tmp that stands for it on the left
// of a. Where that value is untyped it must be converted to v's type.
func (w *walker) assignBack(a *ast.AssignStmt, i int, v *types.Var, tmp string) string {
	rt := w.Names.RT
	if len(a.Rhs) == len(a.Lhs) {
		e := a.Rhs[i]
		isBool := typing.ClassOf(v.Type()) == operator.Bool
		if tv := w.Info.Types[e]; tv.IsNil() || tv.Value != nil || isBool || w.Info.HasUntypedShift(e) {
			w.f.fast.Wrap(w.Src.Off(e.Pos()), w.Src.Off(e.End()), fmt.Sprintf("%s.As(%s, ", rt, v.Name()), ")")
		}
	} else if typing.ClassOf(v.Type()) == operator.Bool && !typing.PlainBool(v.Type()) {
		if _, call := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); !call { // the ok of a map index, assertion or receive
			return fmt.Sprintf("%s = %s.AsBool(%s, %s)", v.Name(), rt, v.Name(), tmp)
		}
	}
	return fmt.Sprintf("%s = %s", v.Name(), tmp)
}
