package schemata

import (
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// effect returns the effect of a statement that has only one, on a slice or map,
// and notes the call that it consists of: the whole statement is offered, not the
// call once more.
func (w *walker) effect(s ast.Stmt) operator.Effect {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if w.Info.IsMapElement(s.X) {
			return operator.WritesMap
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return 0
		}
		name, call := w.Info.BuiltinCall(s.Rhs[0])
		switch {
		case name == "append" && w.Src.Node(call.Args[0]) == w.Src.Node(s.Lhs[0]) && w.Effects.EffectlessAll(call.Args):
			w.Deleted[call] = true
			return operator.Appends
		case w.Info.IsMapElement(s.Lhs[0]):
			return operator.WritesMap
		}
	case *ast.ExprStmt:
		switch name, call := w.Info.BuiltinCall(s.X); name {
		case "copy":
			if w.Effects.EffectlessAll(call.Args) {
				w.Deleted[call] = true
				return operator.Copies
			}
		case "delete", "clear":
			return operator.Deletes
		}
	}
	return 0
}
